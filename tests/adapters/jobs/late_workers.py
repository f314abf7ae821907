# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""late_workers.py: calls a function in two workers and in itself, until its input ends."""
import multiprocessing
import os
import select
import sys

import numpy as np
import pytensor
import pytensor.tensor as pt

v = pt.dvector("v")
f = pytensor.function([v], pt.exp(v).sum(), name="f")
parent = os.getpid()


def work():
    while os.getppid() == parent:
        f(np.zeros(3))
        select.select([], [], [], 0.01)


workers = [multiprocessing.get_context("fork").Process(target=work) for _ in range(2)]
for worker in workers:
    worker.start()
print("ready", flush=True)
while not select.select([sys.stdin], [], [], 0.01)[0]:
    f(np.zeros(3))
for worker in workers:
    worker.terminate()
    worker.join()
print("done")
