# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""batch.py: `proftop -b`, `-l` and `run -b` in scripts: text, JSON by its schema, exit codes,
output streams, and an error sentence for every failure."""
import contextlib
import fcntl
import json
import os
import pty
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import PROFTOP, SYNTHETIC, WAIT, lines, one_sentence, tap  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
ENV = dict(os.environ, PROFTOP_DIR=FOLDER.name, XDG_RUNTIME_DIR=FOLDER.name, LC_ALL="C.UTF-8")
ENV.pop("COLUMNS", None)


def proftop(*words, env=None, **more):
    return shell.proftop(env or ENV, *words, **more)


class Job(shell.Job):
    def __init__(self, *words):
        super().__init__(ENV, SYNTHETIC, "--applies", "40", *words)


def text_has_header_and_three_panes():
    with Job() as job:
        done = proftop("-b", "-p", job.pid)
    out = done.stdout
    assert done.returncode == 0 and not done.stderr, done
    assert "LIVE" in out.splitlines()[0] and str(job.pid) in out.splitlines()[0], out
    assert "rows 1-40 of 40" in out, out
    assert [line.strip() for line in out.splitlines()].count("Class") == 1
    assert max(map(len, out.splitlines())) <= 120
    assert not any(ord(c) < 32 and c != "\n" for c in out)


def written_to(master, terminal):
    """Everything written to a terminal, after its last other user has closed it."""
    terminal.close()
    parts = []
    try:
        while part := os.read(master, 1 << 16):
            parts.append(part)
    except OSError:  # end of the terminal
        pass
    return b"".join(parts).decode()


def names_are_cut_where_a_width_is_given():
    with Job("--names", "300") as job:
        whole = proftop("-b", "-p", job.pid, "--pane", "apply").stdout
        cut = proftop("-b", "-p", job.pid, "--pane", "apply", env={**ENV, "COLUMNS": "100"}).stdout
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 90, 0, 0))
        with os.fdopen(master, "rb"), os.fdopen(slave, "wb") as terminal:
            subprocess.run([PROFTOP, "-b", "--top", "3", "-p", str(job.pid), "--pane", "apply"],
                           env=ENV, stdout=terminal, timeout=WAIT, check=True)
            shown = written_to(master, terminal)
    head = whole.index("%TIME")
    assert "\u2026" not in whole[head:] and max(map(len, whole.splitlines())) > 300, whole
    assert "\u2026" in cut and max(map(len, cut.splitlines())) <= 100, cut
    assert "\u2026" in shown and max(map(len, shown.split("\r\n"))) <= 90, shown
    # A single report has no interval, and no columns for one.
    assert "+" not in whole[head:].splitlines()[0], whole


def heads(text):
    """The columns of each pane, for each refresh."""
    found = []
    for refresh in text.split("\n\n \u25cf "):
        lines = refresh.split("\n")
        found.append([(lines[i - 1].strip(), lines[i].split()) for i in range(len(lines))
                      if lines[i].endswith(" NAME")])
    return found


def every_refresh_has_the_same_columns():
    """The columns are the same in every refresh, whatever is known by then: a script finds figures
    by their columns."""
    with Job() as job:
        for columns in ("80", "120", "300"):
            done = proftop("-b", "-n", "3", "-d", "0.1", "-p", job.pid,
                           env={**ENV, "COLUMNS": columns})
            assert done.returncode == 0, done
            first, *more = heads(done.stdout)
            assert len(first) >= 3 and len(more) == 2, done.stdout
            assert all(refresh == first for refresh in more), (first, more)


def sort_order_not_applied_is_reported():
    with Job() as job:
        done = proftop("-b", "-p", job.pid, "--sort", "min")
        one_sentence(done, 0, "Class has no column 'min'", "%TIME")
        one_sentence(proftop("-b", "-p", job.pid, "--sort", "bytes", "--pane", "ops"), 0,
                     "Ops has no value yet of 'bytes'")
        done = proftop("-b", "-p", job.pid, "--sort", "self", "--pane", "ops")
    assert not done.stderr and re.search(r" Ops\n.* self▼ NAME\n", done.stdout), done


def without_a_terminal_it_prints_one_report():
    with Job() as job:
        done = proftop("-p", job.pid, "--format", "json")
    assert done.returncode == 0 and len(lines(done.stdout)) == 1


def json_follows_its_schema():
    if not shell.jsonschema:
        raise tap.Skip("python3-jsonschema is not there")
    with Job("--hostile") as job:
        done = proftop("-b", "-p", job.pid, "--format", "json", "-n", "3", "-d", "0.2")
    reports = shell.rows(done, "json.schema")
    assert len(reports) == 3, done
    for report in reports:
        assert report["final"] is False and report["jobs"][0]["state"] == "live"
    calls = [sum(row["calls"] for row in report["applies"]) for report in reports]
    assert calls == sorted(calls) and calls[0] < calls[2], calls
    times = [report["jobs"][0]["mono_ns"] for report in reports]
    assert times == sorted(times) and times[0] < times[2], times
    assert reports[0]["applies"][0]["interval_ns"] is None
    assert isinstance(reports[1]["applies"][0]["interval_ns"], int)


def sums_are_those_of_the_rows():
    with Job() as job:
        report = lines(proftop("-b", "--wait", WAIT, "-p", job.pid, "--format", "json").stdout)[0]
    total = {table: sum(row["total_ns"] for row in report[table])
             for table in ("applies", "ops", "classes")}
    assert len(set(total.values())) == 1 and total["ops"] > 0, total
    for op in report["ops"]:
        of = [row["calls"] for row in report["applies"] if row["op"] == op["id"]]
        assert sum(of) == op["calls"] and len(of) == op["applies"]


def pane_top_sort_and_filter():
    with Job() as job:
        done = proftop("-b", "-p", job.pid, "--pane", "apply", "--top", "3", "--sort", "calls")
        out = done.stdout
        assert "rows 1-3 of 40" in out and "CALLS\u25bc" in out and "Ops" not in out, out
        done = proftop("-b", "-p", job.pid, "--pane", "op", "--filter", "Op7")
        assert "Op7" in done.stdout and "Op8" not in done.stdout, done.stdout


def one_function_alone():
    with Job() as job:
        report = lines(proftop("-b", "-p", job.pid, "--format", "json", "--function",
                               "function1").stdout)[0]
        second = lines(proftop("-b", "-p", job.pid, "--format", "json", "--function", "#2").stdout)
        beyond = [proftop("-b", "-p", job.pid, "--function", name)
                  for name in ("#4", "#", "#1x", "#4294967297")]
        missing = proftop("-b", "-p", job.pid, "--function", "nothing")
        several = proftop("-b", "-p", job.pid, "--function", "function")
        both = lines(proftop("-b", "-p", job.pid, "--format", "json", "--function", "function3",
                             "--function", "function1", "--function", "#3").stdout)[0]
        profile = proftop("-b", "-p", job.pid, "--format", "theano", "--function", "function3",
                          "--function", "function1").stdout
        odd = proftop("-b", "-p", job.pid, "--function", "#1", "--group", "#1")
        lonely = lines(proftop("-b", "-p", job.pid, "--format", "json", "--group", "#2").stdout)[0]
        alias = ("--alias", "function1=loss", "--alias", "nothing=else")
        called = lines(proftop("-b", "-p", job.pid, "--format", "json", *alias).stdout)[0]
        text = proftop("-b", "-p", job.pid, "--function", "loss", *alias).stdout
        printed = proftop("-b", "-p", job.pid, "--format", "theano", *alias).stdout
        again = lines(proftop("-b", "-p", job.pid, "--format", "json").stdout)[0]
        nameless = proftop("-b", "-p", job.pid, "--alias", "=loss")
    told = [(row["name"], row["alias"]) for row in called["functions"]]
    assert told == [("function0", None), ("function1", "loss"), ("function2", None),
                    ("function3", None)], told
    assert "loss (2/4)" in text and "function1" not in text, text
    assert "  Message: loss\n" in printed and "  Message: function1\n" not in printed, printed
    assert {row["alias"] for row in again["functions"]} == {None}, again["functions"]
    one_sentence(nameless, 2, "--alias", "NAME=ALIAS")
    assert {row["function"] for row in report["applies"]} == {1}, report["applies"]
    assert {row["function"] for row in both["applies"]} == {1, 3}, both["applies"]
    assert [row["name"] for row in both["functions"]] == ["function1", "function3"]
    assert sum(row["total_ns"] for row in both["ops"]) == \
        sum(row["thunk_ns"] for row in both["functions"]) > 0
    assert profile.count("Function profiling\n") == 1, profile
    assert "\n  Message: function1 + function3\n" in profile, profile
    assert [row["id"] for row in lonely["functions"]] == [2], lonely["functions"]
    one_sentence(odd, 2, "--group", "--function")
    assert {row["function"] for row in second[0]["applies"]} == {2}, second
    for done in beyond:
        one_sentence(done, 3, "no function of the job is called '#")
    one_sentence(missing, 3, "'nothing'", "it has: function0, function1")
    one_sentence(several, 3, "'function'", "4")


def the_last_line_is_final_after_the_goodbye():
    with Job("--seconds", "1") as job:
        done = proftop("-b", "-p", job.pid, "--format", "json", "-n", "0", "-d", "0.2")
    reports = lines(done.stdout)
    assert done.returncode == 0, done
    assert [report["final"] for report in reports] == [False] * (len(reports) - 1) + [True]
    assert reports[-1]["state"] == "ended" and len(reports) > 2
    assert reports[-1]["jobs"][0]["state"] == "ended"
    assert [report["jobs"][0]["complete"] for report in reports[-2:]] == [None, True]
    # The job has ended: no rates, only totals.
    assert all(row["interval_ns"] is None for row in reports[-1]["applies"])
    assert any(row["interval_ns"] for row in reports[-2]["applies"])


def figures(report):
    return [(row["id"], row["calls"], row["total_ns"]) for row in report["applies"]]


def a_killed_job_is_not_final():
    """The figures of the last tick stay: none decreases or is lost."""
    with Job("--change", "100") as job:
        watcher = subprocess.Popen([PROFTOP, "-b", "-p", str(job.pid), "--format", "json", "-n",
                                    "0", "-d", "0.1"], env=ENV, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        told = [json.loads(watcher.stdout.readline())]
        while sum(row["calls"] for row in told[-1]["applies"]) < 5 * 40 or len(told) < 2:
            told.append(json.loads(watcher.stdout.readline()))
        job.process.kill()
        out, err = watcher.communicate(timeout=WAIT)
    reports = told + lines(out.decode())
    assert watcher.returncode == 4, watcher.returncode
    assert not any(report["final"] for report in reports)
    assert {report["jobs"][0]["complete"] for report in told} == {None}
    assert reports[-1]["jobs"][0]["complete"] is False
    assert [report["state"] for report in reports].index("gone") == len(reports) - 1 >= len(told)
    assert b"without saying so" in err, err
    last, before = figures(reports[-1]), figures(told[-1])
    assert len(last) == len(before) == 40 and min(calls for _, calls, _ in last) >= 4, last
    assert all(new >= old for new, old in zip(last, before)), (last, before)


def list_as_text_and_json():
    with Job() as job:
        rows = lines(proftop("-l", "--format", "json").stdout)
        text = proftop("-l").stdout
    mine = [row for row in rows if row["pid"] == job.pid]
    assert len(mine) == 1 and mine[0]["program"] == "synthetic", rows
    assert mine[0]["facts"].startswith("ipc://") and mine[0]["instance"]
    assert "synthetic" in mine[0]["command"], mine
    head = text.splitlines()[0]
    line = [line for line in text.splitlines() if line.split()[0] == str(job.pid)][0]
    for title, word in (("PROGRAM", "synthetic"), ("FRAMEWORK", "synthetic"),
                        ("COMMAND", mine[0]["command"])):
        assert line[head.index(title):].startswith(word), text


def list_with_a_bad_directory():
    for name, words in (("relative", "absolute"), ("/etc/passwd", "not a directory"),
                        ("/tmp", "open to others")):
        env = dict(ENV, PROFTOP_DIR=name)
        done = proftop("-l", env=env)
        assert done.returncode == 3, done
        assert words in done.stderr and "\n\n" not in done.stderr, done.stderr


def by_endpoint():
    with Job() as job:
        rows = lines(proftop("-l", "--format", "json").stdout)
        row = [row for row in rows if row["pid"] == job.pid][0]
        for word in (row["facts"], row["facts"] + "," + row["control"]):
            report = lines(proftop(word, "--format", "json").stdout)[0]
            assert report["jobs"][0]["instance"] == row["instance"]


def report_to_a_file():
    path = os.path.join(FOLDER.name, "report.txt")
    with Job() as job:
        done = proftop("-b", "-p", job.pid, "-o", path)
    assert done.returncode == 0 and not done.stdout
    with open(path, encoding="utf-8") as file:
        assert "LIVE" in file.read()


def report_write_errors_are_printed():
    with Job() as job:
        one_sentence(proftop("-b", "-p", job.pid, "-o", "/no/such/folder/x"), 5,
                     "/no/such/folder/x")
        if os.path.exists("/dev/full"):
            one_sentence(proftop("-b", "-p", job.pid, "-o", "/dev/full"), 5, "/dev/full")
        watcher = subprocess.Popen([PROFTOP, "-b", "-p", str(job.pid), "-n", "0", "-d", "0.1"],
                                   env=ENV,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        watcher.stdout.readline()
        watcher.stdout.close()  # as `| head -1` does: no error
        said = watcher.stderr.read()
        watcher.stderr.close()
        assert watcher.wait(WAIT) == 141 and not said, said


def no_such_job():
    one_sentence(proftop("-b", "-p", "2147483646"), 3, "2147483646")
    one_sentence(proftop("-b", "-p", "1"), 3, "process 1")
    one_sentence(proftop("-b", "nonsense"), 3, "no job is called 'nonsense'")
    one_sentence(proftop("-b", "tcp://"), 2)


class Later:
    """A process without Python, which becomes a job on request."""

    def __init__(self):
        self.process = subprocess.Popen(["sh", "-c", 'read word && exec "$@"', "-", SYNTHETIC,
                                         "--applies", "40"], env=ENV, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pid = self.process.pid

    def begin(self):
        self.process.stdin.write("begin\n")
        self.process.stdin.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def is_watching(pid):
    """True if the process watches directories by inotify. It may close files while we look at
    them."""
    folder = "/proc/%d/fd" % pid
    for name in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):
            if "inotify" in os.readlink(os.path.join(folder, name)):
                return True
    return False


def refusing_process_is_retried_and_reported():
    why = "runs no Python, and that is all that can be attached to late"
    with Later() as job, Job() as other, Job():
        for more in ((), ("-p", other.pid), ("--children",)):
            words = "-b", "-p", job.pid, *more
            one_sentence(proftop(*words), 3, str(job.pid), why)
            one_sentence(proftop(*words, "--wait", "0.2"), 3, str(job.pid), why)
        for more in ((), ("-p", str(other.pid)), ("--children",)):
            with Later() as late, subprocess.Popen(
                    [PROFTOP, "-b", "-p", str(late.pid), *more, "--wait", str(WAIT), "--format",
                     "json"], env=ENV, stdout=subprocess.PIPE, text=True) as viewer:
                tap.wait_for("somebody who waits", lambda: is_watching(viewer.pid), WAIT)
                late.begin()
                said, _ = viewer.communicate(timeout=WAIT)
                pids = {row["pid"] for row in lines(said)[0]["jobs"]}
                assert viewer.returncode == 0, said
                assert pids == ({late.pid, other.pid} if "-p" in more else {late.pid}), pids


def stopped_job_is_reported_as_stopped():
    """The job has a socket and the kernel accepts its connections, so the sentence must not blame a
    port."""
    with Job() as job:
        job.process.send_signal(signal.SIGSTOP)
        done = proftop("-b", "-p", job.pid, "--wait", "3")
        job.process.send_signal(signal.SIGCONT)
        one_sentence(done, 3, str(job.pid), "its process is stopped (kill -CONT lets it go on")
        assert not re.search("port|keys|endpoint", done.stderr), done
        assert proftop("-b", "-p", job.pid).returncode == 0


def process_gone_at_the_timeout_is_reported():
    with Later() as job, subprocess.Popen(
            [PROFTOP, "-b", "-p", str(job.pid), "--wait", "3"], env=ENV, stderr=subprocess.PIPE,
            text=True) as viewer:
        tap.wait_for("somebody who waits", lambda: is_watching(viewer.pid), WAIT)
        job.process.kill()
        job.process.wait()
        said = viewer.communicate(timeout=WAIT)[1]
        assert viewer.returncode == 3 and "there is no process %d" % job.pid in said, said


def nothing_listens():
    path = "ipc://" + os.path.join(FOLDER.name, "nobody.pub")
    one_sentence(proftop("-b", path, "--wait", "0.3"), 3, "nobody.pub", "0.3 s")


def nothing_is_there():
    """Without --wait the error comes at once: waiting would not help."""
    one_sentence(proftop("-b", "ipc:///nonexistent/x.pub"), 3, "no socket /nonexistent/x.pub")
    one_sentence(proftop("-b", "ipc:///etc/passwd,ipc:///etc/passwd"), 3, "not a socket")
    one_sentence(proftop("-b", "tcp://no-such-host.invalid:5555"), 3, "'no-such-host.invalid'")


def a_stranger_listens():
    """The server on the endpoint is not a ZeroMQ socket."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(8)

        def answer():
            try:
                while True:
                    client, _ = server.accept()
                    client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                    client.close()
            except OSError:
                pass
        threading.Thread(target=answer, daemon=True).start()
        endpoint = "tcp://127.0.0.1:%d" % server.getsockname()[1]
        one_sentence(proftop("-b", "--insecure", endpoint, "--wait", "1"), 3, endpoint)
        server.shutdown(socket.SHUT_RDWR)


def run_gives_the_streams_and_the_code_through():
    done = proftop("run", "-b", "--", "/bin/sh", "-c", "cat; printf 'a\\001b'; echo e >&2; exit 9",
                   input="given\0")
    assert done.returncode == 9, done
    assert done.stdout == "given\0a\001b", done.stdout
    assert done.stderr == (
        "e\nproftop: '/bin/sh' ended without publishing anything (with code 9)\n"), done.stderr
    fine = proftop("run", "-b", "--", "/bin/true")
    assert fine.returncode == 0 and "adapters were looked for in " in fine.stderr, fine
    assert "if libproftop.so.0 was not found, or if they were compiled with PROFTOP_OFF;" in \
        fine.stderr, fine


def run_reports_to_the_end():
    path = os.path.join(FOLDER.name, "run.json")
    done = proftop("run", "-b", "--format", "json", "-o", path, "--", SYNTHETIC, "--applies", "40",
                   "--seconds", "1")
    assert done.returncode == 0 and "ready: process" in done.stdout, done
    with open(path, encoding="utf-8") as file:
        reports = lines(file.read())
    assert reports[-1]["final"] is True and len(reports) >= 2, reports
    assert sum(row["calls"] for row in reports[-1]["applies"]) > 0


def each_life_of_a_command_has_its_last_report():
    """A program may close its feed and open another: each has its own instance and calls."""
    job = [tap.built("lives_job"), "3", "5", "7"]
    report = os.path.join(FOLDER.name, "lives.json")
    done = proftop("run", "-b", "--format", "json", "-d", "100", "-o", report, "--", *job)
    assert done.returncode == 0 and not done.stderr, done
    with open(report, encoding="utf-8") as file:
        known = [json.loads(line) for line in file]
    final = [one for one in known if one["final"]]
    assert [one["functions"][0]["calls"] for one in final] == [3, 5, 7], known
    assert [one["applies"][0]["calls"] for one in final] == [3, 5, 7], known
    assert len({one["jobs"][0]["instance"] for one in final}) == 3, known
    assert known[-1] is final[-1], known
    text = proftop("run", "-b", "-d", "100", "-o", report, "--", *job)
    assert text.returncode == 0, text
    with open(report, encoding="utf-8") as file:
        assert file.read().count("ENDED") == 3
    done = proftop("run", "--summary", "--format", "pytensor", "--", *job)
    told = re.findall(r"Time in (\d+) calls to Function", done.stdout + done.stderr)
    assert told == ["3", "5", "7"], done
    # As many reports as requested.
    done = proftop("run", "-b", "--format", "json", "-n", "2", "-d", "100", "-o", report, "--",
                   *job)
    with open(report, encoding="utf-8") as file:
        assert len(file.readlines()) == 2, done


def a_feed_beside_another_is_no_later_life():
    """The first feed of a process is the job; a second one that is open with it is listed."""
    report = os.path.join(FOLDER.name, "beside.json")
    words = [PROFTOP, "run", "-b", "--format", "json", "-d", "0.1", "-o", report, "--",
             tap.built("lives_job"), "beside", "3", "5"]

    def finals():
        with open(report, encoding="utf-8") as file:
            return [one for one in shell.lines(file.read().rpartition("\n")[0])
                    if one["final"]]

    with subprocess.Popen(words, env=ENV, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        tap.wait_for("a last report", lambda: os.path.isfile(report) and finals(), WAIT)
        said = run.communicate(b"\n", timeout=WAIT)[1]
    assert run.returncode == 0 and not said, said
    assert [one["functions"][0]["calls"] for one in finals()] == [3], finals()


def nodes_that_are_defined_late_come_whole():
    """All reports arrive, however long a report takes to print: for a million nodes, seconds."""
    nodes = 1000000 if os.environ.get("PROFTOP_TEST_LONG") else 20000
    report = os.path.join(FOLDER.name, "late.json")
    job = [tap.built("lives_job"), "late", str(nodes)]
    words = [PROFTOP, "run", "-b", "--format", "json", "-d", "0.1", "-o", report, "--", *job]
    with subprocess.Popen(words, env=ENV, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        tap.wait_for("a report", lambda: os.path.isfile(report) and os.path.getsize(report), WAIT)
        said = run.communicate(b"\n", timeout=10 * WAIT)[1]
    assert run.returncode == 0 and not said, said
    with open(report, encoding="utf-8") as file:
        *_, last = file
    last = json.loads(last)
    assert last["final"] and last["jobs"][0]["missing_calls"] == 0, last["jobs"]
    assert sum(row["calls"] for row in last["applies"]) == 1000 + 2 * nodes, last["jobs"]


def run_reports_on_stderr_by_default():
    done = proftop("run", SYNTHETIC, "--applies", "40", "--seconds", "1")
    assert done.returncode == 0 and "ready: process" in done.stdout, done
    assert "NAME" in done.stderr and "NAME" not in done.stdout


def a_summary_stands_behind_what_the_job_prints():
    """Also after the command's own output that follows the close of its feed."""
    command = ("run", "--summary", "--format", "pytensor")
    job = ("--", "/bin/sh", "-c", "'%s' --applies 4 --seconds 1; echo last" % SYNTHETIC)
    done = proftop(*command, "-o", "-", *job)
    said, report = done.stdout.split("last\n")
    assert done.returncode == 0 and said.startswith("ready: process ") and "end: " in said, done
    assert report.startswith("Function profiling\n") and done.stderr == "", done
    done = proftop(*command, *job)
    assert done.stdout.endswith("last\n") and "profiling" not in done.stdout, done
    assert done.stderr.startswith("Function profiling\n"), done


def reports_of_run_are_not_torn():
    """Another writer, such as the job, appends to the same file: its lines are between reports, not
    inside them."""
    line = b"a line of the job\n"
    for more in ([], ["-o", "-"]):
        path = os.path.join(FOLDER.name, "shared")
        shared = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
        with subprocess.Popen(
                [PROFTOP, "run", "-b", "-n", "0", "-d", "0.1", "--format", "json", *more, "--",
                 SYNTHETIC, "--applies", "400", "--seconds", "1", "--quiet"],
                env=ENV, stdout=shared, stderr=shared) as viewer:
            while viewer.poll() is None:
                os.write(shared, line)
        os.close(shared)
        with open(path, "rb") as file:
            whole = [text for text in file if text not in (line, b"\n")]
        reports = [text for text in whole if text.startswith(b"{")]
        assert reports and all(map(json.loads, reports)), [text[:80] for text in whole]
        assert not [text for text in whole if line[:-1] in text], [text[:80] for text in whole]


MUTE = """
import fcntl, os, socket, sys
sys.path.insert(0, sys.argv[1])
import shell, proc
start = proc.start_of(os.getpid())
path, text = shell.announcement(os.environ["PROFTOP_DIR"], start, 1)
files = [path, *(path.replace(".info", kind) for kind in (".pub", ".ctl"))]
ends = [socket.socket(socket.AF_UNIX) for _ in range(2)]
for end, file in zip(ends, files[1:]):
    end.bind(file)
    end.listen()
with open(path + ".new", "w") as file:
    fcntl.lockf(file, fcntl.LOCK_EX)
    print(text + "run=" + os.environ["PROFTOP_RUN"], file=file, flush=True)
    os.rename(file.name, path)
    ends[1].accept()
    for file in files:
        os.unlink(file)
"""


def run_reports_a_command_that_ended_too_soon():
    """The command registers but answers nothing, and ends after a viewer has connected. Its exit
    code is passed on."""
    done = proftop("run", "-b", "--format", "json", "--", sys.executable, "-c", MUTE,
                   os.path.dirname(shell.__file__))
    one_sentence(done, 0, "ended before anything could be shown")


def run_waits_for_the_first_figures():
    """The viewer attaches to the generator before its first op: this is no report yet. Output of a
    slow machine until then does not count for -n."""
    done = proftop("run", "-n", "1", "--format", "json", "--", SYNTHETIC, "--applies", "40",
                   "--seconds", "1")
    reports = lines(done.stderr)
    assert done.returncode == 0, done
    ran = [report for report in reports if sum(row["calls"] for row in report["applies"])]
    assert len(ran) == 1 and reports[-1:] == ran, reports


def run_reports_that_nothing_is_published_yet():
    """Said once, after a second: the command may never publish. The command ends after the
    message."""
    for words, wanted in (((), r" \u25cc WAITING  sh \(\d+\) +\S+\n Waiting for sh \(\d+\) to "
                           r"publish\.\n"), (("--format", "json"), r'\{"schema".*"waiting".*\}\n')):
        path = os.path.join(FOLDER.name, "waiting")
        done = proftop("run", "-b", "-d", "0.1", *words, "-o", path, "--", "sh", "-c",
                       "while ! test -s '%s'; do sleep 0.05; done; exit 7" % path)
        with open(path, encoding="utf-8") as file:
            said = file.read()
        assert done.returncode == 7 and re.fullmatch(wanted, said), (said, done)
        if words:
            shell.fits(json.loads(said), "json.schema")


def wait_ends_without_figures_too():
    """A job that runs no op is reported as it is when the time is over."""
    with Job("--change", "0") as job:
        done = proftop("-b", "-p", job.pid, "--wait", "0.5", "--format", "json")
    report = lines(done.stdout)[0]
    assert done.returncode == 0 and report["state"] == "idle", done
    assert report["jobs"][0]["state"] == "live", report
    assert sum(row["calls"] for row in report["applies"]) == 0, report


def a_reader_that_goes_away_ends_it_quietly():
    """As `| head -1` does. A full disk is still reported."""
    with Job() as job:
        for words in (("-b", "-n", "0", "-d", "0.1", "-p", str(job.pid)), ("--help",), ("-l",)):
            out, into = os.pipe()
            os.close(out)
            done = subprocess.run([PROFTOP, *words], env=ENV, stdout=into, stderr=subprocess.PIPE,
                                  timeout=WAIT, check=False)
            os.close(into)
            assert done.returncode == 141 and not done.stderr, (words, done)
            with open("/dev/full", "wb") as full:
                done = subprocess.run([PROFTOP, *words], env=ENV, stdout=full,
                                      stderr=subprocess.PIPE, timeout=WAIT, check=False)
            assert done.returncode == 5 and b"No space left" in done.stderr, (words, done)


def run_that_cannot_start():
    one_sentence(proftop("run", "-b", "./no-such-command"), 127, "no-such-command")


def a_killed_viewer_does_no_harm():
    with Job() as job:
        watcher = subprocess.Popen([PROFTOP, "-b", "-p", str(job.pid), "-n", "0", "-d", "0.1"],
                                   env=ENV,
                                   stdout=subprocess.PIPE)
        watcher.stdout.readline()
        watcher.send_signal(signal.SIGTERM)
        watcher.stdout.read()
        watcher.stdout.close()
        assert watcher.wait(WAIT) == 128 + signal.SIGTERM
        assert proftop("-b", "-p", job.pid).returncode == 0
        assert job.process.poll() is None


# Signals that end a program by default, except crashes and SIGKILL.
HARMLESS = {"KILL", "STOP", "ILL", "TRAP", "ABRT", "BUS", "FPE", "SEGV", "SYS", "CHLD", "CONT",
            "URG", "WINCH", "TSTP", "TTIN", "TTOU", "CLD"}
ENDING = sorted(set(signal.valid_signals()) - {getattr(signal, "SIG" + name) for name in HARMLESS})


def takes_signals(watcher):
    """True if the process blocks SIGTERM, i.e. reads signals itself, or has ended."""
    with open("/proc/%d/status" % watcher.pid, encoding="ascii", errors="replace") as file:
        blocked = int(re.search(r"SigBlk:\s*(\w+)", file.read())[1], 16)
    return watcher.poll() is not None or blocked & 1 << signal.SIGTERM - 1


def held_by_a_fifo(_):
    """No process opens the FIFO for reading."""
    name = os.path.join(FOLDER.name, "fifo")
    with contextlib.suppress(FileExistsError):
        os.mkfifo(name)
    return subprocess.Popen([PROFTOP, "-b", "-p", str(os.getpid()), "-o", name], env=ENV)


def full_pipe(size):
    out, into = os.pipe()
    fcntl.fcntl(into, fcntl.F_SETPIPE_SZ, size)
    return out, into


def fill_of(out):
    return struct.unpack("i", fcntl.ioctl(out, termios.FIONREAD, bytes(4)))[0]


def held_by_a_pipe(job):
    """No process reads the pipe, which holds the beginning of the report."""
    out, into = full_pipe(4096)
    watcher = subprocess.Popen([PROFTOP, "-b", "-p", str(job.pid), "--format", "json"], env=ENV,
                               stdout=into)
    os.close(into)
    tap.wait_for("a full pipe", lambda: fill_of(out) == 4096, WAIT)
    watcher.out = out
    return watcher


def held_by_its_last_words(_):
    out, into = full_pipe(4096)
    os.write(into, bytes(4096))
    watcher = subprocess.Popen([PROFTOP, "-b", "-p", "2147483646"], env=ENV, stderr=into)
    os.close(into)
    watcher.out = out
    return watcher


def signals_end_a_blocked_viewer():
    few = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGALRM,
           signal.SIGPIPE, signal.SIGRTMIN]
    watchers = []
    with Job() as job:
        for hold, numbers in ((held_by_a_fifo, ENDING), (held_by_a_pipe, few),
                              (held_by_its_last_words, few)):
            for number in numbers:
                watchers.append((hold.__name__, number, hold(job)))
        try:
            for _, number, watcher in watchers:
                tap.wait_for("signals", lambda it=watcher: takes_signals(it), WAIT)
                watcher.send_signal(number)
            tap.poll(lambda: all(watcher.poll() is not None for _, _, watcher in watchers), WAIT)
            wrong = [(name, number, watcher.returncode) for name, number, watcher in watchers
                     if watcher.returncode != 128 + number]
            assert not wrong, wrong
        finally:
            for _, _, watcher in watchers:
                watcher.kill()
                watcher.wait(WAIT)
                if hasattr(watcher, "out"):
                    os.close(watcher.out)


WITHOUT_PROC = "unshare", "-m", "sh", "-c", "umount -l /proc && exec \"$@\"", "sh"


@tap.all_only
def where_proc_is_missing_the_living_are_alive():
    """As in a chroot: here, where the job runs, or both. A dead job is detected all the same."""
    try:
        subprocess.run([*WITHOUT_PROC, "test", "!", "-e", "/proc/self"], check=True,
                       stderr=subprocess.PIPE, timeout=WAIT)
    except (OSError, subprocess.CalledProcessError) as why:
        raise tap.Skip("this user cannot unmount /proc for a program") from why
    for here, there in (((), WITHOUT_PROC), (WITHOUT_PROC, ()), (WITHOUT_PROC, WITHOUT_PROC)):
        with shell.Job(ENV, *there, SYNTHETIC, "--applies", "4") as job:
            for _ in range(2):  # files of jobs taken for dead are removed
                listed = subprocess.run([*here, PROFTOP, "-l", "--format", "json"], env=ENV,
                                        capture_output=True, timeout=WAIT, check=False)
                assert job.pid in [row["pid"] for row in lines(listed.stdout.decode())], listed
            viewer = subprocess.Popen([*here, PROFTOP, "-b", "-p", str(job.pid), "--format", "json",
                                       "-n", "0", "-d", "0.4"], env=ENV, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            states = [json.loads(viewer.stdout.readline())["state"] for _ in range(8)]
            assert set(states) <= {"live", "idle"}, (here, there, states)
            job.process.kill()
            job.process.wait(WAIT)
            out, said = viewer.communicate(timeout=WAIT)
            assert json.loads(out.splitlines()[-1])["state"] == "gone", out[-200:]
            # Without /proc a sanitizer fails, or reads no options: the exit code is the
            # sanitizer's.
            its_own = here and tap.sanitized(PROFTOP)
            assert (its_own or viewer.returncode == 4) and "without saying so" in said, said


def limited(what, most, *words):
    return subprocess.run([PROFTOP, *words], env=ENV, capture_output=True, timeout=WAIT,
                          check=False, stdin=subprocess.DEVNULL,
                          preexec_fn=lambda: resource.setrlimit(what, (most, most)))


def viewer_without_resources_ends_with_a_message():
    """Prints an error or the figures. libzmq aborts without a descriptor or memory."""
    limits = [(resource.RLIMIT_NOFILE, most) for most in (*range(3, 36), 64)]
    if not tap.sanitized(PROFTOP):
        limits += [(resource.RLIMIT_AS, mib << 20) for mib in range(6, 64, 2)]
    ends = {}
    with Job() as job:
        for what, most in limits:
            done = limited(what, most, "-b", "-p", str(job.pid))
            ends[what, most] = done.returncode
            said = done.stderr.decode()
            if done.returncode == 0:
                assert done.stdout and not said, (what, most, done)
            else:
                assert done.returncode in (2, 3, 4, 127) and said.endswith("\n"), (what, most, done)
                assert said.count("\n") == 1, (what, most, said)
        assert ends[resource.RLIMIT_NOFILE, 64] == 0 and ends[resource.RLIMIT_NOFILE, 8] == 2, ends


def limits_of_a_command_are_those_of_its_shell():
    """proftop may raise its own limit."""
    with Job() as job:
        done = subprocess.run([PROFTOP, "run", "-b", "--children", "sh", "-c", "ulimit -n"],
                              env=ENV, capture_output=True, timeout=WAIT, check=False, text=True,
                              preexec_fn=lambda: resource.setrlimit(
                                  resource.RLIMIT_NOFILE,
                                  (24, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
        assert done.stdout == "24\n", done
        done = subprocess.run([PROFTOP, "-b", "-p", str(job.pid)], env=ENV, capture_output=True,
                              timeout=WAIT, check=False, preexec_fn=lambda: resource.setrlimit(
                                  resource.RLIMIT_NOFILE,
                                  (12, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
        assert done.returncode == 0 and done.stdout, done


def a_signal_that_was_to_be_ignored_is():
    """SIGHUP and SIGINT stay ignored, as with nohup and `&` in a script."""
    with Job() as job:
        watcher = subprocess.Popen(["sh", "-c", "trap '' HUP INT; exec \"$@\"", "sh", PROFTOP, "-b",
                                    "-p", str(job.pid), "--format", "json", "-n", "0", "-d",
                                    "0.1"], env=ENV, stdout=subprocess.PIPE)
        watcher.stdout.readline()
        for number in (signal.SIGHUP, signal.SIGINT):
            watcher.send_signal(number)
            for _ in range(3):
                assert watcher.stdout.readline(), (number, watcher.wait(WAIT))
        watcher.send_signal(signal.SIGTERM)
        watcher.stdout.read()
        watcher.stdout.close()
        assert watcher.wait(WAIT) == 128 + signal.SIGTERM


def without_utf8_it_is_ascii():
    with Job() as job:
        done = proftop("-b", "-p", job.pid, env=dict(ENV, LC_ALL="C"))
        wide = proftop("-b", "-p", job.pid)
    assert done.returncode == wide.returncode == 0
    assert all(ord(c) < 0x80 for c in done.stdout) and " LIVE " in done.stdout, done.stdout[:200]
    assert "●" in wide.stdout


def help_version_and_manual():
    assert "--wait" in proftop("--help").stdout
    assert proftop("--version").stdout.startswith("proftop ")
    manual = proftop("--print-man").stdout
    assert ".Sh KEYS" in manual and "elapsed time by the clock of the job" in manual
    chosen = manual.partition(".It Ev PROFTOP_FUNCTIONS\n")[2].partition(".It ")[0]
    assert "when its feed opens" in chosen and "proftop ctl functions" in chosen, chosen
    for section in ("ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO"):
        assert manual.count(".Sh %s\n" % section) == 1, section
    read = set()
    for where, _, names in [*os.walk(tap.source("feed")), *os.walk(tap.source("tui"))]:
        for name in names:
            if name.endswith(".c"):
                with open(os.path.join(where, name), encoding="utf-8") as file:
                    read |= set(re.findall(r'getenv\("(PROFTOP\w*|TMPDIR|COLUMNS)"\)', file.read()))
    assert len(read) >= 8, read
    missing = [name for name in read if ".It Ev %s\n" % name not in manual]
    assert not missing, missing


# ThreadSanitizer holds signals back while a call of the C library blocks.
WITH_SIGNALS = [] if tap.sanitized(PROFTOP, b"t") else [signals_end_a_blocked_viewer]
tap.run(text_has_header_and_three_panes, names_are_cut_where_a_width_is_given,
        every_refresh_has_the_same_columns, sort_order_not_applied_is_reported,
        without_a_terminal_it_prints_one_report,
        json_follows_its_schema, sums_are_those_of_the_rows, pane_top_sort_and_filter,
        one_function_alone, the_last_line_is_final_after_the_goodbye, a_killed_job_is_not_final,
        list_as_text_and_json, list_with_a_bad_directory, by_endpoint, report_to_a_file,
        report_write_errors_are_printed, no_such_job,
        refusing_process_is_retried_and_reported, stopped_job_is_reported_as_stopped,
        process_gone_at_the_timeout_is_reported,
        nothing_listens, nothing_is_there,
        a_stranger_listens,
        run_gives_the_streams_and_the_code_through, run_reports_to_the_end,
        each_life_of_a_command_has_its_last_report, a_feed_beside_another_is_no_later_life,
        nodes_that_are_defined_late_come_whole,
        run_reports_on_stderr_by_default, reports_of_run_are_not_torn,
        a_summary_stands_behind_what_the_job_prints,
        run_reports_a_command_that_ended_too_soon, run_waits_for_the_first_figures,
        run_reports_that_nothing_is_published_yet,
        wait_ends_without_figures_too, a_reader_that_goes_away_ends_it_quietly,
        run_that_cannot_start, a_killed_viewer_does_no_harm,
        *WITH_SIGNALS, a_signal_that_was_to_be_ignored_is,
        where_proc_is_missing_the_living_are_alive,
        viewer_without_resources_ends_with_a_message, limits_of_a_command_are_those_of_its_shell,
        without_utf8_it_is_ascii, help_version_and_manual)
