# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""theano_nodes.py ADAPTERS FLOOR BARE numba|c: what a node costs that is patched, in one process:
the same chain of nodes with proftop attached and left again, by turns. Prints a row of each route:
its word, ns for each node, and of the floor among the same turns: two reads of the clock in a loop
of nothing else, and two at each such node, or the same again where there are none. And the same of
a call of a VM that has one node, as the steps of a scan call it."""
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
from proftop import feed, late, marking, remarking, theano_family  # noqa: E402

NODES, CALLS, TURNS = 100, 50, 60
COMPILED_S = 600
TICKS_S = 0.3  # from its second tick on a feed knows what the processor's stamp is; marks go by it
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
    """A chain that no rewrite makes shorter: nodes of two ops, fusion left out."""
    x = y = pt.dvector("x")
    for step in range(length):
        y = pt.tanh(y) if step % 2 else pt.sin(y)
    function = pytensor.function([x], y, mode=mode.excluding("fusion", "inplace"), **options)
    function.trust_input = True
    nodes = len(function.maker.fgraph.apply_nodes)
    assert nodes == length, nodes
    return function


def batch_ns(function):
    """Time of a node. The first call of a batch finds cold what another batch left."""
    function(VALUE)
    begin = time.perf_counter_ns()
    for _ in range(CALLS):
        function(VALUE)
    return (time.perf_counter_ns() - begin) / CALLS / NODES


def steps_ns(function):
    """Time of a call of the VM alone."""
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
    done, said, _ = late.attach()
    assert done, said


def is_patched(vm):
    return (vm in theano_family.module_state["adapter"].patched
            or vm in remarking.swaps and vm.__defaults__ is remarking.swaps[vm][1])


def least_ns(function, ns_of, seconds):
    end = time.monotonic() + seconds
    least = ns_of(function)
    while time.monotonic() < end:
        least = min(least, ns_of(function))
    return least


def patched_and_not(word, function, ns_of=batch_ns, seconds=0, stamped=None):
    """`seconds`: so long each, the least batch, where a new feed has to learn something first.
    `stamped`: gives a batch with two bare reads of the clock at each node."""
    bare, patched, floors, stamps = [], [], [], []
    for _ in range(TURNS):
        bare.append(least_ns(function, ns_of, seconds))
        floors.append(floor_ns())
        if stamped:
            stamps.append(stamped())
        attached()
        assert is_patched(function.vm)
        patched.append(least_ns(function, ns_of, seconds))
        late.detach()
    print_row(word, bare, patched, floors, stamps)


def stamped_tables(function):
    attached()
    assert bare_code.bare_note(feed.watched(function.vm)) == 0
    late.detach()

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
    """Whatever stands in a list of thunks is called as an object, and that call is in the floor."""
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
    """They are compiled in, the first time by a thread that takes seconds."""
    function(VALUE)
    attached()
    tap.wait_for("marks", lambda: is_patched(function.vm), COMPILED_S)
    late.detach()


def stamped_marks():
    """A second function, whose code calls others in the place of the marks."""
    addresses = [ctypes.cast(getattr(bare_code, "bare_" + name), ctypes.c_void_p).value
                 for name in ("enter", "mark", "step")]
    names = dict(ENTER="_bare_enter", MARK="_bare_mark", STEP="_bare_step", SALT="bare")
    function = compiled(get_mode("NUMBA"))
    intrinsics = marking.intrinsics

    def bare_intrinsics():
        others = types.SimpleNamespace(mark_addresses=lambda: addresses)
        with mock.patch.object(marking, "feed", others):
            return intrinsics()
    with mock.patch.multiple(marking, intrinsics=bare_intrinsics, **names):
        compiled_with_marks(function)
    before, after = remarking.swaps[function.vm]

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
