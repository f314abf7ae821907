# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""lazy.py: a conditional, one branch of which runs 3 times, the other 2."""
import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.ifelse import ifelse
from truth import tell

a = pt.dscalar("a")
x = pt.dvector("x")
y = pt.dvector("y")
choose = pytensor.function(
    [a, x, y], ifelse(pt.lt(a, 0), pt.exp(x).sum(), pt.tanh(y).sum()), name="choose",
    profile=True)
for step in range(5):
    choose(-1.0 if step < 3 else 1.0, np.ones(3), np.ones(3))
tell(choose=choose)
