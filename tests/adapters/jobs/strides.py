# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""strides.py: a job of the package in its argument, with arrays in other memory layouts than C
order: transposed, reversed, every second element, columns of a larger array; one row for all rows;
a number. Prints the profile itself if the flags ask for it."""
import importlib
import sys

import numpy as np

package = importlib.import_module(sys.argv[1])
pt = importlib.import_module(package.__name__ + ".tensor")

x, y = pt.dmatrices("x", "y")
v = pt.dvector("v")
f = package.function([x, y, v], [pt.dot(x.T, y), pt.exp(x[::-1, ::2]), y[:, 1:3] + v[::-1].sum(),
                                 pt.sin(x) + v.dimshuffle("x", 0)], name="f")
wide = np.arange(40.0).reshape(4, 10)
for step in range(5):
    f(wide[:, ::2], np.asfortranarray(wide[:, :6]), np.arange(5.0)[::-1])
if f.profile:
    f.profile.summary(sys.stderr)
