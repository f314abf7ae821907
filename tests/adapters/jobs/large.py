# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""large.py: 10,000 nodes in one function. Its name and its input's name are long and hostile."""
import sys

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.compile.mode import Mode
from pytensor.compile.ops import as_op

NODES, CALLS = 10000, 7


@as_op(itypes=[pt.dvector], otypes=[pt.dvector])
def more(value):
    return value + 1


sys.setrecursionlimit(20 * NODES)
x = y = pt.dvector("x %s%n{}\n\0\udc80\x1b[31m" + "x" * 1000000)
for node in range(NODES):
    y = more(y)
name = "a%s%n{0}\n\0\udc80b\x1b[31m" + "n" * 1000000
f = pytensor.function([x], y, mode=Mode("cvm", None), name=name)
for call in range(CALLS):
    print(f(np.full(2, call)))
