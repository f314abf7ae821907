# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""printed.py PACKAGE [STEPS]: the example of the documents' profile, on any member of the
family: three vectors of ten numbers are added and doubled, once. With STEPS it first
trains a logistic regression. Prints its flags and results, "ready" and its pid. At the
next line of input it prints the framework's profiles of these functions, and
proftop's."""
import importlib
import os
import sys

import numpy as np
import proftop

package, steps = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")
functions = []


def regression():
    rng = np.random.RandomState(42)
    images, labels = rng.standard_normal((40, 30)), rng.randint(0, 2, 40).astype("float64")
    x, y = tensor.dmatrix("x"), tensor.dvector("y")
    w, b = family.shared(rng.standard_normal(30), name="w"), family.shared(0.0, name="b")
    p = 1 / (1 + tensor.exp(-tensor.dot(x, w) - b))
    cost = (-y * tensor.log(p) - (1 - y) * tensor.log(1 - p)).mean() + 0.01 * (w ** 2).sum()
    gw, gb = family.grad(cost, [w, b])
    train = family.function([x, y], [cost], updates=[(w, w - 0.1 * gw), (b, b - 0.1 * gb)],
                            name="train")
    predict = family.function([x], p > 0.5, name="predict")
    functions.extend([train, predict])
    for step in range(steps):
        train(images, labels)
    predict(images)


if steps:
    regression()
x, y, z = tensor.dvector("x"), tensor.dvector("y"), tensor.dvector("z")
doubled = (x + y + z) * 2
f = family.function([x, y, z], doubled)  # THE LINE
functions.append(f)
numbers = np.arange(10.0)
print("excluding", family.config.optimizer_excluding)
print(f(numbers, numbers, numbers))
print("ready", os.getpid(), flush=True)
sys.stdin.readline()
for function in functions:
    function.profile.summary(sys.stdout, n_ops_to_print=100, n_apply_to_print=100)
for function in functions[1:] if steps else ():
    print("summary")
    proftop.summary(function, n_ops=100, n_apply=100)
if steps:
    print("summary")
    proftop.summary(format="profilemode", n_ops=100, n_apply=100)
