# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""recursive.py: Numba's events as it tells them of code that needs itself for other types, and of a
compilation that has no end. Prints how long each function took, to be made and in these."""
import time

import pytensor
import pytensor.tensor as pt
from numba.core import event

v = pt.dvector("v")


def make(name):
    begun = time.perf_counter_ns()
    function = pytensor.function([v], pt.exp(v).sum(), name=name)
    return {"dispatcher": function.vm.jit_fn}, time.perf_counter_ns() - begun


def busy():
    begun = time.perf_counter_ns()
    while time.perf_counter_ns() - begun < 500_000_000:
        pass


def nested(told):
    with event.trigger_event("numba:compile", data=told):
        busy()
        with event.trigger_event("numba:compile", data=told):
            busy()


make("first")  # what comes with the first is not measured
for name in ("nested", "lost"):
    told, made = make(name)
    begun = time.perf_counter_ns()
    if name == "lost":
        event.start_event("numba:compile", data=told)
    nested(told)
    print(name, made, time.perf_counter_ns() - begun)
