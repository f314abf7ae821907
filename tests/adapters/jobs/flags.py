# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""flags.py: a small graph as the flags of the job say, and what they say."""
import inspect
import os

import numpy as np
import pytensor
import pytensor.tensor as pt

x, y, z, m = pt.vector("x"), pt.vector("y"), pt.vector("z"), pt.matrix("m")
function = pytensor.function([x, y, z, m], [(x + y + z) * 2, pt.dot(m, x).sum()], name="f")
nodes = function.maker.fgraph.toposort()
config = pytensor.config
print("given", os.environ["PYTENSOR_FLAGS"])
print("flags", config.linker, config.optimizer, config.floatX, config.mode)
print("nodes", [str(node) for node in nodes])
# A VM has its thunks; what the others compile is a closure that has.
thunks = getattr(function.vm, "thunks", None)
if thunks is None:
    thunks = inspect.getclosurevars(function.vm).nonlocals["thunks"]
compiled = [str(node) for node, thunk in zip(nodes, thunks) if hasattr(thunk, "cthunk")]
print("c", compiled)
one = np.ones(2, config.floatX)
print(function(one, one, one, np.ones((2, 2), config.floatX)))
