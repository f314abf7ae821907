# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""unlisted.py PACKAGE: functions of the two modes whose linkers run nodes in their own ways."""
import importlib
import sys

import numpy as np

package = sys.argv[1]
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")


def mode(module, name):
    try:
        found = importlib.import_module("%s.compile.%s" % (package, module))
    except ImportError:
        found = importlib.import_module("%s.compile.debug.%s" % (package, module))
    return getattr(found, name)()


x = tensor.dvector("x")
for called, of in (("monitored", mode("monitormode", "MonitorMode")),
                   ("debugged", mode("debugmode", "DebugMode"))):
    f = family.function([x], tensor.exp(x), mode=of, name=called)
    for step in range(3):
        print(called, f(np.ones(3)))
