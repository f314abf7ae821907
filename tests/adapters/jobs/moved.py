# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""moved.py [late]: a job that imports gevent after it has compiled a function, and then compiles
another one with a scan. late: then it waits until its input ends. It does not use gevent."""
import select
import sys
import types

import numpy as np
import pytensor
import pytensor.tensor as pt

CALLS = 3
x = pt.dvector("x")
f = pytensor.function([x], pt.exp(x) + 1, name="before")
sys.modules["gevent"] = types.ModuleType("gevent")
states, _ = pytensor.scan(lambda y: y * 2, outputs_info=[x], n_steps=2, name="steps")
g = pytensor.function([x], states[-1], name="behind")
if sys.argv[1:]:
    print("ready", flush=True)
    while not select.select([sys.stdin], [], [], 0.01)[0]:
        pass
for _ in range(CALLS):
    print(f(np.ones(2)), g(np.ones(2)))
print("end")
