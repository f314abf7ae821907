# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""pictures.py SECONDS: trains a small convolutional network by Gluon on pictures of noise.
`script/demo-recordings` records it."""
import sys
import time

import mxnet as mx
import numpy

nn = mx.gluon.nn
random = numpy.random.RandomState(3)
net = nn.HybridSequential()
net.add(nn.Conv2D(8, 3, activation="relu"), nn.MaxPool2D(2), nn.Conv2D(16, 3, activation="relu"),
        nn.Flatten(), nn.Dense(64, activation="relu"), nn.Dense(10))
net.initialize(mx.init.Xavier())
net.hybridize()
trainer = mx.gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.002})
measure = mx.gluon.loss.SoftmaxCrossEntropyLoss()

until = time.monotonic() + float(sys.argv[1])
while time.monotonic() < until:
    x = mx.nd.array(random.rand(32, 1, 20, 20).astype("float32"))
    y = mx.nd.array(random.randint(0, 10, 32).astype("float32"))
    with mx.autograd.record():
        loss = measure(net(x), y)
    loss.backward()
    trainer.step(32)
    loss.mean().asscalar()
