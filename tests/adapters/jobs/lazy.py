# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""lazy.py [CALLS SIZE]: two conditionals, called 5 times. Of `choose` one branch runs 3 times, the
other 2. Of `always` one runs each time, the other never."""
import sys

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.ifelse import ifelse
from truth import tell

calls, size = map(int, sys.argv[1:] or (5, 3))
a = pt.dscalar("a")
x = pt.dvector("x")
y = pt.dvector("y")
functions = {name: pytensor.function(
    [a, x, y], ifelse(pt.lt(a, 0), pt.exp(x).sum(), pt.tanh(y).sum()), name=name, profile=True)
             for name in ("choose", "always")}
for step in range(calls):
    functions["choose"](-1.0 if step % 5 < 3 else 1.0, np.ones(size), np.ones(size))
    functions["always"](-1.0, np.ones(size), np.ones(size))
tell(**functions)
