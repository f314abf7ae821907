# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""late_import.py: imports PyMC after proftop has attached to its PyTensor, and samples."""
import logging
import sys

import numpy as np
import pytensor  # noqa: F401
from arrival import await_attach

TUNE, DRAWS = 20, 40
await_attach()
import pymc  # noqa: E402

logging.getLogger("pymc").setLevel(logging.ERROR)
with pymc.Model():
    mean = pymc.Normal("mean", 0, 10)
    pymc.Normal("y", mean, 1, observed=np.ones(20))
    pymc.sample(draws=DRAWS, tune=TUNE, chains=1, cores=1, random_seed=3, progressbar=False,
                compute_convergence_checks=False)
print("counted", flush=True)
sys.stdin.readline()
print("end")
