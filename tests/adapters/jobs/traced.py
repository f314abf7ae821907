# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""traced.py FRAMEWORK: for each number that it reads, takes so many steps; then says so. Its
first line has its process id."""
import os
import sys


def pytensor_step():
    import numpy
    import pytensor
    from pytensor import tensor
    x = tensor.matrix("x")
    weights = pytensor.shared(numpy.ones((8, 8), dtype=x.dtype), name="weights")
    function = pytensor.function([x], tensor.exp(x.dot(weights)).sum(), name="step")
    value = numpy.ones((4, 8), dtype=x.dtype)
    return lambda: function(value)


def torch_step():
    import torch
    torch.set_num_threads(1)
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    value = torch.ones(4, 8)

    def step():
        optimizer.zero_grad()
        model(value).sum().backward()
        optimizer.step()
    return step


def mxnet_step():
    import mxnet
    a, b = mxnet.nd.ones((4, 8)), mxnet.nd.ones((8, 4))
    return lambda: mxnet.nd.dot(a, b).wait_to_read()


step = {"pytensor": pytensor_step, "torch": torch_step, "mxnet": mxnet_step}[sys.argv[1]]()
print(os.getpid(), flush=True)
for line in sys.stdin:
    for _ in range(int(line)):
        step()
    print("took", line, end="", flush=True)
