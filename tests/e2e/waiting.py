# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""waiting.py: waiting is not work. Checks every form of proftop's output for jobs with waiting
nodes (diff_job.c); and the steps, samples and tokens per second of a job (pace_job.c)."""
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import tap  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
ENV = dict(os.environ, PROFTOP_DIR=FOLDER.name, XDG_RUNTIME_DIR=FOLDER.name, LC_ALL="C.UTF-8",
           COLUMNS="120")
MS = 10 ** 6


class Job(shell.Job):
    """70 ms of work; an op that works for 10 ms and waits for 20; and an op that waits for
    `wait_ns`, or does another word of diff_job.c."""
    def __init__(self, wait_ns, does="wait"):
        rows = [("Dot", "dot", "dot(x)", "C", 2, 30 * MS),
                ("Elemwise", "add", "add(a)", "C", 10, MS),
                ("Elemwise", "add", "add(queue)", "wait", 4, 5 * MS),
                ("Engine", "WaitForAll", "WaitForAll()", does, 1, wait_ns)]
        self.process = subprocess.Popen([tap.built("diff_job")], env=ENV, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.process.stdin.write("".join("f\t%s\n" % "\t".join(map(str, row)) for row in rows))
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "published\n"
        self.pid = self.process.pid

    def end(self):
        pass


def said(*words):
    done = shell.proftop(ENV, *words)
    assert done.returncode == 0, done
    return done.stdout


def cells(text, name):
    """%TIME, SUM% and TIME of each row of this name, without the bars."""
    found = [re.sub(r"[^\x00-\x7f]", "", line).split() for line in text.splitlines()
             if line.split()[-1:] == [name]]
    assert found, text
    return [row[:3] for row in found]


def panes_show_its_time_and_no_share():
    with Job(500 * MS) as job:
        text = said("-b", "-p", job.pid)
    assert "ops 70.0ms" in text and "waiting 520ms" in text, text
    assert cells(text, "dot") == [["85.7", "85.7", "60.0ms"]], text
    assert cells(text, "add") == [["14.3w", "100.0", "30.0ms"]], text
    assert cells(text, "add(a)") == [["14.3", "100.0", "10.0ms"]], text
    assert cells(text, "add(queue)") == [["wait", "-", "20.0ms"]], text
    assert cells(text, "WaitForAll") == cells(text, "Engine") == [["wait", "-", "500ms"]], text


def trailer_sums_the_left_out_rows():
    """By a filter, and by a number of rows."""
    with Job(500 * MS) as job:
        text = said("-b", "-p", job.pid, "--pane", "op", "--filter", "dot")
        few = said("-b", "-p", job.pid, "--pane", "op", "--top", "1")
    assert "remaining 2 Ops account for 14.29%(0.01s) of the runtime" in text, text
    assert "remaining 2 Ops account for 14.29%(0.01s) of the runtime" in few, few


def json_reports_waiting_rows_and_times():
    with Job(500 * MS) as job:
        [report] = shell.lines(said("-b", "-p", job.pid, "--format", "json"))
    shell.fits(report, "json.schema")
    assert {row["name"]: (row["waits"], row["wait_ns"]) for row in report["applies"]} == {
        "dot(x)": ("works", 0), "add(a)": ("works", 0), "add(queue)": ("waits", 20 * MS),
        "WaitForAll()": ("waits", 500 * MS)}, report["applies"]
    assert {row["name"]: (row["self_ns"], row["wait_ns"]) for row in report["ops"]} == {
        "dot": (60 * MS, 0), "add": (30 * MS, 20 * MS), "WaitForAll": (500 * MS, 500 * MS)}
    [function] = report["functions"]
    assert (function["thunk_ns"], function["wait_ns"]) == (590 * MS, 520 * MS), function


def printed_profiles_have_no_share_of_it():
    with Job(500 * MS) as job:
        text = said("-b", "-p", job.pid, "--format", "pytensor")
        mode = said("-b", "-p", job.pid, "--format", "profilemode")
    assert "wait: 2 of 4 Apply nodes wait: their 0.520s are no work" in text, text
    assert re.search(r"^  85\.7%    85\.7%       0\.060s .* dot\(x\)$", text, re.M), text
    assert re.search(r"^   wait        -       0\.500s .* WaitForAll\(\)$", text, re.M), text
    assert "\n0.857 0 dot\n0.143 1 add\nwait 3 WaitForAll\nwait 2 add\n" in mode, mode


def several_jobs_and_their_differences():
    with Job(500 * MS) as a, Job(700 * MS) as b:
        text = said("-b", "-p", a.pid, "-p", b.pid)
        each = said("-b", "-p", a.pid, "-p", b.pid, "--jobs", "each", "--pane", "op")
        [found] = shell.lines(said("diff", "--format", "json", a.pid, b.pid))
        page = said("diff", a.pid, b.pid)
    assert "ops 140ms" in text and "waiting 1.24s" in text, text
    assert cells(text, "WaitForAll") == [["wait", "-", "1.20s"]], text
    assert cells(text, "add") == [["14.3w", "100.0", "60.0ms"]], text
    assert re.search(r"^ +wait +- +700ms .* %d +WaitForAll #2$" % b.pid, each, re.M), each
    shell.fits(found, "diff.schema")
    assert found["totals"]["wait_ns"]["delta"] == found["totals"]["ops_ns"]["delta"] == 200 * MS
    assert [found["totals"][word]["a"] for word in ("wait_ns", "ops_ns")] == [520 * MS, 590 * MS]
    ops = {row["name"]: (row["a_waits"], row["b_waits"]) for row in found["ops"]}
    assert ops == {"dot": ("works", "works"), "add": ("works", "works"),
                   "WaitForAll": ("waits", "waits")}, ops
    assert re.search(r"^ waiting +520ms +720ms +\+200ms", page, re.M), page
    assert re.search(r" wait WaitForAll$", page, re.M), page


def a_saved_report_keeps_it():
    with tempfile.TemporaryDirectory() as folder, Job(500 * MS) as job:
        path = os.path.join(folder, "report.json")
        said("-b", "-p", job.pid, "--format", "json", "-o", path)
        [found] = shell.lines(said("diff", "--format", "json", path, job.pid))
    assert found["totals"]["wait_ns"] == {"a": 520 * MS, "b": 520 * MS, "delta": 0, "ratio": 1,
                                          "estimated": False}, found["totals"]


def aside_time_is_in_no_sum():
    """Its time and calls are shown. It is not part of the 100 %, of ops, or of the waiting time."""
    with tempfile.TemporaryDirectory() as folder, Job(500 * MS, "aside") as job:
        path = os.path.join(folder, "report.json")
        text = said("-b", "-p", job.pid)
        printed = said("-b", "-p", job.pid, "--format", "pytensor")
        mode = said("-b", "-p", job.pid, "--format", "profilemode")
        said("-b", "-p", job.pid, "--format", "json", "-o", path)
        [found] = shell.lines(said("diff", "--format", "json", path, job.pid))
        page = said("diff", path, job.pid)
        with open(path) as report:
            known = json.load(report)
    assert "ops 70.0ms" in text and "waiting 20.0ms" in text, text
    assert cells(text, "dot") == [["85.7", "85.7", "60.0ms"]], text
    assert cells(text, "WaitForAll") == cells(text, "Engine") == [["aside", "-", "500ms"]], text
    assert "aside: other nodes count the 0.500s of 1 of 4 Apply nodes" in printed, printed
    assert re.search(r"^  aside        -       0\.500s .* WaitForAll\(\)$", printed, re.M), printed
    assert "\n0.857 0 dot\n0.143 1 add\naside 3 WaitForAll\nwait 2 add\n" in mode, mode
    shell.fits(known, "json.schema")
    rows = {row["name"]: (row["waits"], row["wait_ns"], row["aside_ns"])
            for row in known["applies"]}
    assert rows["WaitForAll()"] == ("aside", 0, 500 * MS), rows
    assert rows["add(queue)"] == ("waits", 20 * MS, 0), rows
    [function] = known["functions"]
    assert [function[word + "_ns"] for word in ("thunk", "wait", "aside")] == [
        590 * MS, 20 * MS, 500 * MS], function
    shell.fits(found, "diff.schema")
    assert [found["totals"][word + "_ns"]["b"] for word in ("ops", "wait", "aside")] == [
        590 * MS, 20 * MS, 500 * MS], found["totals"]
    assert {"WaitForAll": ("aside", "aside")}.items() <= {
        row["name"]: (row["a_waits"], row["b_waits"]) for row in found["ops"]}.items(), found
    assert found["totals"]["aside_ns"]["a"] == 500 * MS, found["totals"]  # as saved
    assert re.search(r" aside WaitForAll$", page, re.M), page


def a_job_of_before_has_none():
    """Nothing waits, so the output does not mention waiting."""
    with Job(0) as job:
        [found] = shell.lines(said("diff", "--format", "json", job.pid, job.pid))
        assert found["totals"]["wait_ns"]["a"] == 20 * MS
    with shell.Job(ENV, shell.SYNTHETIC, "--applies", "5") as job:
        text = said("-b", "-p", job.pid)
        [found] = shell.lines(said("diff", "--format", "json", job.pid, job.pid))
    assert "wait" not in text, text
    assert found["totals"]["wait_ns"]["a"] is None, found["totals"]


@contextlib.contextmanager
def watched(job, *words):
    """The reports of a job, as they arrive."""
    watching = subprocess.Popen([shell.PROFTOP, "-b", "-n", "0", "-d", "0.1", "-p", str(job.pid),
                                 *words], env=ENV, text=True, stdout=subprocess.PIPE)
    try:
        yield watching.stdout
    finally:
        watching.kill()
        watching.wait(shell.WAIT)
        watching.stdout.close()


def steps_and_samples_per_second_are_reported():
    job = subprocess.Popen([tap.built("pace_job")], env=ENV, text=True, stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE)
    try:
        assert job.stdout.readline() == "published\n"
        seen, text = None, ""
        with watched(job, "--format", "json") as reports, watched(job) as texts:
            while not seen:  # each report brings a step
                job.stdin.write("\n")
                job.stdin.flush()
                assert job.stdout.readline() == "stepped\n"
                report = json.loads(reports.readline())
                if (report["jobs"][0]["samples_per_s"] or 0) > 0:
                    seen = report
            shell.fits(seen, "json.schema")
            paces = r" +".join(r"\d[^ ]* %s/s" % word for word in ("steps", "samples", "tokens"))
            while not re.search(" %s\n" % paces, text):
                job.stdin.write("\n")
                job.stdin.flush()
                text = texts.readline()
                assert text
            while "main waits in next_batch" not in text:
                text = texts.readline()
                assert text
        job_of = seen["jobs"][0]
        assert job_of["steps_per_s"] > 0, job_of
        assert abs(job_of["tokens_per_s"] - 10 * job_of["samples_per_s"]) < 1e-6 * job_of[
            "tokens_per_s"], job_of
        assert seen["spans"][0]["name"] == "step" and seen["counters"][0]["name"] == "samples"
    finally:
        job.stdin.close()
        assert job.wait(shell.WAIT) == 0
        job.stdout.close()


tap.run(panes_show_its_time_and_no_share, trailer_sums_the_left_out_rows,
        json_reports_waiting_rows_and_times,
        printed_profiles_have_no_share_of_it, several_jobs_and_their_differences,
        a_saved_report_keeps_it, aside_time_is_in_no_sum, a_job_of_before_has_none,
        steps_and_samples_per_second_are_reported)
