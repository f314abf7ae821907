# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""tallying.py: the step below the pointer tables of a C VM, where those are not laid out as known:
it is told to count its nodes itself, as a profile of the framework's own would tell it. _tally.c
takes what a call has counted out of the VM's lists again, so such a profile has nothing of it."""
import weakref


def lists_of(vm):
    """Its lists of seconds and of calls of each node."""
    return getattr(vm, "call_times", None), getattr(vm, "call_counts", None)


def missing(vm, nodes):
    """None, or why this VM cannot be told to count so many nodes."""
    if not all(isinstance(one, list) and len(one) == nodes for one in lists_of(vm)):
        return "it has no lists of times and calls"
    if not isinstance(getattr(vm, "time_thunks", None), int):
        return "it has no switch for its times"
    return None


class Tallying:
    """The VMs that count their nodes for us."""

    def __init__(self):
        self.told = weakref.WeakKeyDictionary()  # VM: what its switch was

    def begin(self, vm, graph, applies):
        self.told[vm] = vm.time_thunks
        graph.tally(*lists_of(vm), applies, bool(vm.time_thunks))
        vm.time_thunks = 1

    def end(self, vm):
        if vm in self.told:
            vm.time_thunks = self.told[vm]
            del self.told[vm]
