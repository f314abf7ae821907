# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""soak.py: a job whose viewers come, are killed or stopped, and come again. Its descriptors,
threads and memory stay what they were. Some seconds; five minutes with PROFTOP_TEST_LONG=1."""
import glob
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

PROFTOP = os.path.abspath(tap.built("proftop"))
SYNTHETIC = os.path.abspath(tap.built("examples", "synthetic"))
SECONDS = 300 if os.environ.get("PROFTOP_TEST_LONG") == "1" else 4
SETTLE = 5 * int(os.environ.get("CK_TIMEOUT_MULTIPLIER", "1"))
MOST_KB = 1024 if SECONDS > 100 else 128 * 1024  # sanitizers keep what was freed


def figures(pid):
    """kB of memory, threads, descriptors of the program and of the feed."""
    with open("/proc/%d/status" % pid, encoding="ascii") as file:
        text = file.read()
    tables = ["/proc/%d/fd" % pid]  # of the program, and of the feed's threads
    for name in glob.glob("/proc/%d/task/*/comm" % pid):
        with open(name, encoding="ascii") as file:
            tables += [name[:-4] + "fd"] * (file.read().strip() == "proftop-feed")
    return (int(re.search(r"VmRSS:\s+(\d+)", text).group(1)),
            int(re.search(r"Threads:\s+(\d+)", text).group(1)),
            sum(len(os.listdir(table)) for table in tables))


def settled(pid, before):
    end = time.monotonic() + SETTLE
    now = figures(pid)
    while now[1:] != before[1:] and time.monotonic() < end:
        time.sleep(0.05)
        now = figures(pid)
    return now


def view_for_a_while(job, env, number):
    """A viewer that reads what comes, or is stopped amid it; then it is killed."""
    with subprocess.Popen([PROFTOP, "-b", "-d", "0.1", "-n", "1000", "-p", str(job.pid)], env=env,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as viewer:
        assert viewer.stdout.readline(), "the viewer printed nothing"
        if number % 3 == 0:
            viewer.send_signal(signal.SIGSTOP)
        time.sleep(random.random() * 0.3)
        viewer.kill()


def nothing_piles_up():
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, PROFTOP_DIR=folder)
        with subprocess.Popen([SYNTHETIC, "--applies", "5000"], env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as job:
            job.stdout.readline()
            try:
                number, end, seen = 0, time.monotonic() + SECONDS, []
                for _ in range(5):
                    view_for_a_while(job, env, 3)
                before = figures(job.pid)
                before = settled(job.pid, before[:1] + figures(job.pid)[1:])
                while time.monotonic() < end:
                    view_for_a_while(job, env, number)
                    number += 1
                    if number % 100 == 0:
                        seen.append(figures(job.pid))
                after = settled(job.pid, before)
                sys.stdout.write("# %d viewers: %s -> %s; %s\n" % (number, before, after, seen))
                assert job.poll() is None, (job.returncode, job.stderr.read())
                assert after[1] <= before[1] and after[2] <= before[2], (before, after)
                assert after[0] - before[0] < MOST_KB, (before, after)
            finally:
                job.kill()


if __name__ == "__main__":
    tap.run(nothing_piles_up)
