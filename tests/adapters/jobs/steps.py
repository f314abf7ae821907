# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""steps.py PACKAGE: a scan that prints "held" and waits for a line in each of its steps, after one
of seven steps that does not wait; and one that ends before its number of steps."""
import importlib
import importlib.util
import sys

import numpy as np

package = sys.argv[1]
family = importlib.import_module(package)
pt = importlib.import_module(package + ".tensor")
as_op = importlib.import_module(package + ".compile.ops").as_op
old = importlib.util.find_spec(package + ".scan_module") is not None
utils = importlib.import_module(package + (".scan_module.scan_utils" if old else ".scan.utils"))
holds = []


@as_op(itypes=[pt.dscalar], otypes=[pt.dscalar])
def wait(x):
    if holds:
        print("held", flush=True)
        sys.stdin.readline()
    return np.asarray(x + 1)


x, n = pt.dscalar("x"), pt.lscalar("n")
states, _ = family.scan(wait, outputs_info=[x], n_steps=n, name="held")
held = family.function([x, n], states[-1], name="held")
states, _ = family.scan(lambda y: (y * 2, utils.until(y > 10)), outputs_info=[x], n_steps=1000,
                          name="early")
early = family.function([x], states[-1], name="early")
results = [held(0.0, 7), early(1.0)]
holds.append(True)
results.append(held(0.0, 4))
print([float(result) for result in results])
