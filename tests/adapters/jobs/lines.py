# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""lines.py PACKAGE: an expression that becomes one node, on any member of the family."""
import importlib
import sys

import numpy as np

family = importlib.import_module(sys.argv[1])
tensor = importlib.import_module(sys.argv[1] + ".tensor")
x, y, z = tensor.dvector("x"), tensor.dvector("y"), tensor.dvector("z")
doubled = (x + y + z) * 2  # THE LINE
f = family.function([x, y, z], doubled, name="f")
for step in range(3):
    f(np.ones(3), np.ones(3), np.ones(3))
