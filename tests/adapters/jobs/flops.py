# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""flops.py PACKAGE [odd|fixed]: ops of the job's own that tell what they compute: products of
matrices, whose sizes may be fixed before they run, or what nobody could believe. It prints the
profile itself where flags ask for one."""
import importlib
import sys

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
        return 4 * rows * inner * columns / 2  # true division: a float, as that of convolutions is


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


ops = [Raises(), Negative(), Text(), Endless(), Number()] if how == ["odd"] else [Product()]
x, y = matrix(64, 128), matrix(128, 256)
f = family.function([x, y], [op(x, y) for op in ops] + [tensor.exp(x)], name="f")
for step in range(3):
    print([float(result.sum()) for result in f(np.ones((64, 128)), np.ones((128, 256)))])
if f.profile:
    f.profile.summary(sys.stderr)  # at the exit some releases fail to
