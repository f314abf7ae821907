# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""late_warns.py: checks the job's warnings while a thread compiles its function again. Numba warned
about that function. Prints how often a warning was shown by other code than the job's, or filtered
by other rules."""
import sys
import warnings

import numpy as np
import pytensor
import pytensor.tensor as pt
from arrival import await_attach
from pytensor.graph import Apply, Op


class Twice(Op):
    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def perform(self, node, inputs, outputs):
        outputs[0][0] = inputs[0] * 2


v = pt.dvector("v")
f = pytensor.function([v], pt.exp(Twice()(v)).sum(), name="f")
f(np.zeros(3))
shown, sifted = warnings._showwarnmsg_impl, warnings.filters
otherwise = by_others = 0
await_attach()
while f.vm.__defaults__[0] is f.vm.jit_fn:
    otherwise += warnings._showwarnmsg_impl is not shown
    by_others += warnings.filters is not sifted
print("marked", flush=True)
f(np.zeros(3))
warnings.warn("the job's own")
sys.stdin.readline()
print(otherwise, by_others)
