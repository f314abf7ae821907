# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_steps.py [WORKERS]: trains with Gluon and a DataLoader, and in MXNet 1 with Module too.
Prints its losses."""
import sys

import mxnet as mx
from mxnet import autograd, gluon, nd

STEPS, BATCH = 10, 8
WORKERS = int(sys.argv[1]) if len(sys.argv) > 1 else 0
if not mx.__version__.startswith("1."):
    mx.npx.set_np()
    nd = mx.np
mx.random.seed(1)


def by_gluon():
    data = nd.arange(STEPS * BATCH * 4).reshape((STEPS * BATCH, 4)) / 100
    dataset = gluon.data.ArrayDataset(data, data[:, 0])
    loader = gluon.data.DataLoader(dataset, batch_size=BATCH, num_workers=WORKERS)
    net = gluon.nn.Dense(1)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01},
                            update_on_kvstore=False)
    loss_of, losses = gluon.loss.L2Loss(), []
    for number, (x, y) in enumerate(loader):
        with autograd.record():
            loss = loss_of(net(x), y).mean()
        loss.backward()
        if number % 2:
            trainer.step(BATCH)
        else:
            trainer.allreduce_grads()
            trainer.update(batch_size=BATCH)
        losses.append(float(loss.asnumpy()))
    assert len(losses) == STEPS, losses
    try:
        trainer.step(1)  # its gradients are stale
    except UserWarning:
        pass
    else:
        raise AssertionError("MXNet takes stale gradients")
    print("gluon", losses)


def by_module():
    x = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2, name="fc")
    out = mx.sym.SoftmaxOutput(x, name="softmax")
    data = mx.nd.arange(STEPS * BATCH * 4).reshape((STEPS * BATCH, 4)) / 100
    batches = mx.io.NDArrayIter(data, mx.nd.arange(STEPS * BATCH) % 2, batch_size=BATCH)
    for module in (mx.mod.Module(out),
                   mx.mod.BucketingModule(lambda key: (out, ("data",), ("softmax_label",)), 4),
                   mx.mod.SequentialModule().add(mx.mod.Module(x, label_names=())).add(
                       mx.mod.Module(mx.sym.SoftmaxOutput(mx.sym.Variable("data"), name="softmax")),
                       take_labels=True, auto_wiring=True)):
        batches.reset()
        module.bind(batches.provide_data, batches.provide_label)
        module.init_params(mx.init.One())
        module.init_optimizer(kvstore=None)
        for batch in batches:
            batch.bucket_key = 4
            module.forward_backward(batch)
            module.update()
        print("module", module.get_outputs()[0].asnumpy().sum())


by_gluon()
if mx.__version__.startswith("1.") and not WORKERS:
    by_module()
