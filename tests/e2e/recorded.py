# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""recorded.py: recordings from the command line: what is read of one equals what was printed while
it was made; files that end anyhow; limits; and a sentence for each failure."""
import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import WAIT, one_sentence, tap  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
ENV = dict(os.environ, PROFTOP_DIR=FOLDER.name, XDG_RUNTIME_DIR=FOLDER.name, LC_ALL="C.UTF-8")
ENV.pop("COLUMNS", None)
TRAIN = os.path.abspath(tap.built("examples", "train"))
HALF_S = 3 if shell.instrumented() else 0.5  # of a recording: a slow viewer attaches first
TRAINS = [TRAIN, "--quiet", *shell.TRAIN_SIZE]  # in seconds, with sanitizers too
LIVES = os.path.abspath(tap.built("lives_job"))
TABLES = ("functions", "classes", "ops", "lines", "applies", "rewrites", "counters", "spans",
          "memory", "metrics", "markers")
FORMATS = ("text", "json", "theano", "aesara", "pytensor", "profilemode", "mxnet", "mxnet-json")


def path_of(name):
    return os.path.join(FOLDER.name, name)


def proftop(*words, **more):
    return shell.proftop(ENV, *words, **more)


def moment(path, seconds=None):
    """The JSON of a moment of a recording."""
    at = () if seconds is None else ("--at", "%.6f" % seconds)
    [found] = shell.rows(proftop("-b", "--format", "json", *at, path), "json.schema")
    assert found["state"] == found["jobs"][0]["state"] == "replay", found["state"]
    return found


def cumulative(report):
    """What does not depend on the report before it, nor on what came behind the moment."""
    return {table: [{key: value for key, value in row.items() if "interval" not in key}
                    for row in report[table]] for table in TABLES}


def a_replay_is_what_was_printed():
    """Each line that was printed live equals the recording at its stamp."""
    path, out = path_of("live.ptrec"), path_of("live.json")
    done = proftop("run", "--record", path, "-b", "-n", 6, "-d", 0.3, "--format", "json", "-o", out,
                   "--", *TRAINS, "--steps", 3000)
    assert done.returncode == 0 and "live.ptrec has " in done.stderr, done
    with open(out, encoding="utf-8") as file:
        live = [line for line in shell.lines(file.read())
                if line["state"] in ("live", "idle", "ended") and line["functions"]]
    assert len(live) >= 3, len(live)
    last = moment(path)
    first = moment(path, 0)["jobs"][0]["mono_ns"]
    compared = 0
    for line in live:
        mono = line["jobs"][0]["mono_ns"]
        if mono < first:
            continue
        then = moment(path, (mono - first) / 1e9 + 0.002)
        # A tick in which nothing has changed is no moment of its own.
        assert then["jobs"][0]["mono_ns"] <= mono, (then["jobs"][0]["mono_ns"], mono)
        assert cumulative(then) == cumulative(line), mono
        back = moment(path, (mono - last["jobs"][0]["mono_ns"]) / 1e9 + 0.002)  # from the end
        assert mono > last["jobs"][0]["mono_ns"] - 3e6 or cumulative(back) == cumulative(line), mono
        assert then["totals"] == line["totals"] if "totals" in line else True
        compared += 1
    assert compared >= 3, (compared, len(live))
    assert last["jobs"][0]["mono_ns"] >= live[-1]["jobs"][0]["mono_ns"] or \
        cumulative(last) == cumulative(live[-1])
    calls = sum(row["calls"] for row in last["applies"])
    assert calls >= sum(row["calls"] for row in live[-1]["applies"]) > 0


def every_report_works_on_a_recording():
    path = path_of("formats.ptrec")
    assert proftop("run", "--record", path, "-b", "-n", 1, "-o", os.devnull, "--", *TRAINS,
                   "--steps", 300).returncode == 0
    for name in FORMATS:
        done = proftop("-b", "--format", name, path)
        assert done.returncode == 0 and len(done.stdout) > 300 and not done.stderr, (name, done)
    text = proftop("-b", path).stdout
    assert "REPLAY" in text and "train" in text, text
    assert proftop("-b", "--pane", "op", "--top", 3, path).stdout.count("\n") < 30
    os.rename(path, path + ".renamed")  # the contents tell, not the name
    assert proftop("-b", path + ".renamed").stdout.count("REPLAY") == 1


def recordings_are_compared():
    """With themselves, with a job that runs, and with a saved report."""
    path, saved = path_of("diff.ptrec"), path_of("diff.json")
    with shell.Job(ENV, TRAIN, "--steps", "0") as job:
        done = proftop("record", "-p", job.pid, "-o", path, "--seconds", HALF_S)
        assert done.returncode == 0, done
        same = json.loads(proftop("diff", "--format", "json", path, path).stdout)
        assert same["totals"]["ops_ns"]["delta"] == 0 < same["totals"]["ops_ns"]["a"], same
        more = json.loads(proftop("diff", "--format", "json", path, job.pid).stdout)
        assert more["totals"]["ops_ns"]["delta"] > 0, more["totals"]
        with open(saved, "w", encoding="utf-8") as file:
            file.write(proftop("-b", "--format", "json", path).stdout)
        equal = json.loads(proftop("diff", "--format", "json", path, saved).stdout)
        assert equal["totals"]["ops_ns"]["delta"] == 0, equal["totals"]
        early = json.loads(proftop("diff", "--format", "json", "--at", 0, path, saved).stdout)
        assert early["totals"]["ops_ns"]["delta"] > 0, early["totals"]
    assert all(row["mark"] is None for row in same["ops"])


def size_of(path):
    return os.stat(path).st_size if os.path.exists(path) else 0


def known_job(*rows):
    """A job of known figures (diff_job.c): (name of its op, calls, ns of all calls)."""
    job = subprocess.Popen([tap.built("diff_job")], env=ENV, text=True, stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE)
    job.stdin.write("".join("train\ttensor.%s\t%s\t%s(x)\tC\t%d\t%d\n"
                            % (name, name, name, calls, ns) for name, calls, ns in rows) + "\n")
    job.stdin.flush()
    assert job.stdout.readline() == "published\n"
    return job


@tap.all_only
def a_recording_is_compared_as_its_job():
    """A recording of A against B gives the figures of two jobs that run."""
    path = path_of("of_a.ptrec")
    a, b = known_job(("X", 1, 10 ** 7)), known_job(("X", 1, 7 * 10 ** 6), ("Y", 2, 10 ** 6))
    try:
        assert proftop("record", "-p", a.pid, "-o", path, "--seconds", HALF_S).returncode == 0
        live = json.loads(proftop("diff", "--format", "json", a.pid, b.pid).stdout)
        recorded = json.loads(proftop("diff", "--format", "json", path, b.pid).stdout)
    finally:
        for job in (a, b):
            job.stdin.close()
            job.wait(WAIT)
            job.stdout.close()
    for table in ("totals", "classes", "ops", "applies"):
        assert recorded[table] == live[table], table
    assert recorded["totals"]["ops_ns"]["delta"] == -10 ** 6, recorded["totals"]


@contextlib.contextmanager
def recording(path, *words):
    """proftop record, once it has written moments."""
    with shell.Job(ENV, TRAIN, "--steps", "0") as job:
        process = subprocess.Popen([shell.PROFTOP, "record", "-p", str(job.pid), "-o", path,
                                    *map(str, words)], env=ENV, stderr=subprocess.PIPE, text=True)
        try:
            first = tap.wait_for("a block in the file", lambda: size_of(path) > 1000 and
                                 size_of(path), WAIT)
            tap.wait_for("a second one", lambda: size_of(path) > first, WAIT)
            yield process, job
        finally:
            process.kill()
            process.wait(WAIT)
            process.stderr.close()


def a_killed_recorder_leaves_a_whole_file():
    path = path_of("killed.ptrec")
    with recording(path) as (process, _):
        process.kill()
        process.wait(WAIT)
    done = proftop("-b", "--format", "json", path)
    [found] = shell.lines(done.stdout)
    assert sum(row["calls"] for row in found["applies"]) > 0
    one_sentence(done, 0, "was not ended")
    with open(path, "r+b") as file:  # torn amid a block
        file.truncate(os.stat(path).st_size - 7)
    one_sentence(proftop("-b", path), 0, "is cut off at byte", "what is before that is shown")


@tap.all_only
def ctrl_c_ends_a_recording_in_order():
    path = path_of("interrupted.ptrec")
    with recording(path) as (process, _):
        process.send_signal(signal.SIGINT)
        assert process.wait(WAIT) == 0
        said = process.stderr.read()
    assert "interrupted.ptrec has " in said and said.count("\n") == 1, said
    assert not proftop("-b", path).stderr
    assert os.stat(path).st_mode & 0o777 == 0o600


@tap.all_only
def the_end_of_a_job_ends_its_recording():
    path = path_of("ended.ptrec")
    with recording(path) as (process, job):
        job.process.send_signal(signal.SIGTERM)
        assert process.wait(WAIT) == 0
    assert "A recording: the job was " in moment(path)["jobs"][0]["reason"]


@tap.all_only
def limits_end_a_recording():
    small, slow = path_of("small.ptrec"), path_of("slow.ptrec")
    with shell.Job(ENV, shell.SYNTHETIC, "--applies", "5000", "--change", "100") as job:
        done = proftop("record", "-p", job.process.pid, "-o", small, "--size", 1)
        one_sentence_of_two(done, "stops at", "as large as was asked for")
        assert 1 << 20 <= os.stat(small).st_size < 4 << 20
        done = proftop("record", "-p", job.process.pid, "-o", slow, "--seconds", 2, "--every", 0.5)
        assert done.returncode == 0, done
        moments = int(done.stderr.split(" has ")[1].split()[0])
        assert 3 <= moments <= 8, done.stderr
    assert not proftop("-b", small).stderr and not proftop("-b", slow).stderr


def one_sentence_of_two(done, *words):
    said = done.stderr.splitlines()
    assert done.returncode == 0 and len(said) == 2, done
    for word in words:
        assert word in said[0], (word, said)


def a_full_disk_stops_the_recording_alone():
    """The reports go on, and the exit code is the command's."""
    path, out = path_of("full.ptrec"), path_of("full.json")

    words = [shell.PROFTOP, "run", "--record", path, "-b", "-n", "2", "--pane", "class", "-o", out,
             "--", *TRAINS, "--steps", "6000"]  # so many that the limit is reached
    with subprocess.Popen(words, env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as runs:
        # Of the viewer alone, once its job runs: a sanitizer's runtime in the job writes files of
        # its own when it begins.
        tap.wait_for("moments", lambda: os.path.exists(path) and os.stat(path).st_size > 200, WAIT)
        resource.prlimit(runs.pid, resource.RLIMIT_FSIZE, (9000, resource.RLIM_INFINITY))
        said, complaint = runs.communicate(timeout=WAIT)
    assert runs.returncode == 0, (said, complaint)
    assert "stops at" in complaint and "File too large" in complaint, complaint
    assert os.stat(out).st_size > 500
    found = proftop("-b", "--format", "json", path)
    assert shell.lines(found.stdout)[0]["applies"], found


def lives_do_not_mix():
    """A program that opens a feed, closes it, and opens another one: two jobs in the file, of which
    the last is shown."""
    path = path_of("lives.ptrec")
    done = proftop("run", "--record", path, "-b", "-n", 0, "-o", os.devnull, "--", LIVES, 300, 7)
    assert done.returncode == 0 and "of 2 jobs" in done.stderr, done
    found = moment(path)
    assert [row["calls"] for row in found["applies"]] == [7], found["applies"]
    # The first tick may come before the first life has defined its node.
    assert all(row["calls"] <= 300 for row in moment(path, 0)["applies"])


@tap.all_only
def several_jobs_are_in_one_file():
    path = path_of("several.ptrec")
    with shell.Job(ENV, TRAIN, "--steps", "0") as a, shell.Job(ENV, TRAIN, "--steps", "0") as b:
        done = proftop("record", "-p", a.pid, "-p", b.pid, "-o", path, "--seconds", HALF_S)
        assert done.returncode == 0 and "of 2 jobs" in done.stderr, done
    [found] = shell.rows(proftop("-b", "--format", "json", path), "json.schema")
    assert sorted(job["pid"] for job in found["jobs"]) == sorted((a.pid, b.pid)), found["jobs"]
    for number in (0, 1):
        assert sum(row["calls"] for row in found["applies"] if row["job"] == number) > 0
    assert "sum of 2 jobs" in proftop("-b", path).stdout
    one_sentence(proftop("diff", path, path), 3, "has 2 jobs; one is compared with one")


@tap.all_only
def a_reset_amid_a_recording():
    path = path_of("reset.ptrec")
    with recording(path) as (process, job):
        assert proftop("ctl", "reset", "-p", job.pid).returncode == 0
        size = os.stat(path).st_size
        tap.wait_for("more blocks", lambda: os.stat(path).st_size > size + 2000, WAIT)
        process.send_signal(signal.SIGINT)
        assert process.wait(WAIT) == 0
    first, last = moment(path, 0), moment(path)
    assert last["jobs"][0]["epoch"] > first["jobs"][0]["epoch"]
    assert sum(row["calls"] for row in last["applies"]) > 0


def the_screen_shows_a_recording():
    """It stands at the end; steps, plays to the end, and goes on behind what was read first."""
    path = path_of("screen.ptrec")
    assert proftop("run", "--record", path, "-b", "-n", 1, "-o", os.devnull, "--", *TRAINS,
                   "--steps", 1200).returncode == 0
    screen = shell.Screen(ENV, path, cols=140)
    screen.wait_for("REPLAY")
    screen.wait_for(" moments of ")
    screen.press(b"]")
    screen.wait_for("this is the newest moment")
    screen.press(b"+++")
    screen.wait_for("8 times")
    screen.press(b" ")
    screen.wait_for("▶ PLAYS")
    screen.wait_for("❚❚")
    screen.wait_for("the recording ends here")
    screen.press(b"{" * 9)
    screen.wait_for("begins here")
    screen.press(b"m}=")
    screen.wait_for("since mark A")
    screen.press(b"@noon\r")
    screen.wait_for("'noon' is no time")
    screen.press(b"@0\r")
    screen.press(b"l")
    screen.wait_for("plays again and again")
    screen.press(b"++++++")
    screen.wait_for("512 times")
    screen.press(b" ")  # the recording is over in a moment, and begins again
    screen.press(b"l")
    screen.wait_for("to its end, and no more")
    screen.seen = ""
    screen.wait_for("the recording ends here")
    screen.end()


def steps_back(screen):
    """None: there is no past of two moments yet, or it is not on the screen yet."""
    os.write(screen.master, b"[")
    if tap.readable([screen.master], 1):
        screen.seen += os.read(screen.master, 65536).decode("utf-8", "replace")
    return re.search(r" ([2-9]|\d\d+) moments of ", screen.seen)


def the_past_is_saved_by_a_key():
    before = os.getcwd()
    os.chdir(FOLDER.name)
    try:
        with shell.Job(ENV, TRAIN, "--steps", "0") as job:
            screen = shell.Screen(ENV, "-p", str(job.pid), "--refresh", "0.1", cols=140)
            screen.wait_for("LIVE")
            tap.wait_for("a past", lambda: steps_back(screen), WAIT)
            screen.press(b"r")
            screen.wait_for(".ptrec has")
            names = [name for name in os.listdir(".") if name.startswith("train-%d-" % job.pid)]
            screen.press(b"w")
            screen.wait_for("w ends that")
            screen.seen = ""
            screen.press(b"w")
            screen.wait_for(".ptrec has")
            screen.end()
            [name] = names
            [later] = [name for name in os.listdir(".")
                       if name.startswith("train-%d-" % job.pid) and name not in names]
    finally:
        os.chdir(before)
    assert sum(row["calls"] for row in moment(path_of(later))["applies"]) > 0
    assert name.endswith(".ptrec") and os.stat(path_of(name)).st_mode & 0o777 == 0o600
    begin, end = (sum(row["calls"] for row in moment(path_of(name), at)["applies"])
                  for at in (0, None))
    assert begin < end, "the first moment of the past has %d of %d calls" % (begin, end)


def each_failure_has_a_sentence():
    path, none = path_of("there.ptrec"), path_of("none.ptrec")
    with open(path, "w", encoding="ascii") as file:
        file.write("mine")
    with shell.Job(ENV, TRAIN, "--steps", "0") as job:
        one_sentence(proftop("record", "-p", job.pid, "-o", path), 5, "is there already")
        one_sentence(proftop("record", "-p", job.pid, "-o", FOLDER.name + "/no/x"), 5,
                     "cannot be created: No such file")
    with open(path, encoding="ascii") as file:
        assert file.read() == "mine"
    one_sentence(proftop("-b", path), 3, "is no recording; proftop record -o FILE makes one")
    one_sentence(proftop("-b", none), 3, "cannot be opened: No such file")
    one_sentence(proftop("record", "-p", os.getpid()), 2, "record wants a file")
    one_sentence(proftop("record", "-o", "-"), 2, "a recording is a file")
    one_sentence(proftop("record", "-o", none, "--seconds", "x"), 2, "--seconds takes seconds")
    one_sentence(proftop("-b", "--every", 1), 2, "--size and --every are of record")
    assert not os.path.exists(none)
    good = path_of("good.ptrec")
    assert proftop("run", "--record", good, "-b", "-n", 1, "-o", os.devnull, "--", *TRAINS,
                   "--steps", 100).returncode == 0
    one_sentence(proftop("diff", good, none), 3, "cannot be opened")
    one_sentence(proftop("-b", "--at", "noon", good), 3, "--at takes seconds")
    with open(good, "rb") as file:
        data = bytearray(file.read())
    data[len(data) // 2] ^= 1
    with open(path, "wb") as file:
        file.write(data)
    done = proftop("-b", path)
    assert "damaged" in done.stderr, done


tap.run(a_replay_is_what_was_printed, every_report_works_on_a_recording, recordings_are_compared,
        a_recording_is_compared_as_its_job, a_killed_recorder_leaves_a_whole_file,
        ctrl_c_ends_a_recording_in_order, the_end_of_a_job_ends_its_recording,
        limits_end_a_recording, a_full_disk_stops_the_recording_alone, lives_do_not_mix,
        several_jobs_are_in_one_file, a_reset_amid_a_recording, the_screen_shows_a_recording,
        the_past_is_saved_by_a_key, each_failure_has_a_sentence)
