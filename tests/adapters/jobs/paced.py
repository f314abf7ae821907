# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""paced.py PACKAGE: for each line of input calls a function some times, and prints the thread's
median CPU time per call, in ns."""
import importlib
import sys
import time

import numpy as np

package = sys.argv[1]
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")
CALLS = 200
VALUES = np.ones((64, 384))

x = tensor.dmatrix("x")
f = family.function([x], (tensor.exp(x) * x).sum(axis=0), name="paced")
print("ready", flush=True)
for _ in sys.stdin:
    spent = []
    for call in range(CALLS):
        start = time.thread_time_ns()
        f(VALUES)
        spent.append(time.thread_time_ns() - start)
    print(sorted(spent)[CALLS // 2], flush=True)
