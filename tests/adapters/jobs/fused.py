# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""fused.py PACKAGE: expressions that the framework fuses into one op each. The large ones share one
name."""
import importlib
import sys

import numpy as np

family = importlib.import_module(sys.argv[1])
tensor = importlib.import_module(sys.argv[1] + ".tensor")
x, y, z = tensor.dvector("x"), tensor.dvector("y"), tensor.dvector("z")
functions = {
    "short": (x - y) * z - 2 * x,
    "sums": (x + y) / (x - z) - y * (x + y) + tensor.exp(z) * (x - z) + x * y * z - (z - x) / y,
    "signs": (x + y) / (x - z) + y * (x + y) - tensor.exp(z) * (x - z) - x * y * z + (z - x) / y,
}
for name, formula in functions.items():
    f = family.function([x, y, z], formula, name=name)
    f(np.ones(3), np.ones(3) * 2, np.ones(3) * 3)
    values = {"x": 1.0, "y": 2.0, "z": 3.0}
    [node] = f.maker.fgraph.toposort()
    inputs = [values.get(one.name, getattr(one, "data", None)) for one in node.inputs]
    print(name, [float(np.ravel(one)[0]) for one in inputs],
          float(f(*(np.ones(3) * values[one] for one in "xyz"))[0]))
