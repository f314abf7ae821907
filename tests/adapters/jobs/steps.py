# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""steps.py: a scan that says "held" and waits for a line in each of its steps, after one of seven
that does not; and one that ends before its number of steps."""
import sys

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.compile.ops import as_op
from pytensor.scan.utils import until

holds = []


@as_op(itypes=[pt.dscalar], otypes=[pt.dscalar])
def wait(x):
    if holds:
        print("held", flush=True)
        sys.stdin.readline()
    return np.asarray(x + 1)


x, n = pt.dscalar("x"), pt.lscalar("n")
states, _ = pytensor.scan(wait, outputs_info=[x], n_steps=n, name="held")
held = pytensor.function([x, n], states[-1], name="held")
states, _ = pytensor.scan(lambda y: (y * 2, until(y > 10)), outputs_info=[x], n_steps=1000,
                          name="early")
early = pytensor.function([x], states[-1], name="early")
results = [held(0.0, 7), early(1.0)]
holds.append(True)
results.append(held(0.0, 4))
print([float(result) for result in results])
