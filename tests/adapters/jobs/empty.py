# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""empty.py PACKAGE: functions with partly empty profiles: `never` is not called; `once` and `bare`
are called once, and the framework does not time the nodes of `bare`; `twice` is called twice.
Prints for each the framework's figures and proftop's."""
import importlib
import sys

import numpy as np
import proftop

package = sys.argv[1]
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")
x = tensor.dvector("x")
functions = {}


def compile_one(name, **more):
    functions[name] = family.function([x], tensor.tanh(x), name=name, **more)


compile_one("never")
compile_one("once")
compile_one("twice")
stats = type(functions["once"].profile)
compile_one("bare", profile=stats(message="bare", flag_time_thunks=False))
for name in ("once", "bare", "twice", "twice"):
    functions[name](np.ones(9))
for name, function in functions.items():
    for who, summary, rows in (
            ("its own", function.profile.summary, ("n_ops_to_print", "n_apply_to_print")),
            ("proftop", lambda **more: proftop.summary(function, **more), ("n_ops", "n_apply"))):
        print("of", name, who, flush=True)
        summary(file=sys.stdout, **dict.fromkeys(rows, 100))
print("the end", flush=True)
