# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""crowd.py: viewers that are killed, stopped, or too many; silent peers; a job without descriptors,
and one that forks."""
import collections
import contextlib
import os
import random
import resource
import signal
import socket
import struct
import subprocess
import time

from ground import (PATIENCE_S, PROFTOP, SANITIZED, SLOW, TICK_S, Job, Viewer, calls, exact, fault,
                    feed, load, mono_ns, need_zmq, place, proc, slow_down, time_passes, wait_for,
                    watch, watch_live, zmq)


# ------------------------------------------------------------------------------ R4: viewers die

def kill_viewers(job, count):
    """Kills each at a different time, from its start to a refresh or two."""
    for _ in range(count):
        with subprocess.Popen([PROFTOP, "-b", "-n", "0", "-d", "0.1", "-p", str(job.pid)],
                              env=job.env, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as viewer:
            time.sleep(random.random() * 0.1)
            viewer.kill()


@fault("R4", "50 viewers are killed at random moments (1,000 in all)",
       "the job lives, its descriptors are as before, its memory grows by less than 1 MB", "kB",
       1024)
def killed_viewers(long):
    with place() as env, load(env) as job:
        kill_viewers(job, 5)  # a first viewer has caused the permanent allocations
        settled = wait_for("a first count", lambda: quiet_count(job))
        before = job.rss_kb()
        kill_viewers(job, 50 if long else 10)
        wait_for("the descriptors of before", lambda: job.descriptors() <= settled)
        assert job.process.poll() is None
        return max(0, job.rss_kb() - before)


@fault("R4", "the same: the work of the job, each call timed, against viewers that are killed "
       "at another job",
       "slower by less than 1 %", "%", 1.0, typical=True)
def work_beside_killed_viewers(long):
    with place() as env, Job(exact(env)) as job, Job(exact(env)) as other:
        return slow_down(job, other, lambda target: kill_viewers(target, 5), 12 if long else 3)


def quiet_count(job):
    """Number of descriptors, once it is stable."""
    seen = {job.descriptors()}
    for _ in range(10):
        time.sleep(0.02)
        seen.add(job.descriptors())
    return seen.pop() if len(seen) == 1 else None


# ------------------------------------------------------------------------- R5: a viewer is stopped

STALL_S, STALL_SHORT_S = 60, 5
STALL_BYTES = 45000
HEALED_S = 8
# The number of rows sent in each tick. Most ticks then have 50 to 60 kB, some less; more rows would
# take turns. A sanitizer would need all its time for this.
ROWS = 600 if SANITIZED else 6600


# All rows change 25 times a second. At ten times, the rate of the feed's ticks, a tick could fall
# before the changes or between them, and would send few rows or none.
ALL_CHANGE = ("--rate", "25", "--change", "100", "--functions", "1")


def big_load(env, rows=ROWS):
    return load(env, rows, *ALL_CHANGE)


def speaks_as_much(job):
    """Each tick carries as many bytes of rows as the fault's description states."""
    need_zmq()
    context = zmq.Context()
    viewer = subscriber(context, job)
    try:
        read_rows([viewer], 1)
        ticks, = read_rows([viewer], 20 * STALL_BYTES)
        assert ticks <= 20 + 1, "%d ticks for %d bytes" % (ticks, 20 * STALL_BYTES)
    finally:
        viewer.close()
        context.term()


@contextlib.contextmanager
def stopped_viewer(job):
    """A viewer that has attached and is then stopped."""
    with subprocess.Popen([PROFTOP, "-b", "-n", "0", "-d", "1", "--pane", "class", "--top", "1",
                           "-p", str(job.pid)], env=job.env, stdout=subprocess.PIPE) as viewer:
        assert viewer.stdout.readline()
        viewer.send_signal(signal.SIGSTOP)
        try:
            yield viewer
        finally:
            viewer.kill()


@fault("R5", "a viewer is stopped for 60 s, with 45 kB ten times a second",
       "the job's memory grows by at most 2 MB", "kB", 2048, 10)
def memory_of_a_stall(long):
    with place() as env, big_load(env) as job:
        if long:
            speaks_as_much(job)
        with stopped_viewer(job):
            before = job.rss_kb()
            time_passes(STALL_S if long else 0.5)
            return max(0, job.rss_kb() - before)


@fault("R5", "the same for 5 s: what the threads of the feed do in a tick", "1 ms on average",
       "ms", 1.0, 4)
def work_of_a_stall(long):
    with place() as env, big_load(env) as job:
        with stopped_viewer(job):
            ran, began = job.feed_cpu_s(), time.monotonic()
            time_passes(STALL_SHORT_S if long else 0.5)
            return (job.feed_cpu_s() - ran) * 1e3 / ((time.monotonic() - began) * 10)


PAUSE_S = 0.03  # the next tick is 100 ms away: an idle pause means that a tick is over


@fault("R5", "the same for 5 s: in the tick in which they do most",
       "5 ms; in some the feed measures what counting costs", "ms", 5.0)
def longest_tick_of_a_stall(long):
    with place() as env, big_load(env) as job:
        with stopped_viewer(job):
            tick = longest = looks = late = 0
            ran, now = job.feed_cpu_s(), time.monotonic()
            until = now + (STALL_SHORT_S if long else 0.5)
            while now < until:
                time.sleep(PAUSE_S)
                before, ran, since, now = ran, job.feed_cpu_s(), now, time.monotonic()
                whole = now - since < 2 * PAUSE_S  # else there may have been two ticks
                tick = tick + ran - before if whole and ran > before else 0
                longest, looks, late = max(longest, tick), looks + 1, late + (not whole)
            assert longest > 0 and (not long or late < 0.05 * looks), (longest, late, looks)
            return longest * 1e3


@fault("R5", "it goes on after 5 s", "the newest data within 0.5 s", "s", 0.5, 2)
def after_a_stall(long):
    with place() as env, big_load(env) as job, watch_live(job) as viewer:
        viewer.process.send_signal(signal.SIGSTOP)
        time_passes(STALL_SHORT_S if long else 0.5)
        viewer.drain()
        instant = time.monotonic()
        viewer.process.send_signal(signal.SIGCONT)
        newest = instant * 1e9 - TICK_S * 1e9
        return viewer.until("the newest", lambda r: (
            mono_ns(r) >= newest and r["state"] == "live"))[0] - instant


def frames_known(report):
    """Frames of the facts that it has or knows to be lost."""
    link = feed(report)
    return link["frames"] - link["answers"] + link["gaps"]


def ahead_of(viewer, other):
    """Difference of the viewers as (frames, calls), when both have the same newest frame."""
    seen = {}, {}
    until = time.monotonic() + PATIENCE_S
    while not seen[0].keys() & seen[1].keys():
        assert time.monotonic() < until, "two viewers that never are at the same frame"
        for one, reports in zip((viewer, other), seen):
            report = one.newest()
            reports[mono_ns(report)] = frames_known(report), calls(report)
    at = max(seen[0].keys() & seen[1].keys())
    return tuple(mine - its for mine, its in zip(seen[0][at], seen[1][at]))


def heard_all(*viewers):
    """Each stream sends at least once a second; after that, its losses are known."""
    later = time.monotonic_ns() + 1.5e9
    for one in viewers:
        one.until("a frame of each stream", lambda r: r["state"] == "live" and mono_ns(r) > later)


def miscounted(viewer, other, before):
    """Difference of the known frames from `before`, once the figures are equal. Unchanged rows take
    turns within 64 ticks, and the losses of a stream are known after its next frame."""
    until = time.monotonic() + HEALED_S * SLOW
    while True:
        frames, off = ahead_of(viewer, other)
        over = time.monotonic() > until
        if off == 0 and (frames == before or over):
            return abs(frames - before)
        assert not over, "%d calls off" % off


@fault("R5", "frames that it lost in 10 s, against a viewer that was not stopped",
       "counted exactly", "off", 0, 10)
def losses_of_a_stall(long):
    with place() as env, big_load(env, 2000) as job, \
            watch_live(job) as viewer, watch_live(job) as other:
        heard_all(viewer, other)
        before, _ = ahead_of(viewer, other)
        viewer.process.send_signal(signal.SIGSTOP)
        time_passes(10 if long else 3)  # longer than the buffers of both sides last
        viewer.process.send_signal(signal.SIGCONT)
        heard_all(viewer, other)
        off = miscounted(viewer, other, before)
        lost, none = feed(viewer.last)["gaps"], feed(other.last)["gaps"]
        assert lost > none, (lost, none)  # on a busy machine the other may lose frames, too
        return off


# ------------------------------------------------------------------- R6: no descriptors are left

@fault("R6", "the job has no descriptor left, and 100 peers a second connect and go for 10 s",
       "the job lives; its thread for input and output runs for less than 5 % of the time", "%", 5,
       4)
def no_descriptors(long):
    need_zmq()
    with place() as env, Job(env) as job:
        assert job.ask("fill").startswith("filled")
        facts, control = job.endpoints()
        began, ran = time.monotonic(), job.feed_cpu_s()
        for number in range(1000 if long else 100):
            come_and_go(facts, control)
            time_passes((number + 1) * 0.01, began)
        share = 100 * (job.feed_cpu_s() - ran) / (time.monotonic() - began)
        assert job.process.poll() is None and job.ask("calls").startswith("calls")
        return share


def come_and_go(*endpoints):
    for name in endpoints:
        with socket.socket(socket.AF_UNIX) as peer:
            peer.setblocking(False)
            try:
                peer.connect(name[len("ipc://"):])
            except OSError:
                pass


@fault("R6", "the descriptors are freed", "a viewer is LIVE within 2 s", "s", 2.0, 4)
def descriptors_again(_):
    with place() as env, Job(env) as job:
        job.ask("fill")
        come_and_go(*job.endpoints())
        job.ask("free")
        began = time.monotonic()
        with watch(job) as viewer:
            return viewer.until_state("live")[0] - began


# ------------------------------------------------------------------------------ R7: silent peers

PEERS, PEERS_SHORT = 2000, 600
LIMIT = 1000  # of the job's descriptors: each group of peers could take them all
CAP = 64  # of its own descriptors, at which the feed stops listening
# Peers that may arrive between two checks of the feed: it admits some at once on its two endpoints.
# On tcp libzmq itself listens, and the kernel's default backlog applies at two ports.
AT_ONCE, AT_ONCE_TCP = 2 * 17, 2 * 100
# For a connect; struct timeval. A connect over tcp continues by itself.
PATIENCE = {socket.AF_UNIX: struct.pack("ll", 5, 0), socket.AF_INET: struct.pack("ll", 0, 5000)}


def may_open(files):
    """Permanently: another row may raise it at the same time."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(files, hard)), hard))


def connect_all(peers, count, family, addresses, used):
    """Connects this many silent peers. Returns the highest number of descriptors meanwhile."""
    most = 0
    for i in range(count):
        peers.append(socket.socket(family))
        # Waits if the queue is full. Else too few peers would reach a slow machine.
        peers[-1].setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, PATIENCE[family])
        with contextlib.suppress(OSError):  # it stopped listening: even better
            peers[-1].connect(addresses[i % 2])
        most = max(most, used())
    return most


def say_nothing(long, job, family, addresses, target, at_once):
    """Time until a viewer is LIVE, when so many peers have come that the job stops listening."""
    own, feeds = proc.tables(job.pid)[:2]
    apart = os.readlink(own + "/0") != os.readlink(feeds + "/0")
    if apart:  # else libzmq itself listens, and many peers can make it abort the job
        resource.prlimit(job.pid, resource.RLIMIT_NOFILE, (LIMIT, LIMIT))
    count, peers, before = PEERS if long else PEERS_SHORT, [], job.rss_kb()
    may_open(count + 200)
    try:
        most = connect_all(peers, count, family, addresses, lambda: len(os.listdir(feeds)))
        began = time.monotonic()
        with Viewer(job.env, *target) as viewer:
            live = viewer.until_state("live")[0] - began
            viewer.until("counted", lambda r: r["jobs"][0]["limits"]["crowded"] > 0)
        assert not apart or most <= CAP + at_once, most
        assert SANITIZED or job.rss_kb() - before < 4096, (before, job.rss_kb())
        return live
    finally:
        for peer in peers:
            peer.close()


SERVED = "a viewer is LIVE within 3 s; of %d descriptors the feed takes %d at most; the job's " \
    "memory grows by less than 4 MB"


@fault("R7", "2,000 peers connect and say nothing", SERVED % (LIMIT, CAP + AT_ONCE), "s", 3.0)
def silent_peers(long):
    with place() as env, Job(env) as job:
        addresses = [name[len("ipc://"):] for name in job.endpoints()]
        return say_nothing(long, job, socket.AF_UNIX, addresses, ("-p", str(job.pid)), AT_ONCE)


@fault("R7", "2,000 peers connect over tcp and say nothing, the viewer comes over tcp too",
       SERVED % (LIMIT, CAP + AT_ONCE_TCP), "s", 3.0)
def silent_peers_over_tcp(long):
    with place() as env:
        env.update(PROFTOP_BIND="tcp://127.0.0.1:*", PROFTOP_INSECURE="1")
        with Job(env) as job:
            at, = job.announced("tcp")
            addresses = [("127.0.0.1", int(name.rsplit(":", 1)[1])) for name in at.split(",")]
            return say_nothing(long, job, socket.AF_INET, addresses, ("--insecure", at),
                               AT_ONCE_TCP)


# ------------------------------------------------------------------------------------ R8: forks

@fault("R8", "the job forks 50 times while it is watched (1,000 in all): exit, _exit, exec, and "
       "children with feeds of their own", "no frame is lost, every call is counted", "frames", 0,
       2)
def forks(long):
    with place() as env, Job(env) as job, watch_live(job) as viewer:
        for kind in ("exit", "_exit", "exec", "count"):
            count = 13 if long else 5
            assert job.ask("fork %s %d" % (kind, count)) == "forked %d, failed 0\n" % count
        counted = int(job.ask("close").split()[-1])
        _, report = viewer.until("final", lambda r: r["final"])
        assert calls(report) == counted, (calls(report), counted)
        link = feed(report)
        return link["gaps"] + link["malformed"]


# --------------------------------------------------------------------------------- R18: a crowd

CROWD = 16
CROWD_ROWS = 5200  # a tick is 43 to 50 kB: some numbers are shorter than others
CROWD_BYTES = 40000


@fault("R18", "16 viewers, which is as many as a job serves, get 40 kB ten times a second",
       "the job's feed takes at most 2 % of a core", "%", 2.0)
def crowd(long):
    need_zmq()
    context = zmq.Context()
    viewers = []
    with place() as env, load(env, CROWD_ROWS, *ALL_CHANGE) as job:
        try:
            for _ in range(CROWD):
                viewers.append(subscriber(context, job))
            ticks = 20 if long else 5
            read_rows(viewers, 1)
            began, ran = time.monotonic(), job.feed_cpu_s()
            heard = read_rows(viewers, ticks * CROWD_BYTES)
            took, ran = time.monotonic() - began, job.feed_cpu_s() - ran
            if long:  # a busy machine may be late, and send the changes of two ticks in one
                assert min(heard) >= 0.75 * ticks, "few large ones: %s" % heard
                assert took < 1.15 * ticks * TICK_S, "%d ticks in %g s" % (ticks, took)
            # Scaled to ten such ticks a second, however busy the machine is.
            return 100 * ran / (min(ticks, *heard) * TICK_S)
        finally:
            for viewer in viewers:
                viewer.close()
            context.term()


def subscriber(context, job):
    """A subscriber to everything."""
    viewer = context.socket(zmq.SUB)
    viewer.subscribe(b"")
    viewer.linger = 0
    viewer.connect(job.endpoints()[0])
    return viewer


def read_rows(viewers, least):
    """Reads until each viewer has received this many bytes of apply rows. Returns the number of
    ticks for each: every tick begins with a frame of functions."""
    heard = {viewer: collections.Counter() for viewer in viewers}
    poller = zmq.Poller()
    for viewer in viewers:
        poller.register(viewer, zmq.POLLIN)
    until = time.monotonic() + PATIENCE_S
    while any(one[b"A"] < least for one in heard.values()):
        assert time.monotonic() < until, "bytes: %s" % [one[b"A"] for one in heard.values()]
        for viewer, _ in poller.poll(100):
            frame = viewer.recv()
            heard[viewer][frame[:1]] += 1 if frame[:1] == b"F" else len(frame)
    return [one[b"F"] for one in heard.values()]
