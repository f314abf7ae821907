# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""late.py PACKAGE count|churn: a running job for proftop to attach to.

count  trains, prints "ready", waits for an attach, trains on, prints "counted". At the next line
       of its input, prints the framework's own counts since the attach.
churn  trains until its input ends, through any attaches and detaches. Then prints whether each
       step had the same result as alone, and what is left of proftop.
"""
import gc
import importlib
import json
import select
import sys

import numpy as np
from arrival import attached, await_attach

package, what = sys.argv[1:]
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")
Mode = importlib.import_module(package + ".compile.mode").Mode
BEFORE, AFTER = 30, 50
KEPT = 2000  # steps whose results are compared
functions, weights, numbers = {}, {}, {}
PROFILED = "cvm", "vm"  # the framework does not profile the others
for linker in (*PROFILED, "c|py", "py"):
    # In Python each number takes as long as a thousand in C.
    numbers[linker] = np.linspace(0.0, 1.0, 20000 if what == "churn" and linker != "py" else 20)
    x = tensor.dvector("x")
    w = family.shared(np.ones_like(numbers[linker]), name="w")
    functions[linker] = family.function(
        [x], (tensor.exp(x) * w).sum(), updates=[(w, w * 0.999 + tensor.tanh(x) * 1e-3)],
        name=linker, mode=Mode(linker, "fast_run"),
        profile=what == "count" and linker in PROFILED)
    weights[linker] = w


def vm_of(function):
    return getattr(function, "vm", None) or function.fn


def thunks_of(vm):
    """A linker without a VM makes a function with them in a closure cell."""
    names = getattr(getattr(vm, "__code__", None), "co_freevars", ())
    return vm.__closure__[names.index("thunks")].cell_contents if names else vm.thunks


def counted(function):
    """Calls of its nodes, in the framework's profile."""
    calls = function.profile.apply_callcount
    return [calls.get(node, 0) or calls.get((function.maker.fgraph, node), 0)
            for node in vm_of(function).nodes]


def compiled(profile):
    """Seconds: the whole and the parts."""
    rewriting = getattr(profile, "rewriting_time", None) or profile.optimizer_time
    return [profile.compile_time, rewriting, profile.validate_time, profile.linker_time]


def train(steps):
    return {name: float([function(numbers[name]) for _ in range(steps)][-1])
            for name, function in functions.items()}


vms = {name: vm_of(function) for name, function in functions.items()}
nodes = {name: function.maker.fgraph.toposort() for name, function in functions.items()}
nodes.update((name, vms[name].nodes) for name in PROFILED)
thunks = {name: list(thunks_of(vm)) for name, vm in vms.items()}
if what == "count":
    train(BEFORE)
    before = {name: counted(functions[name]) for name in PROFILED}
    await_attach()
    results = train(AFTER)
    since = {name: [now - then for now, then in zip(counted(functions[name]), before[name])]
             for name in PROFILED}
    assert all(vm_of(function) is vms[name] for name, function in functions.items())
    print("counted", flush=True)
    sys.stdin.readline()
    print(json.dumps({"results": results, "since": since, "texts": {
        name: list(map(str, some)) for name, some in nodes.items()}, "compiled": {
            name: compiled(functions[name].profile) for name in PROFILED}}))
else:
    # An array, so that this process does not grow while others measure it.
    sums = np.zeros((KEPT, len(functions)))
    sums[0] = list(train(1).values())  # before the attach: `py` opens a file at its first call
    gc.collect()  # closes a file of the framework's that would be collected during the checks
    print("ready", flush=True)
    steps, seen = 1, 0
    while not select.select([sys.stdin], [], [], 0)[0]:
        result = list(train(1).values())
        if steps < KEPT:
            sums[steps] = result
        steps += 1
        seen += attached()
    left = attached()
    same = all(list(map(id, thunks_of(vm))) == list(map(id, thunks[name]))
               for name, vm in vms.items())
    kinds = {type(vars(kind).get("__call__", len)).__name__
             for kind in (type(functions["cvm"]), *map(type, vms.values()))}
    for name, w in weights.items():
        w.set_value(np.ones_like(numbers[name]))
    equal = all(list(train(1).values()) == list(then) for then in sums[:steps])
    print(json.dumps({"steps": steps, "seen": seen > 0, "left": left, "same": same,
                      "equal": equal, "kinds": sorted(kinds), "profile": family.config.profile,
                      "nodes": {name: len(some) for name, some in nodes.items()}}))
