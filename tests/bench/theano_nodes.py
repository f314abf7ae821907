# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""theano_nodes.py ADAPTERS FLOOR BARE numba|c: measures the overhead of a patched node, in one
process: the same chain of nodes with proftop attached and detached, by turns. Prints a row for each
route: its word, ns per node, and the floor of the same turns. The floor is two clock reads in an
otherwise empty loop, and two at each such node (or the first again if there is none). Prints the
same for a call of a VM that has one node, as the steps of a scan call it."""
import ctypes
import os
import subprocess
import sys
import time
import types
from unittest import mock

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.compile.mode import Mode, get_mode

ADAPTERS, FLOOR, BARE, BACKEND = sys.argv[1:]
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

sys.path.insert(0, ADAPTERS)
from proftop import feed, attach_running, numba_marks, numba_recompile, theano_family  # noqa: E402

NODES, CALLS, TURNS = 100, 50, 60
COMPILED_S = 600
TICKS_S = 0.3  # from its second tick on a feed knows the unit of the stamps, which marks need
VALUE = np.full(4, 0.5)
bare_code = ctypes.PyDLL(BARE)
bare_code.bare_note.argtypes = [ctypes.py_object]
bare_code.bare_thunk.argtypes, bare_code.bare_thunk.restype = [ctypes.py_object], ctypes.py_object
floor = subprocess.Popen([FLOOR, "stamps"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         text=True)


def floor_ns():
    floor.stdin.write("\n")
    floor.stdin.flush()
    return float(floor.stdout.readline())


def compiled(mode, length=NODES, **options):
    """A chain that no rewrite shortens: nodes of two ops, without fusion."""
    x = y = pt.dvector("x")
    for step in range(length):
        y = pt.tanh(y) if step % 2 else pt.sin(y)
    function = pytensor.function([x], y, mode=mode.excluding("fusion", "inplace"), **options)
    function.trust_input = True
    nodes = len(function.maker.fgraph.apply_nodes)
    assert nodes == length, nodes
    return function


def batch_ns(function):
    """Time per node. The first call of a batch warms the caches."""
    function(VALUE)
    begin = time.perf_counter_ns()
    for _ in range(CALLS):
        function(VALUE)
    return (time.perf_counter_ns() - begin) / CALLS / NODES


def steps_ns(function):
    """Time per call of the VM alone."""
    vm = function.vm
    function.input_storage[0].storage[0] = VALUE
    vm()
    begin = time.perf_counter_ns()
    for _ in range(CALLS):
        vm()
    return (time.perf_counter_ns() - begin) / CALLS


def print_row(word, bare, patched, floors, stamped=()):
    alone = min(floors)
    print(word, min(patched) - min(bare), alone, min(stamped) - min(bare) if stamped else alone,
          flush=True)


def attached():
    done, said, _ = attach_running.attach()
    assert done, said


def is_patched(vm):
    return (vm in theano_family.module_state["adapter"].patched
            or vm in numba_recompile.swaps and vm.__defaults__ is numba_recompile.swaps[vm][1])


def least_ns(function, ns_of, seconds):
    end = time.monotonic() + seconds
    least = ns_of(function)
    while time.monotonic() < end:
        least = min(least, ns_of(function))
    return least


def patched_and_not(word, function, ns_of=batch_ns, seconds=0, stamped=None):
    """Measures by turns. `seconds`: duration of each batch (default: the least batch), for a new
    feed that has to learn something first. `stamped`: runs a batch with two bare clock reads at
    each node."""
    bare, patched, floors, stamps = [], [], [], []
    for _ in range(TURNS):
        bare.append(least_ns(function, ns_of, seconds))
        floors.append(floor_ns())
        if stamped:
            stamps.append(stamped())
        attached()
        assert is_patched(function.vm)
        patched.append(least_ns(function, ns_of, seconds))
        attach_running.detach()
    print_row(word, bare, patched, floors, stamps)


def stamped_tables(function):
    attached()
    assert bare_code.bare_note(feed.watched(function.vm)) == 0
    attach_running.detach()

    def stamped():
        bare_code.bare_put()
        try:
            return batch_ns(function)
        finally:
            bare_code.bare_take()
    return stamped


def by_tables(function):
    patched_and_not("tables", function, stamped=stamped_tables(function))


def by_thunks(function):
    """The VM calls every entry of a thunk list as an object. The floor includes that call."""
    thunks = function.vm.thunks
    plain, others = list(thunks), [bare_code.bare_thunk(thunk) for thunk in thunks]

    def stamped():
        thunks[:] = others
        try:
            return batch_ns(function)
        finally:
            thunks[:] = plain
    patched_and_not("thunks", function, stamped=stamped)


def compiled_with_marks(function):
    """The marks are compiled in. The first time, a thread compiles them for seconds."""
    function(VALUE)
    attached()
    tap.wait_for("marks", lambda: is_patched(function.vm), COMPILED_S)
    attach_running.detach()


def stamped_marks():
    """A second function, whose code calls the bare functions in place of the marks."""
    addresses = [ctypes.cast(getattr(bare_code, "bare_" + name), ctypes.c_void_p).value
                 for name in ("enter", "mark", "step")]
    names = dict(ENTER="_bare_enter", MARK="_bare_mark", STEP="_bare_step", SALT="bare")
    function = compiled(get_mode("NUMBA"))
    intrinsics = numba_marks.intrinsics

    def bare_intrinsics():
        others = types.SimpleNamespace(mark_addresses=lambda: addresses)
        with mock.patch.object(numba_marks, "feed", others):
            return intrinsics()
    with mock.patch.multiple(numba_marks, intrinsics=bare_intrinsics, **names):
        compiled_with_marks(function)
    before, after = numba_recompile.swaps[function.vm]

    def stamped():
        function.vm.__defaults__ = after
        try:
            return least_ns(function, batch_ns, TICKS_S)
        finally:
            function.vm.__defaults__ = before
    return stamped


def two_functions(word, bare_function, function):
    bare, patched, floors = [], [], []
    for _ in range(TURNS):
        bare.append(batch_ns(bare_function))
        floors.append(floor_ns())
        patched.append(batch_ns(function))
    print_row(word, bare, patched, floors)


def c_virtual_machine():
    from pytensor.link.vm import VMLinker
    tables = Mode(VMLinker(use_cloop=True), "fast_run")
    by_tables(compiled(tables))
    patched_and_not("steps", compiled(tables, 1), steps_ns)
    step_of = theano_family.Adapter.step_of
    theano_family.Adapter.step_of = lambda *unused: ("lists", None)
    patched_and_not("lists", compiled(tables))
    theano_family.Adapter.step_of = step_of
    by_thunks(compiled(Mode(VMLinker(use_cloop=False, lazy=False), "fast_run")))
    two_functions("profile", compiled(tables), compiled(tables, profile=True))


def numba():
    function = compiled(get_mode("NUMBA"))
    compiled_with_marks(function)
    patched_and_not("marks", function, seconds=TICKS_S, stamped=stamped_marks())


{"c": c_virtual_machine, "numba": numba}[BACKEND]()
floor.stdin.close()
floor.wait()
