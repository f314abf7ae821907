# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""inner.py: functions that run inside nodes of others: a scan, and a graph made an op."""
import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.compile.builders import OpFromGraph

w = pt.dmatrix("w")
h = pt.dvector("h")
states, _ = pytensor.scan(
    lambda before, weights: pt.tanh(pt.dot(weights, before)), outputs_info=[h],
    non_sequences=[w], n_steps=100, name="steps")
outer = pytensor.function([w, h], states[-1].sum(), name="outer")

a = pt.dvector("a")
boxed = OpFromGraph([a], [pt.exp(a) / pt.exp(a).sum()], name="softly")
box = pytensor.function([a], boxed(a) * 2, name="box")

for step in range(20):
    result = outer(np.eye(3) * 0.5, np.ones(3))
    other = box(np.arange(3.0))
print("%.12e %.12e" % (result, other.sum()))
