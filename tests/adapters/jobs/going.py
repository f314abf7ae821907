# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""going.py PACKAGE: trains a logistic regression for 100 steps, prints "ready" and its pid, and
predicts repeatedly until a line of input arrives. Then it trains for 100 more steps, and prints the
result."""
import importlib
import os
import select
import sys

import numpy as np

STEPS = 100
package = sys.argv[1]
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")

rng = np.random.RandomState(42)
images, labels = rng.standard_normal((40, 30)), rng.randint(0, 2, 40).astype("float64")
x, y = tensor.dmatrix("x"), tensor.dvector("y")
w = family.shared(rng.standard_normal(30), name="w")
p = 1 / (1 + tensor.exp(-tensor.dot(x, w)))
cost = (-y * tensor.log(p) - (1 - y) * tensor.log(1 - p)).mean()
train = family.function([x, y], cost, updates=[(w, w - 0.1 * family.grad(cost, w))], name="train")
predict = family.function([x], p > 0.5, name="predict")


def go():
    for step in range(STEPS):
        train(images, labels)


go()
print("ready", os.getpid(), flush=True)
while not select.select([sys.stdin], [], [], 0)[0]:
    predict(images)
sys.stdin.readline()
go()
print("sum(w) %.12e wrong %d" % (w.get_value().sum(), np.sum(predict(images) != labels)))
