# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""net.py: networks that fail and lose data. Where permitted, a test gives its viewer a network
namespace and takes the link down. Otherwise the relay between the two stops and drops its data;
docs/reliability.md is never made from that."""
import contextlib
import itertools
import os
import shutil
import subprocess
import time

from crowd import ahead_of, heard_all, miscounted
from ground import (Job, Viewer, calls, fault, feed, load, mono_ns, place, time_passes,
                    tap, watch_live)
from wire import Relay

READ_S = 0.05  # facts that arrived this long before a report were read for it
numbers = itertools.count()


def ip(*words):
    return subprocess.run(["ip", *words], capture_output=True, check=False).returncode == 0


class Network:
    """A relay, and a viewer's connection to it that can be cut."""

    def __init__(self):
        number = next(numbers)
        self.name = "pt%d-%d" % (os.getpid() % 100000, number)
        self.link = "v%d-%d" % (os.getpid() % 100000, number)
        net = "10.%d.%d." % (64 + os.getpid() % 128, number % 256)
        self.own = shutil.which("ip") is not None and ip("netns", "add", self.name) and \
            self.make(net)
        self.prefix = ("ip", "netns", "exec", self.name) if self.own else ()
        self.relay = Relay(net + "1" if self.own else "127.0.0.1")

    def make(self, net):
        return (ip("link", "add", self.link, "type", "veth", "peer", "name", "eth0", "netns",
                   self.name) and
                ip("address", "add", net + "1/24", "dev", self.link) and
                ip("link", "set", self.link, "up") and
                ip("-n", self.name, "address", "add", net + "2/24", "dev", "eth0") and
                ip("-n", self.name, "link", "set", "eth0", "up") and
                ip("-n", self.name, "link", "set", "lo", "up"))

    def part(self):
        if self.own:
            assert ip("link", "set", self.link, "down")
        else:
            self.relay.held = True

    def heal(self):
        if self.own:
            assert ip("link", "set", self.link, "up")
        else:
            self.relay.break_held()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.relay.__exit__()
        ip("link", "delete", self.link)
        ip("netns", "delete", self.name)


@contextlib.contextmanager
def watched_from_afar(long):
    """A job whose streams all send at least once a second, so that every loss becomes known."""
    with place() as env, Network() as net, load(env) as job:
        if long and not net.own:
            raise tap.Skip("no network of its own can be made here (`ip netns add`)")
        net.relay.serve(job)
        with Viewer(env, *net.relay.target(), prefix=net.prefix) as viewer:
            viewer.until("live, with figures", lambda r: r["state"] == "live" and calls(r) > 0)
            yield net, job, viewer


@fault("R9", "the network between viewer and job is cut: its link is taken down",
       "not LIVE any more within 3.5 s", "s", 3.5, 10)
def parted(long):
    with watched_from_afar(long) as (net, _, viewer):
        net.part()
        began = time.monotonic()
        return viewer.until_state("stale", "gone")[0] - began


def time_to_heal(long, seconds):
    with watched_from_afar(long) as (net, _, viewer):
        net.part()
        viewer.until_state("lagging", "stale", "gone")
        time_passes(seconds)
        net.heal()
        healed, now = time.monotonic(), time.monotonic_ns()
        return viewer.until("live again", lambda r: (
            r["state"] == "live" and mono_ns(r) > now))[0] - healed


@fault("R9", "it heals after 6 s", "LIVE within 2.5 s", "s", 2.5, 10)
def healed(long):
    return time_to_heal(long, 4 if long else 0.1)


@fault("R9", "it heals after 60 s", "LIVE within 2.5 s", "s", 2.5, 20)
def healed_late(long):
    return time_to_heal(long, 58 if long else 0.2)


def lose_some(relay, job, other):
    """Such a short cut may end before the kernel gives up the connection; then no data is lost. So
    the relay breaks the connection, and frames are sent meanwhile."""
    relay.cut()
    broken = time.monotonic_ns()
    other.until("frames that are lost", lambda r: mono_ns(r) > broken)
    relay.serve(job)


@fault("R9", "what was lost, and the figures after, against a viewer that was not cut off",
       "some frames are; losses counted exactly, figures equal", "off", 0, 10)
def losses_of_a_cut(long):
    with watched_from_afar(long) as (net, job, viewer), watch_live(job) as other:
        heard_all(viewer, other)
        before, _ = ahead_of(viewer, other)
        net.part()
        if long:
            viewer.until_state("stale", "gone")
            time_passes(3)  # silent for longer than the kernel waits (WIRE_KEEPALIVE_S)
        else:
            viewer.until_state("lagging", "stale", "gone")
            lose_some(net.relay, job, other)
        net.heal()
        heard_all(viewer, other)
        off = miscounted(viewer, other, before)
        assert feed(other.last)["gaps"] == 0
        assert feed(viewer.last)["gaps"] > 0, "nothing was lost"
        assert feed(viewer.last)["falls"] == feed(viewer.last)["malformed"] == 0
        return off


@fault("R10", "10 % of the segments are lost, and each takes 100 ms",
       "LIVE throughout; lag within 0.2 s of the truth", "s", 0.2, 10)
def lossy(long):
    with place() as env, Relay() as relay, Job(env) as job:
        relay.serve(job)
        with Viewer(env, *relay.target()) as viewer:
            viewer.until("live, with figures", lambda r: r["state"] == "live" and calls(r) > 0)
            relay.delay_s, relay.loss = 0.1, 0.1
            worst = off_by(relay, viewer, 8 if long else 2)
            viewer.until("a loss", lambda _: max(delay for _, delay in relay.delivered) > 0.25)
            # Data after a lost segment arrives together with it, so the newest is seldom later than
            # the limit. A viewer that shows no lag would pass; not here.
            relay.delay_s, relay.loss = 0.4, 0
            viewer.until("that lag", lambda r: feed(r)["lag_ns"] > 2e8)
            return max(worst, off_by(relay, viewer, 2 if long else 0.5))


def off_by(relay, viewer, seconds):
    """The largest error of the displayed lag within this many seconds. The reference is the delay
    of the last facts before the report, or of any that came too late to be surely read."""
    worst, until = 0, time.monotonic() + seconds
    while time.monotonic() < until:
        instant, report = viewer.until("a report", lambda r: True)
        assert report["state"] == "live", report["jobs"]
        come = [fact for fact in relay.delivered[-200:] if fact[0] < instant]
        read = sum(when < instant - READ_S for when, _ in come)
        lag = feed(report)["lag_ns"] / 1e9
        worst = max(worst, min(abs(lag - delay) for _, delay in come[max(0, read - 1):]))
    return worst
