# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""long_scan.py: calls a PyTensor function that is one Scan of 20 steps. Each step sleeps."""
import time

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.graph.basic import Apply
from pytensor.graph.op import Op


class Nap(Op):
    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def perform(self, node, inputs, outputs):
        time.sleep(0.01)
        outputs[0][0] = inputs[0] + 0


x = pt.dvector("x")
naps, _ = pytensor.scan(lambda before: Nap()(before), outputs_info=x, n_steps=20)
last = pytensor.function([x], naps[-1], name="last")
for _ in range(12):
    last(np.ones(3))
