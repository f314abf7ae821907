# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_train.py WAY STEPS [DUMPS]: trains a small network in one of MXNet's ways, prints its loss.
With DUMPS, it also runs MXNet's own profiler and writes the JSON of dumps() to that file.

WAY: imperative, hybrid, static, cnn (Gluon); module (MXNet 1). No operator runs during dumps(), and
the process exits right after it: neither count includes the memory freed at exit."""
import json
import os
import sys

import mxnet as mx
import numpy

V2 = mx.__version__[0] == "2"
ROWS = 32
nd = mx.np if V2 else mx.nd
nn = mx.gluon.nn


def waitall():
    (mx.npx if V2 else mx.nd).waitall()


def network(way):
    net = nn.HybridSequential()
    if way == "cnn":
        net.add(nn.Conv2D(4, 3, activation="relu"), nn.MaxPool2D(2), nn.Conv2D(8, 3), nn.Flatten())
    else:
        net.add(nn.Dense(128, activation="relu"), nn.Dense(128, activation="relu"))
    net.add(nn.Dense(4))
    net.initialize(mx.init.Xavier())
    if way == "hybrid" or way == "cnn":
        net.hybridize()
    if way == "static":
        net.hybridize(static_alloc=True, static_shape=True)
    return net


def gluon(way):
    random = numpy.random.RandomState(3)
    shape = (ROWS, 1, 12, 12) if way == "cnn" else (ROWS, 64)
    x = nd.array(random.rand(*shape).astype("float32"))
    y = nd.array(random.rand(ROWS, 4).astype("float32"))
    net = network(way)
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.05})
    measure = mx.gluon.loss.L2Loss()

    def step():
        with mx.autograd.record():
            loss = measure(net(x), y)
        loss.backward()
        trainer.step(ROWS)
        return loss

    return step


def symbolic():
    value = mx.sym.Variable("data")
    for number, units in enumerate((128, 128, 4), 1):
        value = mx.sym.FullyConnected(value, num_hidden=units, name="fc%d" % number)
        if number < 3:
            value = mx.sym.Activation(value, act_type="relu", name="relu%d" % number)
    module = mx.mod.Module(mx.sym.SoftmaxOutput(value, name="softmax"),
                           label_names=["softmax_label"])
    module.bind([("data", (ROWS, 64))], [("softmax_label", (ROWS,))])
    module.init_params(mx.init.Xavier())
    module.init_optimizer(optimizer="sgd")
    x = mx.nd.array(numpy.random.RandomState(3).rand(ROWS, 64).astype("float32"))
    batch = mx.io.DataBatch([x], [mx.nd.array([row % 4 for row in range(ROWS)])])

    def step():
        module.forward(batch, is_train=True)
        module.backward()
        module.update()
        return module.get_outputs()[0]

    return step


def main():
    way, steps, dumps = sys.argv[1], int(sys.argv[2]), (sys.argv + [None])[3]
    if dumps:
        mx.profiler.set_config(aggregate_stats=True, profile_all=True, continuous_dump=False,
                               filename="")
        mx.profiler.set_state("run")
    if V2:
        mx.npx.set_np()
    mx.random.seed(7)
    step = symbolic() if way == "module" else gluon(way)
    for _ in range(steps):
        value = step()
    waitall()
    print("loss %.9g" % numpy.float64(value.asnumpy().mean()), flush=True)
    waitall()
    if dumps:
        mx.profiler.set_state("stop")
        with open(dumps, "w", encoding="utf-8") as file:
            json.dump(json.loads(mx.profiler.dumps(format="json")), file)
        import _proftop

        _proftop.feed.mxnet_publish()
        _proftop.feed.close()
        os._exit(0)


main()
