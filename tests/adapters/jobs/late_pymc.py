# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""late_pymc.py [attached]: samples a small model with PyMC's own sampler. Each draw has two steps.
With `attached`, the job waits in the first step of one draw until proftop attaches. Prints the
draws, and the steps at that time."""
import logging
import select
import sys

import numpy as np
import pymc
from arrival import attached, await_attach

TUNE, DRAWS, BEFORE, MORE = 20, 100, 50, 30
logging.getLogger("pymc").setLevel(logging.ERROR)
steps = 0


class Waits(pymc.Metropolis):
    def astep(self, *args, **kwargs):
        global steps
        steps += 1
        if steps == BEFORE and sys.argv[1:] == ["attached"]:
            await_attach()
        if steps == BEFORE + MORE and sys.argv[1:] == ["attached"]:
            print("more", flush=True)
            sys.stdin.readline()
        return super().astep(*args, **kwargs)


with pymc.Model():
    mean, width = pymc.Normal("mean", 0, 10), pymc.HalfNormal("width", 10)
    pymc.Normal("y", mean, width, observed=np.random.default_rng(1).standard_normal(20) + 3)
    drawn = pymc.sample(draws=DRAWS, tune=TUNE, chains=1, cores=1, random_seed=3,
                        step=[Waits([mean]), pymc.Metropolis([width])], progressbar=False,
                        compute_convergence_checks=False)
assert steps == TUNE + DRAWS, steps
if sys.argv[1:] == ["attached"]:
    print("counted", flush=True)
    while not select.select([sys.stdin], [], [], 0)[0]:
        pass  # proftop detaches meanwhile
print("%.12e %.12e" % tuple(drawn.posterior[name].values.sum() for name in ("mean", "width")),
      *[type(vars(kind)["step"]).__name__ for kind in Waits.__mro__ if "step" in vars(kind)],
      type(pymc.CompoundStep.step).__name__)
