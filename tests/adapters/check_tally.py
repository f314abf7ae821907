# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_tally.py: C VMs whose tables have an unknown layout (jobs/unlike) count themselves. The
job's output does not change, each node has the framework's own figures, and the header names the
step in use."""
import re
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import (Place, alone, applies, examined, function, job, tap,  # noqa: E402
                      watched)

STEPS = 20
UNLIKE = {"PYTHONPATH": watching.os.path.dirname(job("unlike/sitecustomize"))}
WHY = "the C VM is not laid out as known, its tables do not hold what its thunks say"
STEP_2 = "C VM by its own lists of times (step 2 of 3): "
STEP_3 = "no nodes, calls only (step 3 of 3): "
SECOND = STEP_2 + WHY
THIRD = STEP_3 + WHY + "; it has no switch for its times"


def compare_times(known, told, name):
    """All figures are the framework's own, of the same run."""
    watching.compare_calls(known, told, name)
    for row, (_, _, seconds, *_) in zip(applies(known, function(known, name)), told[name]):
        assert abs(row["total_ns"] - seconds * watching.NS) <= 2, (row, seconds)


def one_member(name):
    package, _, flags = watching.MEMBERS[name]
    python, env = watching.need_member(name), dict(watching.family(flags, name=name), **UNLIKE)
    with Place() as place:
        words = (job("member"), package, str(STEPS), "cvm")
        told = place.file("truth.json")
        _, profiled = watching.watched_by(python, place, *words, TRUTH=told, **env)
        told = watching.truth(told)
        bare = watching.run([python, *words], place.env(**env), place.path)
        done, known = watching.watched_by(python, place, *words, **env)
        env.update(watching.family(flags, "linker=cvm", name=name), **UNLIKE)
        second = examined(place, python, "x.py", **env)
    assert bare.returncode == done.returncode == 0, (bare.stderr, done.stderr)
    assert (bare.stdout, bare.stderr) == (done.stdout, done.stderr), (bare, done)
    compare_times(profiled, told, "cvm")
    assert known["jobs"][0]["route"] == STEP_2 + "1 function", known["jobs"]
    row = function(known, "cvm")
    rows = applies(known, row)
    assert [one["name"] for one in rows] == [text for text, *_ in told["cvm"]], rows
    assert {one["calls"] for one in rows} == {row["calls"]} == {STEPS}, rows
    assert 0 < sum(one["total_ns"] for one in rows) <= row["vm_ns"] <= row["call_ns"], row
    assert second["route"] == [("note", SECOND)], second


def lazy_nodes_and_those_inside_others_are_counted():
    with Place() as place:
        told = place.file("truth.json")
        _, known = watched(place, job("lazy"), TRUTH=told, **UNLIKE)
        for name in ("choose", "always"):
            compare_times(known, watching.truth(told), name)
        bare = alone(place, job("inner"), **UNLIKE)
        done, known = watched(place, job("inner"), **UNLIKE)
    assert bare.stdout == done.stdout and done.returncode == 0, done
    assert known["jobs"][0]["route"] == STEP_2 + "4 functions", known["jobs"]
    nodes = {row["id"]: row for row in known["applies"]}
    inner = [row for row in known["functions"] if row["parent"] is not None]
    assert sorted(nodes[row["parent"]]["function"] for row in inner) == sorted(
        function(known, name)["id"] for name in ("outer", "box")), known["functions"]
    [steps] = [row for row in inner if row["calls"] == 20 * 100]
    assert {row["calls"] for row in applies(known, steps)} == {2000}, steps
    said = [one["text"] for one in known["notices"] if WHY in one["text"]]
    assert len(said) == 4 and all("shapes and bytes only fixed ones" in one for one in said), said
    # The inside of a node is in the sum once: as its own time, not as the node's.
    roots = sum(row["total_ns"] for name in ("outer", "box")
                for row in applies(known, function(known, name)))
    assert sum(row["self_ns"] for row in known["applies"]) == roots > 0, known["functions"]
    assert all(nodes[row["parent"]]["self_ns"] < nodes[row["parent"]]["total_ns"] for row in inner)


def last_fallback_is_reported_as_the_route():
    with Place() as place:
        found = examined(place, watching.need_python(), "x.py", UNLIKE="switch", **UNLIKE)
        bare = alone(place, job("lazy"), TRUTH=place.file("bare"), UNLIKE="switch", **UNLIKE)
        done, known = watched(place, job("lazy"), TRUTH=place.file("truth"), UNLIKE="switch",
                              **UNLIKE)
    assert found["route"] == [("note", THIRD)], found
    assert bare.returncode == done.returncode == 0, (bare, done)
    assert known["jobs"][0]["route"] == STEP_3 + "2 functions", known["jobs"]
    assert function(known, "choose")["calls"] == 5 and not known["applies"], known["applies"]


def errors_pass_unchanged():
    """A failing node with C code is counted where the framework counts it."""
    with Place() as place:
        bare = alone(place, job("errors"), **UNLIKE)
        done, known = watched(place, job("errors"), **UNLIKE)
    assert bare.returncode == done.returncode == 3, (bare.returncode, done.returncode)
    where = re.compile(rb"0x[0-9a-f]+")
    assert bare.stdout == done.stdout
    assert where.sub(b"", bare.stderr) == where.sub(b"", done.stderr), (bare.stderr, done.stderr)
    assert {row["calls"] for row in applies(known, function(known, "in_c"))} == {3}
    assert {row["calls"] for row in applies(known, function(known, "in_python"))} == {2}


def forked_workers_count_anew():
    with Place() as place:
        done, known = watched(place, job("fork"), options=["--children"], **UNLIKE)
    assert (done.returncode, done.stdout) == (0, b"done\n"), done
    assert not [one for one in known["notices"] if "--children" in one["text"]], known["notices"]
    main, *_ = [one["id"] for one in known["jobs"]]
    for name in ("f", "g"):
        for row in watching.functions(known, name, main):
            assert {one["calls"] for one in applies(known, row)} == {row["calls"]}, row
    worker = next(row for one in known["jobs"] for row in watching.functions(known, "f", one["id"])
                  if row["calls"] == 1000)
    assert {row["calls"] for row in applies(known, worker)} == {1000}, worker


def taking_it_away_leaves_nothing():
    with Place() as place:
        done, known = watched(place, job("untally"), **UNLIKE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"clean "), done.stdout
    for name in ("f", "g", "h"):
        row = function(known, name)
        assert {one["calls"] for one in applies(known, row)} == {row["calls"]} == {4}, row


def values_are_set_outside_the_reported_own_time():
    """Each has an overhead of its own in proftop's overhead. While it is attached, jobs/untally.py
    calls three functions of three nodes, four times each."""
    with Place() as place:
        between, order = place.file("order.so"), place.file("order")
        made = watching.run([*tap.CC, "-shared", "-fPIC", "-o", between,
                             tap.source("tests", "adapters", "jobs", "order.c")],
                            place.env(), place.path)
        assert made.returncode == 0, made.stderr
        done, _ = watched(place, job("untally"), LD_PRELOAD=between, ORDER=order, **UNLIKE)
        assert done.returncode == 0, done.stderr
        with open(order, encoding="ascii") as file:
            assert file.read() == "psss" * 12
    assert done.stdout.startswith(b"clean "), done.stdout


tap.run(lazy_nodes_and_those_inside_others_are_counted, last_fallback_is_reported_as_the_route,
        errors_pass_unchanged, forked_workers_count_anew, taking_it_away_leaves_nothing,
        values_are_set_outside_the_reported_own_time,
        *watching.of_each("an_unlike_vm_counts_itself_in_", one_member))
