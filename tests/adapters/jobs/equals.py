# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""equals.py PACKAGE: equal ops with different texts, and different ops with equal texts, in two
functions. Prints results, and each op with its nodes and calls, as the framework's own profile adds
them up."""
import importlib
import json
import sys

import numpy as np

from op import Apply, Op

package = sys.argv[1]
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")
Mode = importlib.import_module(package + ".compile.mode").Mode


class Plain(Op):
    """Adds a number."""

    def __init__(self, number, text):
        self.number, self.text = number, text

    def __str__(self):
        return self.text

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def perform(self, node, inputs, outputs, *unused):
        outputs[0][0] = inputs[0] + self.number


class ByNumber(Plain):
    """Equal if the number is equal. The text does not matter."""
    __props__ = ("number",)
    __str__ = Plain.__str__


class ByBoth(Plain):
    """Equal if both are. All instances have one text, except by `text`."""
    __props__ = ("number", "text")

    def __str__(self):
        return "Alike"


class ByItself(Plain):
    """Equal only to itself."""


x = tensor.dvector("x")
mode, functions = Mode("cvm", "fast_run"), []
one = ByNumber(1, "One")
graphs = (
    [ByNumber(1, "First"), one, ByNumber(2, "Second"), ByBoth(1, "a"), ByBoth(2, "a"),
     ByBoth(1, "b"), ByItself(1, "Own"), ByItself(1, "Own"), one],
    [ByNumber(1, "Again"), ByBoth(2, "a"), ByItself(1, "Own")],
)
for number, ops in enumerate(graphs):
    y = x * 2
    for op in ops:
        y = op(y)
    functions.append(family.function([x], y.sum(), mode=mode, name="f%d" % number, profile=True))
for function, calls in zip(functions, (7, 5)):
    for step in range(calls):
        print("%r" % float(function(np.full(3, float(step)))))
calls, applies = {}, {}
for function in functions:
    for op, count in function.profile.op_callcount().items():
        calls[op] = calls.get(op, 0) + int(count)
    for node in function.maker.fgraph.toposort():
        applies[node.op] = applies.get(node.op, 0) + 1
assert calls.keys() == applies.keys(), (calls, applies)
print(json.dumps([[str(op), applies[op], calls[op]] for op in calls]))
