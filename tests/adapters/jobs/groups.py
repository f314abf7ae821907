# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""groups.py PACKAGE [late]: functions that share a profile, functions of one mode, and others that
share only global objects. Prints the counts of the framework's own profiles.

late   prints "ready", and calls them after an attach; ends at the next line of input."""
import importlib
import json
import sys

import numpy as np

package, late = sys.argv[1], len(sys.argv) > 2
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")
modes = importlib.import_module(package + ".compile.mode")
CALLS = {"f": 1, "g": 2, "one": 1, "two": 2, "three": 3, "usual": 1, "default": 1, "text": 1,
         "own": 1}


def function(name, **given):
    x = tensor.dvector("x")
    return family.function([x], tensor.exp(x), name=name, **given)


def fresh():
    return modes.Mode("cvm", "fast_run")


functions = {"own": function("own", mode=fresh(), profile=True)}
shared, mode, named = type(functions["own"].profile)(atexit_print=False), fresh(), fresh()
modes.register_mode("named", named)
functions["f"] = function("f", mode=named, profile=shared)
functions["g"] = function("g", mode=mode, profile=shared)
functions["one"] = function("one", mode=mode)
functions["two"] = function("two", mode=mode)
functions["three"] = function("three", mode=mode, profile=True)
functions["usual"] = function("usual")
functions["default"] = function("default", mode=modes.get_default_mode())
functions["text"] = function("text", mode="FAST_RUN")

if late:
    print("ready", flush=True)
    while "adapter" not in getattr(sys.modules.get("_proftop.theano_family"), "module_state", {}):
        pass
for name, times in CALLS.items():
    for _ in range(times):
        functions[name](np.ones(10))
if late:
    print("counted", flush=True)
    sys.stdin.readline()
print(json.dumps({"calls": shared.fct_callcount, "nodes": len(shared.apply_callcount),
                  "node_calls": sum(shared.apply_callcount.values())}))
