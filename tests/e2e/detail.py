# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""detail.py: running compile phases, apply details, and metrics. Checks proftop's output for a job
with known figures (detail_job.c), and the values received by a client written from the protocol."""
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import tap  # noqa: E402

try:
    import protocol_client
except ImportError as missing:
    protocol_client, why = None, str(missing)

scratch = tempfile.TemporaryDirectory()
os.environ["PROFTOP_DIR"] = scratch.name
os.environ["LC_ALL"] = "C.UTF-8"


class Job:
    def __init__(self):
        self.process = subprocess.Popen([tap.built("detail_job")], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def reaches(self, word):
        assert self.process.stdout.readline() == word + "\n", word

    def goes_on(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def until(self, *words):
        for word in words[:-1]:
            self.reaches(word)
            self.goes_on()
        self.reaches(words[-1])

    def say(self, *options, columns="200"):
        done = shell.proftop({**os.environ, "COLUMNS": columns}, "-b", "-n", "1", "-p",
                             self.process.pid, *options)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def facts(self):
        return json.loads(self.say("--format", "json"))


@contextlib.contextmanager
def job():
    one = Job()
    try:
        yield one
    finally:
        one.process.stdin.close()
        assert one.process.wait(60) == 0


def phases(told):
    return {row["name"]: row for row in told["rewrites"]}


def pane(one):
    """Rows of the compile pane: the name with its nesting, then NOW to AFTER."""
    head, _, rest = one.say("--pane", "compile", "--ascii", columns="200").partition("NAME\n")
    at = len(head.splitlines()[-1])
    rows = [line for line in rest.splitlines() if re.match(r" +\d+ ", line)]
    return [[row[at:], *row[:at].split()[-7:-2]] for row in rows]


def a_long_compilation_is_watched():
    with job() as one:
        one.until("merging")
        told = one.facts()
        rows = phases(told)
        assert list(rows) == ["rewrite", "merge"], rows
        assert told["state"] == "compiling", told["state"]
        now = told["jobs"][0]["mono_ns"]
        [compiled] = told["functions"]
        since = compiled["compiling_since_ns"]
        assert now - 60e9 < since <= rows["rewrite"]["open_since_ns"], (compiled, rows, now)
        assert compiled["compile_ns"] is compiled["open_since_ns"] is None, compiled
        for name in rows:
            assert rows[name]["calls"] == 0 and rows[name]["total_ns"] is None, rows[name]
            assert now - 60e9 < rows[name]["open_since_ns"] <= now, (rows[name], now)
            assert rows[name]["nodes_before"] == 10 and rows[name]["nodes_after"] is None
        assert rows["merge"]["parent"] == rows["rewrite"]["id"]
        assert rows["rewrite"]["parent"] is None
        text = one.say(columns="120")
        assert re.search(r"compiling slow for \S+, in merge for \S+", text), text
        # The same on the compile pane: running phases are marked, nested.
        lines = pane(one)
        assert [line[0] for line in lines] == ["+ compile", "  + rewrite", "    + merge"], lines
        for name, now, calls, valid, before, after in lines[1:]:
            assert re.fullmatch(r"[\d.]+[mun]?s", now), (name, now)
            assert (calls, valid, before, after) == ("0", "-", "10", "-"), name
        # A part has ended, the whole has not.
        one.goes_on()
        one.reaches("merged")
        text = one.say(columns="80")
        assert re.search(r"compiling slow for \S+, in rewrite for \S+", text), text
        told = one.facts()
        assert told["functions"][0]["compiling_since_ns"] == since, (told["functions"], since)
        rows = phases(told)
        assert rows["rewrite"]["open_since_ns"] and rows["rewrite"]["calls"] == 0
        merge = rows["merge"]
        assert merge["open_since_ns"] is None and merge["calls"] == 2, merge
        assert (merge["nodes_before"], merge["nodes_after"], merge["validate_ns"]) == (10, 7, 11)
        assert merge["total_ns"] > 0
        one.goes_on()
        one.reaches("told")
        told = one.facts()
        rows = phases(told)
        whole = rows["rewrite"]
        assert whole["calls"] == 1 and whole["open_since_ns"] is None
        assert whole["total_ns"] >= merge["total_ns"] and whole["nodes_after"] == 7
        assert whole["total_ns"] <= told["functions"][0]["compile_ns"]
        assert told["functions"][0]["compiling_since_ns"] is None and told["state"] == "live"
        link = rows["link"]
        assert (link["kind"], link["calls"], link["total_ns"]) == ("link", 1, 4000), link
        assert link["validate_ns"] is None
        lines = pane(one)
        assert [line[0] for line in lines] == \
            ["compile", "  rewrite", "    merge", "  link", "    make thunks"], lines
        assert [line[1:] for line in lines[1:]] == \
            [["-", "1", "11ns", "10", "7"], ["-", "2", "11ns", "10", "7"],
             ["-", "1", "-", "7", "7"], ["-", "7", "0ns", "-", "-"]], lines
        thunks = rows["make thunks"]
        assert thunks["parent"] == link["id"] and thunks["kind"] == "thunks", thunks
        assert (thunks["calls"], thunks["total_ns"], thunks["validate_ns"]) == (7, 3000, 0)


def json_lists_details_of_applies():
    with job() as one:
        one.until("merging", "merged", "told")
        first, second, third = one.facts()["applies"]
        assert first["shapes"] == "float64[], ? -> float64[3,4], bool[3]", first["shapes"]
        assert first["bytes"] == 96 + 3 and first["impl"] == "JIT"
        assert first["detail"] == {
            "flops": 2000000, "make_thunk_ns": 700, "device": "cuda:0",
            "location": "model.py:12", "library": "lib.py:7", "rewrite": "fusion",
            "one_in": 100,
            "inputs": [
                {"dtype": "float64", "shape": [], "strides": [], "bytes": 8, "apply": None,
                 "output": None},
                {"dtype": None, "shape": None, "strides": None, "bytes": None, "apply": None,
                 "output": None}],
            "outputs": [
                {"dtype": "float64", "shape": [3, 4], "strides": [8, 24], "bytes": 96,
                 "view_of": None, "overwrites": None},
                {"dtype": "bool", "shape": [3], "strides": None, "bytes": 3, "view_of": 1,
                 "overwrites": None}]}
        assert second["shapes"] == "float64[3,4] -> float64[3,4]"
        assert second["detail"]["flops"] is second["detail"]["library"] is None
        assert second["detail"]["inputs"][0]["apply"] == first["id"]
        assert second["detail"]["outputs"][0]["overwrites"] == 0
        assert third["shapes"] is third["bytes"] is third["detail"] is None
        assert third["impl"] == "Py"


def an_apply_is_from_the_scope_that_defines_it():
    """For an apply without a location of its own."""
    with job() as one:
        one.until("merging", "merged", "told")
        told = one.facts()
        places = {line["id"]: line["name"] for line in told["lines"]}
        assert [places[row["line"]] for row in told["applies"]] == \
            ["model.py:12", "model.py:12", "net:layer1:"], told["lines"]


def memory_is_that_of_the_graph():
    with job() as one:
        one.until("merging", "merged")
        assert one.facts()["peaks"] == []
        one.goes_on()
        one.reaches("told")
        # The second overwrites the first one's output; the third has no details.
        assert one.facts()["peaks"] == [{
            "job": 0, "function": 0, "peak_bytes": 96, "peak_apply": 0, "no_inplace_bytes": 192,
            "index_peak_bytes": 96, "index_peak_apply": 0, "index_no_inplace_bytes": 192,
            "no_gc_bytes": 96, "outputs_bytes": 96 + 3 + 96, "partial": True}]


def json_lists_metrics_by_row():
    with job() as one:
        one.until("merging", "merged", "told")
        told = one.facts()
        assert told["metrics"] == [
            {"id": 0, "job": 0, "name": "misses", "unit": "count", "how": "sum"},
            {"id": 1, "job": 0, "name": "peak", "unit": "bytes", "how": "max"},
            {"id": 2, "job": 0, "name": "wait", "unit": "ns", "how": "last"}]
        assert [row["metrics"] for row in told["applies"]] == [
            {"misses": 5127, "peak": 4096, "wait": 1024},
            {"misses": 3, "peak": 5000, "wait": None},
            {"misses": None, "peak": None, "wait": None}]
        # The last value of several applies is undefined.
        for table in ("ops", "classes"):
            assert told[table][0]["metrics"] == {"misses": 5130, "peak": 5000, "wait": None}


def panes_have_columns_of_their_own():
    with job() as one:
        one.until("merging", "merged", "told")
        text = one.say("--pane", "apply", columns="240")
        head = next(line for line in text.splitlines() if "%TIME" in line)
        for title in ("BYTES", "FLOP/S", "misses", "peak", "wait"):
            assert title in head, head
        row = next(line for line in text.splitlines() if re.search(r" 5\.13k ", line))
        # 2e6 operations, 10 calls, 10 ms: 2 GFlop/s.
        for cell in ("2.00G", "99 B", "4.00 KiB", "1.02us"):
            assert cell in row, row
        # The others have unknown operations.
        at = head.index("FLOP/S")
        others = [line for line in text.splitlines() if re.search(r"\d slow +op$", line)]
        assert len(others) == 3, text
        assert sorted(line[at - 1:at + 6].strip() for line in others) == ["-", "-", "2.00G"], others
        assert "misses" not in one.say("--pane", "apply", columns="80")


class Run(Job):
    """The same job under `run -b`, with its reports in a file."""

    def __init__(self, *options):
        self.path = os.path.join(scratch.name, "run.out")
        open(self.path, "w", encoding="utf-8").close()
        self.process = subprocess.Popen(
            [shell.PROFTOP, "run", "-b", "-d", "0.1", *options, "-o", self.path, "--",
             tap.built("detail_job")], env={**os.environ, "COLUMNS": "120"}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def said(self):
        with open(self.path, encoding="utf-8") as file:
            return file.read()

    def says(self, pattern, times=1):
        tap.wait_for(pattern, lambda: len(re.findall(pattern, self.said())) >= times, shell.WAIT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()  # the job ends
        self.process.stdout.close()
        self.process.kill()
        self.process.wait(shell.WAIT)


COMPILING = (r"COMPILING  detail_job.*\n compiling slow for \S+, in merge for \S+, "
             r"since \d\d:\d\d:\d\d\n")


def compilation_under_run_is_reported():
    """While it compiles there is no report: -n counts reports with figures."""
    for options, waiting in (((), COMPILING),
                             (("--format", "json"), r'"state":"compiling","final":false')):
        with Run("-n", "2", *options) as one:
            one.until("merging")
            one.says(waiting, 3)
            assert "Apply" not in one.said() or options, one.said()
            for word in ("merged", "told"):
                one.goes_on()
                one.reaches(word)
            one.says(r"\n Apply\n" if not options else r'"state":"live","final":false', 2)
            one.goes_on()
            assert one.process.wait(shell.WAIT) == 0
            said = one.said()
            if options:
                rows = shell.lines(said)
                for row in rows:
                    shell.fits(row, "json.schema")
                ran = [row for row in rows if sum(apply["calls"] for apply in row["applies"])]
                assert len(ran) == 2 and rows[-2:] == ran, [row["state"] for row in rows]
                assert rows[0]["rewrites"] and rows[0]["jobs"][0]["program"], rows[0]
            else:
                assert len(re.findall(r"^ Apply$", said, re.M)) == 2, said


def terminated_viewer_prints_the_last_report():
    """SIGTERM, as from a batch system. The command keeps running."""
    with Run("-d", "600") as one:
        one.until("merging")
        one.says(COMPILING)
        one.process.terminate()
        assert one.process.wait(shell.WAIT) == 128 + signal.SIGTERM
        assert len(re.findall(COMPILING, one.said())) == 2, one.said()
    with Run("-d", "600") as one:
        one.until("merging", "merged", "told")
        one.says(r"^ Apply$|\n Apply\n")
        one.process.terminate()
        assert one.process.wait(shell.WAIT) == 128 + signal.SIGTERM
        assert len(re.findall(r"\n Apply\n", one.said())) == 2, one.said()


def uncalled_functions_are_reported_instead_of_a_profile():
    with job() as one:
        one.until("merging")
        for dialect in ("theano", "aesara", "pytensor"):
            said = one.say("--format", dialect)
            assert re.fullmatch(r"No function of detail_job \(%d\) has been called: there is no "
                                r"profile\.\n" % one.process.pid, said), said
        one.goes_on()
        one.reaches("merged")
        one.goes_on()
        one.reaches("told")
        assert "there is no profile" not in one.say("--format", "pytensor")


def a_client_of_the_protocol_receives_the_same():
    if protocol_client is None:
        raise tap.Skip(why)
    with job() as one:
        one.until("merging")
        client = protocol_client.Client(protocol_client.find_job(one.process.pid, 10))
        try:
            assert client.attach(), "the job vanished"
            rows = {row["name"]: row for row in client.job.phases.values()}
            assert rows["merge"]["open"] is not None and rows["merge"]["calls"] == 0
            one.goes_on()
            one.reaches("merged")
            one.goes_on()
            one.reaches("told")
            # Later changes arrive on the streams.
            while len(client.job.details) < 2 or len(client.job.measured) < 5:
                assert client.step(10000), (client.job.details, client.job.measured)
            assert client.count["malformed"] == client.count["gaps"] == 0
            rows = {row["name"]: row for row in client.job.phases.values()}
            assert rows["merge"]["open"] is None and rows["merge"]["calls"] == 2
            assert client.job.details[0]["bytes"] == 99
            assert [value["shape"] for value in client.job.details[0]["values"]] == \
                ["[]", "", "[3,4]", "[3]"]
            assert client.job.measured[0, 0] == (3, 5127)
        finally:
            client.close()


with scratch:
    tap.run(a_long_compilation_is_watched, json_lists_details_of_applies,
            an_apply_is_from_the_scope_that_defines_it,
            memory_is_that_of_the_graph, json_lists_metrics_by_row,
            panes_have_columns_of_their_own, compilation_under_run_is_reported,
            terminated_viewer_prints_the_last_report,
            uncalled_functions_are_reported_instead_of_a_profile,
            a_client_of_the_protocol_receives_the_same)
