# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""engine.py: a small engine in Python that publishes its graphs: lists of numbers, ops on them, and
a loop that runs a graph inside a node. Watch it by `proftop run -- python engine.py [STEPS]`."""
import math
import sys

import proftop

OPS = {
    "add": ("Elemwise", lambda x, y: [a + b for a, b in zip(x, y)]),
    "mul": ("Elemwise", lambda x, y: [a * b for a, b in zip(x, y)]),
    "tanh": ("Elemwise", lambda x: [math.tanh(a) for a in x]),
    "sum": ("Reduce", lambda x: [sum(x)]),
}


class Function:
    """A graph that runs its steps in order. A step is (name of its result, function, inputs)."""

    def __init__(self, name, parent=None):
        self.graph = proftop.Graph(name, parent=parent)
        self.steps = []

    def apply(self, result, op, *inputs):
        """Adds a step that runs an op."""
        op_class, function = OPS[op]
        text = "%s(%s)" % (op, ", ".join(inputs))
        node = self.graph.node(op_class, "%s{%s}" % (op_class, op), text, impl="Py")
        self.steps.append((node, result, function, inputs))

    def loop(self, result, times, inner, *inputs):
        """Adds a step that runs a graph `times` times, each time on its last result. `inner` makes
        the graph from its name and the node that runs it."""
        node = self.graph.node("Loop", "Loop{%d}" % times, "loop(%s)" % ", ".join(inputs), "Py")
        body = inner("the loop's body", node)

        def function(first, *rest):
            for _ in range(times):
                first = body(first, *rest)
            return first
        self.steps.append((node, result, function, inputs))

    def __call__(self, *values):
        known = dict(zip("xyz", values))
        with self.graph.call():
            for node, result, function, inputs in self.steps:
                with node:
                    known[result] = function(*[known[name] for name in inputs])
        return known[result]


def body(name, node):
    inner = Function(name, parent=node)
    inner.apply("product", "mul", "x", "y")
    inner.apply("next", "tanh", "product")
    return inner


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    step = Function("step")
    step.loop("last", 5, body, "x", "y")
    step.apply("both", "add", "last", "x")
    step.apply("loss", "sum", "both")
    training = proftop.publish("training")
    loss = training.counter("loss")
    x, y = [0.1] * 1000, [0.9] * 1000
    for _ in range(steps):
        with training.frame("step"):
            loss.set(step(x, y)[0])
    print("loss %.6f" % step(x, y)[0])


if __name__ == "__main__":
    main()
