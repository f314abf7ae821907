# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""objects.py: counters, spans, markers and memory of a running job (object_job.c), in JSON and by
the protocol alone."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import PROFTOP, WAIT, tap  # noqa: E402

try:
    import protocol_client
except ImportError as missing:
    protocol_client, why = None, str(missing)

JOB = os.path.abspath(tap.built("object_job"))
TOKEN = "00112233445566778899aabbccddeeff"
MIB = 1 << 20
MS = 1000000
TROUBLES = {"invalid": 1, "misuse": 2, "dropped": 0}  # invalid calls of object_job.c
LONG = ("\"\\/ name" * 38)[:300]

scratch = tempfile.TemporaryDirectory()
os.environ.update(PROFTOP_DIR=scratch.name, XDG_RUNTIME_DIR=scratch.name, LC_ALL="C.UTF-8")


class Job:
    """The job, up to its "ready"."""

    def __init__(self, **env):
        self.process = subprocess.Popen([JOB], env={**os.environ, **env}, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pid = self.process.pid

    def ready(self):
        word, ns = self.process.stdout.readline().split()
        assert word == "ready"
        self.frames_ns = int(ns)  # measured by the job itself for its 60 frames
        return self

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end(self):
        self.say("end")
        assert self.process.wait(timeout=WAIT) == 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def report(job):
    """One report of the running job, checked against the schema."""
    done = shell.proftop(os.environ, "-b", "--format", "json", "-p", job.pid)
    [found] = shell.rows(done, "json.schema")
    return found


reports, truth = [], {}


def first_report():
    """A report of a job that has only to end; made once for all tests that only read it."""
    if not reports:
        with Job() as job:
            reports.append(report(job.ready()))
            truth["frames_ns"] = job.frames_ns
    return reports[0]


def named(rows, name, **more):
    found = [row for row in rows
             if row["name"] == name and all(row[key] == value for key, value in more.items())]
    assert len(found) == 1, (name, more, found)
    return found[0]


# -------------------------------------------------------------------------------------------- JSON

def counters_have_value_extremes_and_mean():
    counters = first_report()["counters"]
    row = named(counters, "rows", domain="io")
    assert [row[key] for key in ("value", "min", "max", "updates")] == [12, 5, 15, 3], row
    assert row["unit"] == "rows" and abs(row["mean"] - 32 / 3) < 1e-12, row
    assert named(counters, "rows", domain="net")["value"] == 7
    live = named(counters, "live")
    assert live["value"] == 0 and live["updates"] == 1, live


def a_text_report_has_them_too():
    with Job() as job:
        done = shell.proftop(os.environ, "-b", "-p", job.ready().pid)
        pane = shell.proftop(os.environ, "-b", "-p", job.pid, "--pane", "op")
    assert done.returncode == 0 and not done.stderr, done
    rows = [" ".join(line.split()) for line in done.stdout.splitlines()]
    places = [rows.index(title) for title in ("Tasks", "Frames", "Events", "Counters", "Memory")]
    assert places == sorted(places), rows
    assert "12 5 15 3 rows io rows" in rows, rows
    assert any(row.endswith(" task io read") and " 6 " in row for row in rows), rows
    assert "1.00 MiB 4.00 MiB 64.0 MiB gpu/1 storage" in rows, rows
    assert any(LONG.rstrip() in row for row in done.stdout.splitlines()), rows
    assert "Counters" not in pane.stdout, pane.stdout
    # The job has no ops: its report has no empty panes, and says so where one is asked for.
    assert not {"Class", "Ops", "Apply"} & set(rows), rows
    assert "no op has been seen yet" in pane.stdout, pane.stdout


def values_are_exact():
    counters = first_report()["counters"]
    for name, value in ("large", 5000000000), ("below", -1), ("load", 2.5):
        row = named(counters, name)
        assert row["value"] == value and isinstance(row["value"], type(value)), row
    assert named(counters, "below")["min"] == -1


def a_counter_without_a_value_has_none():
    row = named(first_report()["counters"], "none")
    assert row["updates"] == 0, row
    assert all(row[key] is None for key in ("value", "min", "max", "mean")), row


def names_are_whole():
    assert named(first_report()["counters"], LONG)["value"] == 1


def memory_has_its_peak():
    memory = first_report()["memory"]
    row = [row for row in memory if row["device"] == "gpu/1"]
    assert len(row) == 1 and row[0]["scope"] is None, row
    assert (row[0]["bytes"], row[0]["peak_bytes"]) == (1048576, 4194304), row
    assert row[0]["limit_bytes"] == 64 * MIB and row[0]["pool"] == "storage", row
    counter = named(first_report()["counters"], "storage", domain="gpu/1")
    assert (counter["value"], counter["max"]) == (1048576, 4194304), counter
    assert (counter["min"], counter["mean"]) == (MIB, 2 * MIB), counter  # of 1, 4 and 1 MiB
    assert counter["unit"] == "bytes", counter


def memory_of_a_scope_is_in_its_pool():
    rows = {row["scope"]: row for row in first_report()["memory"] if row["device"] == "gpu/0"}
    assert set(rows) == {"a:", None}, rows
    assert all(row["bytes"] == 3 * MIB for row in rows.values()), rows


def a_task_names_its_threads():
    row = named(first_report()["spans"], "read", kind="task")
    assert row["calls"] == 6 and row["total_ns"] >= 6 * MS, row
    threads = {one["thread"]: one for one in row["threads"]}
    assert set(threads) == {"io", "main"}, row
    assert all(one["calls"] == 3 for one in threads.values()), row
    assert sum(one["total_ns"] for one in threads.values()) == row["total_ns"], row
    assert row["min_ns"] >= MS and row["min_ns"] <= row["max_ns"], row
    assert row["rate"] is None and row["slowest"] is None, row


def inner_time_is_not_self_time():
    spans = first_report()["spans"]
    outer, inner = named(spans, "outer"), named(spans, "inner")
    assert outer["calls"] == inner["calls"] == 1, (outer, inner)
    assert outer["total_ns"] >= 6 * MS and inner["total_ns"] >= 4 * MS, (outer, inner)
    assert outer["total_ns"] - outer["self_ns"] == inner["total_ns"], (outer, inner)
    assert outer["self_ns"] >= 2 * MS, outer
    assert inner["self_ns"] == inner["total_ns"], inner


def a_task_and_an_event_of_one_name_are_two_rows():
    kinds = {row["kind"]: row for row in first_report()["spans"] if row["name"] == "read"}
    assert set(kinds) == {"task", "event"}, kinds
    assert kinds["event"]["domain"] == "event" and kinds["task"]["domain"] == "io", kinds


def open_span_has_its_start_time():
    found = first_report()
    event = named(found["spans"], "read", kind="event")
    assert event["calls"] == 0 and event["last_ns"] is None, event
    assert 0 < event["open_since_ns"] <= found["jobs"][0]["mono_ns"], event
    assert named(found["spans"], "outer")["open_since_ns"] is None


def frames_have_a_rate_and_a_slowest():
    spans = first_report()["spans"]
    frame, slow = named(spans, "pass", kind="frame"), named(spans, "slow", kind="frame")
    expected = 60e9 / truth["frames_ns"]
    assert frame["calls"] == 60 and abs(frame["rate"] - expected) <= 1, (frame, expected)
    assert expected <= 60.1, expected
    assert slow["calls"] == 100, slow
    # On a busy machine another may take even longer.
    slowest = {one["number"]: one["ns"] for one in slow["slowest"]}
    assert slowest[42] >= 200 * MS, slow
    times = [one["ns"] for one in slow["slowest"]]
    assert len(times) == 5 and times == sorted(times, reverse=True), slow


def markers_have_scope_thread_and_task():
    marks = first_report()["markers"]
    assert [mark["scope"] for mark in marks] == ["thread", "task", "process", "global", "marker"]
    assert all(mark["domain"] == "io" and mark["name"] == "here" for mark in marks), marks
    assert [mark["thread"] for mark in marks] == ["io", "io", "main", "main", "main"], marks
    assert [mark["task"] for mark in marks] == ["t", "t", None, None, None], marks
    times = [mark["mono_ns"] for mark in marks]
    assert times == sorted(times) and len(set(times)) == 5, times


def invalid_and_dropped_calls_are_reported():
    [job] = first_report()["jobs"]
    assert {key: job[key] for key in TROUBLES} == TROUBLES, job


def a_counter_is_live():
    """Each value appears in a later report of one permanent viewer. With a token the job waits for
    the viewer at the end, however long that takes: 50 ms are too short with a sanitizer."""
    with Job(PROFTOP_RUN=TOKEN) as job:
        job.ready()
        with subprocess.Popen([PROFTOP, "-b", "-n", "0", "-d", "0.1", "--format", "json", "-p",
                               str(job.pid)], stdout=subprocess.PIPE, text=True) as viewer:
            for value in range(1, 4):
                job.say("add")
                while named(json.loads(viewer.stdout.readline())["counters"],
                            "live")["value"] != value:
                    pass
            job.end()
            last = [json.loads(line) for line in viewer.stdout][-1]
    assert last["final"] is True, last
    event = named(last["spans"], "read", kind="event")
    assert event["calls"] == 1 and event["open_since_ns"] is None, event
    assert event["last_ns"] == event["total_ns"] > 0, event


def a_dump_and_a_viewer_outlive_the_job():
    path = os.path.join(scratch.name, "saved.json")
    with Job(OBJECT_JOB_DUMP=path) as job:
        job.ready()
        with subprocess.Popen([PROFTOP, "-b", "-n", "0", "-d", "0.1", "--format", "json", "-p",
                               str(job.pid)], stdout=subprocess.PIPE, text=True) as viewer:
            job.say("add")
            while named(json.loads(viewer.stdout.readline())["counters"], "live")["value"] != 1:
                pass
            job.say("dump")
            said = job.process.stdout.readline()
            assert said == "dumped well\n", (said, job.process.poll())
            job.process.kill()
            last = [json.loads(line) for line in viewer.stdout][-1]
            assert viewer.wait(timeout=WAIT) == 4, viewer.returncode
    assert (last["state"], last["final"]) == ("gone", False), last
    assert named(last["counters"], "live")["value"] == 1
    assert named(last["spans"], "read", kind="task")["calls"] == 6
    with open(path, encoding="utf-8") as file:
        saved = json.load(file)
    assert named(saved["proftop"]["counters"], "live")["value"] == 1, saved["proftop"]


# ----------------------------------------------------------------------------- MXNet's own formats

def dumps(job, *words):
    """The output of the job itself."""
    job.say(" ".join(words))
    return job.process.stdout.read(int(job.process.stdout.readline()))


def statistics(job, *options):
    done = shell.proftop(os.environ, "-b", "-p", job.pid, *options)
    assert done.returncode == 0 and not done.stderr, done
    return done.stdout


def rows_of(table):
    """{(category, name): count} of a table; columns are read from the right."""
    found = {}
    for group in table.split("\n\n"):
        lines = group.strip("\n").splitlines()
        if lines and lines[0] == "Profile Statistics:":
            lines = lines[2:]
        if not lines:
            continue
        category, _, _, dashes, *rows = lines
        for row in rows:
            name, count, *_ = row.rsplit(maxsplit=len(dashes.split()) - 1)
            found[category, name.strip()] = int(count)
    return found


def mxnets_formats_are_what_the_job_prints():
    with Job() as job:
        job.ready()
        for order, options in (("total 0", ()), ("count 1", ("--sort-by", "count", "--ascending")),
                               ("min 0", ("--sort-by", "min"))):
            for word, form in (("table", "mxnet"), ("json", "mxnet-json")):
                theirs = dumps(job, word, order)
                ours = statistics(job, "--format", form, *options)
                assert ours == theirs, (order, form, ours, theirs)
        table = rows_of(statistics(job, "--format", "mxnet"))
        found = json.loads(statistics(job, "--format", "mxnet-json"))
        reported = report(job)
    whole = {(category, name.strip()): row["Count"] for unit in ("Time", "Memory", "Value")
             for category, rows in found[unit].items() for name, row in rows.items()}
    assert table == whole, (table, whole)
    assert whole["Device Storage", "Memory: gpu/1 storage"] == 3, whole
    assert found["Memory"]["Device Storage"]["Memory: gpu/1 storage"] == \
        {"Count": 3, "Min": 1048.576, "Max": 4194.304, "Avg": 2097.152}, found["Memory"]
    assert found["Value"]["io"]["large"]["Last"] == 5000000000
    for span in reported["spans"]:
        category = span["domain"] + (",frame" if span["kind"] == "frame" else "")
        assert whole.get((category, span["name"].strip()), 0) == span["calls"], (span, whole)


def a_report_and_its_reset_are_one():
    with Job() as job:
        job.ready()
        for adds in (0, 5, 0):
            for _ in range(adds):
                job.say("add")
            theirs = dumps(job, "json")  # after the earlier output
            ours = statistics(job, "--format", "mxnet-json", "--reset")
            assert ours == theirs, (ours, theirs)
        assert json.loads(ours)["Value"] == {}, ours
        assert report(job)["jobs"][0]["epoch"] == 4
    with Job(PROFTOP_CONTROL="0") as job:
        job.ready()
        assert statistics(job, "--format", "mxnet") == dumps(job, "table")
        done = shell.proftop(os.environ, "-b", "-p", job.pid, "--format", "mxnet", "--reset")
        shell.one_sentence(done, 3, "refused", "PROFTOP_CONTROL=0")


def reports_with_resets_add_up():
    """The last report covers the time from the last reset to the job's end."""
    with Job(PROFTOP_RUN=TOKEN) as job:
        job.ready()
        with subprocess.Popen([PROFTOP, "-b", "-n", "0", "-d", "0.2", "--format", "mxnet-json",
                               "--reset", "-p", str(job.pid)], stdout=subprocess.PIPE,
                              text=True) as viewer:
            said = viewer.stdout.readline()  # the first is being printed
            for _ in range(7):
                job.say("add")
                dumps(job, "json")
            job.end()
            said += viewer.stdout.read()
            assert viewer.wait(timeout=WAIT) == 0, viewer.returncode
    counts, at = [], 0
    while at < len(said):
        found, at = json.JSONDecoder().raw_decode(said, at)
        counts.append(found["Value"].get("io", {}).get("live", {"Count": 0})["Count"])
        at += 1
    assert sum(counts) == 1 + 7 and counts[0] >= 1, counts


def ctl_dump_equals_the_dump_of_the_job():
    path, theirs = (os.path.join(scratch.name, name) for name in ("ours.json", "theirs.json"))
    table = os.path.join(scratch.name, "ours.txt")
    with Job(OBJECT_JOB_DUMP=theirs) as job:
        job.ready()
        job.say("dump")
        assert job.process.stdout.readline() == "dumped well\n"
        for name in (path, table):
            done = shell.proftop(os.environ, "ctl", "dump", name, "-p", job.pid)
            assert done.returncode == 0 and name in done.stdout, done
        with open(table, encoding="utf-8") as file:
            assert file.read() == dumps(job, "table")
        tids = os.listdir("/proc/%d/task" % job.pid)
    both = []
    for name in (path, theirs):
        with open(name, encoding="utf-8") as file:
            both.append(json.load(file))
        for key in ("wall_ns", "mono_ns"):
            del both[-1]["proftop"][key]
        waiting = [event for event in both[-1]["traceEvents"] if "open" in event.get("args", {})]
        assert [event["name"] for event in waiting] == ["read"], waiting
        del waiting[0]["dur"]
    assert both[0] == both[1]
    events = both[0]["traceEvents"]
    frames = [event["args"]["frame"] for event in events
              if event["ph"] == "X" and event["cat"] == "io,frame" and event["name"] == "slow"]
    assert frames == list(range(1, 101)), frames
    assert {event["ph"] for event in events} >= {"M", "X", "i", "C"}
    reads = [event for event in events if event["ph"] == "X" and event["cat"] == "io" and
             event["name"] == "read"]
    assert len(reads) == 6 and len({event["tid"] for event in reads}) == 2, reads
    assert str(job.pid) in tids and job.pid in {event["tid"] for event in reads}, (tids, reads)
    assert all(event["dur"] >= 1000 for event in reads if event["tid"] == job.pid), reads
    [use] = [event["args"]["bytes"] for event in events if event["name"] == "Memory: gpu/1 storage"]
    assert use == MIB, use
    memory = [row for row in both[0]["proftop"]["counters"] if row["domain"] == "gpu/1"]
    assert [(row["min"], row["max"], row["mean"]) for row in memory] == \
        [(MIB, 4 * MIB, 2 * MIB)], memory


# ----------------------------------------------------------------------------------- the protocol

def follow(lose=None):
    if protocol_client is None:
        raise tap.Skip(why)
    with Job(PROFTOP_RUN=TOKEN) as job:
        info = protocol_client.find_job(job.pid, WAIT)
        client = protocol_client.Client(info, lose) if lose else protocol_client.Client(info)
        try:
            # At its end a job waits for the viewers that it knows.
            assert client.attach(), "the job vanished"
            job.say("add")
            job.say("end")
            assert client.follow(), "the job said no goodbye"
            assert client.job.falls == 0
            return (protocol_client.objects(client.job), client.count,
                    {key: client.job.hello[key] for key in TROUBLES})
        finally:
            client.close()


def check_objects(found):
    counters = {(row["domain"], row["name"], row["scope"]): row for row in found["counters"]}
    rows = counters["io", "rows", ""]
    assert [rows[key] for key in ("value", "min", "max", "updates")] == [12, 5, 15, 3], rows
    assert counters["io", "load", ""]["value"] == 2.5
    assert counters["io", "live", ""]["value"] == 1
    assert counters["io", LONG, ""]["value"] == 1
    assert "value" not in counters["io", "none", ""]
    assert counters["gpu/1", "storage", ""]["peak"] == 4 * MIB
    assert counters["gpu/0", "storage", "a:"]["bytes"] == 3 * MIB
    spans = {(row["kind"], row["name"]): row for row in found["spans"]}
    assert spans[0, "read"]["calls"] == 6
    assert {one["thread"] for one in spans[0, "read"]["threads"]} == {"io", "main"}
    assert spans[1, "slow"]["slowest"][0]["number"] == 42
    assert spans[2, "read"]["calls"] == 1 and spans[2, "read"]["open"] is None
    assert [mark["scope"] for mark in found["marks"]] == [2, 3, 1, 0, 4], found["marks"]
    assert [mark["number"] for mark in found["marks"]] == [1, 2, 3, 4, 5], found["marks"]


def the_page_alone_gives_the_same():
    found, _, troubles = follow()
    check_objects(found)
    assert troubles == TROUBLES, troubles


def losses_are_made_good():
    """Drops every other frame of these streams; at the end a snapshot brings the missing data."""
    seen, lost = {}, []

    def lose(letter, fields):
        if "req" in fields or letter not in ("C", "S", "M"):
            return False
        seen[letter] = seen.get(letter, 0) + 1
        if seen[letter] % 2:
            lost.append(letter)
        return seen[letter] % 2 == 1

    found, _, _ = follow(lose)
    assert set(lost) == {"C", "S", "M"}, lost
    check_objects(found)


tap.run(a_text_report_has_them_too, counters_have_value_extremes_and_mean, values_are_exact,
        a_counter_without_a_value_has_none, names_are_whole, memory_has_its_peak,
        memory_of_a_scope_is_in_its_pool, a_task_names_its_threads, inner_time_is_not_self_time,
        a_task_and_an_event_of_one_name_are_two_rows, open_span_has_its_start_time,
        frames_have_a_rate_and_a_slowest, markers_have_scope_thread_and_task,
        invalid_and_dropped_calls_are_reported, a_counter_is_live,
        a_dump_and_a_viewer_outlive_the_job, mxnets_formats_are_what_the_job_prints,
        a_report_and_its_reset_are_one, reports_with_resets_add_up,
        ctl_dump_equals_the_dump_of_the_job,
        the_page_alone_gives_the_same, losses_are_made_good)
