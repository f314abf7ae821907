# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""ground.py: jobs and viewers for fault injection, and the table that lists the faults. The viewer
is the real program; its state is read from its JSON, one line each 0.1 s."""
import collections
import contextlib
import glob
import json
import os
import queue
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import shell  # noqa: E402
from shell import PROFTOP, SYNTHETIC, proftop, tap  # noqa: E402, F401
import proc  # noqa: E402

try:
    import msgpack
    import zmq
except ImportError:
    msgpack = zmq = None

FAULT_JOB = os.path.abspath(tap.built("fault_job"))
STEP_JOB = os.path.abspath(tap.built("step_job"))  # prints its feed's serving time
SLOW = tap.SLOW
SANITIZED = bool(os.environ.get("SANITIZE_FLAGS", "").strip())
PATIENCE_S = 30 * SLOW  # after this, something counts as hung
TICK_S = 0.1  # interval of a viewer's reports

# One row of docs/reliability.md. `measure(long)` injects the fault once and returns one figure;
# errors are assertions. The row holds if no figure is above `limit`. Faults that leave the machine
# idle run several `together`. A `typical` figure is an average, not a single event, and each figure
# is noisy: there the median must hold, up to the end of its 95 % interval.
Fault = collections.namedtuple("Fault", "number what bar unit limit together typical measure")
FAULTS = []


def fault(number, what, bar, unit, limit, together=1, typical=False):
    def add(measure):
        FAULTS.append(Fault(number, what, bar, unit, limit, together, typical, measure))
        return measure
    return add


def need_zmq():
    if zmq is None:
        raise tap.Skip("python3-zmq or python3-msgpack is not there")


def wait_for(what, test, patience=PATIENCE_S):
    return tap.wait_for(what, test, patience)


def time_passes(seconds, since=None):
    """Lets time pass: for a fault of this duration, or, with `since`, for one at a fixed rate. No
    event ends the wait."""
    begun = time.monotonic() if since is None else since
    time.sleep(max(0, begun + seconds - time.monotonic()))


@contextlib.contextmanager
def place():
    """An environment with its own registry."""
    with tempfile.TemporaryDirectory(prefix="pt") as folder:
        yield dict(os.environ, PROFTOP_DIR=folder, XDG_RUNTIME_DIR=folder, LC_ALL="C.UTF-8",
                   PROFTOP="1")


# ----------------------------------------------------------------------------------------- jobs

class Job(shell.Job):
    """A job that has registered. `ask` is for jobs that read commands."""

    def __init__(self, env, *command):
        super().__init__(env, *(command or [FAULT_JOB]))
        self.env = env
        assert self.said[0].startswith("ready"), self.said

    def tell(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()

    def ask(self, word):
        self.tell(word)
        return self.process.stdout.readline()

    def signal(self, number):
        os.kill(self.pid, number)

    def rss_kb(self):
        return proc.rss_kb(self.pid)

    def threads(self):
        return proc.threads(self.pid)

    def descriptors(self):
        return proc.descriptors(self.pid)

    def feed_cpu_s(self):
        """CPU time of the feed's threads."""
        ran = 0
        for name, folders in self.threads().items():
            if name.startswith(("proftop-", "ZMQ")):
                for folder in folders:
                    with open(folder + "/schedstat", encoding="ascii") as file:
                        ran += int(file.read().split()[0])
        return ran / 1e9

    def announced(self, *keys):
        """The endpoints in the job's registry file."""
        name = wait_for("an announcement", lambda: glob.glob(
            "%s/%d-*.info" % (self.env["PROFTOP_DIR"], self.pid)))[0]
        with open(name, encoding="utf-8") as file:
            text = file.read()
        return tuple(re.search(r"^%s=(.*)$" % key, text, re.M).group(1)
                     for key in keys)

    def endpoints(self):
        """(facts, control)"""
        return self.announced("facts", "control")

    def end(self):
        super().end()
        self.process.wait()


def load(env, applies=40, *more):
    return Job(env, SYNTHETIC, "--applies", str(applies), *more)


def exact(env):
    """For jobs with every call timed, with or without a viewer. Sampling starts with a viewer and
    would change the result more than the viewer itself."""
    return dict(env, PROFTOP_BUDGET="0")


def slow_down(job, other, disturb, pairs):
    """Extra time in percent that the job's thread takes for the same work while this job is
    disturbed, compared with while another job of this kind is. A viewer's load on the machine is in
    both. Median of pairs."""
    ratios = []
    for pair in range(pairs):
        took = {}
        for target in (job, other) if pair % 2 else (other, job):
            job.tell("work 300")
            disturb(target)
            took[target] = int(job.process.stdout.readline().split()[1])
        ratios.append(took[job] / took[other])
    return max(0.0, (statistics.median(ratios) - 1) * 100)


# -------------------------------------------------------------------------------------- viewers

class Viewer:
    """`proftop -b` without end; its reports are queued as (time, report)."""

    def __init__(self, env, *target, prefix=(), more=()):
        self.process = subprocess.Popen(
            [*prefix, PROFTOP, "-b", "-n", "0", "-d", str(TICK_S), "--format", "json", *more,
             *target], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.queue = queue.Queue()
        self.last = None
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            if line.endswith("\n"):  # the last line of a killed viewer may be incomplete
                self.queue.put((time.monotonic(), json.loads(line)))
        self.queue.put((time.monotonic(), None))

    def until(self, what, test, patience=PATIENCE_S):
        """The first report from now on for which test(report) is true, as (time, report)."""
        end = time.monotonic() + patience
        while True:
            try:
                instant, report = self.queue.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError("never: %s; last: %s" % (what, summary(self.last))) from None
            assert report, "the viewer ended before: %s; it said: %s; last: %s" % (
                what, self.process.stderr.read(), summary(self.last))
            self.last = report
            if test(report):
                return instant, report

    def until_state(self, *states):
        return self.until(" or ".join(states), lambda report: report["state"] in states)

    def newest(self):
        """The current state: the next report."""
        self.drain()
        return self.until("a report", lambda report: True)[1]

    def drain(self):
        while not self.queue.empty():
            self.last = self.queue.get()[1] or self.last

    def end(self):
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
            self.process.send_signal(signal.SIGCONT)
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


def watch(job):
    return Viewer(job.env, "-p", str(job.pid))


def watch_live(job):
    viewer = watch(job)
    try:
        viewer.until("live, with figures", lambda r: r["state"] == "live" and calls(r) > 0)
    except BaseException:
        viewer.end()
        raise
    return viewer


def summary(report):
    return report and {"state": report["state"], "final": report["final"], "jobs": report["jobs"]}


def calls(report):
    return sum(row["calls"] or 0 for row in report["applies"])


def feed(report):
    return report["jobs"][0]["feed"]


def mono_ns(report):
    """Time of the job's clock, which is the clock of this machine."""
    return report["jobs"][0]["mono_ns"]
