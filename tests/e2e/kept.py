# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""kept.py: `run --keep` and `proftop last`: the file of a killed job has what it last sent."""
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import PROFTOP, SYNTHETIC, WAIT, lines, one_sentence, tap  # noqa: E402

MEMORY = "/dev/shm"  # a place in memory, where the job keeps its counts beside its sockets
FOLDER = tempfile.TemporaryDirectory(dir=MEMORY, prefix="proftop-kept-")
ENV = dict(os.environ, PROFTOP_DIR=FOLDER.name, XDG_RUNTIME_DIR=FOLDER.name, LC_ALL="C.UTF-8",
           HOME=os.path.join(FOLDER.name, "home"), PROFTOP="1")
ENV.pop("COLUMNS", None)
KEEPS = dict(ENV, PROFTOP_KEEP="1")
OBJECTS = os.path.abspath(tap.built("object_job"))
# What a box does not have: it has no percentiles, and no figures of a moment.
ROWS = {"functions": ("name", "file", "line", "parent", "calls", "call_ns", "vm_ns", "timed"),
        "applies": ("name", "index", "function", "op", "kind", "source", "waits", "impl", "calls",
                    "total_ns", "self_ns", "min_ns", "max_ns", "timed", "sampled"),
        "ops": ("name", "class", "calls", "total_ns", "min_ns", "max_ns"),
        "classes": ("name", "calls", "total_ns")}


def proftop(*words, **more):
    return shell.proftop(ENV, *words, **more)


def report(*words):
    done = proftop(*words)
    assert done.returncode == 0 and not done.stderr, done
    return lines(done.stdout)[-1]


def calls(known):
    return sum(row["calls"] for row in known["applies"])


def killed(process):
    """Kills a process, and waits until the kernel has taken all of it away."""
    with shell.pidfd(process.pid) as ends:
        process.kill()
        assert tap.readable([ends], WAIT)


@contextlib.contextmanager
def job(*words, env=None):
    with shell.Job(env or KEEPS, *words) as one:
        yield one


def boxes():
    return sorted(name for name in os.listdir(FOLDER.name) if name.endswith(".box"))


def remove_boxes():
    for name in boxes():
        os.remove(os.path.join(FOLDER.name, name))


def same(live, left):
    for table, keys in ROWS.items():
        assert len(live[table]) == len(left[table]), table
        for was, now in zip(live[table], left[table]):
            for key in keys:
                assert was.get(key) == now.get(key), (table, key, was, now)


def what_is_left_is_what_was_shown():
    """Of a job that counts no more, and was not sampled: every figure."""
    with job(SYNTHETIC, "--applies", "300", "--threads", "3", "--seconds", "0", "--rate", "5",
             "--busy", "2000", "--change", "50",
             env=dict(KEEPS, PROFTOP_BUDGET="0")) as one:
        tap.wait_for("calls", lambda: calls(report("-b", "-p", one.pid, "--format", "json")) > 100,
                     WAIT)
        proftop("ctl", "pause", "-p", one.pid)
        live = report("-b", "-p", one.pid, "--format", "json")
        killed(one.process)
        left = report("last", "-b", "--format", "json", one.pid)
    assert calls(left) > 100
    same(live, left)
    assert left["state"] == "gone" and left["jobs"][0]["pid"] == one.pid
    assert left["jobs"][0]["instance"] == live["jobs"][0]["instance"]
    for key in ("program", "host", "framework", "version"):
        assert left["jobs"][0][key] == live["jobs"][0][key], key
    remove_boxes()


def hangs(one):
    """Waits until an op has been open for longer than the job's thread sleeps. Returns a report."""
    live = {}

    def is_long():
        live.update(report("-b", "-p", one.pid, "--format", "json"))
        return (live["applies"][0]["open_ns"] or 0) > 300_000_000
    tap.wait_for("an op that hangs", is_long, WAIT)
    return live


def the_op_at_death_is_named():
    with job(SYNTHETIC, "--applies", "40", "--hang") as one:
        live = hangs(one)
        killed(one.process)
        left = report("last", "-b", "--format", "json")
        text = proftop("last").stdout
    [was], [now] = live["now"], left["now"]
    assert (was["thread"], was["apply"]) == (now["thread"], now["apply"]) == ("walker 0", 0)
    assert abs(was["since_ns"] - now["since_ns"]) < 10_000_000, (was, now)
    assert "walker 0 was in apply0 for " in text and " or more. " in text, text
    assert "It ran last at 20" in text, text
    remove_boxes()


def estimates_are_marked():
    """A job is sampled while it is watched. Each of its calls is counted, and the mean of a call is
    within the bars from the mean that the job itself sent."""
    with job(SYNTHETIC, "--applies", "4", "--ops", "4", "--classes", "1", "--functions", "1",
             "--rate", "0", "--change", "100", "--busy", "1") as one:
        viewer = subprocess.Popen([PROFTOP, "-b", "-d", "0.3", "-p", str(one.pid), "-n", "0",
                                   "--format", "json"], env=ENV, stdout=subprocess.PIPE, text=True)
        try:
            for line in viewer.stdout:
                live = json.loads(line)
                if live["applies"] and all(row["timed"] is not None and
                                           row["timed"] < row["calls"] / 2
                                           for row in live["applies"]):
                    break
            killed(one.process)
        finally:
            viewer.terminate()
            viewer.stdout.close()
            viewer.wait(WAIT)
        left = report("last", "-b", "--format", "json")
    for was, now in zip(live["applies"], left["applies"]):
        assert now["calls"] >= was["calls"] and now["timed"] < now["calls"], (was, now)
        assert now["sampled"] is True and now["total_error_ns"] > 0, now
        (mean, bar), (its, its_bar) = ([row[key] / row["calls"]
                                        for key in ("total_ns", "total_error_ns")]
                                       for row in (now, was))
        assert abs(mean - its) <= bar + its_bar, (was, now)
    remove_boxes()


def run_keeps():
    runs = subprocess.Popen([PROFTOP, "run", "--keep", "-b", "-n", "0", "-o", "-", "--format",
                             "json", "--", SYNTHETIC, "--applies", "40", "--quiet"], env=ENV,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    told = json.loads(runs.stdout.readline())
    pid = told["jobs"][0]["pid"]
    one_sentence(proftop("last", pid), 3,
                 "synthetic, process %d, still runs: proftop -p %d attaches to it" % (pid, pid))
    os.kill(pid, signal.SIGKILL)
    runs.communicate(timeout=WAIT)
    left = report("last", "-b", "--format", "json", "synthetic")
    assert left["jobs"][0]["pid"] == pid, left["jobs"]
    listed = proftop("last", "-l").stdout.splitlines()
    assert listed[1].split()[0] == str(pid), listed  # those of other jobs of this user follow
    assert listed[1].split()[3:] == ["gone", "synthetic"], listed
    # Every report reads the file, and the comparison does.
    path = os.path.join(FOLDER.name, boxes()[0])
    assert report("-b", "--load", path, "--format", "json")["applies"] == left["applies"]
    done = proftop("diff", path, path, "--format", "json")
    assert done.returncode == 0, done
    remove_boxes()


def the_screen_shows_what_is_left():
    with job(SYNTHETIC, "--applies", "40", "--hang") as one:
        hangs(one)
        killed(one.process)
    screen = shell.Screen(ENV, "last")
    screen.wait_for("✖ GONE")
    screen.wait_for("walker 0 was in apply0")
    screen.wait_for("synthetic")
    screen.end()
    remove_boxes()


def a_clean_end_leaves_nothing():
    done = subprocess.run([SYNTHETIC, "--applies", "40", "--seconds", "1"], env=KEEPS,
                          capture_output=True, timeout=WAIT, check=False)
    assert done.returncode == 0 and not boxes(), (done, boxes())


def nothing_left_has_a_sentence():
    """A job of this user looks for a place in memory in more directories than PROFTOP_DIR."""
    others = proftop("last", "-l")
    if others.returncode == 0:
        raise tap.Skip("other jobs of this user left boxes; proftop last -l lists them")
    one_sentence(others, 3, "no job left anything behind: proftop run --keep COMMAND, or "
                 "PROFTOP_KEEP=1 in its environment")
    one_sentence(proftop("last"), 3, "no job left anything behind: proftop run --keep COMMAND")


def each_failure_has_a_sentence():
    one_sentence(proftop("last", "nobody"), 3, "that job left nothing behind: proftop last -l")
    one_sentence(proftop("last", "--all"), 2, "last shows what one job of this machine left")
    one_sentence(proftop("-b", "--keep", "-p", 1), 2, "--keep is of run")
    with job(SYNTHETIC, "--applies", "40") as one:
        killed(one.process)
    [name] = boxes()
    path, pid = os.path.join(FOLDER.name, name), name.split("-")[0]
    with open(path, "r+b") as file:
        file.seek(16)
        file.write(b"\x63")
    one_sentence(proftop("last", pid), 3,
                 "is a black box of version 99.5, and this proftop reads 1.5")
    with open(path, "r+b") as file:
        file.truncate(1000)
    one_sentence(proftop("last", pid), 3, "is cut off: a black box is longer")
    remove_boxes()


tap.run(what_is_left_is_what_was_shown, the_op_at_death_is_named, estimates_are_marked, run_keeps,
        the_screen_shows_what_is_left, a_clean_end_leaves_nothing, nothing_left_has_a_sentence,
        each_failure_has_a_sentence)
