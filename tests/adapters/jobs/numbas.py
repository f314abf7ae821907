# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""numbas.py: functions that Numba compiles as one piece: a logistic regression, a scan and its
gradient, an op that runs a graph, at two nodes, code that two threads call directly, one that
fails, one that returns its input. Prints results, and the nodes of each graph."""
import threading

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.compile.builders import OpFromGraph

rng = np.random.RandomState(42)
images, labels = rng.standard_normal((40, 30)), rng.randint(0, 2, 40).astype("float64")
x, y = pt.dmatrix("x"), pt.dvector("y")
w, b = pytensor.shared(rng.standard_normal(30), name="w"), pytensor.shared(0.0, name="b")
p = pt.sigmoid(pt.dot(x, w) + b)
cost = (-y * pt.log(p) - (1 - y) * pt.log(1 - p)).mean() + 0.01 * (w ** 2).sum()
gw, gb = pytensor.grad(cost, [w, b])
train = pytensor.function([x, y], [cost], updates=[(w, w - 0.1 * gw), (b, b - 0.1 * gb)],
                          name="train")
for step in range(200):
    train(images, labels)
print("%.12e" % w.get_value().sum())

h, weights = pt.dvector("h"), pt.dmatrix("weights")
states = pytensor.scan(lambda before, weights: pt.tanh(pt.dot(weights, before)),
                       outputs_info=[h], non_sequences=[weights], n_steps=100, name="steps",
                       return_updates=False)
outer = pytensor.function([weights, h], states[-1].sum(), name="outer")
for step in range(20):
    last = outer(np.eye(3) * 0.5, np.ones(3))
print("%.12e" % last)
slope = pytensor.function([weights, h], pytensor.grad(states[-1].sum(), h), name="slope")
for step in range(6):
    last = slope(np.eye(3) * 0.5, np.ones(3))
print(last)

v = pt.dvector("v")
box = OpFromGraph([v], [pt.exp(v) * v], name="box")
boxed = pytensor.function([v], box(v).sum() + box(v[::-1] * 2).sum(), name="boxed")
for step in range(7):
    last = boxed(np.ones(5))
print("%.12e" % last)
shared = pytensor.function([v], pt.exp(v).sum() + pt.dot(v, v), name="shared")
print("%.12e" % shared(np.ones(5)))
code = shared.vm.jit_fn  # samplers call it like this, on threads of their own
threads = [threading.Thread(target=lambda: [code(np.ones(5)) for _ in range(2000)])
           for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()

m = pt.dmatrix("m")
picky = pytensor.function([m], pt.exp(pt.dot(m, v)), givens={v: np.ones(3)}, name="picky")
for rows in (3, 4, 3):
    try:
        print(picky(np.ones((2, rows))))
    except Exception as error:
        print(type(error).__name__)
print(pytensor.function([v], v, name="nothing")(np.ones(2)))
for function in (train, outer, slope, boxed, shared, picky):
    print("nodes", function.name, [str(node) for node in function.maker.fgraph.toposort()])
