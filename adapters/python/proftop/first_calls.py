# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""first_calls.py: functions inside nodes, from linkers that make no VM.

The node that such a function runs in is known at its first call. Scan calls these functions
directly, not through the framework's classes. So the first of the function's own nodes notices the
call."""
import weakref

from . import feed


class FirstCalls:
    """Functions that have not been called yet. The first thunk of each list is replaced by a C
    object that behaves like it, so that tracebacks show no frame of the adapter."""

    def __init__(self):
        self.waiting = weakref.WeakKeyDictionary()  # VM -> see put()

    def put(self, vm, thunks, begin):
        """Calls `begin` at the first call, with the node that the function runs in, or None."""
        if thunks:
            own, reference = thunks[0], weakref.ref(vm)
            thunks[0] = feed.wrap_first(own, lambda: self.called(reference(), begin))
            self.waiting[vm] = thunks, own, thunks[0]

    def called(self, vm, begin):
        """Handles the first call. Returns the first thunk to use from now on."""
        thunks, own, _ = self.waiting[vm]
        self.take(vm)
        try:
            begin(feed.open_apply())
        except KeyboardInterrupt:
            if thunks[0] is own:
                self.put(vm, thunks, begin)  # incomplete: the next call is the first
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
