# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""pytensor_logreg.py [STEPS [SAMPLES]]: a logistic regression that knows nothing of proftop.

Try it with    proftop run -- python pytensor_logreg.py 100000
"""
import sys

USAGE = "usage: python pytensor_logreg.py [STEPS [SAMPLES]]"
if "--help" in sys.argv or "-h" in sys.argv:
    print(USAGE)
    sys.exit()
if len(sys.argv) > 3 or not all(word.isdigit() for word in sys.argv[1:]):
    sys.exit(USAGE)

import numpy as np  # noqa: E402
import pytensor  # noqa: E402
import pytensor.tensor as pt  # noqa: E402

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
SAMPLES = int(sys.argv[2]) if len(sys.argv) > 2 else 400
FEATURES = 784

rng = np.random.default_rng(42)
images = rng.standard_normal((SAMPLES, FEATURES))
labels = rng.integers(0, 2, SAMPLES).astype("float64")

x = pt.dmatrix("x")
y = pt.dvector("y")
w = pytensor.shared(rng.standard_normal(FEATURES), name="w")
b = pytensor.shared(0.0, name="b")

p_1 = 1 / (1 + pt.exp(-pt.dot(x, w) - b))
prediction = p_1 > 0.5
xent = -y * pt.log(p_1) - (1 - y) * pt.log(1 - p_1)
cost = xent.mean() + 0.01 * (w**2).sum()
gw, gb = pytensor.grad(cost, [w, b])

train = pytensor.function(
    [x, y], [prediction, xent], updates=[(w, w - 0.1 * gw), (b, b - 0.1 * gb)], name="train")
predict = pytensor.function([x], prediction, name="predict")

for step in range(STEPS):
    train(images, labels)
errors = int(np.sum(predict(images) != labels))
print(f"sum(w) {w.get_value().sum():.12e} b {float(b.get_value()):.12e} errors {errors}")
