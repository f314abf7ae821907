# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""programs.py mlp|rnn|threads|spawn: what people run. Prints results; with TRUTH it writes what the
framework's own profiles counted, of functions inside of nodes too.

mlp      a network of two layers is trained
rnn      a scan of 30 steps and its gradient
threads  one function is called by three threads at the same time
spawn    a process that is started anew compiles and calls a function of its own
"""
import multiprocessing
import os
import sys
import threading

import numpy as np
import pytensor
import pytensor.tensor as pt

STEPS, LENGTH, THREADS, CALLS = 20, 30, 3, 500
rng = np.random.RandomState(42)


def shared(*shape):
    return pytensor.shared(rng.standard_normal(shape) * 0.1)


def train(cost, weights, inputs, values):
    profile = "TRUTH" in os.environ
    steps = [(w, w - 0.1 * g) for w, g in zip(weights, pytensor.grad(cost, weights))]
    function = pytensor.function(inputs, cost, updates=steps, name="train", profile=profile)
    for _ in range(STEPS):
        result = function(*values)
    print("%.12e %.12e" % (result, sum(w.get_value().sum() for w in weights)))
    if profile:
        import truth
        inner = [node.op.fn for node in function.vm.nodes if hasattr(node.op, "fgraph")]
        truth.tell(train=function, **{"inner %d" % n: one for n, one in enumerate(inner)})


def mlp():
    x, y, weights = pt.dmatrix("x"), pt.dmatrix("y"), [shared(16, 12), shared(12, 4)]
    cost = ((pt.dot(pt.tanh(pt.dot(x, weights[0])), weights[1]) - y) ** 2).mean()
    train(cost, weights, [x, y], [rng.standard_normal((8, 16)), rng.standard_normal((8, 4))])


def rnn():
    x, w = pt.dmatrix("x"), shared(6, 6)
    states, _ = pytensor.scan(lambda row, before, w: pt.tanh(row + pt.dot(before, w)), name="steps",
                              sequences=[x], outputs_info=[pt.zeros(6)], non_sequences=[w])
    train((states[-1] ** 2).sum(), [w], [x], [rng.standard_normal((LENGTH, 6))])


def threads():
    function = pytensor.function([], pt.exp(shared(5)).sum(), name="f")

    def call():
        for _ in range(CALLS):
            function()

    running = [threading.Thread(target=call) for _ in range(THREADS)]
    for one in running:
        one.start()
    for one in running:
        one.join()
    print("%.12e" % function())


def work():
    function = pytensor.function([], pt.exp(shared(5)).sum(), name="own")
    for _ in range(7):
        result = function()
    print("%.12e" % result, flush=True)


def spawn():
    child = multiprocessing.get_context("spawn").Process(target=work)
    child.start()
    child.join()
    print(child.exitcode)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
