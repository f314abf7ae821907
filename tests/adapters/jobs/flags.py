# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""flags.py PACKAGE: a doubled sum and a perceptron of two layers, compiled with the job's flags.
Prints the flags."""
import importlib
import inspect
import os
import sys

import numpy as np

package = sys.argv[1]
family = importlib.import_module(package)
pt = importlib.import_module(package + ".tensor")
x, y, z, m = pt.vector("x"), pt.vector("y"), pt.vector("z"), pt.matrix("m")
layers = pt.tanh(pt.dot(m, pt.tanh(pt.dot(m, x))))
function = family.function([x, y, z, m], [(x + y + z) * 2, layers.sum()], name="f")
nodes = function.maker.fgraph.toposort()
config = family.config
print("given", os.environ[package.upper() + "_FLAGS"])
print("flags", config.linker, config.optimizer, config.floatX, config.mode)
print("nodes", [str(node) for node in nodes])
one = np.ones(2, config.floatX)
result = function(one, one, one, np.ones((2, 2), config.floatX))
# A VM tells the framework's own profile which nodes are C. The other linkers make a closure without
# this, but with thunks. A profile reads no more of them.
vm = getattr(function, "vm", None) or function.fn
thunks = getattr(vm, "thunks", None)
if thunks is not None and function.profile:
    told = function.profile.apply_cimpl
else:
    thunks = thunks or inspect.getclosurevars(vm).nonlocals.get("thunks", ())
    told = {node: hasattr(thunk, "cthunk") for node, thunk in zip(nodes, thunks)}
print("c", [str(node) for node in nodes if told.get(node)])
print(result)
