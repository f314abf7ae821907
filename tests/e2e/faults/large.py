# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""large.py: a job of a million applies is attached to while it streams."""
import re
import subprocess
import time

from ground import PROFTOP, fault, load, place, wait_for

APPLIES = 1000000


def attach(job):
    """Seconds until the first report of figures."""
    began = time.monotonic()
    with subprocess.Popen([PROFTOP, "-b", "-p", str(job.pid), "--pane", "class", "--top", "1"],
                          env=job.env, stdout=subprocess.PIPE, text=True) as viewer:
        first = viewer.stdout.readline()
        took = time.monotonic() - began
        assert "LIVE" in first, first
        viewer.stdout.read()
    return took


def large(env, long):
    return load(env, APPLIES if long else APPLIES // 10, "--ops", "5000", "--change", "10")


def settle(job):
    """The load has begun and the feed knows all of it: the memory of the job rests."""
    seen = [0]

    def rests():
        seen.append(job.rss_kb())
        time.sleep(0.05)
        return len(seen) > 30 and len(set(seen[-20:])) == 1
    wait_for("a job whose memory rests", rests)
    return job


@fault("R13", "a job of 1,000,000 applies is attached to while it counts",
       "figures on the screen within 0.5 s of the command", "s", 0.5)
def attach_large(long):
    with place() as env, large(env, long) as job:
        return attach(settle(job))


def peak_kb(job):
    with open("/proc/%d/status" % job.pid, encoding="ascii") as file:
        return int(re.search(r"VmHWM:\s+(\d+)", file.read()).group(1))


@fault("R13", "the same: the job's memory", "grows by at most 4 MB", "kB", 4096)
def memory_of_attach(long):
    with place() as env, large(env, long) as job:
        before = settle(job).rss_kb()
        with open("/proc/%d/clear_refs" % job.pid, "w", encoding="ascii") as file:
            file.write("5")  # the peak begins anew
        attach(job)
        return max(0, peak_kb(job) - before)
