# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""printed_profiles.py: lets a framework print its own profile of a small job into a folder, and
writes the same figures as JSON: {name: [calls, us]}. Words: the framework, the folder."""
import json
import os
import sys


def to(folder, name):
    return os.path.join(folder, name)


def write(folder, name, text):
    with open(to(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def torch(folder):
    import torch
    from torch.profiler import ProfilerActivity, profile, record_function

    net = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.ReLU(), torch.nn.Linear(128, 10))
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    data = torch.randn(32, 64)

    def step():
        optimizer.zero_grad()
        net(data).sum().backward()
        optimizer.step()

    step()
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True,
                 profile_memory=True, with_flops=True) as prof:
        for _ in range(5):
            with record_function("a range"):
                step()
    prof.export_chrome_trace(to(folder, "trace.json"))
    averages = prof.key_averages()
    write(folder, "table.txt", averages.table(row_limit=-1, max_name_column_width=120))
    write(folder, "narrow.txt", averages.table(row_limit=-1, max_name_column_width=20))
    write(folder, "shapes.txt", prof.key_averages(group_by_input_shape=True).table(
        row_limit=-1, max_name_column_width=120, max_shapes_column_width=200))
    write(folder, "truth.json", json.dumps(
        {row.key: [row.count, row.self_cpu_time_total, row.cpu_time_total] for row in averages}))


def mxnet(folder):
    import mxnet as mx
    mx.profiler.set_config(profile_all=True, aggregate_stats=True, continuous_dump=False,
                           filename=to(folder, "trace.json"))
    mx.profiler.set_state("run")
    data = mx.nd.ones((64, 64))
    for _ in range(5):
        mx.nd.relu(mx.nd.dot(data, data)).wait_to_read()
    domain = mx.profiler.Domain("Dom")
    task = domain.new_task("a task")
    for _ in range(3):
        task.start()
        task.stop()
    counter = domain.new_counter("count", 5)
    counter.increment(10)
    counter.decrement(3)
    domain.new_marker("here").mark()
    mx.nd.waitall()
    mx.profiler.dump(finished=False)
    mx.profiler.set_state("stop")
    write(folder, "table.txt", mx.profiler.dumps(format="table"))
    write(folder, "truth.json", mx.profiler.dumps(format="json"))


def pytensor(folder):
    import numpy
    import pytensor
    import pytensor.tensor as pt

    x, y = pt.matrix("x"), pt.matrix("y")
    f = pytensor.function([x, y], [pt.tanh(x @ y).sum(axis=0), x.T * 2, (x - y).max()],
                          profile=True, name="dense")
    for _ in range(20):
        f(numpy.ones((50, 50)), numpy.ones((50, 50)))
    profile = f.profile
    with open(to(folder, "table.txt"), "w", encoding="utf-8") as file:
        profile.summary(file=file, n_ops_to_print=100, n_apply_to_print=100)
    with open(to(folder, "short.txt"), "w", encoding="utf-8") as file:
        profile.summary(file=file, n_ops_to_print=2, n_apply_to_print=2)
    nodes = {str(node): [profile.apply_callcount[key], 1e6 * time]
             for key, time in profile.apply_time.items() for node in [key[1]]}
    classes = {str(of)[8:-2]: [profile.class_callcount()[of], 1e6 * time]
               for of, time in profile.class_time().items()}
    ops = {str(of): [profile.op_callcount()[of], 1e6 * time]
           for of, time in profile.op_time().items()}
    write(folder, "truth.json", json.dumps({
        "applies": nodes, "classes": classes, "ops": ops,
        "call_us": 1e6 * profile.fct_call_time, "calls": profile.fct_callcount,
        "ids": {str(node): at for at, node in enumerate(f.maker.fgraph.toposort())}}))


globals()[sys.argv[1]](sys.argv[2])
