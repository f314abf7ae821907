# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""programs.py mlp|rnn|waits|threads|spawn [STEPS]: typical programs. Prints results. With TRUTH it
writes the counts of the framework's own profiles, including functions inside nodes.

mlp      a network of two layers is trained
rnn      a scan of 30 steps and its gradient
waits    a scan of 30 steps whose two nodes report their own time
threads  one function is called by three threads at the same time
spawn    a newly started process compiles and calls a function of its own
"""
import json
import multiprocessing
import os
import sys
import threading

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.graph.basic import Apply
from pytensor.link.c.op import COp

STEPS = int(sys.argv[2]) if len(sys.argv) > 2 else 20
LENGTH, WIDTH, THREADS, CALLS = 30, 20, 3, 500
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
        inner = [node.op for node in function.vm.nodes if hasattr(node.op, "fgraph")]
        truth.tell(train=function, **{op.name: op.fn for op in inner})


def mlp():
    x, y, weights = pt.dmatrix("x"), pt.dmatrix("y"), [shared(16, 12), shared(12, 4)]
    cost = ((pt.dot(pt.tanh(pt.dot(x, weights[0])), weights[1]) - y) ** 2).mean()
    train(cost, weights, [x, y], [rng.standard_normal((8, 16)), rng.standard_normal((8, 4))])


def rnn():
    x, w = pt.dmatrix("x"), shared(WIDTH, WIDTH)
    states, _ = pytensor.scan(lambda row, before, w: pt.tanh(row + pt.dot(before, w)), name="steps",
                              sequences=[x], outputs_info=[pt.zeros(WIDTH)], non_sequences=[w])
    train((states[-1] ** 2).sum(), [w], [x], [rng.standard_normal((LENGTH, WIDTH))])


class Wait(COp):
    """Waits for at least so many ns, by its own clock. Adds the time to its input."""
    __props__ = ("name",)

    def __init__(self, name):
        self.name = name

    def __str__(self):
        return self.name

    def make_node(self, spent, ns):
        return Apply(self, [spent, ns], [spent.type()])

    def perform(self, node, inputs, outputs):
        raise NotImplementedError  # the tested route has C code

    def c_headers(self, **unused):
        return ["<time.h>"]

    def c_support_code(self, **unused):
        return """static npy_int64 now() {
            struct timespec at;
            clock_gettime(CLOCK_MONOTONIC, &at);
            return at.tv_sec * 1000000000LL + at.tv_nsec;
        }"""

    def c_code(self, node, name, inputs, outputs, sub):
        return """
            npy_int64 begin = now(), end = begin;
            Py_XDECREF(%(out)s);
            %(out)s = (PyArrayObject *)PyArray_EMPTY(0, NULL, NPY_INT64, 0);
            if (!%(out)s) { %(fail)s }
            while (end < begin + *(npy_int64 *)PyArray_DATA(%(ns)s))
                end = now();
            *(npy_int64 *)PyArray_DATA(%(out)s) =
                *(npy_int64 *)PyArray_DATA(%(spent)s) + end - begin;
        """ % {"out": outputs[0], "spent": inputs[0], "ns": inputs[1], "fail": sub["fail"]}


def waits():
    ns, zero = pt.lvector("ns"), np.asarray(0)
    spent, _ = pytensor.scan(lambda ns, one, two: [Wait("one")(one, ns), Wait("two")(two, 2 * ns)],
                             sequences=[ns], outputs_info=[zero, zero], name="steps")
    function = pytensor.function([ns], [each[-1] for each in spent], name="wait")
    # One step in five takes three times as long, at irregular places.
    steps = np.array([300] * 24 + [900] * 6)
    calls = np.array([function(rng.permutation(steps)) for _ in range(STEPS)])
    print(json.dumps([calls.sum(0).tolist(), (np.median(calls, 0) / LENGTH).tolist()]))


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
