# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_nodes.py WAY [STEPS]: properties that distinguish the nodes of an MXNet job.

WAY: blocks (Gluon blocks inside one another, hybridized), shapes (two shapes of one node),
names (an operator whose name has quotes, newlines and 10 kB), steps (STEPS steps of autograd),
softmax (7 of them, 5 of the logarithm, 3 with their gradients)."""
import sys

import mxnet as mx

V2 = mx.__version__[0] == "2"
nd = mx.np if V2 else mx.nd
nn = mx.gluon.nn


def waitall():
    (mx.npx if V2 else mx.nd).waitall()


def network():
    net, inner = nn.HybridSequential(), nn.HybridSequential()
    inner.add(nn.Dense(8, activation="relu"), nn.Dense(8))
    net.add(nn.Dense(16), inner)
    net.initialize()
    return net


def blocks():
    net = network()
    net.hybridize()
    with mx.autograd.record():
        loss = net(nd.ones((4, 6))).sum()
    loss.backward()


def shapes():
    net = network()
    net.hybridize()
    for rows in (4, 4, 32):
        net(nd.ones((rows, 6)))
        nd.ones((rows, 3)) + 1


def names():
    name = 'a "quoted"\nname ' + 10000 * "x"
    value = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=3, name=name)
    if V2:
        value = value.as_np_ndarray()
    net = mx.gluon.SymbolBlock(value, [mx.sym.var("data").as_np_ndarray() if V2 else
                                       mx.sym.var("data")])
    net.initialize()
    net(nd.ones((2, 5)))
    mx.profiler.Marker(mx.profiler.Domain("d"), name).mark()


def softmax():
    functions, x = mx.npx if V2 else nd, nd.ones((8, 16))
    for _ in range(7):
        functions.softmax(x)
    for _ in range(5):
        functions.log_softmax(x)
    x.attach_grad()
    for _ in range(3):
        with mx.autograd.record():
            loss = functions.softmax(x).sum()
        loss.backward()


def steps():
    weight = nd.ones((8, 8))
    weight.attach_grad()
    for _ in range(int(sys.argv[2])):
        with mx.autograd.record():
            loss = ((nd.ones((4, 8)) * 2 + 1).reshape((4, 8)) * weight[:4]).sum()
        loss.backward()


if V2:
    mx.npx.set_np()
{"blocks": blocks, "shapes": shapes, "names": names, "steps": steps,
 "softmax": softmax}[sys.argv[1]]()
waitall()
print("done", flush=True)
