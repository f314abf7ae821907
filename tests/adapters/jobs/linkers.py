# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""linkers.py: the same graph on every available VM."""
import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.compile.mode import Mode
from pytensor.link.vm import VMLinker
from truth import tell

x = pt.dmatrix("x")
y = pt.exp(x).sum(axis=0)
LINKERS = {
    "cvm": VMLinker(use_cloop=True),
    "cvm_keep": VMLinker(use_cloop=True, allow_gc=False),
    "loop": VMLinker(use_cloop=False, lazy=False),
    "loop_keep": VMLinker(use_cloop=False, lazy=False, allow_gc=False),
    "stack": VMLinker(use_cloop=False, lazy=True),
    "py": "py",
    "c_py": "c|py",
    "c": "c",
}
functions = {}
# The C linker needs C code for every node.
dot, plain = pt.tanh(pt.dot(x, y)) + 1, pt.tanh(x + y).sum(axis=1)
for name, linker in LINKERS.items():
    functions[name] = pytensor.function(
        [x], plain if name == "c" else dot, mode=Mode(linker, "fast_run"), name=name,
        profile=name not in ("py", "c_py", "c"))
for name, function in functions.items():
    for step in range(6):
        print(name, function(np.full((3, 3), 0.25)))
for name in ("py", "c_py"):  # the framework does not profile them
    print("nodes", name, [str(node) for node in functions[name].maker.fgraph.toposort()])
tell(**{name: function for name, function in functions.items() if function.profile})
