# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""freed.py: functions come and go, are copied and pickled. proftop must keep none of them alive.
The last call of one comes from a finalizer."""
import gc
import pickle
import weakref
from copy import deepcopy

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.graph.basic import Apply
from pytensor.graph.op import Op

x = pt.dvector("x")


class Scale(Op):
    """An op that only a model's graph references."""

    __props__ = ("factor",)

    def __init__(self, factor):
        self.factor = factor

    def make_node(self, value):
        return Apply(self, [value], [value.type()])

    def perform(self, node, inputs, outputs):
        outputs[0][0] = inputs[0] * self.factor


class Model:
    """Part of a cycle. Its finalizer calls its function."""

    last = None

    def __init__(self, number):
        self.run = pytensor.function([x], Scale(number)(pt.exp(x)), name="model")
        self.me = self

    def __del__(self):
        Model.last = self.run(np.zeros(2))


functions, vms, ops = [], [], []
for number in range(1, 6):
    model = Model(number)
    model.run(np.zeros(2))
    functions.append(weakref.ref(model.run))
    vms.append(weakref.ref(model.run.vm))
    ops += [weakref.ref(node.op) for node in model.run.vm.nodes if isinstance(node.op, Scale)]
    del model
    gc.collect()
    assert Model.last[0] == number, Model.last

kept = pytensor.function([x], pt.tanh(x) + 2, name="kept")
copied = kept.copy()
thawed = pickle.loads(pickle.dumps(kept))
for step in range(3):
    kept(np.zeros(2))
for step in range(4):
    copied(np.zeros(2))
for step in range(5):
    thawed(np.zeros(2))
for copy in pickle.loads(pickle.dumps(kept)), deepcopy(copied):
    copy(np.zeros(2))
for kind in (functions, vms, ops):
    print(len(kind), "alive", sum(reference() is not None for reference in kind))
