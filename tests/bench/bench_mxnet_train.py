# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""bench_mxnet_train.py BUILD PYTHON...: measures the overhead of the hooks in an MXNet training
job, and of MXNet's own profiler beside it: CPU time of all threads, in rounds that alternate within
one process. Also measures the time of an exit. Prints rows of the table of script/bench."""
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS, STEPS, EXITS = 40, 40, 9
TABLE = "%-58s %14s %9s   %s"


def inside():
    """Runs in the job. Prints the CPU seconds of each round of each way."""
    import mxnet as mx
    from _proftop import feed

    v2 = mx.__version__[0] == "2"
    if v2:
        mx.npx.set_np()
    nd, wait = (mx.np, mx.npx.waitall) if v2 else (mx.nd, mx.nd.waitall)
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    net.add(nn.Dense(256, activation="relu"), nn.Dense(256, activation="relu"), nn.Dense(16))
    net.initialize()
    net.hybridize()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})
    measure, x, y = mx.gluon.loss.L2Loss(), nd.ones((64, 128)), nd.ones((64, 16))
    profiler = mx.profiler

    def turn():
        begun = time.process_time()
        for _ in range(STEPS):
            with mx.autograd.record():
                loss = measure(net(x), y)
            loss.backward()
            trainer.step(64)
        wait()
        return time.process_time() - begun

    def hooked():
        assert feed.mxnet_attach(127) is None
        seconds = turn()
        feed.mxnet_detach()
        return seconds

    def profiled():
        profiler.set_config(aggregate_stats=True, profile_all=False, profile_api=False,
                            profile_symbolic=True, profile_imperative=True, profile_memory=False,
                            continuous_dump=False, filename="")
        profiler.set_state("run")
        seconds = turn()
        profiler.set_state("stop")
        profiler.dumps(reset=True)
        return seconds

    feed.mxnet_detach()
    turn()
    for _ in range(ROUNDS):
        print(turn(), hooked(), profiled())


def upper_bound(ratios):
    """Returns the median and the upper end of its 95 % interval by ranks."""
    ratios = sorted(ratios)
    count = len(ratios)
    rank = min(count - 1, math.ceil(count / 2 + 0.98 * math.sqrt(count)))
    return statistics.median(ratios), ratios[rank]


def environment(build, folder):
    return dict(os.environ, PROFTOP="1", PROFTOP_DIR=folder, OMP_NUM_THREADS="1",
                PYTHONPATH=os.path.join(build, "adapters", "python", "start"))


def training(build, python, version, folder):
    done = subprocess.run([python, os.path.abspath(__file__), "inside"], check=True,
                          env=environment(build, folder), stdout=subprocess.PIPE)
    turns = [tuple(map(float, line.split())) for line in done.stdout.decode().splitlines()]
    plain = statistics.median(turn[0] for turn in turns)
    for what, column, target in (("hooks", 1, "<= 1.02 x"), ("its own profiler", 2, "")):
        middle, upper = upper_bound([turn[column] / turn[0] for turn in turns])
        print(TABLE % ("mxnet %s: CPU of a training step, %s" % (version, what),
                       "%.0f us" % (plain * middle / STEPS * 1e6), "%.3f x" % middle,
                       "%s (95 %% below %.3f)" % (target, upper)), flush=True)


EXIT = """
import mxnet as mx, os, sys, time
net = mx.gluon.nn.Dense(4)
net.initialize()
if mx.__version__[0] == "2":
    mx.npx.set_np()
net((mx.np if mx.__version__[0] == "2" else mx.nd).ones((2, 3))).asnumpy()
sys.stdout.write(repr(time.time()))
"""


def exit_seconds(python, env):
    done = subprocess.run([python, "-c", EXIT], env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True)
    return time.time() - float(done.stdout)


def exits(build, python, version, folder):
    ours = environment(build, folder)
    plain = {name: value for name, value in ours.items() if name not in ("PROFTOP", "PYTHONPATH")}
    pairs = [(exit_seconds(python, plain), exit_seconds(python, ours)) for _ in range(EXITS)]
    alone, watched = (statistics.median(pair[side] for pair in pairs) for side in (0, 1))
    print(TABLE % ("mxnet %s: exit (plain %.0f, at most %.0f ms)" % (
        version, alone * 1e3, 1e3 * max(pair[0] for pair in pairs)),
                   "%.0f ms" % (watched * 1e3), "%.3f x" % (watched / alone),
                   "within the spread of plain runs"), flush=True)


def main():
    build, pythons = os.path.abspath(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        for python in pythons:
            version = os.path.basename(os.path.dirname(os.path.dirname(python)))[len("mxnet-"):]
            training(build, python, version, folder)
            exits(build, python, version, folder)


if sys.argv[1:] == ["inside"]:
    inside()
else:
    main()
