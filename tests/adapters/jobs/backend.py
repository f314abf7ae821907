# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""backend.py MODE: a function that another framework compiles as a whole, and one of the C VM."""
import sys

import numpy as np
import pytensor
import pytensor.tensor as pt

x = pt.dvector("x")
numbers = np.linspace(-1.0, 1.0, 20)
w = pytensor.shared(np.ones_like(numbers), name="w")
usual = pytensor.function([x], pt.tanh(x).sum(), name="usual")
print("usual", float(usual(numbers)))
try:
    whole = pytensor.function([x], (pt.tanh(x) * w).sum(), updates=[(w, w * 0.99 + x * 0.01)],
                              mode=sys.argv[1], name="whole")
    for step in range(30):
        print("whole", repr(float(whole(numbers))))
except ModuleNotFoundError as why:
    print("without:", why)
print("usual", float(usual(numbers)))
print("weights", [repr(float(number)) for number in w.get_value()])
