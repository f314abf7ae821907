# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""flops.py PACKAGE [odd|fixed|costly]: ops of the job's own that report their flops: products of
matrices, whose sizes may be fixed before they run; or impossible figures; or an op that takes long
to report, with new sizes in each call: 2 ms at first, then 300. Prints the profile itself if the
flags ask for one, and the times in ns at which the last op was asked and answered."""
import importlib
import sys
import time

import numpy as np

from op import Apply, Op

package = sys.argv[1]
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")
how = sys.argv[2:]


def matrix(*shape):
    return tensor.dmatrix(shape=shape) if how == ["fixed"] else tensor.dmatrix()


class Product(Op):
    __props__ = ()

    def make_node(self, x, y):
        return Apply(self, [x, y], [matrix(64, 256)])

    def perform(self, node, inputs, outputs, *unused):
        outputs[0][0] = inputs[0].dot(inputs[1])

    def flops(self, inputs, outputs):
        (rows, inner), (_, columns) = inputs
        assert tuple(outputs[0]) == (rows, columns)
        return 4 * rows * inner * columns / 2  # true division: a float, as for convolutions


class Raises(Product):
    def flops(self, inputs, outputs):
        raise NotImplementedError("flops of %r" % (inputs,))


class Negative(Product):
    def flops(self, inputs, outputs):
        return -1


class Text(Product):
    def flops(self, inputs, outputs):
        return "many"


class Endless(Product):
    def flops(self, inputs, outputs):
        return float("inf")


class Number(Product):
    flops = 7


class Costly(Product):
    asked = []

    def flops(self, inputs, outputs):
        begun = time.perf_counter_ns()
        while time.perf_counter_ns() < begun + (3e8 if self.asked else 2e6):
            pass
        self.asked += [begun, time.perf_counter_ns()]
        return 1


kinds = {"odd": [Raises, Negative, Text, Endless, Number], "costly": [Costly]}
ops = [kind() for kind in kinds.get("".join(how), [Product])]
x, y = matrix(64, 128), matrix(128, 256)
f = family.function([x, y], [op(x, y) for op in ops] + [tensor.exp(x)], name="f")
if how == ["costly"]:
    rows, end = 1, time.monotonic() + 200
    while len(Costly.asked) < 4 and time.monotonic() < end:
        f(np.ones((rows, 2)), np.ones((2, 2)))
        rows += 1
    print(*Costly.asked)
    sys.exit()
for step in range(3):
    print([float(result.sum()) for result in f(np.ones((64, 128)), np.ones((128, 256)))])
if f.profile:
    f.profile.summary(sys.stderr)  # some releases fail to print it at exit
