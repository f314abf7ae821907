# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""taken.py MODE: functions that nutpie asks for, and whose code it calls directly, and one of the
job's own. The folder site-packages has its nutpie."""
import os
import sys

sys.path.insert(0, os.path.join(os.getcwd(), "site-packages"))
import numpy as np  # noqa: E402
import pytensor  # noqa: E402
import pytensor.tensor as pt  # noqa: E402
from nutpie.compile_pymc import function  # noqa: E402

x = pt.dvector("x")
numbers = np.linspace(-1.0, 1.0, 20)
own = pytensor.function([x], pt.exp(x).sum(), mode=sys.argv[1], name="own")
taken = function([x], pt.exp(x).sum(), mode=sys.argv[1], name="taken")
code = taken.vm.jit_fn
for _ in range(30):
    assert abs(float(code(numbers)[0]) - float(own(numbers))) < 1e-9
print("ended")
