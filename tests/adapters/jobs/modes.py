# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""modes.py PACKAGE: a function in the mode of the flags, and others in other modes."""
import importlib
import sys

family = importlib.import_module(sys.argv[1])
tensor = importlib.import_module(sys.argv[1] + ".tensor")
modes = importlib.import_module(sys.argv[1] + ".compile.mode")


class Own(modes.Mode):
    """A program may have a class of its own."""


x = tensor.dvector("x")
given = {"plain": None, "named": "FAST_COMPILE", "own": Own("py", None),
         "less": modes.get_default_mode().excluding("fusion", "inplace"),
         "more": modes.Mode("cvm_nogc", "fast_compile").including("fusion"), "again": None}
functions = {name: family.function([x], tensor.exp(x) + 1, name=name, mode=mode)
             for name, mode in given.items()}
for function in functions.values():
    print(function([0.0]))
