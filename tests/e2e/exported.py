# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""exported.py: --format csv, md, chrome and prom of jobs, and the server of `proftop prom`: figures
equal the JSON, readers accept the text, and no client keeps the server from others."""
import contextlib
import csv
import http.client
import io
import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from random import Random

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import PROFTOP, SYNTHETIC, WAIT, lines, one_sentence, tap  # noqa: E402
import exports  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
ENV = dict(os.environ, PROFTOP_DIR=FOLDER.name, XDG_RUNTIME_DIR=FOLDER.name, LC_ALL="C.UTF-8",
           HOME=os.path.join(FOLDER.name, "home"))
ENV.pop("COLUMNS", None)
OBJECTS = os.path.abspath(tap.built("object_job"))
STREAM = re.compile(r"proftop: serves (\S+)")


def proftop(*words, **more):
    return shell.proftop(ENV, *words, **more)


def report(*words):
    done = proftop(*words, text=False)
    assert done.returncode == 0 and not done.stderr, done
    return done.stdout.decode("utf-8")


class Job(shell.Job):
    def __init__(self, *words):
        super().__init__(ENV, SYNTHETIC, "--applies", "40", *words)


@contextlib.contextmanager
def still_job():
    """A job whose figures do not change any more."""
    process = subprocess.Popen([OBJECTS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENV,
                               text=True)
    try:
        assert process.stdout.readline().startswith("ready")
        yield process.pid
    finally:
        process.stdin.close()
        process.wait(WAIT)
        process.stdout.close()


def table(text):
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def csv_equals_json_of_a_job_that_stands_still():
    with still_job() as pid:
        before = lines(report("-b", "-p", pid, "--format", "json"))[0]
        rows = table(report("-b", "-p", pid, "--format", "csv"))
        after = lines(report("-b", "-p", pid, "--format", "json"))[0]
    compared = 0
    for section in ("functions", "classes", "ops", "applies", "counters", "spans", "memory",
                    "markers"):
        got = [row for row in rows if row["table"] == section]
        assert len(got) == len(before[section]), section
        for row, old, new in zip(got, before[section], after[section]):
            for key, value in old.items():
                if value != new[key] or isinstance(value, (dict, list)):
                    continue  # it moved; objects are compared in model/tables.py
                want = "" if value is None else \
                    str(value).lower() if isinstance(value, bool) else value
                found = float(row[key]) if isinstance(value, float) else row[key]
                assert found == (want if isinstance(value, float) else str(want)), (key, row)
                compared += 1
    assert compared > 100, compared


def refreshes_follow_each_other_below_one_header():
    with Job("--hostile") as job:
        text = report("-b", "-p", job.pid, "--format", "csv", "-n", "3", "-d", "0.2", "--pane",
                      "op")
    rows = table(text)
    times = [row["report_time_ns"] for row in rows]
    assert len(set(times)) == 3 and times == sorted(times, key=int), set(times)
    assert {row["table"] for row in rows} == {"ops"} and text.count("report_time_ns") == 1
    calls = [sum(int(row["calls"]) for row in rows if row["report_time_ns"] == time)
             for time in sorted(set(times), key=int)]
    assert calls == sorted(calls) and calls[0] < calls[2], calls
    first = [row for row in rows if row["report_time_ns"] == times[0]]
    assert all(row["interval_ns"] == "" for row in first), "there is no interval yet"
    assert any(row["interval_ns"] not in ("", "0") for row in rows)


def several_jobs_are_in_one_table():
    with Job() as one, Job() as two:
        rows = table(report("-b", "-p", one.pid, "-p", two.pid, "--format", "csv"))
    jobs = {row["id"]: row["pid"] for row in rows if row["table"] == "jobs"}
    assert sorted(map(int, jobs.values())) == sorted([one.pid, two.pid]), jobs
    assert {row["job"] for row in rows if row["table"] == "ops"} == set(jobs), jobs


def a_run_can_be_saved_as_csv():
    place = os.path.join(FOLDER.name, "run.csv")
    done = proftop("run", "--summary", "--format", "csv", "-o", place, "--", SYNTHETIC, "--quiet",
                   "--seconds", "1")
    assert done.returncode == 0, done
    with open(place, encoding="utf-8", newline="") as file:
        rows = table(file.read())
    assert {row["state"] for row in rows if row["table"] == "jobs"} == {"ended"}
    assert len([row for row in rows if row["table"] == "applies"]) == 1000


def a_summary_is_small_whole_and_plain():
    with Job("--hostile", "--applies", "5000", "--ops", "3000", "--names", "300") as job:
        texts = report("-b", "-p", job.pid, "--format", "md", "-n", "2", "-d", "0.2").split(
            "\n\n## proftop: ")
    assert len(texts) == 2
    for text in texts:
        found = exports.check_markdown(text)
        assert {name.split(" (")[0] for name in found} >= {"Ops", "Classes"}, found
        assert str(job.pid) not in text and FOLDER.name not in text
    ops = next(rows for name, rows in exports.tables(texts[1]).items() if name.startswith("Ops"))
    assert len(ops) == 13 and "+TIME" in ops[0], ops[0]
    assert "Changed in the last" in texts[1] and "Changed in the last" not in texts[0]


def bars_are_the_rows_of_a_recording():
    """Each node with time has a bar with the time and calls of its row. `--load` does not take sums
    for calls."""
    recording = tap.source("examples", "recordings", "pytensor.ptrec")
    before = lines(report("-b", recording, "--format", "json"))[0]
    text = report("-b", recording, "--format", "chrome")
    place = os.path.join(FOLDER.name, "bars.json")
    with open(place, "w", encoding="utf-8") as file:
        file.write(text)
    trace = json.loads(text)
    bars = {event["args"]["apply"]: event for event in trace["traceEvents"]
            if "apply" in event["args"]}
    rows = {row["id"]: row for row in before["applies"] if row["total_ns"]}
    assert rows and bars.keys() == rows.keys(), (bars.keys(), rows.keys())
    for name, row in rows.items():
        assert bars[name]["args"]["calls"] == row["calls"], (bars[name], row)
        assert bars[name]["args"]["time_ns"] == row["total_ns"], (bars[name], row)
    assert trace["otherData"]["applies_without_time"] == len(before["applies"]) - len(rows)
    one_sentence(proftop("-b", "--load", place), 3, "is a report of proftop as chrome")


def metrics_equal_json_of_a_job_that_stands_still():
    with still_job() as pid:
        found = exports.metrics(report("-b", "-p", pid, "--format", "prom"))
        json_of = lines(report("-b", "-p", pid, "--format", "json"))[0]
    spans = {(row["domain"], row["name"]): row for row in json_of["spans"]}
    compared = 0
    for (name, labels), value in found.items():
        labels = dict(labels)
        assert labels["pid"] == str(pid) and labels["program"] == "object_job", labels
        row = spans.get((labels.get("domain"), labels.get("name")))
        if name == "proftop_span_runs_total":
            assert value == row["calls"], (labels, row)
        elif name == "proftop_span_seconds_total":
            assert round(value * 1e9) == row["total_ns"], (labels, row)
        elif name == "proftop_memory_bytes":
            memory, = [row for row in json_of["memory"] if row["device"] == labels["device"] and
                       row["pool"] == labels["pool"] and
                       (row["scope"] or "") == labels["scope"]]
            assert value == memory["bytes"]
        else:
            continue
        compared += 1
    assert compared >= 6, compared


def top_bounds_the_series():
    with Job() as job:
        found = exports.metrics(report("-b", "-p", job.pid, "--format", "prom", "--top", "3"))
        whole = exports.metrics(report("-b", "-p", job.pid, "--format", "prom"))
    ops = {dict(labels)["op"] for name, labels in found if name == "proftop_op_calls_total"}
    assert len(ops) == 4 and "other" in ops, ops
    assert len({labels for name, labels in whole if name == "proftop_op_calls_total"}) == 40
    summed, = [value for (name, labels), value in found.items()
               if name == "proftop_rows_summed" and dict(labels)["table"] == "op"]
    assert summed == 37


# --------------------------------------------------------------------------------------- the server


class Server:
    """proftop prom, up to the line that says where it serves."""

    def __init__(self, *words, listen="127.0.0.1:0"):
        self.process = subprocess.Popen([PROFTOP, "prom", "--listen", listen, *map(str, words)],
                                        env=ENV, stderr=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        line = self.process.stderr.readline()
        found = STREAM.match(line)
        assert found, line + self.process.stderr.read()
        self.where = found[1]
        self.port = int(re.search(r":(\d+)/metrics", self.where)[1]) if "//" in self.where else 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(WAIT) == 0, self.process.stderr.read()
        self.process.stderr.close()
        self.process.stdout.close()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), WAIT)

    def ask(self, method="GET", path="/metrics", **more):
        """(status, headers, text) of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        try:
            connection.request(method, path, **more)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read().decode("utf-8")
        finally:
            connection.close()

    def metrics(self):
        status, _, text = self.ask()
        assert status == 200, text
        return exports.metrics(text)


def value(found, name, **want):
    values = [number for (metric, labels), number in found.items()
              if metric == "proftop_" + name and want.items() <= dict(labels).items()]
    assert len(values) <= 1, (name, want, values)
    return values[0] if values else None


def total(found, name):
    return sum(number for (metric, _), number in found.items() if metric == "proftop_" + name)


def counters_grow_and_never_fall():
    with Job() as job, Server("--top", "5", job.pid) as server:
        tap.wait_for("metrics of the job", lambda: total(server.metrics(), "op_calls_total"), WAIT)
        before = server.metrics()
        tap.wait_for("more calls", lambda: total(server.metrics(), "op_calls_total") >
                     total(before, "op_calls_total"), WAIT)
        after = server.metrics()
        for verb in ("pause", "reset"):  # a paused job stays at 0
            done = proftop("ctl", verb, "-p", job.pid)
            assert done.returncode == 0, done
        tap.wait_for("a reset", lambda: total(server.metrics(), "op_calls_total") <
                     total(after, "op_calls_total"), WAIT)
        assert value(server.metrics(), "job_collecting") == 0
    for (name, labels), number in before.items():
        if name.endswith("_total"):
            assert after[name, labels] >= number, (name, labels)


def answers_are_those_of_http():
    with Job() as job, Server(job.pid) as server:
        status, head, text = server.ask()
        assert status == 200 and head["Content-Type"] == \
            "text/plain; version=0.0.4; charset=utf-8", head
        assert int(head["Content-Length"]) == len(text.encode("utf-8"))
        assert head["Connection"] == "close" and head["Date"].endswith(" GMT"), head
        status, head, text = server.ask("HEAD")
        assert status == 200 and int(head["Content-Length"]) > 0 and not text, head
        assert server.ask("GET", "/metrics?x=1")[0] == 200
        assert [server.ask("GET", path)[0] for path in ("/", "/metric", "/metrics/", "/%2e")] == \
            [404] * 4
        status, head, _ = server.ask("POST", body="x")
        assert status == 405 and head["Allow"] == "GET, HEAD", head
        # A page of a browser reaches this machine under a name of its own.
        assert server.ask(headers={"Host": "evil.example:%d" % server.port})[0] == 403
        assert server.ask(headers={"Host": "localhost:%d" % server.port})[0] == 200
        for request, status in ((b"GET /metrics\r\n\r\n", 400), (b"\r\n\r\n", 400),
                                (b"GET /metrics HTTP/2.0\r\n\r\n", 505),
                                (b"GET /metrics HTTP/1.1\r\n\r\n", 400),
                                (b"GET /metrics HTTP/1.0\r\n\r\n", 200),
                                (b"GET /metrics HTTP/1.0\n\n", 200),
                                (b"POST /metrics HTTP/1.0\r\n\r\n" + b"x" * 9000, 405),
                                (b"GET /metrics HTTP/1.1\r\nHost: a\r\nHost: 127.0.0.1\r\n\r\n",
                                 400),
                                (b"GET /metrics\x00 HTTP/1.0\r\n\r\n", 400),
                                (b"GET /" + b"x" * 9000 + b" HTTP/1.0\r\n\r\n", 431),
                                (b"GET /" + b"x" * 300 + b" HTTP/1.0\r\n\r\n", 400)):
            with server.connect() as link, link.makefile("rb") as answer:
                link.sendall(request)
                first, rest = answer.readline(), answer.read()
            assert rest.count(b"\r\n\r\n") == 1, rest[:200]
            assert first.startswith(b"HTTP/1.1 %d " % status), (request[:40], first)
        with server.connect() as link, link.makefile("rb") as answer:
            link.sendall(b"HEAD /none HTTP/1.0\r\n\r\n")
            assert answer.read().endswith(b"\r\n\r\n"), "an answer to HEAD has no text"
        assert server.ask()[0] == 200


def random_requests_end_no_server():
    """Requests that are changed at random, whole and cut, in one piece and in several."""
    random = Random(45)
    good = b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/plain;q=0.5\r\n\r\n"
    answers = set()
    with Job() as job, Server(job.pid) as server:
        for _ in range(400):
            request = bytearray(good)
            for _ in range(random.randrange(5)):
                at = random.randrange(len(request))
                request[at:at + random.randrange(3)] = random.choice(
                    (b"", b"\0", b"\n", b"\r\n\r\n", b" ", b"Host:", b"\xff", b":" * 300,
                     b"[::1]"))
            request = request[:random.choice((len(request), random.randrange(len(request) + 1)))]
            with server.connect() as link, link.makefile("rb") as answer:
                half = random.randrange(len(request) + 1)
                link.sendall(request[:half])
                with contextlib.suppress(OSError):
                    link.sendall(request[half:])
                    link.shutdown(socket.SHUT_WR)
                    answers.add(answer.readline()[:12])
        assert server.ask()[0] == 200
    assert answers <= {b"", *(b"HTTP/1.1 %d" % code
                              for code in (200, 400, 403, 404, 405, 431, 505))}
    assert {b"HTTP/1.1 200", b"HTTP/1.1 400"} <= answers, answers


@tap.all_only
def slow_and_many_clients_keep_nobody_out():
    with Job() as job, Server(job.pid) as server, contextlib.ExitStack() as held:
        for number in range(100):  # more than there are places; none of them asks to the end
            link = held.enter_context(server.connect())
            link.sendall(b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n"[:number])
        assert server.ask()[0] == 200
        last = held.enter_context(server.connect())
        for byte in b"GET /metrics HTTP/1.0\r\n\r\n":
            last.sendall(bytes([byte]))
        with last.makefile("rb") as answer:
            assert answer.readline() == b"HTTP/1.1 200 OK\r\n"
        links = [held.enter_context(server.connect()) for _ in range(20)]
        for link in links:  # they ask and do not read
            link.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
        assert server.ask()[0] == 200
        for link in links[:3]:
            with link.makefile("rb") as answer:
                assert b"proftop_job_up" in answer.read()


def a_socket_of_the_file_system_is_the_users_alone():
    place = os.path.join(FOLDER.name, "metrics.sock")
    with Job() as job, Server(job.pid, listen="unix:" + place) as server:
        assert server.where == "unix:" + place
        assert stat.S_IMODE(os.stat(place).st_mode) == 0o600

        def ask():
            with socket.socket(socket.AF_UNIX) as link:
                link.settimeout(WAIT)
                link.connect(place)
                link.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
                with link.makefile("rb") as answer:
                    return exports.metrics(answer.read().decode("utf-8").partition("\r\n\r\n")[2])
        tap.wait_for("metrics of the job", ask, WAIT)
        one_sentence(proftop("prom", "--listen", "unix:" + place, job.pid), 2,
                     "another program serves there")
        assert os.path.exists(place)
    assert not os.path.exists(place)
    with socket.socket(socket.AF_UNIX) as left:  # one that nobody listens to is replaced
        left.bind(place)
    with Job() as job, Server(job.pid, listen="unix:" + place):
        pass
    assert not os.path.exists(place)


def addresses_of_others_need_a_word():
    for listen, words in (("0.0.0.0:0", "--insecure allows"), ("127.0.0.1:99999", "--listen takes"),
                          ("unix:x", "--listen takes"), ("unix:" + "/x" * 100, "less than 108"),
                          ("unix:/proc/nowhere", "No such file"),
                          ("unix:" + FOLDER.name, "another file is there"),
                          ("tcp://127.0.0.1:1", "prom wants the address")):
        one_sentence(proftop("prom", "--listen", listen), 2, words)
    one_sentence(proftop("prom"), 2, "prom wants the address")
    one_sentence(proftop("--listen", "127.0.0.1:0"), 2, "only prom serves")
    one_sentence(proftop("prom", "--listen", "127.0.0.1:0", "-n", "1"), 2, "leave out -n")
    one_sentence(proftop("prom", "--listen", "127.0.0.1:0", "--format", "json"), 2,
                 "leave out --format")
    one_sentence(proftop("prom", "--listen", "127.0.0.1:0", "-p", "1"), 3, "process 1")
    with Server("--insecure", listen="0.0.0.0:0") as server:
        assert server.ask(headers={"Host": "any.example"})[0] == 200


def jobs_come_and_go():
    with Server() as server:
        assert value(server.metrics(), "job_up") is None
        with Job() as job:
            up = tap.wait_for("the job", lambda: value(server.metrics(), "job_up",
                                                       pid=str(job.pid)), WAIT)
            assert up == 1
            with Job() as other:
                tap.wait_for("both", lambda: value(server.metrics(), "job_up",
                                                   pid=str(other.pid)), WAIT)
                assert value(server.metrics(), "job_up", pid=str(job.pid)) == 1
                calls = total(server.metrics(), "op_calls_total")
            tap.wait_for("the end of one", lambda: value(server.metrics(), "job_up",
                                                         pid=str(other.pid)) == 0, WAIT)
            assert total(server.metrics(), "op_calls_total") >= calls, "its counts stay"


tap.run(csv_equals_json_of_a_job_that_stands_still, refreshes_follow_each_other_below_one_header,
        several_jobs_are_in_one_table, a_run_can_be_saved_as_csv,
        a_summary_is_small_whole_and_plain, bars_are_the_rows_of_a_recording,
        metrics_equal_json_of_a_job_that_stands_still, top_bounds_the_series,
        counters_grow_and_never_fall, answers_are_those_of_http,
        random_requests_end_no_server,
        slow_and_many_clients_keep_nobody_out, a_socket_of_the_file_system_is_the_users_alone,
        addresses_of_others_need_a_word, jobs_come_and_go)
