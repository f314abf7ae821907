# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""gone.py PACKAGE: functions that share the profile of deleted functions, and one with its own.
After an attach it prints the compile seconds in their profiles."""
import importlib
import json
import sys

import numpy as np
from arrival import await_attach

package, = sys.argv[1:]
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")


def function(name, profile):
    x = tensor.dvector("x")
    return family.function([x], tensor.exp(x) + 1, name=name, profile=profile)


def successor(name, **given):
    """Returns the last of several functions that share the profile."""
    profile = type(functions["own"].profile)(atexit_print=False, **given)
    return [function(one, profile) for one in ("before", "again", name)][-1]


functions = {"own": function("own", True)}
functions["left"] = successor("left", message="several")
functions["unnamed"] = successor("unnamed")
await_attach()
for one in functions.values():
    one(np.ones(3))
print("counted", flush=True)
sys.stdin.readline()
print(json.dumps({name: one.profile.compile_time for name, one in functions.items()}))
