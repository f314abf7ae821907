# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""flags.py PACKAGE: a small graph as the flags of the job say, and what they say."""
import importlib
import inspect
import os
import sys

import numpy as np

package = sys.argv[1]
family = importlib.import_module(package)
pt = importlib.import_module(package + ".tensor")
x, y, z, m = pt.vector("x"), pt.vector("y"), pt.vector("z"), pt.matrix("m")
function = family.function([x, y, z, m], [(x + y + z) * 2, pt.dot(m, x).sum()], name="f")
nodes = function.maker.fgraph.toposort()
config = family.config
print("given", os.environ[package.upper() + "_FLAGS"])
print("flags", config.linker, config.optimizer, config.floatX, config.mode)
print("nodes", [str(node) for node in nodes])
# A VM has its thunks; what the others compile is a closure that has.
vm = getattr(function, "vm", None) or function.fn
thunks = getattr(vm, "thunks", None)
if thunks is None:
    thunks = inspect.getclosurevars(vm).nonlocals["thunks"]
compiled = [str(node) for node, thunk in zip(nodes, thunks) if hasattr(thunk, "cthunk")]
print("c", compiled)
one = np.ones(2, config.floatX)
print(function(one, one, one, np.ones((2, 2), config.floatX)))
