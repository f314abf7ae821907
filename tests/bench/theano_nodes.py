# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""theano_nodes.py ADAPTERS FLOOR numba|c: what a node costs that is patched, in one process: the
same chain of nodes with proftop attached and left again, by turns. Prints a row of each route: its
word, ns for each node, and the ns of the floor among the same turns. And the same of a call of a VM
that has one node, as the steps of a scan call it."""
import os
import subprocess
import sys
import time

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.compile.mode import Mode, get_mode

ADAPTERS, FLOOR, BACKEND = sys.argv[1:]
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

sys.path.insert(0, ADAPTERS)
from proftop import late, remarking, theano_family  # noqa: E402

NODES, CALLS, TURNS = 100, 50, 60
COMPILED_S = 600
TICKS_S = 0.3  # from its second tick on a feed knows what the processor's stamp is; marks go by it
VALUE = np.full(4, 0.5)
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


def print_row(word, bare, patched, floors):
    print(word, min(patched) - min(bare), min(floors), flush=True)


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


def patched_and_not(word, function, ns_of=batch_ns, seconds=0):
    """`seconds`: so long each, the least batch, where a new feed has to learn something first."""
    bare, patched, floors = [], [], []
    for _ in range(TURNS):
        bare.append(least_ns(function, ns_of, seconds))
        floors.append(floor_ns())
        attached()
        assert is_patched(function.vm)
        patched.append(least_ns(function, ns_of, seconds))
        late.detach()
    print_row(word, bare, patched, floors)


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
    patched_and_not("tables", compiled(tables))
    patched_and_not("steps", compiled(tables, 1), steps_ns)
    step_of = theano_family.Adapter.step_of
    theano_family.Adapter.step_of = lambda *unused: ("lists", None)
    patched_and_not("lists", compiled(tables))
    theano_family.Adapter.step_of = step_of
    patched_and_not("thunks", compiled(Mode(VMLinker(use_cloop=False, lazy=False), "fast_run")))
    two_functions("profile", compiled(tables), compiled(tables, profile=True))


def numba():
    """Marks are compiled in, the first time by a thread that takes seconds."""
    function = compiled(get_mode("NUMBA"))
    function(VALUE)
    attached()
    tap.wait_for("marks", lambda: is_patched(function.vm), COMPILED_S)
    late.detach()
    patched_and_not("marks", function, seconds=TICKS_S)


{"c": c_virtual_machine, "numba": numba}[BACKEND]()
floor.stdin.close()
floor.wait()
