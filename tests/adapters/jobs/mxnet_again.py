# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_again.py: trains on two threads while proftop detaches and attaches 20 times. Each thread
has its own network and data: MXNet stores in an array what was recorded with it."""
import threading

import mxnet as mx
from _proftop import feed, attach_running

V2 = mx.__version__[0] == "2"
if V2:
    mx.npx.set_np()
nd = mx.np if V2 else mx.nd


def network():
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Dense(16, activation="relu"), mx.gluon.nn.Dense(4))
    net.initialize()
    net.hybridize()
    net(nd.ones((8, 8)))
    return net


steps, turn = [0], threading.Condition()
over = threading.Event()


def work(net):
    x = nd.ones((8, 8))
    while not over.is_set():
        with mx.autograd.record():
            loss = net(x).sum()
        loss.backward()
        loss.asnumpy()
        with turn:
            steps[0] += 1
            turn.notify_all()


def some_steps():
    with turn:
        last = steps[0] + 4
        turn.wait_for(lambda: steps[0] >= last)


threads = [threading.Thread(target=work, args=[network()]) for _ in range(2)]
for thread in threads:
    thread.start()
for _ in range(20):
    some_steps()
    assert attach_running.detach()[0]
    features, slots, original, _ = feed.mxnet_state()
    assert features == 0 and slots == original > 0, feed.mxnet_state()
    some_steps()
    attached = attach_running.attach()
    assert attached[0], attached
    assert feed.mxnet_state()[2] == 0, feed.mxnet_state()
some_steps()
over.set()
for thread in threads:
    thread.join()
mx.nd.waitall()
print("done", flush=True)
