# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""large.py: attaches to a job of a million applies while it streams."""
import re
import subprocess
import time

from ground import (FAULT_JOB, PATIENCE_S, PROFTOP, SANITIZED, STEP_JOB, SYNTHETIC, Job, exact,
                    fault, place, slow_down, wait_for)

APPLIES = 1000000


def ahead(long):
    """Real-time priority where permitted: only this work's processor time counts."""
    prefix = ("chrt", "-r", "1")
    may = long and subprocess.run([*prefix, "true"], stderr=subprocess.DEVNULL,
                                  check=False).returncode == 0
    return prefix if may else ()


def attach(job, long):
    """Seconds until the first report with figures."""
    began = time.monotonic()
    with subprocess.Popen([*ahead(long), PROFTOP, "-b", "-p", str(job.pid), "--pane", "class",
                           "--top", "1", "--wait", str(PATIENCE_S)], env=job.env,
                          stdout=subprocess.PIPE, text=True) as viewer:
        first = viewer.stdout.readline()
        took = time.monotonic() - began
        assert "LIVE" in first, first
        viewer.stdout.read()
    return took


def applies(long):
    return APPLIES if long else APPLIES // (100 if SANITIZED else 10)


def large(env, long):
    return Job(env, *ahead(long), SYNTHETIC, "--applies", str(applies(long)), "--ops", "5000",
               "--change", "10")


def settle(job):
    """Waits until the load runs and the feed knows all of it: the job's memory is stable."""
    seen = [0]

    def rests():
        seen.append(job.rss_kb())
        time.sleep(0.05)
        return len(seen) > 30 and len(set(seen[-20:])) == 1
    wait_for("a job whose memory rests", rests)
    return job


@fault("R13", "a job of 1,000,000 applies is attached to while it counts",
       "its figures printed within 0.5 s of the command", "s", 0.5)
def attach_large(long):
    with place() as env, large(env, long) as job:
        return attach(settle(job), long)


def peak_kb(job):
    with open("/proc/%d/status" % job.pid, encoding="ascii") as file:
        return int(re.search(r"VmHWM:\s+(\d+)", file.read()).group(1))


@fault("R13", "the same: the job's memory", "grows by at most 4 MB", "kB", 4096)
def memory_of_attach(long):
    with place() as env, large(env, long) as job:
        before = settle(job).rss_kb()
        with open("/proc/%d/clear_refs" % job.pid, "w", encoding="ascii") as file:
            file.write("5")  # resets the peak
        attach(job, long)
        return max(0, peak_kb(job) - before)


# Time that the host takes from a virtual machine is included in such a time. Hence it is typical,
# for steps whose longest is the same work in each job.
@fault("R13", "the same: the longest step of serving, in processor time of the feed's thread, "
       "nobody having watched before", "at most 2 ms", "ms", 2.0, typical=True)
def step_of_attach(long):
    with place() as env, Job(env, *ahead(long), STEP_JOB, str(applies(long))) as job:
        attach(settle(job), long)
        said = re.fullmatch(r"longest ([0-9.]+) ms of (\d+) steps\n", job.ask("quit"))
        # Each serves a part of a snapshot: a frame has at most 4,000 rows, and 4 are sent at a
        # time.
        assert int(said.group(2)) > applies(long) // 16000, said.group()
        return float(said.group(1))


@fault("R13", "the same: the work of the job, each call timed, against the same attached to "
       "another such job",
       "slower by less than 1 %", "%", 1.0, typical=True)
def work_beside_attach(long):
    with place() as env, Job(exact(env), FAULT_JOB, str(applies(long))) as job, \
            Job(exact(env), FAULT_JOB, str(applies(long))) as other:
        settle(job)
        return slow_down(job, other, lambda target: attach(target, False), 12 if long else 3)
