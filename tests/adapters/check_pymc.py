# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_pymc.py: `pm.sample` under `proftop run --children`: the processes of PyMC's own sampler
are children of the job, each with the evaluations of its chain. The evaluations on nutpie's own
threads are counted too, node by node.

The Python is pymc in PROFTOP_TEST_MEMBERS."""
import ast
import functools
import os
import re
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import Place, applies, job, tap  # noqa: E402

CHAINS, TUNE, DRAWS = 2, 50, 60  # of jobs/pymcs.py
TIMES = 1, 3, 9  # nutpie draws this many times DRAWS


@functools.lru_cache(maxsize=None)
def sampled():
    """(proftop's last report, the job's output: {sampler: [evaluations of each chain] of each
    run})"""
    python, env = watching.need_member("pymc"), watching.family(name="pymc")
    with Place() as place:
        bare = watching.run([python, job("pymcs")], place.env(**env), place.path)
        done, known = watching.watched_by(python, place, job("pymcs"), options=["--children"],
                                          **env)
    assert bare.returncode == done.returncode == 0, (bare.stderr, done.stderr)
    assert bare.stdout == done.stdout, (bare.stdout, done.stdout)
    told = {}
    for name, counts in re.findall(r"^(\w+) (\[.*\])$", done.stdout.decode(), re.M):
        told.setdefault(name, []).append(ast.literal_eval(counts))
    return known, told


def called(known, number):
    """The functions that were called in a job, or whose nodes were."""
    rows = [row for row in known["functions"] if row["job"] == number]
    return [row for row in rows
            if row["calls"] or any(one["calls"] for one in applies(known, row))]


def line(mark):
    """FILE:LINE of the line of the model that has this mark."""
    with open(job("pymcs"), encoding="utf-8") as file:
        return "%s:%d" % (job("pymcs"), 1 + next(
            at for at, text in enumerate(file) if text.rstrip().endswith("# " + mark)))


def short(mark):
    return os.path.basename(line(mark))


@tap.all_only
def processes_are_children_with_the_calls_of_their_chains():
    known, told = sampled()
    main, *workers = known["jobs"]
    assert [one["parent"] for one in workers] == [main["instance"]] * CHAINS, known["jobs"]
    counts = []
    for worker in workers:
        [row] = called(known, worker["id"])
        assert row["name"] == "logp and gradient: " + short("SAMPLE"), row
        assert "%s:%d" % (row["file"], row["line"]) == line("SAMPLE"), row
        nodes = applies(known, row)
        assert len(nodes) > 3 and {one["calls"] for one in nodes} == {row["calls"]}, nodes
        assert 0 < sum(one["total_ns"] for one in nodes) < row["vm_ns"] <= row["call_ns"], row
        assert row["compile_ns"] is None, "it was compiled in the parent"
        counts.append(row["calls"])
    assert [sorted(counts)] == [sorted(run) for run in told["pymc"]], (counts, told)


def functions_are_called_by_what_they_are_for():
    known, _ = sampled()
    names = {row["name"].rpartition(": ") for row in known["functions"]}
    assert {place for _, _, place in names} == {short("SAMPLE")}, names
    assert {purpose for purpose, _, _ in names} == {
        "initial point", "logp and gradient", "values of a draw", "shapes"}, names


def nodes_are_of_the_line_of_their_variable():
    """For all samplers, with the gradient. No node has a line of a library. Only nodes for several
    variables at once have the line that asked for the function."""
    known, _ = sampled()
    named = {(row["job"], row["id"]): row["name"] for row in known["lines"]}
    assert set(named.values()) <= {None, *map(line, ("MEAN", "SPREAD", "Y", "SAMPLE"))}, named
    for row in known["functions"]:
        if not row["name"].startswith("logp and gradient"):
            continue
        lines = {}
        for node in applies(known, row):
            lines.setdefault(named[node["job"], node["line"]], []).append(node["name"])
        assert {line("MEAN"), line("Y")} <= set(lines), (row, lines)
        assert len(lines[line("Y")]) > len(lines.get(line("SAMPLE"), ())), (row, lines)


def behind_the_users_line_is_the_librarys():
    """The detail has the line of PyMC that wrote the term of the variable."""
    known, _ = sampled()
    found = {(row["job"], row["id"]): row["name"] for row in known["lines"]}
    behind = {}
    for one in known["applies"]:
        if one["detail"]:
            behind.setdefault(found[one["job"], one["line"]], set()).add(one["detail"]["library"])
    assert behind.get(None, {None}) == {None}, behind
    for mark in ("MEAN", "Y"):
        lines = behind[line(mark)] - {None}
        assert any(re.search(r"/pymc/(distributions|logprob)/\w+\.py:\d+$", one) for one in lines)
        assert all("/site-packages/" in one for one in lines), lines


def draws_are_counted_and_what_each_took():
    known, told = sampled()
    diverged = []
    for worker in known["jobs"][1:]:
        [row] = called(known, worker["id"])
        draws = {one["name"]: one for one in known["spans"] if one["job"] == worker["id"]}
        each = {one["name"]: one for one in known["counters"] if one["job"] == worker["id"]}
        assert {(one["domain"], one["kind"]) for one in draws.values()} == {("PyMC", "frame")}
        assert {name: one["calls"] for name, one in draws.items()} == {
            "tune": TUNE, "draw": DRAWS}, draws
        assert sum(one["total_ns"] for one in draws.values()) > row["call_ns"], (draws, row)
        # They do not overlap. With the gaps between them, their rate is at most their number over
        # their total time.
        for draw in draws.values():
            assert 0 < draw["rate"] <= draw["calls"] * watching.NS / draw["total_ns"], draw
        evaluated, left = each["evaluations per draw"], each["draws left"]
        assert evaluated["updates"] == left["updates"] == TUNE + DRAWS, each
        assert abs(evaluated["mean"] * (TUNE + DRAWS) - row["calls"]) < 1e-6, (each, row)
        assert (left["max"], left["min"], left["value"]) == (TUNE + DRAWS - 1, 0, 0), left
        assert each["time left"]["value"] == 0 < each["time left"]["max"], each
        diverged.append(each["divergences"]["value"])
    assert sorted(diverged) == sorted(told["pymc_diverged"][0]), (diverged, told)
    assert not [one for one in known["spans"] if one["job"] == 0], known["spans"]


def nutpies_threads_are_counted():
    known, told = sampled()
    jit = [(row, nodes) for row in called(known, 0) for nodes in [applies(known, row)]
           if {one["impl"] for one in nodes} == {"JIT"}]
    for row, nodes in jit:
        assert {one["calls"] for one in nodes} == {row["calls"]}, (row, nodes)
        assert 0 < sum(one["total_ns"] for one in nodes) < row["call_ns"], row
    # It computes the values to keep once for each draw.
    calls = [row["calls"] for row, _ in jit]
    for times in TIMES:
        assert calls.count(CHAINS * (TUNE + times * DRAWS)) == 1, calls
    said = [notice["text"] for notice in known["notices"] if "nutpie draws" in notice["text"]]
    assert len(said) == 1 and "not seen" in said[0], known["notices"]


def nutpies_evaluations_are_its_steps_and_a_start():
    """Before its first draw a chain evaluates its starting point three times, and once for each
    step of the search for its first step size. That depends on model and seed alone, so the
    difference is the same in runs of three lengths."""
    known, told = sampled()
    calls, starts = [row["calls"] for row in called(known, 0)], set()
    for run in told["nutpie"]:
        [evaluations] = [one for one in calls if sum(run) < one < sum(run) + 50 * CHAINS]
        starts.add(evaluations - sum(run))
    [start] = starts
    assert len(told["nutpie"]) == len(TIMES) and start >= (3 + 1) * CHAINS, (start, told)


tap.run(processes_are_children_with_the_calls_of_their_chains,
        functions_are_called_by_what_they_are_for, nodes_are_of_the_line_of_their_variable,
        behind_the_users_line_is_the_librarys,
        draws_are_counted_and_what_each_took, nutpies_threads_are_counted,
        nutpies_evaluations_are_its_steps_and_a_start)
