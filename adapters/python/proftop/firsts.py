# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""firsts.py: functions inside nodes, of linkers that make no VM.

Which node such a function runs in is known when it is first called. Scan calls what these linkers
make past the framework's classes: then the first of its own nodes is the first to know.
"""
import weakref

from . import feed


class First:
    """Stands in a list of thunks for the first of them until that is called, and looks like it."""

    def __init__(self, thunks, begin):
        self.thunks, self.thunk, self.begin = thunks, thunks[0], begin

    def __call__(self, *args, **kwargs):
        self.leave()
        try:
            self.begin(feed.open_apply())
        except Exception:  # pylint: disable=broad-except
            pass  # ours; the job goes on, unseen
        return self.thunks[0](*args, **kwargs)

    def __getattr__(self, name):
        return getattr(self.thunk, name)

    def leave(self):
        if self.thunks[0] is self:
            self.thunks[0] = self.thunk


class Firsts:
    """Those that have not been called yet."""

    def __init__(self):
        self.waiting = weakref.WeakKeyDictionary()  # what the linker made: its first

    def put(self, vm, thunks, begin):
        """`begin` is called with the node that it runs in, or None."""
        if thunks:
            thunks[0] = self.waiting[vm] = First(thunks, begin)

    def take(self, vm):
        first = self.waiting.pop(vm, None)
        if first is not None:
            first.leave()

    def remove(self):
        while self.waiting:
            self.waiting.popitem()[1].leave()
