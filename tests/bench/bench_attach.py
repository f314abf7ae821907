# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""bench_attach.py BUILD PYTHON: measures how proftop attaches to a running job: how long the job's
process is stopped, and how long the command takes until sorted rows appear. BUILD is the output of
script/bench. PYTHON has PyTensor with its C virtual machine. The job trains meanwhile. proftop
detaches after each attach."""
import json
import os
import re
import statistics
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "adapters")]
BUILD, PYTHON = map(os.path.abspath, sys.argv[1:])
os.environ["PROFTOP_TEST_PROFTOP"] = os.path.join(BUILD, "proftop")
os.environ["PROFTOP_TEST_ADAPTERS"] = os.path.join(BUILD, "adapters", "python")
from attaching import Job, ask  # noqa: E402
import watching  # noqa: E402

TIMES = 50


def attach(place, job):
    """Returns the seconds until sorted rows were printed, and the ms for which the process was
    stopped."""
    start = time.monotonic()
    done = ask(place, "-b", "-p", str(job.pid), "--format", "json", "--pane", "apply",
               "--sort", "per-call")
    took = time.monotonic() - start
    assert len(json.loads(done.stdout)["applies"]) > 3, done
    still = float(re.search(r"still for ([\d.]+) ms", done.stderr.decode()).group(1))
    ask(place, "ctl", "detach", "-p", str(job.pid))
    return took, still


def main():
    with watching.Place() as place:
        command = [PYTHON, watching.job("late"), "pytensor", "churn"]
        with Job(command, dict(place.env(), **watching.family())) as job:
            took, still = zip(*(attach(place, job) for _ in range(TIMES)))
            told = json.loads(job.end())
    assert told["same"] and told["equal"] and not told["left"], told
    for what, figure, target in (
            ("attach: the process stands still, median", "%.2f ms" % statistics.median(still),
             "<= 1 ms"),
            ("the longest of %d" % TIMES, "%.2f ms" % max(still), "<= 20 ms"),
            ("from the command to sorted rows, median", "%.3f s" % statistics.median(took),
             "<= 0.5 s"),
            ("the longest of %d" % TIMES, "%.3f s" % max(took), "")):
        print("%-58s %14s %9s   %s" % (what, figure, "", target), flush=True)


main()
