# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""outer.py PACKAGE: the graph with which the frameworks test their own memory profile. Its figures
are known. Prints the profile itself if the flags ask for it."""
import importlib
import sys

import numpy as np

package = sys.argv[1]
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")

x = [tensor.fvector("val%i" % i) for i in range(3)]
z = [tensor.outer(x[i], x[i + 1]).sum(axis=1) for i in range(2)]
z += [x[i] + x[i + 1] for i in range(2)]
f = family.function(x, z, name="outer")
for step in range(3):
    results = f(*[np.arange(1024, dtype="float32") + 1 for one in x])
print([float(one.sum()) for one in results])
if f.profile:
    f.profile.summary(sys.stderr)
    f.profile.reset()
