# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_beside.py FIRST PACKAGE [wait]: MXNet and a member of Theano's family in one process. FIRST
(mxnet or PACKAGE) is imported first. With `wait` it prints when it is ready, works for each input
line `work`, and for each line `state` prints the changed objects of both frameworks."""
import importlib
import os
import select
import sys

FIRST, PACKAGE = sys.argv[1:3]
TIMES = 7

importlib.import_module(FIRST)
import mxnet as mx  # noqa: E402

family = importlib.import_module(PACKAGE)
tensor = importlib.import_module(PACKAGE + ".tensor")
x = tensor.dvector("x")
double = family.function([x], tensor.exp(x) * 2, name="double")


def callables():
    """All functions, classes and methods of the two, by their places."""
    found = {}
    for module, thing in list(sys.modules.items()):
        if module.partition(".")[0] not in ("mxnet", PACKAGE):
            continue
        for name, value in list(vars(thing).items()):
            if callable(value):
                found[module, name] = value
            for method, code in list(vars(value).items()) if isinstance(value, type) else ():
                found[module, name, method] = code
    return {where: value for where, value in found.items() if callable(value)}


def differing(before):
    now = callables()
    slots = sys.modules["_proftop"].feed.mxnet_state()[1:3]
    wrong = [where for where, value in before.items() if now.get(where) is not value]
    return wrong or slots[0] != slots[1] or "as it was"


def work():
    for _ in range(TIMES):
        total = double([1.0, 2.0]).sum() + mx.nd.exp(mx.nd.ones((2, 3))).asnumpy().sum()
    print("%.6f" % total, flush=True)


if sys.argv[3:] == ["wait"]:
    work()
    known = callables()
    print("ready", flush=True)
    line = None
    while line != b"":
        if not select.select([0], [], [], 0.01)[0]:  # Python runs, so proftop can attach
            continue
        line = os.read(0, 64)
        if line == b"work\n":
            work()
        elif line == b"state\n":
            print(differing(known), flush=True)
    print("done")
else:
    work()
