# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""killed.py: a node kills the process in its 101st call, as a kernel without memory would."""
import os
import signal

import numpy
import pytensor
import pytensor.tensor as pt
from pytensor.compile.ops import as_op

CALLS = 100


@as_op(itypes=[pt.dvector], otypes=[pt.dvector])
def last_straw(x):
    if x[0] == CALLS:
        os.kill(os.getpid(), signal.SIGKILL)
    return x * 1.0


x = pt.dvector("x")
f = pytensor.function([x], pt.exp(last_straw(pt.dot(x, numpy.eye(3)))), name="f")
for step in range(CALLS + 1):
    f(numpy.array([step, 0.0, 1.0]))
