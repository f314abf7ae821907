# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""vm_counts.py: the second route for a C VM, if its pointer tables have an unknown layout.

The VM is told to count its nodes itself, as for a profile of the framework. tally.c takes the
counts of each call out of the VM's lists again, so such a profile contains none of them."""
import weakref


def lists_of(vm):
    """The VM's lists of seconds and of calls of each node."""
    return getattr(vm, "call_times", None), getattr(vm, "call_counts", None)


def missing(vm, nodes):
    """None, or the reason why this VM cannot count its nodes."""
    if not all(isinstance(one, list) and len(one) == nodes for one in lists_of(vm)):
        return "it has no lists of times and calls"
    if not isinstance(getattr(vm, "time_thunks", None), int):
        return "it has no switch for its times"
    return None


class VmCounts:
    """The VMs that count their nodes for the adapter."""

    def __init__(self):
        self.told = weakref.WeakKeyDictionary()  # VM -> the old value of its switch

    def begin(self, vm, graph, applies):
        self.told[vm] = vm.time_thunks
        graph.tally(*lists_of(vm), applies, bool(vm.time_thunks))
        vm.time_thunks = 1

    def end(self, vm):
        if vm in self.told:
            vm.time_thunks = self.told[vm]
            del self.told[vm]
