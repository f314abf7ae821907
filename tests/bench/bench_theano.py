# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""bench_theano.py BUILD C-PYTHON NUMBA-PYTHON: measures the overhead of proftop in frameworks of
Theano's family: a node by each route, and real jobs. BUILD is the output of script/bench. The two
interpreters run PyTensor with its C virtual machine and with Numba. PAIRS=N sets the number of
pairs of each real job. Their ratios are printed as the median, with the interval that holds it in
95 of 100 such benchmarks."""
import contextlib
import math
import os
import socket
import statistics
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import tap  # noqa: E402

BUILD, C_PYTHON, NUMBA_PYTHON = map(os.path.abspath, sys.argv[1:])
ADAPTERS = os.path.join(BUILD, "adapters", "python")
PAIRS, TURNS, WARM = int(os.environ.get("PAIRS", "6")), 30, 6
OF_A_PROCESS = 2
SECONDS = 300
# Word that theano_nodes.py prints: description and target.
NODES = {"tables": ("a node of the C VM by its pointer tables", "<= 2.2 x the floor"),
         "steps": ("a call of a C VM of one node, by a scan", ""),
         "lists": ("a node of the C VM by lists of its own", ""),
         "thunks": ("a node by a list of thunks", "<= 4 x the floor"),
         "profile": ("a node by the framework's own profile", ""),
         "marks": ("a node of Numba by its mark", "<= 1.6 x the floor")}
# Sampling budget in percent: description and target.
BUDGETS = {"2": ("viewed", "<= 1.02 x"), "0": ("each node timed", "<= 1.05 x"),
           None: ("neither viewed", "what such pairs differ by")}


def print_row(what, figure, ratio, target):
    print("%-58s %14s %9s   %s" % (what, figure, ratio, target), flush=True)


def environment(folder, backend):
    """Times every node, at any overhead, since the overhead is measured here."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PROFTOP")}
    # Compiled code is kept between runs.
    compiled = os.path.join(BUILD, "compiledir-" + backend)
    return dict(env, PROFTOP_DIR=folder, PROFTOP_ADAPTERS=ADAPTERS, PROFTOP_BUDGET="0",
                OMP_NUM_THREADS="1", PYTENSOR_FLAGS="base_compiledir=" + compiled)


def nodes(folder):
    for backend, python in (("c", C_PYTHON), ("numba", NUMBA_PYTHON)):
        job = [python, os.path.join(HERE, "theano_nodes.py"), ADAPTERS,
               os.path.join(BUILD, "bench_floor"), os.path.join(BUILD, ".libs", "bench_bare.so"),
               backend]
        done = subprocess.run(job, env=environment(folder, backend), timeout=SECONDS, check=False,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        for line in done.stdout.splitlines():
            word, *figures = line.split()
            ns, alone, floor = map(float, figures)
            what, target = NODES[word]
            print_row(what, "%.1f ns" % ns, "%.3f x" % (ns / floor),
                      target and "%s; %.2f x two reads alone" % (target, ns / alone))


class Job:
    """A real job that runs its steps on request. It attaches and detaches by itself. A viewer of
    the default rate watches it."""

    def __init__(self, folder, name, number):
        env = environment(folder, "c")
        place = os.path.join(folder, "%s-%d" % (name, number))
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(place)
        listener.listen(1)
        listener.settimeout(SECONDS)
        command = [C_PYTHON, os.path.join(HERE, "theano_turns.py"), ADAPTERS, name, place]
        # The framework warns of a missing BLAS.
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        self.env, self.report = env, place + ".json"
        self.bench = listener.accept()[0]
        self.bench.settimeout(SECONDS)
        listener.close()
        os.unlink(place)

    def do(self, word):
        self.bench.sendall(word.encode())
        return struct.unpack("QQ", self.bench.recv(16, socket.MSG_WAITALL))

    def is_seen(self):
        return os.path.exists(self.report) and os.path.getsize(self.report) > 0

    @contextlib.contextmanager
    def viewed(self, budget):
        self.do(budget)
        viewer = subprocess.Popen(
            [os.path.join(BUILD, "proftop"), "-p", str(self.process.pid), "-b", "-n", "0",
             "-d", "1", "--format", "json", "-o", self.report],
            env=self.env, stdin=subprocess.DEVNULL)
        tap.wait_for("a report", lambda: viewer.poll() is not None or self.is_seen(), SECONDS)
        assert viewer.poll() is None
        yield
        viewer.terminate()
        viewer.wait()
        os.unlink(self.report)
        self.do("d")

    def end(self):
        self.bench.close()
        assert self.process.wait(SECONDS) == 0


def ratios(bare, other, budget):
    """Returns the wall and CPU time of the job `other` as ratios to the bare job, over all turns.
    `other` is viewed unless `budget` is None. The jobs take turns of some 20 ms, since a machine's
    speed changes by the second. The feed's thread continues to run meanwhile; its CPU time is
    included."""
    jobs, wall, cpu = (bare, other), [0, 0], [0, 0]
    with other.viewed(budget) if budget else contextlib.nullcontext():
        for _ in range(WARM):
            begun = [job.do("s")[1] for job in jobs]
        for turn in range(TURNS):
            for which in (turn % 2, 1 - turn % 2):
                took, cpu[which] = jobs[which].do("s")
                wall[which] += took
    return wall[1] / wall[0], (cpu[1] - begun[1]) / (cpu[0] - begun[0])


def slower(jobs, budget):
    """Views each job once, since two runs of a job differ by their memory layout."""
    return [math.sqrt(one * two) for one, two in
            zip(ratios(*jobs, budget), ratios(*jobs[::-1], budget))]


def interval(values):
    """Uses the binomial distribution: each value lies above the true median as often as below."""
    values, below = sorted(values), 0
    while sum(math.comb(len(values), i) for i in range(below + 2)) <= 0.025 * 2 ** len(values):
        below += 1
    return values[below], values[-1 - below]


def pairs_of(folder, name, count):
    """Runs all pairs turn by turn, so that the rows come from the same minute."""
    with contextlib.ExitStack() as stack:
        jobs = [Job(folder, name, number) for number in (0, 1)]
        for job in jobs:
            stack.callback(job.end)
        return [[slower(jobs, budget) for budget in BUDGETS] for _ in range(count)]


def real_jobs(folder):
    """Starts new processes after every few pairs: the memory layout of a process differs more from
    pair to pair than everything else."""
    for name, what in (("logreg", "logistic regression"), ("mlp", "small network"),
                       ("rnn", "recurrent network, by scan")):
        found = []
        while len(found) < PAIRS:
            found += pairs_of(folder, name, min(OF_A_PROCESS, PAIRS - len(found)))
        for budget, pairs in zip(BUDGETS, zip(*found)):
            said, target = BUDGETS[budget]
            for kind, column in zip(("wall", "CPU"), zip(*pairs)):
                print_row("%s, %s: %s" % (what, said, kind),
                          "%.3f-%.3f" % interval(column),
                          "%.3f x" % statistics.median(column), target)


with tempfile.TemporaryDirectory(prefix="proftop-bench-") as place:
    nodes(place)
    real_jobs(place)
