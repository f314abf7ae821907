# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""soak.py: a job whose viewers attach, are killed or stopped, and attach again. Its descriptors,
threads and memory stay constant. Takes some seconds; five minutes with PROFTOP_TEST_LONG=1."""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import PROFTOP, SYNTHETIC, tap  # noqa: E402
import proc  # noqa: E402

SECONDS = 300 if os.environ.get("PROFTOP_TEST_LONG") == "1" else 4
SETTLE = 5 * tap.SLOW
MOST_KB = 1024 if SECONDS > 100 else 128 * 1024  # sanitizers keep freed memory


def figures(pid):
    """kB of memory, number of threads, descriptors of the program and of the feed."""
    return (proc.rss_kb(pid), sum(map(len, proc.threads(pid).values())), proc.descriptors(pid))


def settled(pid, before):
    tap.poll(lambda: figures(pid)[1:] == before[1:], SETTLE)
    return figures(pid)


def view_for_a_while(job, env, number):
    """A viewer that keeps reading, or is stopped in between; then it is killed."""
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
        with shell.Job(env, SYNTHETIC, "--applies", "5000") as job:
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
            assert job.process.poll() is None, job.process.returncode
            assert after[1] <= before[1] and after[2] <= before[2], (before, after)
            assert after[0] - before[0] < MOST_KB, (before, after)


if __name__ == "__main__":
    tap.run(nothing_piles_up)
