# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""products.py: two products and a chain of elementwise ops, called a given number of times."""
import sys

import numpy as np
import pytensor
import pytensor.tensor as pt

x, w, c = pt.dmatrices("x", "w", "c")
v = pt.dvector("v")
z = c + pt.dot(x, w)
f = pytensor.function([x, w, c, v], [pt.tanh(z) * z + 1, pt.dot(x, v)], name="f")
for step in range(int(sys.argv[1])):
    f(*(np.full(shape, 0.5) for shape in ((4, 3), (3, 2), (4, 2), (3,))))
