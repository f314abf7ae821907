# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""chosen.py: two functions, one with a profile of its own. Prints the framework's call count of
each: none where it counts nothing."""
import pytensor
import pytensor.tensor as pt

x = pt.vector("x")
f = pytensor.function([x], pt.exp(x).sum(), name="f")
g = pytensor.function([x], pt.tanh(x).sum(), name="g", profile=True)
one = [1] * 5
for _ in range(3):
    f(one)
    g(one)
print(f.profile, g.profile.fct_callcount, sorted(g.profile.apply_callcount.values()))
