# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_filters.py: 5 steps of a hybridized network with everything counted, 6 without compiled
graphs, 7 without operators that are called one by one, 8 without calls of the C interface."""
import mxnet as mx
import proftop

V2 = mx.__version__[0] == "2"
if V2:
    mx.npx.set_np()
nd = mx.np if V2 else mx.nd
net = mx.gluon.nn.Dense(4)
net.initialize()
net.hybridize()
x = nd.ones((3, 5))


def steps(count, **config):
    (mx.npx if V2 else mx.nd).waitall()
    proftop.set_config(**config)
    for _ in range(count):
        (net(x) * 3).asnumpy()
    (mx.npx if V2 else mx.nd).waitall()


steps(5)
steps(6, profile_symbolic=False)
steps(7, profile_symbolic=True, profile_imperative=False)
steps(8, profile_imperative=True, profile_api=False)
