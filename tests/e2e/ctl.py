# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""ctl.py: `proftop ctl` in a shell: its effect on a job, notices to every viewer, roles, exit
codes, and a sentence for every outcome."""
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import PROFTOP, SYNTHETIC, WAIT, tap  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
ENV = dict(os.environ, PROFTOP_DIR=FOLDER.name, XDG_RUNTIME_DIR=FOLDER.name, LC_ALL="C.UTF-8")
for name in ("DMLC_ROLE", "PROFTOP_CONTROL", "PROFTOP_FUNCTIONS"):
    ENV.pop(name, None)


class Job(shell.Job):
    def __init__(self, **environment):
        super().__init__({**ENV, **environment}, SYNTHETIC, "--applies", "40")


def ctl(*words):
    """(code, stdout, stderr)."""
    process = subprocess.Popen([PROFTOP, "ctl", *map(str, words)], env=ENV, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    out, errors = process.communicate(timeout=WAIT)
    ctl.pid = process.pid
    return process.returncode, out, errors


def done(*words):
    code, out, errors = ctl(*words)
    assert code == 0 and not errors and out.endswith(".\n") and out.count("\n") == 1, (out, errors)
    return out


def fails(code, word, *words):
    """Expects one sentence that contains this word, and the exit code."""
    found, out, errors = ctl(*words)
    assert found == code and not out, (found, out, errors)
    assert errors.startswith("proftop: ") and errors.count("\n") == 1 and word in errors, errors


def reports(job, count=1):
    """The view of other viewers: a series of reports."""
    run = shell.proftop(ENV, "-b", "-n", count, "-d", "0.3", "--format", "json", "-p", job.pid)
    return shell.rows(run, "json.schema")


@contextlib.contextmanager
def watching(job):
    """A viewer that has seen the job."""
    with subprocess.Popen([PROFTOP, "-b", "-n", "0", "-d", "0.1", "--format", "json", "-p",
                           str(job.pid)], env=ENV, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as viewer:
        patience = threading.Timer(60 * tap.SLOW, viewer.kill)
        patience.start()
        try:
            assert json.loads(viewer.stdout.readline())["jobs"]
            yield viewer
        finally:
            patience.cancel()
            viewer.kill()


def calls(report):
    """Calls of all applies; a row that is not counted has unknown calls."""
    return sum(row["calls"] or 0 for row in report["applies"])


def it_pauses_and_resumes_a_job():
    with Job() as job:
        assert "is paused" in done("pause", "-p", job.pid)
        first, second = reports(job, 2)
        assert calls(first) == calls(second), "it counts on"
        seen = first["jobs"][0]
        assert seen["collect"] == "stop", seen
        assert re.fullmatch(r".+, process %d on .+" % ctl.pid, seen["asker"]), seen["asker"]
        assert "as stated" not in seen["asker"], "the kernel says so too"
        assert [notice["text"] for notice in first["notices"]] == \
            ["control: pause (asked by %s)" % seen["asker"]], first["notices"]
        done("pause", "-p", job.pid)
        done("resume", "-p", job.pid)
        first, second = reports(job, 2)
        assert calls(second) > calls(first), "it does not count on"
        assert (second["jobs"][0]["collect"], second["jobs"][0]["asker"]) == ("run", None)


def a_reset_is_one_for_every_viewer():
    with Job() as job:
        done("set_state", "stop", "-p", job.pid)
        assert calls(reports(job)[0]) > 0
        assert "from 0" in done("reset", "-p", job.pid)
        for _ in range(2):
            report = reports(job)[0]
            assert report["jobs"][0]["epoch"] == 2 and calls(report) == 0, report["jobs"]
        done("set_state", "run", "-p", job.pid)
        for report in reports(job, 2):
            assert all(row["interval_ns"] is None or 0 <= row["interval_ns"] <= row["total_ns"]
                       for row in report["applies"]), "an interval that reaches over the reset"
        assert "control: reset " in " ".join(row["text"] for row in report["notices"])


def it_sets_keys_and_functions():
    with Job() as job:
        done("set_config", "profile_symbolic=0", "dump_period=2.5", "-p", job.pid)
        first, second = reports(job, 2)
        assert calls(first) == calls(second) and first["jobs"][0]["collect"] == "run"
        done("-p", job.pid, "set_config", "profile_all=1")
        first, second = reports(job, 2)
        assert calls(first) < calls(second)
        done("functions", "nobody*", "-p", job.pid)
        first, second = reports(job, 2)
        assert calls(first) == calls(second)
        done("functions", "-p", job.pid)
        first, second = reports(job, 2)
        assert calls(first) < calls(second)


def viewers_get_each_control_and_its_requester():
    """Notices reach earlier viewers and one that comes later."""
    told = []
    with Job() as job, watching(job) as one, watching(job) as two:
        for words in (["pause"], ["resume"], ["reset"], ["set_state", "stop"],
                      ["set_config", "profile_all=1"], ["functions", "a*"],
                      ["dump", path("told.json"), "--finished"]):
            assert ctl(*words, "-p", job.pid)[0] == 0, words
            told.append((words[0], "process %d on " % ctl.pid))
        # Notices and the last asker are in separate streams.
        last = [next(report for report in map(json.loads, viewer.stdout)
                     if len(report["notices"]) == len(told) and
                     told[-1][1] in (report["jobs"][0]["asker"] or "")) for viewer in (one, two)]
        for report in [*last, *reports(job)]:
            assert len(report["notices"]) == len(told), report["notices"]
            for (verb, asker), notice in zip(told, report["notices"]):
                assert notice["text"].startswith("control: " + verb), (verb, notice)
                assert "(asked by " in notice["text"] and asker in notice["text"], notice
            assert told[-1][1] in report["jobs"][0]["asker"], report["jobs"]


def invalid_ctl_requests_are_rejected():
    with Job() as job:
        fails(2, "run or stop", "set_state", "foo", "-p", job.pid)
        fails(2, "the keys are filename", "set_config", "foo=1", "-p", job.pid)
        fails(2, "it must be seconds above 0", "set_config", "dump_period=-1", "-p", job.pid)
        fails(2, "writes no file", "set_config", "filename=/tmp/x", "-p", job.pid)
        fails(2, "KEY=VALUE, not 'profile_api'", "set_config", "profile_api", "-p", job.pid)
        fails(2, "ctl knows pause, resume, reset", "dance", "-p", job.pid)
        fails(2, "usage: proftop ctl set_state run|stop", "set_state", "-p", job.pid)
        fails(2, "usage: proftop ctl pause", "pause", "now", "-p", job.pid)
        fails(2, "wants a control", "-p", job.pid)
        fails(2, "--role", "pause", "--role", "worker", "-p", job.pid)
        report = reports(job)[0]["jobs"][0]
        assert (report["collect"], report["refused"]) == ("run", 4), report
    fails(3, "no process", "pause", "-p", job.pid)


def where_no_job_is_none_is_paused():
    shell.need_no_job(ENV)
    fails(3, "no job publishes", "pause")


def a_job_that_does_not_grant_it_refuses():
    with Job(PROFTOP_CONTROL="0") as job:
        for words in (["pause"], ["reset"], ["set_state", "stop"]):
            fails(3, "refused: PROFTOP_CONTROL=0", *words, "-p", job.pid)
        first, second = reports(job, 2)
        assert calls(first) < calls(second)
        seen = second["jobs"][0]
        assert (seen["collect"], seen["epoch"], seen["refused"]) == ("run", 1, 3), seen


def a_job_that_is_stopped_gives_no_answer():
    with Job() as job:
        job.process.send_signal(signal.SIGSTOP)
        fails(4, "could not be asked in time", "pause", "--wait", "0.3", "-p", job.pid)
        job.process.send_signal(signal.SIGCONT)
        done("pause", "-p", job.pid)


def ctl_selects_workers_and_servers_by_role():
    with Job(DMLC_ROLE="worker", DMLC_WORKER_ID="0") as one, \
            Job(DMLC_ROLE="worker", DMLC_WORKER_ID="1") as two:
        fails(3, "no job of this machine has the role 'server'", "pause", "--role", "server")
        with Job(DMLC_ROLE="server", DMLC_SERVER_ID="0") as server:
            code, out, errors = ctl("pause", "--role", "worker")
            assert code == 0 and out.count("is paused") == 2 and not errors, (out, errors)
            assert str(one.pid) in out and str(two.pid) in out and str(server.pid) not in out, out

            def collecting():
                return [reports(job)[0]["jobs"][0]["collect"] for job in (one, two, server)]
            assert collecting() == ["stop", "stop", "run"]
            done("pause", "--role", "server")
            assert collecting() == ["stop", "stop", "stop"]
            assert ctl("resume", "--role", "worker")[0] == 0
            assert collecting() == ["run", "run", "stop"]


def ctl_requests_reach_several_jobs_one_by_one():
    with Job() as one, Job() as two, Job(PROFTOP_CONTROL="0") as three:
        code, out, errors = ctl("pause", "-p", one.pid, "-p", two.pid, "-p", one.pid)
        said = sorted(line.split("(")[1].split(")")[0] for line in out.splitlines())
        assert code == 0 and not errors and out.count("is paused") == 2, (out, errors)
        assert said == sorted([str(one.pid), str(two.pid)]), out
        # A job that refuses is named apart from the others, and gives its own exit code.
        code, out, errors = ctl("resume", "-p", three.pid, "-p", two.pid)
        assert code == 3 and out.count("\n") == 1 and str(two.pid) in out, (code, out)
        assert errors.count("\n") == 1 and str(three.pid) in errors and "refused" in errors, errors
        states = [reports(job)[0]["jobs"][0]["collect"] for job in (one, two, three)]
        assert states == ["stop", "run", "run"], states
        # An endpoint and a process in one command.
        listed = shell.lines(shell.proftop(ENV, "-l", "--format", "json").stdout)
        facts = next(row for row in listed if row["pid"] in (one.pid, two.pid))
        other = two if facts["pid"] == one.pid else one
        code, out, errors = ctl("resume", facts["facts"], "-p", other.pid)
        assert code == 0 and out.count("is not paused") == 2, (out, errors)
        fails(2, "choose one job", "dump", path("c.json"), "-p", one.pid, "-p", two.pid)
        fails(2, "leave out --all", "pause", "--all")
    # All jobs must be found before the first request is sent.
    with Job() as one:
        fails(3, "there is no process %d" % two.pid, "pause", "-p", one.pid, "-p", two.pid)
        assert reports(one)[0]["jobs"][0]["collect"] == "run"


def path(name):
    return os.path.join(FOLDER.name, name)


def loaded(name):
    with open(path(name), encoding="utf-8") as file:
        return json.load(file)


def it_dumps_what_a_job_has_counted():
    with Job() as job:
        assert path("a.json") in done("dump", path("a.json"), "--finished", "-p", job.pid)
        dump = loaded("a.json")["proftop"]["applies"]
        report = reports(job)[0]
        assert report["jobs"][0]["collect"] == "stop"
        assert report["notices"][-1]["text"].startswith("control: dump trace finished (asked by ")
        assert {row["id"]: (row["calls"], row["total_ns"]) for row in dump} == \
            {row["id"]: (row["calls"], row["total_ns"]) for row in report["applies"]
             if row["calls"]}
        assert dump, "nothing was counted"
        fails(5, "is there already; --force replaces it", "dump", path("a.json"), "-p", job.pid)
        assert loaded("a.json")["proftop"]["applies"] == dump
        done("reset", "-p", job.pid)
        assert "has no rows" in done("dump", path("a.json"), "--force", "-p", job.pid)
        assert loaded("a.json")["proftop"]["applies"] == []
        done("set_state", "run", "-p", job.pid)
        reports(job, 2)
        done("dump", path("a.txt"), "-p", job.pid)
        with open(path("a.txt"), encoding="utf-8") as file:
            assert "\nProfile Statistics:" in file.read()
        code, out, errors = ctl("dump", "-", "-p", job.pid)
        assert code == 0 and "\nProfile Statistics:" in out and not errors, (code, errors)
        fails(2, "--finished and --force are of ctl dump", "pause", "--force", "-p", job.pid)
        assert path("o.json") in done("dump", "-o", path("o.json"), "-p", job.pid)
        assert "proftop" in loaded("o.json")
        fails(2, "dump writes one file", "dump", path("p.json"), "-o", "p.json", "-p", job.pid)
        fails(2, "leave out -o", "pause", "-o", path("p.json"), "-p", job.pid)
        fails(2, "leave out -n", "pause", "-n", "2", "-p", job.pid)
        assert not os.path.exists(path("p.json"))
    with Job(PROFTOP_CONTROL="0") as job:
        fails(3, "refused", "dump", path("b.json"), "-p", job.pid)
        assert not os.path.exists(path("b.json"))


def a_dump_takes_the_place_of_no_device():
    """Behind a link, like /dev/stdout; only the file is printed."""
    with Job() as job:
        for words in ((), ("--force",)):
            link = path("stdout")
            os.symlink("/proc/self/fd/1", link)
            code, out, errors = ctl("dump", link, *words, "-p", job.pid)
            assert code == 0 and not errors and "\nProfile Statistics:" in out, (code, errors)
            assert "dumped" not in out
            with open(path("told"), "w+b") as told:
                told.write(b"before")
                told.flush()
                subprocess.run([PROFTOP, "ctl", "dump", link, *words, "-p", str(job.pid)], env=ENV,
                               stdout=told, check=True, timeout=WAIT)
                told.seek(0)
                text = told.read()
            assert text.startswith(b"before") and b"\nProfile Statistics:" in text, text
            assert os.readlink(link) == "/proc/self/fd/1"
            os.unlink(link)
            os.symlink("/dev/null", path("null.json"))
            done("dump", path("null.json"), *words, "-p", job.pid)
            assert os.readlink(path("null.json")) == "/dev/null"
            os.unlink(path("null.json"))


def dump_file_outlives_a_crash():
    """The file is complete. A viewer that is attached has the last values, which are not final."""
    with Job() as job:
        viewer = subprocess.Popen([PROFTOP, "-b", "-n", "0", "-d", "0.1", "--format", "json", "-p",
                                   str(job.pid)], env=ENV, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
        first = json.loads(viewer.stdout.readline())
        done("dump", path("crash.json"), "-p", job.pid)
        dumped = sum(row["calls"] for row in loaded("crash.json")["proftop"]["applies"])
        while calls(json.loads(viewer.stdout.readline())) < dumped:
            pass
        job.process.kill()
        out, errors = viewer.communicate(timeout=WAIT)
        last = json.loads(out.splitlines()[-1])
        assert viewer.returncode == 4, errors
        assert (last["state"], last["final"]) == ("gone", False), (last["state"], last["final"])
        assert calls(first) <= dumped <= calls(last), (calls(first), dumped, calls(last))


def the_help_has_every_verb():
    said = shell.proftop(ENV, "--help").stdout
    for verb in ("pause", "resume", "reset", "set_state run|stop", "set_config KEY=VALUE",
                 "functions [PATTERN", "dump [FILE]"):
        assert "\n  %s" % verb in said, verb


if __name__ == "__main__":
    tap.run(it_pauses_and_resumes_a_job, a_reset_is_one_for_every_viewer,
            it_sets_keys_and_functions, viewers_get_each_control_and_its_requester,
            invalid_ctl_requests_are_rejected, where_no_job_is_none_is_paused,
            a_job_that_does_not_grant_it_refuses, a_job_that_is_stopped_gives_no_answer,
            ctl_selects_workers_and_servers_by_role, ctl_requests_reach_several_jobs_one_by_one,
            it_dumps_what_a_job_has_counted, a_dump_takes_the_place_of_no_device,
            dump_file_outlives_a_crash, the_help_has_every_verb)
