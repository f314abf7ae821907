# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""attach_running.py: attaches to a framework in a running process, and detaches again.

The existing functions are found among the objects of the process, and their VMs are patched like
those of new functions. Only Numba's code is compiled again (numba_recompile.py). attach() and
detach() return success, a message, and a function that undoes the call, or None."""
import contextlib
import gc
import glob
import os
import sys
import time

from . import feed, mxnet, theano_family, torch
from .requested_by import held_for, own_name
from .kinds import with_subclasses
from .members import MEMBERS, find, packages, row_of
from .greenlet_guard import why_moved
from .pymc_draws import ALL_TAKEN
from .theano_family import nodes_of


def framework():
    """The imported package of the family, or None; and why proftop cannot attach to it, or None."""
    for package in packages():
        if package not in sys.modules:
            continue
        module, member = row_of(package)
        if any(getattr(getattr(one, "__spec__", None), "_initializing", False)
               for one in (sys.modules[package], module)):
            return package, "%s is just being imported: try again" % member.framework
        return package, None
    known = sorted({member.framework for member in MEMBERS.values()} | {"MXNet", "PyTorch"})
    return None, "it has imported none of %s" % ", ".join(known)


def functions_of(kinds):
    """All functions of the process. Since Python 3.9 objects refer to their class."""
    if sys.version_info >= (3, 9):
        objects = gc.get_referrers(*kinds)
    else:
        objects = gc.get_objects()
    return [thing for thing in objects if type(thing) in kinds]


class Adoption:
    """Defines the functions that existed before the adapter: outer functions before inner ones."""

    def __init__(self, adapter, functions, kinds):
        self.adapter, self.kinds = adapter, kinds
        self.functions = functions
        self.groups = adapter.groups.found(functions)
        self.purposes = self.purposes_of([one for one in functions
                                          if not own_name(getattr(one, "name", None))])
        self.known = set()
        self.nodes = 0
        self.inside = {id(inner) for function in functions for node in self.nodes_of(function)
                       for inner in self.held(node.op)}

    @staticmethod
    def purposes_of(nameless):
        if "pymc" not in sys.modules or not nameless:
            return {}
        try:
            return held_for(nameless)
        except Exception:
            return {}  # another thread has freed an object

    def nodes_of(self, function):
        return nodes_of(self.adapter.vm_of(function)) or ()

    def held(self, op):
        """Functions that an op runs. Reads the op's dictionary, since reading attributes might
        compile them."""
        return [value for value in getattr(op, "__dict__", {}).values()
                if type(value) in self.kinds]

    def take(self, function, parent):
        if id(function) in self.known:
            return
        self.known.add(id(function))
        group = self.groups.get(id(function), 0)
        applies = self.adapter.adopt(function, parent, group, self.purposes.get(id(function)))
        self.nodes += len(applies)
        for node, apply in applies.items():
            for inner in self.held(node.op):
                self.take(inner, apply)

    def run(self):
        for function in self.functions:
            if id(function) not in self.inside:
                self.take(function, None)
        for function in self.functions:
            self.take(function, None)  # its outer function was not found


def may_call(pid):
    """True if a process runs the same Python, and so may call the same functions."""
    try:
        with open("/proc/%s/cmdline" % pid, "rb") as command:
            return (os.readlink("/proc/%s/exe" % pid) == os.readlink("/proc/self/exe")
                    and b"multiprocessing.resource_tracker" not in command.read())
    except OSError:
        return False  # the process has ended


def has_workers():
    """True if this process has started one that runs. False, too, if the kernel does not list
    children."""
    for children in glob.glob("/proc/self/task/*/children"):
        with contextlib.suppress(OSError):  # the thread has ended
            with open(children, encoding="ascii") as file:
                if any(map(may_call, file.read().split())):
                    return True
    return False


def counted(count, what):
    return "%d %s%s" % (count, what, "" if count == 1 else "s")


def found_words(functions, nodes, again, taken):
    words = counted(functions, "function")
    if nodes:
        words += " with " + counted(nodes, "node")
    if again:
        words += "; Numba compiles %d again, with marks, and then their nodes are seen" % again
    if taken:
        words += "; %d %s" % (taken, ALL_TAKEN)
    return words


def attach_family():
    begun = time.perf_counter()
    adapter = theano_family.module_state.get("adapter")
    if adapter and adapter.removed:
        theano_family.stop()  # its removal was interrupted
    elif adapter:
        feed.own_feed()  # opens the feed of a forked child that has called nothing yet
        return True, "it was attached to already", None
    package, reason = framework()
    reason = reason or why_moved() or theano_family.start(package, True)
    if reason:
        return False, reason, None
    adapter = theano_family.module_state["adapter"]
    lacks = adapter.probes.failed.get("functions")
    if lacks:
        theano_family.stop()
        return False, "the probe 'functions' failed: " + lacks, None
    try:
        kinds = with_subclasses(find(package, adapter.member.functions, "Function"))
        adoption = Adoption(adapter, functions_of(kinds), kinds)
        adapter.watch_numba()  # a running compilation may use Numba later
        adapter.sampling.look_for_nutpie(adoption.functions)
        adoption.run()
        adapter.sampling.arrive()
        adapter.tell_facts()
        adapter.say_others()
        if has_workers():
            adapter.say_workers()
        again = adapter.numba_recompile.start()
    except BaseException:
        theano_family.stop()
        raise
    said = "attached to %s %s: %s, in %.0f ms of its main thread" % (
        adapter.member.framework, adapter.version,
        found_words(len(adoption.known), adoption.nodes, again, adapter.routes.get(ALL_TAKEN)),
        (time.perf_counter() - begun) * 1e3)
    return True, said, theano_family.stop


def is_imported_family():
    return any(package in sys.modules for package in packages())


# Adapters: (is its framework imported, attach, is it attached, detach).
ADAPTERS = (
    (is_imported_family, attach_family, lambda: "adapter" in theano_family.module_state,
     theano_family.stop),
    (mxnet.is_imported, mxnet.attach, mxnet.is_attached, mxnet.stop),
    (torch.is_imported, torch.attach, torch.is_attached, torch.stop),
)


def attach():
    """Attaches to each imported framework. The message covers all of them, with the reasons of
    those that cannot be watched."""
    there = [attach_one for is_imported, attach_one, _, _ in ADAPTERS if is_imported()]
    if not there:
        return False, framework()[1], None
    good, said, backs = False, [], []
    for attach_one in there:
        done, words, back = attach_one()
        good = good or done
        said.append(words)
        backs += [back] if back else []
    return good, "; ".join(said), (lambda: [back() for back in reversed(backs)]) if backs else None


def detach(asker=None):
    left = [stop for _, _, is_attached, stop in ADAPTERS if is_attached()]
    for stop in left:
        stop(asker)
    if not left:
        return False, "it is not attached to", None
    return True, "left as it was", None
