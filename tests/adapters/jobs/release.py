# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""release.py PACKAGE: programs for any release of the family, with its default linker and the C VM:
a logistic regression, a chain of sums, and a Scan. Prints a line of JSON for each function: its
calls as the framework counted them, and its nodes' calls if the framework counts them."""
import importlib
import json
import sys

import numpy as np

package = sys.argv[1]
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")
Mode = importlib.import_module(package + ".compile.mode").Mode
CALLS, STEPS = 7, 5
rng = np.random.RandomState(42)
images, labels = rng.standard_normal((40, 30)), rng.randint(0, 2, 40).astype("float64")


def logistic():
    x, y = tensor.dmatrix("x"), tensor.dvector("y")
    w = family.shared(rng.standard_normal(30))
    p = 1 / (1 + tensor.exp(-tensor.dot(x, w)))
    cost = (-y * tensor.log(p) - (1 - y) * tensor.log(1 - p)).mean() + 0.01 * (w ** 2).sum()
    return [x, y], cost, [(w, w - 0.1 * family.grad(cost, w))], (images, labels)


def chain():
    x = tensor.dvector("x")
    total = x
    for _ in range(6):
        total = tensor.cumsum(tensor.tanh(total))
    return [x], total, [], (np.ones(10),)


def scan():
    x, module = tensor.dvector("x"), importlib.import_module(package + ".scan")
    made = getattr(module, "scan", family.scan)
    made = getattr(made, "scan", made)
    powers, *_ = made(lambda power, base: tensor.tanh(power * base), n_steps=STEPS, name="power",
                      outputs_info=tensor.ones_like(x), non_sequences=x)
    return [x], powers[-1].sum(), [], (np.ones(9),)


def counted(function):
    """Calls of each node, as the framework counts them. None if it does not."""
    profile, vm = function.profile, getattr(function, "vm", None) or function.fn
    nodes = getattr(vm, "nodes", None)
    if not nodes or not profile.apply_callcount:
        return None
    graph = function.maker.fgraph
    return [[str(node), profile.apply_callcount.get((graph, node), profile.apply_callcount.get(
        node, 0))] for node in nodes]


programs = [logistic, chain] + [scan] * (package == "pytensor")
for linker in (None, "cvm"):
    for program in programs:
        inputs, result, updates, given = program()
        name = "%s %s" % (program.__name__, linker or "default")
        f = family.function(inputs, result, updates=updates, name=name, profile=True,
                            mode=linker and Mode(linker, "fast_run"))
        for _ in range(CALLS):
            f(*given)
        print(json.dumps({"name": name, "calls": f.profile.fct_callcount, "nodes": counted(f),
                          "steps": CALLS * STEPS if program is scan else None}), flush=True)
