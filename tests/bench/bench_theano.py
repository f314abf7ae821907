# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""bench_theano.py BUILD C-PYTHON NUMBA-PYTHON: what proftop costs frameworks of Theano's family:
a node by each route, and real jobs. BUILD is what script/bench built; the two run PyTensor with its
C virtual machine and with Numba. PAIRS=N: so many runs of each real job."""
import contextlib
import os
import socket
import statistics
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD, C_PYTHON, NUMBA_PYTHON = map(os.path.abspath, sys.argv[1:])
ADAPTERS = os.path.join(BUILD, "adapters", "python")
PAIRS, TURNS, WARM = int(os.environ.get("PAIRS", "5")), 60, 6
SECONDS = 300
# Word of theano_nodes.py: what it is, and the target.
NODES = {"tables": ("a node of the C VM by its pointer tables", "<= 2.2 x the floor"),
         "thunks": ("a node by a list of thunks", "<= 4 x the floor"),
         "profile": ("a node by the framework's own profile", ""),
         "marks": ("a node of Numba by its mark", "<= 1.6 x the floor")}


def print_row(what, figure, ratio, target):
    print("%-58s %14s %9s   %s" % (what, figure, ratio, target), flush=True)


def environment(folder, backend):
    """Every node is timed, whatever that costs: what is asked is the price."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PROFTOP")}
    # What was compiled is kept between runs.
    compiled = os.path.join(BUILD, "compiledir-" + backend)
    return dict(env, PROFTOP_DIR=folder, PROFTOP_ADAPTERS=ADAPTERS, PROFTOP_BUDGET="0",
                OMP_NUM_THREADS="1", PYTENSOR_FLAGS="base_compiledir=" + compiled)


def nodes(folder):
    for backend, python in (("c", C_PYTHON), ("numba", NUMBA_PYTHON)):
        job = [python, os.path.join(HERE, "theano_nodes.py"), ADAPTERS,
               os.path.join(BUILD, "bench_floor"), backend]
        done = subprocess.run(job, env=environment(folder, backend), timeout=SECONDS, check=False,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        for line in done.stdout.splitlines():
            word, ns, floor = line.split()
            what, target = NODES[word]
            print_row(what, "%.1f ns" % float(ns), "%.3f x" % (float(ns) / float(floor)), target)


class Job:
    """One that does its steps when it is asked to; alone, or under `proftop run`."""

    def __init__(self, folder, name, watched):
        env = environment(folder, "c")
        env.pop("PROFTOP_BUDGET")  # as users have it
        place = os.path.join(folder, "%s-%d" % (name, watched))
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(place)
        listener.listen(1)
        listener.settimeout(SECONDS)
        command = [C_PYTHON, os.path.join(HERE, "theano_turns.py"), name, place]
        if watched:
            command = [os.path.join(BUILD, "proftop"), "run", "-n", "0", "-d", "1",
                       "-o", os.devnull, "--", *command]
        # The framework warns of the BLAS that is not there.
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        self.bench = listener.accept()[0]
        self.bench.settimeout(SECONDS)
        listener.close()
        os.unlink(place)

    def turn(self):
        self.bench.sendall(b"x")
        return struct.unpack("QQ", self.bench.recv(16, socket.MSG_WAITALL))

    def end(self):
        self.bench.close()
        assert self.process.wait(SECONDS) == 0


def slower(folder, name):
    """How much more wall and CPU time the watched one of two runs took: the middle of all turns. A
    machine's speed changes by the second, so the two take turns."""
    with contextlib.ExitStack() as stack:
        jobs = []
        for watched in (False, True):
            jobs.append(Job(folder, name, watched))
            stack.callback(jobs[-1].end)
        ratios = []
        for turn in range(WARM + TURNS):
            took = [job.turn() for job in (jobs if turn % 2 else jobs[::-1])]
            bare, watched = took if turn % 2 else took[::-1]
            ratios.append([after / before for before, after in zip(bare, watched)])
    return [statistics.median(column) for column in zip(*ratios[WARM:])]


def real_jobs(folder):
    for name, what in (("logreg", "logistic regression"), ("mlp", "small network"),
                       ("rnn", "recurrent network, by scan")):
        found = [slower(folder, name) for _ in range(PAIRS)]
        for kind, column in zip(("wall", "CPU"), zip(*found)):
            print_row("%s, viewed: %s time, %d runs" % (what, kind, PAIRS),
                      "%.3f-%.3f" % (min(column), max(column)),
                      "%.3f x" % statistics.median(column), "<= 1.02 x")


with tempfile.TemporaryDirectory(prefix="proftop-bench-") as place:
    nodes(place)
    real_jobs(place)
