# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""blas.py PACKAGE: a function without a product of matrices, then one with a product. Prints after
each the flags whose defaults the framework has found, and the flags."""
import importlib
import json
import sys

import numpy as np

package = sys.argv[1]
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")
config = family.config


def known(name):
    owner, key = config, name.replace(".", "__")
    if not hasattr(type(config), key) and "." in name:
        section, key = name.split(".")
        owner = getattr(config, section)
    return getattr(getattr(type(owner), key), "val", None)


x = tensor.dmatrix("x")
for wanted in (x + 1, tensor.dot(x, x)):
    family.function([x], wanted, name="f")(np.ones((3, 3)))
    print(json.dumps({name: known(name) for name in ("cxx", "blas.ldflags", "gcc.cxxflags")}))
