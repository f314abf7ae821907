# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""life.py: jobs that are killed, stopped, started again, that end, and that nobody watches."""
import glob
import os
import re
import signal
import time

from ground import (PATIENCE_S, Job, Viewer, calls, fault, mono_ns, place, proc, proftop,
                    watch_live)
from wire import Relay

MOST_CALLS_S = 40000  # that fault_job can make: 40 in a millisecond


def kill_and_see(job, viewer):
    """Seconds from the kill to a viewer that says so, with the last data kept."""
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


def stop_until_stale(job, viewer):
    job.signal(signal.SIGSTOP)
    stopped = time.monotonic()
    instant, report = viewer.until_state("stale")
    return instant - stopped, report


@fault("R2", "the job is stopped (SIGSTOP)", "STALE within 3.5 s, and why", "s", 3.5, 10)
def stopped_job(_):
    with place() as env, Job(env) as job, watch_live(job) as viewer:
        took, report = stop_until_stale(job, viewer)
        assert "it may be stopped" in report["jobs"][0]["reason"], report["jobs"]
        return took


@fault("R2", "it goes on (SIGCONT)",
       "LIVE within 1 s; each call counted once; no rate above what it was", "s", 1.0, 10)
def continued_job(long):
    with place() as env, Job(env) as job, watch_live(job) as viewer:
        if long:
            stop_until_stale(job, viewer)
        else:
            job.signal(signal.SIGSTOP)
            viewer.until("late", lambda r: r["state"] in ("lagging", "stale"))
        job.signal(signal.SIGCONT)
        continued = time.monotonic()
        instant, _ = viewer.until_state("live")
        now = rate(viewer)
        assert now < 3 * MOST_CALLS_S, now
        counted = int(re.search(r"calls (\d+)", job.ask("close")).group(1))
        _, report = viewer.until("final", lambda r: r["final"])
        assert calls(report) == counted, (calls(report), counted)
        return instant - continued


def rate(viewer):
    """Calls a second of the job's own time, over one refresh."""
    first = viewer.newest()
    _, second = viewer.until("a later state", lambda r: calls(r) > calls(first))
    span = mono_ns(second) - mono_ns(first)
    return (calls(second) - calls(first)) * 1e9 / span


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
       "ended within 100 ms of its last statement", "ms", 100)
def exit_amid_a_stall(_):
    with place() as env, Job(env) as job, watch_live(job) as viewer:
        viewer.process.send_signal(signal.SIGSTOP)
        job.process.stdin.write("quit\n")
        job.process.stdin.flush()
        asked = time.monotonic()
        assert job.process.wait(PATIENCE_S) == 0
        return (time.monotonic() - asked) * 1e3


@fault("R22", "nobody is attached", "the feed runs for at most 0.1 % of the time", "%", 0.1, 4)
def unwatched(long):
    with place() as env, Job(env) as job:
        time.sleep(0.2)  # its start is none of it
        began, ran = time.monotonic(), job.feed_cpu_s()
        time.sleep(3 if long else 1)
        return 100 * (job.feed_cpu_s() - ran) / (time.monotonic() - began)


@fault("R22", "nothing is asked for", "no listening TCP port", "ports", 0, 4)
def ports(_):
    with place() as env, Job(env) as job:
        return len(proc.listening_ports(job.pid))
