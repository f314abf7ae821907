# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""late_nutpie_amid.py WHERE [attached]: nutpie compiles a sampler and samples. With `attached` the
job waits at step WHERE of the compilation until proftop has attached. Prints the steps of the
chains, and the draws.

  rewriting   logp is rewritten
  linking     logp has its code, but is no function yet
  made        logp is a function, the other one is not
  taken       nutpie has taken the code out of both, and only a local variable references it
"""
import functools
import sys

import numpy as np
import nutpie
import nutpie.compile_pymc
import pymc
import pytensor.tensor
from arrival import await_attach
from pytensor.compile import FunctionMaker
from pytensor.link.numba.linker import NumbaLinker

TUNE, DRAWS, CHAINS = 50, 60, 1
# Step: the callable that marks it, by owner and name; the function that nutpie asks for at that
# time; and whether the step is at the begin or the end of the call.
SEAMS = {
    "rewriting": (FunctionMaker, "prepare_fgraph", "logp", "begin"),
    "linking": (NumbaLinker, "jit_compile", "logp", "end"),
    "made": (pytensor.tensor, "concatenate", "values", "begin"),
    "taken": (nutpie.compile_pymc, "_make_c_logp_func", "values", "begin"),
}


def asks():
    """The function that nutpie asks for now. None: neither of the two."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "_make_functions":
        frame = frame.f_back
    if frame is None:
        return "values"
    return "values" if "logp_fn_pt" in frame.f_locals else \
        "logp" if "joined_slices" in frame.f_locals else None


def wait_at(owner, name, which, when):
    inner = getattr(owner, name)
    left = [await_attach]

    def come(now):
        if left and now == when and asks() == which:
            left.pop()()

    @functools.wraps(inner)
    def outer(*args, **kwargs):
        come("begin")
        result = inner(*args, **kwargs)
        come("end")
        return result
    setattr(owner, name, staticmethod(outer) if isinstance(
        vars(owner)[name], staticmethod) else outer)


where, *how = sys.argv[1:]
with pymc.Model() as model:
    mean = pymc.Normal("mean", 0, 10)
    pymc.Normal("y", mean, 1 + mean ** 2, observed=np.linspace(-1.0, 1.0, 20))
if how:
    wait_at(*SEAMS[where])
compiled = nutpie.compile_pymc_model(model)
told = nutpie.sample(compiled, draws=DRAWS, tune=TUNE, chains=CHAINS, seed=3, progress_bar=False,
                     save_warmup=True)
if how:
    print("counted", flush=True)
    sys.stdin.readline()
steps = sum(int(told[group]["n_steps"].values.sum())
            for group in ("sample_stats", "warmup_sample_stats"))
print(steps, CHAINS * (TUNE + DRAWS))
