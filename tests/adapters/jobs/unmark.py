# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""unmark.py: detaches proftop from a job whose functions Numba compiles, and checks that later
compiled code is the framework's own."""
import sys

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.link.numba.dispatch import basic
from pytensor.link.numba.linker import NumbaLinker

v = pt.dvector("v")
f = pytensor.function([v], pt.exp(v).sum(), name="f")
for step in range(4):
    before = f(np.ones(3))
assert "_proftop_mark" in f.vm.jit_fn.py_func.__globals__["jitable_func"].py_func.__globals__

sys.modules["_proftop.theano_family"].module_state["adapter"].remove()
assert basic.fgraph_to_python.__module__ == "pytensor.link.utils"
assert type(NumbaLinker.fgraph_convert).__name__ == "function"
graph = getattr(basic, "AbstractFunctionGraph", None) or basic.FunctionGraph
registered = basic.numba_funcify_and_cache_key.dispatch(graph)
assert registered is basic.numba_funcify_FunctionGraph, registered
for step in range(3):
    assert f(np.ones(3)) == before
g = pytensor.function([v], pt.exp(v).sum(), name="g")
assert g(np.ones(3)) == before
assert "_proftop_mark" not in (
    g.vm.jit_fn.py_func.__globals__["jitable_func"].py_func.__globals__)
print("clean")
