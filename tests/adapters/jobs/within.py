# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""within.py: making a function's node ready takes WORK_S. Meanwhile a maker makes another function
in two steps. A hook of proftop's takes LINGER_S in the first step. Prints the seconds of making the
node ready, without these."""
import sys
import time

import pytensor
from pytensor.compile.function.types import FunctionMaker
from pytensor.compile.io import In, Out
from pytensor.compile.mode import get_mode
from pytensor.graph import Apply, Op

LINGER_S, WORK_S = 1.0, 0.4
rewriting = sys.modules["_proftop.theano_family"].module_state["adapter"].rewriting
follow = rewriting.follow


def take(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def lingers(args):
    rewriting.follow = follow
    take(LINGER_S)
    follow(args)


class Thrice(Op):
    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def perform(self, node, inputs, outputs):
        outputs[0][0] = self.made(inputs[0])[0]

    def make_thunk(self, *args, **kwargs):
        y = pytensor.tensor.dscalar("y")
        rewriting.follow = lingers
        maker = FunctionMaker([In(y)], [Out(y * 3)], mode=get_mode(None), name="made")
        self.made = maker.create()
        take(WORK_S)
        return super().make_thunk(*args, **kwargs)


make_thunk = Thrice.make_thunk


def timed(*args, **kwargs):
    begun = time.perf_counter()
    thunk = make_thunk(*args, **kwargs)
    print(time.perf_counter() - begun - LINGER_S)
    return thunk


x = pytensor.tensor.dscalar("x")
Thrice.make_thunk = timed
f = pytensor.function([x], Thrice()(x), name="f")
assert f(1.0) == 3.0 and rewriting.follow is not lingers
