# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""scans.py PACKAGE: a scan of 50 steps in a function that is called three times, and a function
without one. Prints the framework's profiles of both, and of the function inside."""
import importlib
import sys

import numpy as np

package = sys.argv[1]
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")
scan = importlib.import_module(package + ".scan" if package != "theano" else package)
scan = scan.scan if callable(scan.scan) else scan.scan.scan

x, steps = tensor.dvector("x"), tensor.iscalar("steps")
powers, _ = scan(lambda power, base: tensor.tanh(power * base), outputs_info=tensor.ones_like(x),
                 non_sequences=x, n_steps=steps, name="power")
last = family.function([x, steps], powers[-1], name="last")
plain = family.function([x], tensor.tanh(x), name="plain")
for _ in range(3):
    last(np.ones(9), 50)
    plain(np.ones(9))
plain.profile.summary(sys.stdout, n_apply_to_print=100)
last.profile.summary(sys.stdout, n_apply_to_print=100)
for node in last.maker.fgraph.toposort():
    if type(node.op).__name__ == "Scan":
        node.op.fn.profile.summary(sys.stdout, n_apply_to_print=100)
