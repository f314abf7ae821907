# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""pymcs.py: samples a small model with PyMC's own sampler, a process for each chain, and with
nutpie, which calls the compiled function on threads of its own, in three runs, each three times as
long as the one before. Prints the draws, and for each chain the evaluations of the model and the
divergences that it reports."""
import logging

import numpy as np
import pymc

TUNE, DRAWS, CHAINS = 50, 60, 2
RUNS = [("pymc", DRAWS), *(("nutpie", times * DRAWS) for times in (1, 3, 9))]
logging.getLogger("pymc").setLevel(logging.ERROR)


def main():
    observed = np.random.default_rng(1).standard_normal(20) + 3
    with pymc.Model():
        mean = pymc.Normal("mean", 0, 10, shape=2)  # MEAN
        spread = 1 + mean[0] ** 2  # SPREAD
        pymc.Normal("y", mean.sum(), spread, observed=observed)  # Y
        for sampler, draws in RUNS:
            drawn = pymc.sample(  # SAMPLE
                draws=draws, tune=TUNE, chains=CHAINS, cores=CHAINS, nuts_sampler=sampler,
                random_seed=3, progressbar=False, compute_convergence_checks=False,
                discard_tuned_samples=False)
            steps = sum(drawn[group]["n_steps"].values.sum(axis=1)
                        for group in ("warmup_sample_stats", "sample_stats"))
            # PyMC evaluates its position once for each draw, before it takes steps.
            print(sampler, [int(n) + (TUNE + DRAWS if sampler == "pymc" else 0) for n in steps])
            diverged = drawn.sample_stats["diverging"].values.sum(axis=1)
            print(sampler + "_diverged", diverged.tolist())
            print("%.12e" % drawn.posterior["mean"].values.sum())


if __name__ == "__main__":
    main()
