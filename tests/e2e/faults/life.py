# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""life.py: jobs that are killed, stopped, restarted, that end, or that have no viewer."""
import glob
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from debugger import debugged
from ground import (PATIENCE_S, PROFTOP, SANITIZED, TICK_S, Job, Viewer, calls, fault, place, proc,
                    proftop, tap, time_passes, wait_for, watch, watch_live)
from wire import Relay

# Highest possible rate of fault_job: it pauses for at least a millisecond after each call. On a
# busy machine it may be lower before a stop than after it.
MOST_CALLS_S = 1000
MARGIN = 1.2  # values are read up to 20 ms after the frame's stamp, in 100 ms
INTERVALS = 5  # required on either side of a stop


def kill_and_see(job, viewer):
    """Seconds from the kill until a viewer shows it, with the last data kept."""
    before = viewer.newest()
    job.signal(signal.SIGKILL)
    killed = time.monotonic()
    instant, report = viewer.until_state("gone")
    assert "killed or crashed" in report["jobs"][0]["reason"], report["jobs"]
    assert calls(report) >= calls(before) > 0 and not report["final"], report["jobs"]
    return instant - killed


@fault("R1", "the job is killed (SIGKILL)", "GONE within 0.5 s, the last data kept", "s", 0.5, 4)
def killed_job(_):
    with place() as env, Job(env) as job, watch_live(job) as viewer:
        return kill_and_see(job, viewer)


@fault("R1", "the same, and a child forked by the job lives on", "GONE within 0.5 s", "s", 0.5, 4)
def killed_with_an_orphan(_):
    with place() as env, Job(env) as job, watch_live(job) as viewer:
        orphan = int(job.ask("orphan").split()[1])
        try:
            return kill_and_see(job, viewer)
        finally:
            os.kill(orphan, signal.SIGKILL)


@fault("R1", "files of a killed job, and of one whose child lives on",
       "removed by the next `proftop -l`", "left", 0, 4)
def files_of_the_dead(_):
    with place() as env, Job(env) as job:
        orphan = int(job.ask("orphan").split()[1])
        try:
            job.end()
            assert glob.glob(env["PROFTOP_DIR"] + "/*.info")
            assert str(job.pid) not in proftop(env, "-l").stdout
            return len(os.listdir(env["PROFTOP_DIR"]))
        finally:
            os.kill(orphan, signal.SIGKILL)


def until_stale(viewer):
    stopped = time.monotonic()
    instant, report = viewer.until_state("stale")
    assert "it may be stopped" in report["jobs"][0]["reason"], report["jobs"]
    return instant - stopped


@fault("R2", "the job is stopped (SIGSTOP)", "STALE within 3.5 s, and why", "s", 3.5, 10)
def stopped_job(_):
    with place() as env, Job(env) as job, watch_live(job) as viewer:
        job.signal(signal.SIGSTOP)
        return until_stale(viewer)


def until_counted(job, viewer):
    """The job ends, and the viewer has each of its calls exactly once."""
    counted = int(re.search(r"calls (\d+)", job.ask("close")).group(1))
    _, report = viewer.until("final", lambda r: r["final"])
    assert calls(report) == counted, (calls(report), counted)


def late(long):
    """States of a stopped job; the short form does not wait for the last one."""
    return ("stale",) if long else ("lagging", "stale")


@fault("R2", "it goes on (SIGCONT)",
       "LIVE within 1 s; each call counted once; no rate above what it was", "s", 1.0, 10)
def continued_job(long):
    with place() as env, Job(env) as job, watch_live(job) as viewer, Rates(job) as rates:
        before = rates.until(INTERVALS)
        job.signal(signal.SIGSTOP)
        viewer.until_state(*late(long))
        stopped = len(rates.shown())
        job.signal(signal.SIGCONT)
        continued = time.monotonic()
        instant, _ = viewer.until_state("live")
        after = rates.until(len(rates.shown()) + INTERVALS)[stopped:]
        assert min(after) < max(before) / 2, "no interval spans the stop: %s" % after
        assert max(before + after) <= MARGIN * MOST_CALLS_S, (before, after)
        until_counted(job, viewer)
        return instant - continued


@fault("R2", "a debugger stops each thread of the job (ptrace)", "STALE within 3.5 s, and why", "s",
       3.5, 10)
def debugged_job(_):
    with place() as env, Job(env) as job, watch_live(job) as viewer, debugged(job):
        return until_stale(viewer)


@fault("R2", "the debugger goes", "LIVE within 1 s; each call counted once", "s", 1.0, 10)
def left_by_a_debugger(long):
    with place() as env, Job(env) as job, watch_live(job) as viewer:
        with debugged(job):
            viewer.until_state(*late(long))
        gone = time.monotonic()
        instant, _ = viewer.until_state("live")
        until_counted(job, viewer)
        return instant - gone


class Rates:
    """A viewer that prints its screens, and the calls per second shown on each."""

    unit = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}

    def __init__(self, job):
        self.file = tempfile.NamedTemporaryFile()
        self.process = subprocess.Popen(
            [PROFTOP, "-b", "-n", "0", "-d", str(TICK_S), "--pane", "class", "-p", str(job.pid)],
            env=job.env, stdout=self.file)

    def shown(self):
        # During a write, the file may end within a character.
        with open(self.file.name, encoding="utf-8", errors="replace") as file:
            said = re.findall(r"^ calls \S+ +\+([\d.]+)(\w?)/s ", file.read(), re.M)
        return [float(number) * self.unit[unit] for number, unit in said]

    def until(self, count):
        def enough():
            rates = self.shown()
            return rates if len(rates) >= count else None
        return wait_for("%d rates" % count, enough)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.file.close()


@fault("R3", "the job is killed and started again at the same endpoint",
       "a new instance, LIVE within 1 s of its ready; no figure of the old one in the new", "s",
       1.0, 4)
def restarted_job(_):
    with place() as env, Relay() as relay, Job(env) as first:
        relay.serve(first)
        with Viewer(env, *relay.target()) as viewer:
            viewer.until("figures", lambda r: r["state"] == "live" and calls(r) > 2000)
            was = viewer.newest()
            first.signal(signal.SIGKILL)
            first.process.wait()
            relay.cut()
            with Job(env) as second:
                relay.serve(second)
                ready = time.monotonic()
                instance = was["jobs"][0]["instance"]
                instant, report = viewer.until("a new instance that is live", lambda r: (
                    r["state"] == "live" and r["jobs"][0]["instance"] != instance))
                most = int(second.ask("calls").split()[1])
                assert 0 <= calls(report) <= most + 40, (calls(report), most)
                return instant - ready


@fault("R21", "the feed is closed with a stopped viewer attached", "close within 50 ms", "ms", 50)
def closed_amid_a_stall(_):
    with place() as env, Job(env) as job, watch_live(job) as viewer:
        viewer.process.send_signal(signal.SIGSTOP)
        return float(re.search(r"closed ([\d.]+) ms", job.ask("close")).group(1))


@fault("R21", "the job ends without closing it, with a stopped viewer attached",
       "ended within 50 ms of its last statement", "ms", 50)
def exit_amid_a_stall(_):
    with place() as env, Job(env) as job, watch_live(job) as viewer:
        viewer.process.send_signal(signal.SIGSTOP)
        process = os.pidfd_open(job.pid)  # notifies at once; wait() polls at growing intervals
        try:
            asked = time.monotonic()
            job.tell("quit")
            ended = tap.readable([process], PATIENCE_S)
            took = time.monotonic() - asked
        finally:
            os.close(process)
        assert ended and job.process.wait() == 0
        return took * 1e3


# Ends by an exception. Handlers registered before the feed's own exit handler run after it.
RAISES = """
import atexit, os, sys, time
sys.stderr = open(os.devnull, "w")
began = []
atexit.register(lambda: print("closed %.3f ms" % ((time.monotonic() - began[0]) * 1e3)))
from proftop.user_objects import publish
counter = publish("own").counter("n", kind=int)
atexit.register(lambda: began.append(time.monotonic()))
counter.set(1)
print("ready", flush=True)
sys.stdin.readline()
raise SystemError("nobody catches it")
"""


def raise_amid_a_stall(_):
    adapters = os.path.abspath(tap.built("adapters", "python"))
    if not glob.glob(adapters + "/proftop/_feed.*so"):
        raise tap.Skip("the adapter was not built, for want of python3-dev")
    with place() as env:
        env["PYTHONPATH"] = adapters
        with Job(env, sys.executable, "-c", RAISES) as job, watch(job) as viewer:
            viewer.until_state("live")
            viewer.process.send_signal(signal.SIGSTOP)
            closed = job.ask("end")
            assert job.process.wait() == 1
            viewer.process.send_signal(signal.SIGCONT)
            viewer.until("the goodbye", lambda r: r["final"])
            return float(re.search(r"closed ([\d.]+) ms", closed).group(1))


if not SANITIZED:  # an uninstrumented Python cannot load an instrumented extension
    fault("R21", "a job in Python ends by an exception, with a stopped viewer attached",
          "close within 50 ms", "ms", 50)(raise_amid_a_stall)


@fault("R22", "nobody is attached", "the feed runs for at most 0.1 % of the time", "%", 0.1, 4)
def unwatched(long):
    with place() as env, Job(env) as job:
        time.sleep(0.2)  # exclude its start
        began, ran = time.monotonic(), job.feed_cpu_s()
        time_passes(3 if long else 1)
        return 100 * (job.feed_cpu_s() - ran) / (time.monotonic() - began)


@fault("R22", "nothing is asked for", "no listening TCP port", "ports", 0, 4)
def ports(_):
    with place() as env, Job(env) as job:
        return len(proc.listening_ports(job.pid))
