# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""budget.py: a job of tiny ops stays within its sampling budget: some calls are not timed, all are
counted, and estimates are marked and have an error bar. With PROFTOP_BUDGET=0 every call is
timed."""
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

scratch = tempfile.TemporaryDirectory()
os.environ["PROFTOP_DIR"] = scratch.name
os.environ["LC_ALL"] = "C.UTF-8"
PATIENCE_S, REFRESHES = 60 * tap.SLOW, 8


@contextlib.contextmanager
def job(budget):
    """Runs tiny ops without end."""
    environment = {**os.environ, "PROFTOP": "1"}
    environment.pop("PROFTOP_BUDGET", None)
    if budget is not None:
        environment["PROFTOP_BUDGET"] = budget
    process = subprocess.Popen(
        [tap.built("examples/synthetic"), "--applies", "4", "--ops", "4", "--classes",
         "1", "--functions", "1", "--rate", "0", "--change", "100", "--busy", "1"],
        env=environment, stdout=subprocess.PIPE)
    try:
        assert process.stdout.readline().startswith(b"ready: ")
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.stdout.close()
        process.wait()


@contextlib.contextmanager
def watched(process, *options):
    viewer = subprocess.Popen(
        [tap.built("proftop"), "-b", "-d", "0.3", "-p", str(process.pid), *options],
        stdout=subprocess.PIPE, text=True)
    try:
        yield viewer.stdout
    finally:
        viewer.terminate()
        viewer.stdout.close()
        viewer.wait()


def is_sampled(row):
    return row["timed"] is not None and row["timed"] < row["calls"] and row["total_error_ns"]


def tiny_ops_are_sampled():
    with job(None) as process:
        until = time.monotonic() + PATIENCE_S
        with watched(process, "--format", "json", "-n", "0") as lines:
            rows = []
            while len(rows) < 4 or not all(map(is_sampled, rows)):
                assert time.monotonic() < until, rows
                told = json.loads(lines.readline())
                rows = told["applies"]
        for row in rows:
            assert row["timed"] > 0 and row["total_ns"] > 0 and row["sampled"] is True, row
        # Sums of them are estimates too, in JSON as well.
        for table in ("ops", "classes", "lines"):
            assert sum(row["timed"] for row in told[table]) == sum(row["timed"] for row in rows)
            assert all(row["timed"] < row["calls"] for row in told[table]), told[table]
        assert all(row["sampled"] is True for row in told["ops"]), told["ops"]
        # A printed profile says so once, above its tables.
        printed = subprocess.run(
            [tap.built("proftop"), "-b", "-p", str(process.pid), "--format", "pytensor"],
            stdout=subprocess.PIPE, text=True, check=True).stdout
        said = "~ Not every call of 4 of 4 Apply nodes was timed"
        assert printed.count(said) == 1 and printed.index(said) < printed.index("<% time>"), printed
        # On the screen each of their times is marked.
        until = time.monotonic() + PATIENCE_S
        with watched(process, "--pane", "apply", "-n", "0") as lines:
            marks = []
            while marks[-4:] != ["~"] * 4:
                assert time.monotonic() < until, marks
                marks += marks_of(lines.readline())


def marks_of(line):
    """The mark in front of the time of an apply, if the line shows one."""
    return re.findall(r"^ +(~?)[\d.]+ .*\bapply\d$", line.rstrip())


def every_call_is_timed_with_budget_zero():
    with job("0") as process:
        with watched(process, "--format", "json", "-n", str(REFRESHES)) as lines:
            seen = [row for line in lines for row in json.loads(line)["applies"]]
        with watched(process, "--pane", "apply", "-n", "3") as lines:
            marks = [mark for line in lines for mark in marks_of(line)]
    assert any(row["calls"] > 100000 for row in seen), seen
    for row in seen:
        # An apply that has not run has no timed calls; this count is unknown.
        assert (row["timed"] or 0) == row["calls"] and row["sampled"] is False, row
        assert row["total_error_ns"] is None, row
    assert marks == [""] * 12, marks


def unattainable_budget_is_shown():
    """For ops as short as these, even counting calls without their time exceeds a thousandth."""
    with job("0.1") as process:
        until = time.monotonic() + PATIENCE_S
        with watched(process, "--format", "json", "-n", "0") as lines:
            told = {"overhead_least": None}
            while told["overhead_least"] is None:
                assert time.monotonic() < until, told
                told = json.loads(lines.readline())["jobs"][0]
        assert told["overhead_budget"] == 0.001 < told["overhead_least"] < 1, told
        with watched(process, "-n", "0") as lines:
            line = ""
            while "profiling" not in line:
                assert time.monotonic() < until, line
                line = lines.readline()
        said = r"profiling [\d.-]+% \(at least [\d.]+%, over the budget of 0.1%\)"
        assert re.search(said, line), line


def a_trace_times_every_call():
    """While a trace runs, no call goes by without an event; afterwards the budget holds again."""
    out = os.path.join(scratch.name, "trace.json")
    with job(None) as process, watched(process, "--format", "json", "-n", "0") as lines:
        until = time.monotonic() + PATIENCE_S
        rows = []
        while len(rows) < 4 or not all(map(is_sampled, rows)):
            assert time.monotonic() < until, rows
            rows = json.loads(lines.readline())["applies"]
        done = subprocess.run(
            [tap.built("proftop"), "trace", "-p", str(process.pid), "--seconds", "0.5", "-o", out],
            capture_output=True, text=True, check=False)
        assert done.returncode == 0, done
        with open(out, encoding="utf-8") as file:
            facts = json.load(file)["otherData"]
        # A call that had begun without a time when the trace began has no event.
        assert facts["op_events"] > 10000 and facts["calls_without_event"] < 8, facts
        untimed, more = 0, 0
        while more == 0:
            assert time.monotonic() < until, rows
            rows = json.loads(lines.readline())["applies"]
            now = sum(row["calls"] - row["timed"] for row in rows)
            more, untimed = now - (untimed or now), now


tap.run(tiny_ops_are_sampled, a_trace_times_every_call, every_call_is_timed_with_budget_zero,
        unattainable_budget_is_shown)
