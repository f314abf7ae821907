# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""late_nutpie.py [attached]: a sampler of nutpie's is compiled and has sampled. With `attached`,
proftop attaches then. Another is compiled, and both sample. Prints the draws."""
import sys

import numpy as np
import nutpie
import pymc
import pytensor
import pytensor.tensor as pt
from arrival import await_attach

TUNE, DRAWS, CHAINS, CALLS = 50, 60, 1, 9


def sampler(place):
    with pymc.Model() as model:
        mean = pymc.Normal("mean", 0, 10)
        pymc.Normal("y", mean, 1 + mean ** 2, observed=place + np.linspace(-1.0, 1.0, 20))
    return nutpie.compile_pymc_model(model)


def drawn(compiled):
    told = nutpie.sample(compiled, draws=DRAWS, tune=TUNE, chains=CHAINS, seed=3,
                         progress_bar=False)
    return "%.12e" % told.posterior["mean"].values.sum()


x = pt.dvector("x")
own = pytensor.function([x], pt.exp(x).sum(), mode="NUMBA", name="own")
values = [own([1.0, 2.0])]
early = sampler(3.0)
results = [drawn(early)]
if sys.argv[1:] == ["attached"]:
    await_attach()
    vms = sys.modules["_proftop.numba_recompile"].defaults_of
    while vms(own.vm):
        pass  # until it runs its code with marks
later = sampler(4.0)
results += [drawn(early), drawn(later)]
values += [own([1.0, 2.0]) for _ in range(CALLS)]
assert len(set(map(float, values))) == 1, values
if sys.argv[1:] == ["attached"]:
    print("counted", flush=True)
    sys.stdin.readline()
print(*results)
