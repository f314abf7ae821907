# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""fork.py: a job that forks and uses threads in the middle of its work."""
import multiprocessing
import os
import threading

import numpy as np
import pytensor
import pytensor.tensor as pt

x = pt.dvector("x")
f = pytensor.function([x], pt.exp(x).sum(), name="f")
g = pytensor.function([x], pt.tanh(x).sum(), name="g")
for step in range(10):
    f(np.ones(3))
child = os.fork()
if child == 0:
    for step in range(1000):
        f(np.ones(3))
    os._exit(0 if f(np.zeros(3)) == 3 else 1)
assert os.waitpid(child, 0)[1] == 0
child = os.fork()
if child == 0:
    raise SystemExit(5)  # exits through all of Python's finalization
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 5


def work(function, times):
    for step in range(times):
        function(np.ones(3))


worker = multiprocessing.get_context("fork").Process(target=work, args=(f, 1000))
worker.start()
worker.join()
assert worker.exitcode == 0
threads = [threading.Thread(target=work, args=args) for args in ((f, 300), (g, 400))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("done")
