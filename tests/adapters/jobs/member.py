# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""member.py PACKAGE STEPS [LINKER...]: a logistic regression on any member of the family, with each
of its linkers, or with these. Prints results, and the nodes in order of execution. With TRUTH it
writes the counts of the framework's profile, and each node is slow to make ready."""
import importlib
import os
import sys
import time

import numpy as np

package, steps = sys.argv[1], int(sys.argv[2])
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")
grad = family.grad
Mode = importlib.import_module(package + ".compile.mode").Mode

LINGER_S = 0.002


def linger(cls):
    """Sets a minimum for the measured time, on a fast machine too."""
    make = cls.make_thunk

    def make_thunk(self, *args, **kwargs):
        end = time.perf_counter() + LINGER_S
        while time.perf_counter() < end:
            pass
        return make(self, *args, **kwargs)
    cls.make_thunk = make_thunk


if "TRUTH" in os.environ:
    for cls in type(tensor.exp(tensor.dvector()).owner.op).__mro__:
        if "make_thunk" in vars(cls):
            linger(cls)
rng = np.random.RandomState(42)
images, labels = rng.standard_normal((40, 30)), rng.randint(0, 2, 40).astype("float64")
functions = {}
for linker in sys.argv[3:] or ("cvm", "vm", "vm_nogc", "c|py", "py"):
    x, y = tensor.dmatrix("x"), tensor.dvector("y")
    w, b = family.shared(rng.standard_normal(30), name="w"), family.shared(0.0, name="b")
    p = 1 / (1 + tensor.exp(-tensor.dot(x, w) - b))
    cost = (-y * tensor.log(p) - (1 - y) * tensor.log(1 - p)).mean() + 0.01 * (w ** 2).sum()
    gw, gb = grad(cost, [w, b])
    profiled = "TRUTH" in os.environ and linker in ("cvm", "vm", "vm_nogc")
    functions[linker] = train = family.function(
        [x, y], [cost], updates=[(w, w - 0.1 * gw), (b, b - 0.1 * gb)], name=linker,
        mode=Mode(linker, "fast_run"), profile=profiled)
    for step in range(steps):
        train(images, labels)
    print(linker, "%.12e" % w.get_value().sum())

for linker, function in functions.items():
    nodes = list(function.maker.fgraph.toposort())
    vm = getattr(function, "vm", None) or function.fn
    print("nodes", linker, [str(node) for node in getattr(vm, "nodes", nodes)])

if "TRUTH" in os.environ:
    import truth
    truth.tell(**{name: function for name, function in functions.items() if function.profile})
