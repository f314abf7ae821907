# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_reuse.py: makes 30 static networks one after the other, runs each three times, and drops
it. The operators of one reuse the addresses of an older one's."""
import gc

import mxnet as mx

V2 = mx.__version__[0] == "2"
if V2:
    mx.npx.set_np()
nd = mx.np if V2 else mx.nd


def network(name):
    named = type(name, (mx.gluon.nn.HybridSequential,), {})
    net = named() if V2 else named(prefix=name + "_")
    net.add(mx.gluon.nn.Dense(4, in_units=4, activation="relu"), mx.gluon.nn.Dense(4, in_units=4))
    net.initialize()
    net.hybridize(static_alloc=True, static_shape=True)
    return net


x = nd.ones((2, 4))
for number in range(30):
    net = network("Net%d" % number)
    for _ in range(3):
        with mx.autograd.record():
            loss = net(x).sum()
        loss.backward()
        loss.asnumpy()
    mx.nd.waitall()
    del net, loss
    gc.collect()
