# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_loader.py: two forked workers make batches. Before each fork MXNet ends its engine's
threads and waits for them."""
import mxnet as mx
import numpy

V2 = mx.__version__[0] == "2"
if V2:
    mx.npx.set_np()
values = numpy.random.RandomState(0).rand(256, 8).astype("float32")
pairs = mx.gluon.data.ArrayDataset(values, numpy.arange(256).astype("float32"))
net = mx.gluon.nn.Dense(4)
mx.random.seed(1)
net.initialize()
net.hybridize()
total = 0
for _ in range(2):
    for x, y in mx.gluon.data.DataLoader(pairs, 32, num_workers=2):
        total += float(net(x.copyto(mx.cpu())).sum().asnumpy())
print("total %.4f" % total)
