# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""theano_turns.py ADAPTERS logreg|mlp|rnn SOCKET: a real job that obeys each byte it receives: `s`
runs some steps, `2` or `0` attaches with a sampling budget of that many percent (0: every node is
timed), `d` detaches. The answer is the wall ns of the steps (else 0), and the CPU ns of the whole
process so far, including the feed's thread."""
import os
import struct
import sys
import socket
import time

import numpy as np
import pytensor
import pytensor.tensor as pt

ADAPTERS, NAME, SOCKET = sys.argv[1:]
sys.path.insert(0, ADAPTERS)
from proftop import attach_running  # noqa: E402

rng = np.random.default_rng(42)


def shared(*shape):
    return pytensor.shared(rng.standard_normal(shape) * 0.1)


def descend(cost, weights, inputs):
    steps = [(w, w - 0.01 * g) for w, g in zip(weights, pytensor.grad(cost, weights))]
    return pytensor.function(inputs, cost, updates=steps, name="train")


def logreg():
    """15 nodes of at most some 10 us."""
    x, y, w, b = pt.dmatrix("x"), pt.dvector("y"), shared(784), pytensor.shared(0.0)
    p = 1 / (1 + pt.exp(-pt.dot(x, w) - b))
    cost = (-y * pt.log(p) - (1 - y) * pt.log(1 - p)).mean() + 0.01 * (w ** 2).sum()
    data = rng.standard_normal((400, 784)), rng.integers(0, 2, 400).astype("float64")
    return descend(cost, [w, b], [x, y]), data, 100


def mlp():
    x, y = pt.dmatrix("x"), pt.dmatrix("y")
    weights = [shared(64, 64), shared(64, 32), shared(32, 10)]
    layer = x
    for w in weights[:-1]:
        layer = pt.tanh(pt.dot(layer, w))
    cost = ((pt.dot(layer, weights[-1]) - y) ** 2).mean()
    data = rng.standard_normal((32, 64)), rng.standard_normal((32, 10))
    return descend(cost, weights, [x, y]), data, 200


def rnn():
    """100 steps of a scan and of its gradient."""
    x, w = pt.dmatrix("x"), shared(32, 32)
    states, _ = pytensor.scan(lambda row, before, w: pt.tanh(row + pt.dot(before, w)),
                              sequences=[x], outputs_info=[pt.zeros(32)], non_sequences=[w])
    return descend((states[-1] ** 2).sum(), [w], [x]), (rng.standard_normal((100, 32)),), 10


def attach(budget):
    os.environ["PROFTOP_BUDGET"] = budget
    done, said, _ = attach_running.attach()
    assert done, said


def main():
    function, data, steps = {"logreg": logreg, "mlp": mlp, "rnn": rnn}[NAME]()
    bench = socket.socket(socket.AF_UNIX)
    bench.connect(SOCKET)
    while word := bench.recv(1).decode():
        wall = 0
        if word == "s":
            wall = time.perf_counter_ns()
            for _ in range(steps):
                function(*data)
            wall = time.perf_counter_ns() - wall
        elif word == "d":
            attach_running.detach()
        else:
            attach(word)
        bench.sendall(struct.pack("QQ", wall, time.process_time_ns()))


main()
