#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""trace.py: `proftop trace` of jobs whose events are known: each call, run, instant and value has
one entry with its true time; the file is what readers of traces expect; what is lost is counted;
and a job goes on whatever becomes of the trace."""
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import chrome  # noqa: E402
import shell  # noqa: E402
import tap  # noqa: E402

JOB = os.path.abspath(tap.built("trace_job"))
DEMO = os.path.abspath(tap.built("proftop-demo"))
WAIT = shell.WAIT


@contextlib.contextmanager
def ground(**more):
    """An environment with a directory of its own for jobs."""
    with tempfile.TemporaryDirectory(prefix="trace") as place:
        os.chmod(place, 0o700)
        yield {**os.environ, "PROFTOP_DIR": place, **more}, place


class Job(shell.Job):
    def do(self, what):
        """Gives the job a line, and returns what it says that it has done."""
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def finish(self):
        self.process.stdin.close()
        self.process.wait(WAIT)


class Trace:
    """`proftop trace` in the background, from the moment that the job records events."""

    def __init__(self, env, pid, path, *more):
        self.path = path
        begin = "control: trace 60."
        before = told(env, pid, begin)
        self.process = subprocess.Popen(
            [shell.PROFTOP, "trace", "-p", str(pid), "--seconds", "60", "-o", path, *more],
            env=env, text=True, stderr=subprocess.PIPE)
        tap.wait_for("the trace begins", lambda: told(env, pid, begin) > before, WAIT)

    def stop(self, code=0):
        self.process.send_signal(signal.SIGINT)
        return self.wait(code)

    def wait(self, code=0):
        """Returns the whole file, checked, and what was said."""
        _, said = self.process.communicate(timeout=WAIT)
        assert self.process.returncode == code, said
        return chrome.read(self.path), said


def told(env, pid, text):
    """How many notices of the job begin so."""
    done = shell.proftop(env, "-b", "-p", pid, "--format", "json")
    assert done.returncode == 0, done.stderr
    return sum(notice["text"].startswith(text) for notice in json.loads(done.stdout)["notices"])


def total(events):
    return sum(event["dur"] for event in events)


def near(measured_us, truth_ns, events):
    """Our clocks stand inside of the job's: up to 2 us an event are between them."""
    assert measured_us * 1000 <= truth_ns, (measured_us, truth_ns)
    assert truth_ns - measured_us * 1000 < events * 2000 * tap.SLOW + truth_ns / 5, (
        measured_us, truth_ns)


def each_call_has_one_entry():
    with ground() as (env, place), Job(env, JOB) as job:
        job.do("work")  # outside
        trace = Trace(env, job.pid, place + "/t.json")
        truth = [job.do("work"), job.do("work")]
        trace_file, said = trace.stop()
        job.do("work")
        assert "stopped early" in said and "lost" not in said, said
        steps = sum(one["steps"] for one in truth)
        scans = trace_file.complete("scan")
        adds = [event for event in trace_file.complete("add") if event["args"].get("time") is None]
        assert len(scans) == steps and len(adds) == 3 * steps, (len(scans), len(adds))
        near(total(scans), sum(one["outer_ns"] for one in truth), steps)
        near(total(adds), sum(one["inner_ns"] for one in truth), 3 * steps)
        assert {event["cat"] for event in scans} == {"loop.Scan"}
        assert scans[0]["args"] == {"apply": 0, "function": "step", "line": "job.c:40"}, scans[0]
        given = [event for event in trace_file.complete("add") if event["args"].get("time")]
        assert [round(event["dur"] * 1000) for event in given] == \
            2 * list(range(1000, 1000 + truth[0]["steps"]))
        calls = trace_file.complete("step")
        assert len(calls) == steps and calls[0]["cat"] == "function"
        for scan, call in zip(scans, calls):
            assert trace_file.inside(scan, call), (scan, call)
        facts = trace_file.facts
        assert facts["op_events"] == 6 * steps and facts["function_events"] == steps, facts
        assert facts["lost_events"] == facts["calls_without_event"] == 0, facts
        assert facts["ended_because"] == "a viewer asked for it", facts


def domains_are_the_categories():
    with ground() as (env, place), Job(env, JOB) as job:
        trace = Trace(env, job.pid, place + "/t.json")
        truth = job.do("work")
        trace_file, _ = trace.stop()
        steps = truth["steps"]
        for name, category, count in (("read", "io", steps), ("pass", "net", steps)):
            runs = trace_file.runs(name)
            assert len(runs) == count, (len(runs), count, trace_file.facts)
            assert {run["cat"] for run in runs} == {category}, runs[:3]
        frames = [run["args"]["frame"] for run in trace_file.runs("pass")]
        assert frames == list(range(1, steps + 1)), frames[:5]
        marks = trace_file.named("here", "i")
        assert [mark["s"] for mark in marks] == ["p", "t"] * (steps // 2), marks[:4]
        assert {mark["cat"] for mark in marks} == {"io"}
        values = [value["args"]["value"] for value in trace_file.named("io: rows", "C")]
        assert values == [0] + list(range(2, 2 * steps + 1, 2)), values[:5]
        values = [value["args"]["value"] for value in trace_file.named("net: load", "C")]
        assert values == [i / 4 for i in range(steps)], values[:5]


def ten_events_are_ten_entries():
    with ground() as (env, place), Job(env, JOB) as job:
        trace = Trace(env, job.pid, place + "/t.json")
        truth = job.do("events")
        trace_file, _ = trace.stop()
        events = trace_file.complete("save")
        assert len(events) == 10, events
        ends = truth["began"][1:] + [truth["ended"]]
        for i, event in enumerate(events):
            start, end = event["ts"] * 1000, (event["ts"] + event["dur"]) * 1000
            assert event["cat"] == "event" and event["args"] == {"kind": "event"}, event
            assert truth["began"][i] <= start + 1 and end <= ends[i] + 1, (event, truth)
            assert event["dur"] >= 1000 * (i + 1), event


def odd_names_are_repaired():
    with ground() as (env, place), Job(env, JOB) as job:
        trace = Trace(env, job.pid, place + "/t.json")
        job.do("work")
        trace_file, _ = trace.stop()
        names = {(event["name"], event["cat"]) for event in trace_file.events
                 if event.get("cat", "").startswith("odd")}
        assert names == {("\x1b[31m\ufffd\"\\", "odd\ufffd\"\n")}, names


def what_is_lost_is_counted():
    with ground() as (env, place), Job(env, JOB) as job:
        trace = Trace(env, job.pid, place + "/t.json", "--events", "25")
        truth = job.do("work")
        trace_file, said = trace.stop()
        # Six calls of applies, one of a function, a task, a frame, an instant, two values; the
        # counter that had a value before.
        made = 12 * truth["steps"] + 1
        assert len(trace_file.timed()) == 25, len(trace_file.timed())
        assert trace_file.facts["lost_events"] == made - 25, (trace_file.facts, made)
        assert "%d more events are lost" % (made - 25) in said, said


def pages_of(pid):
    """Size of the job's address space, in kB."""
    with open("/proc/%d/status" % pid, encoding="ascii") as file:
        return int(next(line.split()[1] for line in file if line.startswith("VmSize")))


def a_killed_viewer_ends_the_trace():
    with ground() as (env, place), Job(env, JOB) as job:
        job.do("work")
        before = pages_of(job.pid)
        trace = Trace(env, job.pid, place + "/t.json")
        job.do("work")
        during = pages_of(job.pid)
        trace.process.kill()
        trace.process.communicate()
        job.do("work")
        assert during > before + 4000, (before, during)
        tap.wait_for("the job frees its memory", lambda: pages_of(job.pid) < during - 4000, WAIT)
        again = Trace(env, job.pid, place + "/again.json")
        truth = job.do("work")
        trace_file, _ = again.stop()
        assert len(trace_file.complete("scan")) == truth["steps"]


def a_job_that_ends_leaves_what_there_is():
    """All of it, or less, if no viewer read for 20 ms at the end: what is missing is told."""
    with ground() as (env, place), Job(env, JOB) as job:
        trace = Trace(env, job.pid, place + "/t.json")
        truth = job.do("work")
        job.process.stdin.close()
        trace_file, said = trace.wait()
        scans = len(trace_file.complete("scan"))
        if "the rest is missing" in said:
            assert trace_file.facts["end_ns"] is None and scans <= truth["steps"], said
            return
        assert "the job ended in the window" in said, said
        assert scans == truth["steps"], (scans, truth)
        assert trace_file.facts["ended_because"] == "the job ended", trace_file.facts


def a_killed_job_leaves_what_came():
    with ground() as (env, place), Job(env, JOB) as job:
        trace = Trace(env, job.pid, place + "/t.json")
        for _ in range(5):  # longer than a tick
            job.do("events")
        job.process.kill()
        trace_file, said = trace.wait()
        assert "the rest is missing" in said, said
        assert trace_file.facts["end_ns"] is None, trace_file.facts


def a_window_ends_by_itself():
    """The demo: the entries of a second are no more than the calls around it."""
    with ground() as (env, place):
        with subprocess.Popen([DEMO, "--quiet"], env=env, stdout=subprocess.DEVNULL) as demo:
            try:
                def calls():
                    done = shell.proftop(env, "-b", "proftop-demo", "--wait", WAIT,
                                         "--format", "json")
                    assert done.returncode == 0, done
                    return {row["id"]: (row["calls"], row["total_ns"])
                            for row in json.loads(done.stdout)["applies"]}
                before = calls()
                done = shell.proftop(env, "trace", "proftop-demo", "--seconds", "1", "-o",
                                     place + "/t.json")
                assert done.returncode == 0 and done.stdout == "", done
                after = calls()
                trace_file = chrome.read(place + "/t.json")
                count, spent = {}, {}
                for event in trace_file.timed():
                    apply = event["args"].get("apply")
                    if apply is not None and "open" not in event["args"]:
                        count[apply] = count.get(apply, 0) + 1
                        spent[apply] = spent.get(apply, 0) + event["dur"] * 1000
                assert sum(count.values()) == trace_file.facts["op_events"] - sum(
                    "apply" in event["args"] and "open" in event["args"]
                    for event in trace_file.timed())
                assert len(count) > 10, count
                for apply, n in count.items():
                    was = before.get(apply, (0, 0))
                    assert n <= after[apply][0] - was[0], apply
                    assert spent[apply] <= after[apply][1] - was[1] + n, apply
                assert 1 <= trace_file.facts["seconds"] < 1 + 2 * tap.SLOW, trace_file.facts
            finally:
                demo.kill()


def a_file_that_cannot_be_written_is_said():
    with ground() as (env, place), Job(env, JOB) as job:
        done = shell.proftop(env, "trace", "-p", job.pid, "--seconds", "0.1", "-o",
                             place + "/none/t.json")
        shell.one_sentence(done, 5, "none/t.json", "No such file")
        done = shell.proftop(env, "trace", "-p", job.pid, "--seconds", "0.1", "-o", "-")
        assert done.returncode == 0, done
        chrome.Trace(done.stdout)
        if os.path.exists("/dev/full"):
            done = shell.proftop(env, "trace", "-p", job.pid, "--seconds", "0.1", "-o",
                                 "/dev/full")
            shell.one_sentence(done, 5, "/dev/full", "No space left")


def a_job_that_refuses_is_not_traced():
    with ground(PROFTOP_CONTROL="0") as (env, place), Job(env, JOB) as job:
        done = shell.proftop(env, "trace", "-p", job.pid, "--seconds", "0.1", "-o",
                             place + "/t.json")
        shell.one_sentence(done, 3, "refused")
        assert not os.path.exists(place + "/t.json")


def one_job_is_traced():
    with ground() as (env, place), Job(env, JOB) as one, Job(env, JOB) as two:
        out = ("--seconds", "0.1", "-o", place + "/t.json")
        shell.one_sentence(shell.proftop(env, "trace", "-p", one.pid, "-p", two.pid, *out), 2,
                           "trace writes one job")
        shell.one_sentence(shell.proftop(env, "trace", "--all", *out), 2, "trace writes one job")
        shell.one_sentence(shell.proftop(env, "trace", "trace_job", *out), 3, str(one.pid))
        assert not os.path.exists(place + "/t.json")
        two.finish()
        done = shell.proftop(env, "trace", "trace_job", *out)
        assert done.returncode == 0, done
        assert {event["pid"] for event in chrome.read(place + "/t.json").events} == {one.pid}


def wrong_words_are_refused():
    for words in (("--seconds", "0"), ("--seconds", "601"), ("--events", "0"),
                  ("--events", "10000001"), ("--events", "1.5"), ("--format", "json"), ("-n", "2")):
        done = shell.proftop(os.environ, "trace", *words)
        shell.one_sentence(done, 2)
    shell.one_sentence(shell.proftop(os.environ, "--seconds", "2"), 2, "of trace")


def two_viewers_take_turns():
    with ground() as (env, place), Job(env, JOB) as job:
        trace = Trace(env, job.pid, place + "/t.json")
        done = shell.proftop(env, "trace", "-p", job.pid, "--seconds", "0.1", "-o",
                             place + "/other.json")
        shell.one_sentence(done, 3, "runs already")
        truth = job.do("work")
        trace_file, _ = trace.stop()
        assert len(trace_file.complete("scan")) == truth["steps"]


if __name__ == "__main__":
    tap.run(each_call_has_one_entry, domains_are_the_categories, ten_events_are_ten_entries,
            odd_names_are_repaired, what_is_lost_is_counted, a_killed_viewer_ends_the_trace,
            a_job_that_ends_leaves_what_there_is, a_killed_job_leaves_what_came,
            a_window_ends_by_itself, a_file_that_cannot_be_written_is_said,
            a_job_that_refuses_is_not_traced, one_job_is_traced, wrong_words_are_refused,
            two_viewers_take_turns)
