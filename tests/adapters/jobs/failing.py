# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""failing.py PACKAGE: two functions that cannot be made, an invalid one and one with an op that
cannot be made ready, and a valid one, which is called once."""
import importlib
import sys

import numpy as np

from op import Apply, Op

package = sys.argv[1]
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")


class Broken(Op):
    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def perform(self, node, inputs, outputs, *unused):
        pass

    def make_thunk(self, *unused, **named):
        raise NotImplementedError("it is broken")


x, y = tensor.dvector("x"), tensor.dvector("y")
for name, inputs, result in (("unused", [x, y], x + 1), ("broken", [x], Broken()(x)),
                             ("sound", [x], x + 1)):
    try:
        print(name, family.function(inputs, result, name=name)(np.ones(2)))
    except Exception as error:
        print(name, type(error).__name__)
