# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""late_rewrite.py PACKAGE: proftop attaches while the job rewrites a function's graph, with a
constant of an op of its own. The job compiles another function, and calls both."""
import importlib
import sys

import numpy as np
from arrival import await_attach

package, = sys.argv[1:]
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")
as_op = importlib.import_module(package + ".compile.ops").as_op
comes = [await_attach]


@as_op(itypes=[tensor.dvector], otypes=[tensor.dvector])
def here(x):
    while comes:
        comes.pop()()
    return x + 1.0


x = tensor.dvector("x")
constant = here(tensor.constant(np.ones(3)))
functions = [family.function([x], tensor.exp(x) * constant, name=name) for name in ("cut", "whole")]
for function in functions:
    function(np.ones(3))
print("counted", flush=True)
sys.stdin.readline()
print("ended")
