# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""errors.py: nodes that fail, in C and in Python, in the VM, before it, and in a step of a Scan,
also in the very first. Prints each error."""
import traceback

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.compile.ops import as_op


@as_op(itypes=[pt.dvector], otypes=[pt.dvector])
def picky(x):
    if x[0] < 0:
        raise ValueError("a negative %g" % x[0])
    return x * 2


def attempt(function, *args):
    try:
        print(function(*args))
    except Exception:
        traceback.print_exc()


x = pt.dvector("x")
y = pt.dvector("y")
in_c = pytensor.function([x, y], pt.exp(x + y), name="in_c")
in_python = pytensor.function([x], picky(x) + 1, name="in_python")
steps, _ = pytensor.scan(lambda before: picky(before) - 1, outputs_info=[x], n_steps=3,
                         name="steps")
in_a_step = pytensor.function([x], steps[-1], name="in_a_step")
for size in (3, 4, 3):
    attempt(in_c, np.ones(3), np.ones(size))
for value in (1.0, -1.0, 1.0):
    attempt(in_python, np.full(2, value))
for value in (-1.0, 2.0, 0.6, 2.0):  # the first step of the first fails, the third of the third
    attempt(in_a_step, np.full(2, value))
attempt(in_c, "no vector", np.ones(3))
attempt(in_c)
attempt(pytensor.function, [x], pt.exp(y))
raise SystemExit(3)
