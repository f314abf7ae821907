# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_mxnet_objects.py: objects that an MXNet job publishes by mxnet.profiler are published by
proftop too, even if that profiler never runs. So are the job's steps and its waits for batches."""
import json
import re
import sys

sys.dont_write_bytecode = True
import attaching  # noqa: E402
from watching import (ADAPTERS, PROFTOP, Place, job, need_member, of_each, run, tap,  # noqa: E402
                      watched_by)

VERSIONS = ("mxnet-1.9", "mxnet-2.0")
LONG = "long " + 10000 * "x"
ODD = "odd \"domain\"\nof two lines"
# kind, name: calls
SPANS = {
    ("task", "job", "task"): 4, ("frame", "job", "frame"): 4, ("event", "event", "event"): 5,
    ("task", "job", "twice"): 2, ("task", "job", "subclass"): 1,
    ("task", ODD, "quotes \" and '"): 1, ("task", ODD, "lines\nof\ttext"): 1,
    ("task", ODD, LONG): 1, ("task", ODD, "caf\u00e9"): 1,
}
# name: value, smallest, largest, updates
COUNTERS = {"large": (5000000000, 3000000000, 5000000000, 3), "small": (-1, -1, 0, 2),
            "steps": (20, 10, 24, 6), "floats": (4, 2, 4, 2), "again": (3, 3, 3, 2)}
STEPS, SAMPLES, MODULES = 10, 80, 3


def watch(version, place, name, *words, **env):
    return watched_by(need_member(version), place, job(name), *words, **env)


def whole(name):
    """Viewers show 4 KiB of a name, and the length of the rest."""
    cut = name.startswith(LONG[:4000]) and " bytes, " in name[-40:]
    return LONG if cut else name


def rows_of(known):
    spans = {(row["kind"], row["domain"], whole(row["name"])): row["calls"]
             for row in known["spans"]}
    counters = {row["name"]: (row["value"], row["min"], row["max"], row["updates"])
                for row in known["counters"] if row["domain"] == "job"}
    return spans, counters


def same(found, expected):
    other = {key[-1] if isinstance(key, tuple) else key: (found.get(key), expected.get(key))
             for key in {*found, *expected} if found.get(key) != expected.get(key)}
    assert not other, other


def bits(value):
    """MXNet stores the number from Python as a C int, and prints it in thousands."""
    low = value & 0xffffffff
    return (low - (1 << 32) if low >= 1 << 31 else low) % (1 << 64) / 1000


def printed(text):
    """Rows of MXNet's own table: name -> (count, total)."""
    rows = re.findall(r"^(\S.*?|of\ttext)\s+(\d+)((?: +[\d.]+){4})$", text, re.M)
    return {name: (int(count), float(figures.split()[0])) for name, count, figures in rows}


def objects(version):
    """Values are exact, where MXNet keeps 32 bits. Names are complete, where it keeps 127 bytes."""
    with Place() as place:
        done, known = watch(version, place, "mxnet_objects")
    assert done.returncode == 0 and done.stdout == b"", done
    spans, counters = rows_of(known)
    same(spans, SPANS)
    same(counters, COUNTERS)
    marks = [(row["domain"], row["name"], row["scope"]) for row in known["markers"]]
    assert marks == [("job", "marker", "process"), ("job", "marker", "thread")], marks
    assert known["jobs"][0]["invalid"] == 0, known["jobs"]
    scopes = [(row["scope"], row["bytes"]) for row in known["memory"]
              if row["scope"] and row["pool"] == "job's"]
    assert scopes == ([("net:layer:", 4096)] if version == "mxnet-2.0" else []), known["memory"]


def agrees(version):
    """Compared with the output of MXNet's own profiler at the end of the same run."""
    with Place() as place:
        done, known = watch(version, place, "mxnet_objects", "run")
    assert done.returncode == 0, done
    spans, counters = rows_of(known)
    same(spans, SPANS)
    same(counters, COUNTERS)
    theirs = printed(done.stdout.decode())
    for (_, _, name), calls in SPANS.items():
        name = name.encode()[:127].decode().split("\n")[-1]
        assert theirs[name][0] == calls, (name, theirs)
    for name, (value, _, _, updates) in COUNTERS.items():
        count, last = theirs[name]
        assert (count, last) == (updates, round(bits(value), 4)) or \
            abs(last / bits(value) - 1) < 1e-6 and count == updates, (name, theirs[name])


def steps(version):
    """For Trainer and Module, with their train rows. The loss is the same as without proftop."""
    modules = MODULES if version == "mxnet-1.9" else 0
    with Place() as place:
        bare = run([need_member(version), job("mxnet_steps")], place.env(), place.path)
        done, known = watch(version, place, "mxnet_steps")
    assert bare.returncode == done.returncode == 0, (bare, done)
    assert bare.stdout == done.stdout and b"gluon" in bare.stdout, (bare, done)
    spans, _ = rows_of(known)
    # One step fails and has no samples. The last wait gets no batch.
    assert spans == {("frame", "MXNet", "step"): (1 + modules) * STEPS + 1,
                     ("task", "MXNet", "wait for batch"): STEPS + 1}, spans
    counters = [(row["domain"], row["name"], row["value"]) for row in known["counters"]
                if row["name"] == "samples"]
    assert counters == [("MXNet", "samples", (1 + modules) * SAMPLES)], counters


def workers(version):
    """Processes make the batches: the waits belong to the job, and no worker has rows."""
    with Place() as place:
        done, known = watch(version, place, "mxnet_steps", "2")
    assert done.returncode == 0, done
    spans, _ = rows_of(known)
    assert spans == {("frame", "MXNet", "step"): STEPS + 1,
                     ("task", "MXNet", "wait for batch"): STEPS + 1}, spans


def unwraps(version):
    """The job asserts it."""
    with Place() as place:
        done, known = watched_by(need_member(version), place, job("mxnet_unwrap"))
    assert done.returncode == 0, done
    spans, _ = rows_of(known)
    assert spans == {("task", "(domain not known)", "before"): 1,
                     ("task", "objects", "threads"): 2000, ("task", "objects", "forked"): 1}, spans
    counters = {(row["domain"], row["name"]): (row["value"], row["updates"])
                for row in known["counters"] if row["name"] in ("before", "threads", "forked")}
    assert counters == {("(domain not known)", "before"): (9, 2),
                        ("objects", "threads"): (2000, 4001),
                        ("objects", "forked"): (6, 2)}, counters


ABORTS = """
from mxnet import profiler
profiler.Domain("")
"""


def a_domain_without_a_name(version):
    """MXNet aborts the program, as it does without proftop. Nothing else is wrong."""
    with Place() as place:
        with open(place.file("aborts.py"), "w", encoding="ascii") as file:
            file.write(ABORTS)
        bare = run([need_member(version), "aborts.py"], place.env(), place.path)
        done = run([PROFTOP, "run", "-b", "-n", "0", "--format", "json", "-o", "report.json", "--",
                    need_member(version), "aborts.py"],
                   place.env(PROFTOP_ADAPTERS=ADAPTERS), place.path)
        with open(place.file("report.json"), encoding="utf-8") as file:
            known = json.loads(file.read().splitlines()[-1])
    assert (bare.returncode, done.returncode) == (-6, 128 + 6), (bare, done)
    assert (known["jobs"][0]["state"], known["jobs"][0]["misuse"]) == ("gone", 0), known["jobs"]


LATE = {("task", "(domain not known)", "old"), ("event", "event", "old"), ("task", "job", "new")}
# The value of `adds` is unknown.
LATE_VALUES = {("(domain not known)", "old"): 5000000001, ("job", "new"): -3}


def late(version):
    """Objects that existed before the attach; pause and resume from outside; a detach restores
    everything."""
    def values_of(known):
        return {(row["domain"], row["name"]): row["value"] for row in known["counters"]
                if row["domain"] != "MXNet" and row["name"] in ("old", "new", "adds")}

    def is_whole(known):
        return LATE <= set(rows_of(known)[0]) and values_of(known) == LATE_VALUES and \
            any(row["name"] == "old" and row["domain"] == "job" for row in known["markers"])

    def calls(known):
        return rows_of(known)[0]["task", "job", "new"]

    with Place() as place:
        command = [need_member(version), job("mxnet_late")]
        with attaching.Job(command, place.env(), cwd=place.path) as running:
            attaching.look_until(place, running, is_whole)
            attaching.ask(place, "ctl", "pause", "-p", str(running.pid))
            before = calls(attaching.look(place, running)[0])
            assert calls(attaching.look(place, running)[0]) == before
            attaching.ask(place, "ctl", "resume", "-p", str(running.pid))
            attaching.look_until(place, running, lambda known: calls(known) > before)
            attaching.ask(place, "ctl", "detach", "-p", str(running.pid))
            assert running.end() == "[]"


TESTS = [test for what, one in (("objects_of_", objects), ("agrees_with_", agrees),
                                ("steps_of_", steps), ("workers_of_", workers),
                                ("unwraps_", unwraps), ("late_in_", late),
                                ("a_domain_without_a_name_of_", a_domain_without_a_name))
         for test in of_each(what, one, VERSIONS)]
tap.run(*TESTS)
