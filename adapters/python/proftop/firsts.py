# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""firsts.py: functions inside nodes, of linkers that make no VM.

Which node such a function runs in is known when it is first called. Scan calls what these linkers
make past the framework's classes: then the first of its own nodes is the first to know.
"""
import weakref

from . import feed


class Firsts:
    """Those that have not been called yet. What stands in a list for the first of its thunks looks
    like it, and is an object in C: no tracebacks show a frame of ours."""

    def __init__(self):
        self.waiting = weakref.WeakKeyDictionary()  # what the linker made: see put()

    def put(self, vm, thunks, begin):
        """`begin` is called with the node that it runs in, or None."""
        if thunks:
            own, reference = thunks[0], weakref.ref(vm)
            thunks[0] = feed.wrap_first(own, lambda: self.called(reference(), begin))
            self.waiting[vm] = thunks, own, thunks[0]

    def called(self, vm, begin):
        """Gives what stands in the list from here on."""
        thunks, own, _ = self.waiting[vm]
        self.take(vm)
        try:
            begin(feed.open_apply())
        except KeyboardInterrupt:
            if thunks[0] is own:
                self.put(vm, thunks, begin)  # the next call is the first one that is whole
            raise
        return thunks[0]

    def take(self, vm):
        held = self.waiting.pop(vm, None)
        if held is None:
            return
        thunks, own, ours = held
        if thunks[0] is ours:
            thunks[0] = own

    def remove(self):
        for vm in list(self.waiting):
            self.take(vm)
