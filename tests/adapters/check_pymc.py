# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_pymc.py: `pm.sample` under `proftop run --children`: the processes of PyMC's own sampler
are children of the job, each with the evaluations of its chain, and those that nutpie makes on
threads of its own are counted too, node for node.

The Python is that of pymc in PROFTOP_TEST_MEMBERS."""
import ast
import functools
import os
import re
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import Place, applies, job, tap  # noqa: E402

CHAINS, DRAWS = 2, 110  # of jobs/pymcs.py, with those that tune


@functools.lru_cache(maxsize=None)
def sampled():
    """(what proftop last knew, what the job printed: sampler -> evaluations of each chain)"""
    python, env = watching.need_member("pymc"), watching.family(name="pymc")
    with Place() as place:
        bare = watching.run([python, job("pymcs")], place.env(**env), place.path)
        done, known = watching.watched_by(python, place, job("pymcs"), options=["--children"],
                                          **env)
    assert bare.returncode == done.returncode == 0, (bare.stderr, done.stderr)
    assert bare.stdout == done.stdout, (bare.stdout, done.stdout)
    told = re.findall(r"^(\w+) (\[.*\])$", done.stdout.decode(), re.M)
    return known, {name: ast.literal_eval(counts) for name, counts in told}


def called(known, number):
    """The functions that were called in a job, or whose nodes were."""
    rows = [row for row in known["functions"] if row["job"] == number]
    return [row for row in rows
            if row["calls"] or any(one["calls"] for one in applies(known, row))]


def processes_are_children_with_the_calls_of_their_chains():
    known, told = sampled()
    main, *workers = known["jobs"]
    assert [one["parent"] for one in workers] == [main["instance"]] * CHAINS, known["jobs"]
    counts = []
    for worker in workers:
        [row] = called(known, worker["id"])
        assert row["name"].startswith(os.path.join("pymc", "model", "core.py") + ":"), row
        nodes = applies(known, row)
        assert len(nodes) > 3 and {one["calls"] for one in nodes} == {row["calls"]}, nodes
        assert 0 < sum(one["total_ns"] for one in nodes) < row["vm_ns"] <= row["call_ns"], row
        assert row["compile_ns"] is None, "it was compiled in the parent"
        counts.append(row["calls"])
    assert sorted(counts) == sorted(told["pymc"]), (counts, told)


def draws_are_counted_and_what_each_took():
    known, _ = sampled()
    for worker in known["jobs"][1:]:
        [row] = called(known, worker["id"])
        [draw] = [one for one in known["spans"] if one["job"] == worker["id"]]
        [each] = [one for one in known["counters"] if one["job"] == worker["id"]]
        assert (draw["domain"], draw["kind"], draw["name"]) == ("PyMC", "frame", "draw"), draw
        assert draw["calls"] == DRAWS and draw["total_ns"] > row["call_ns"], (draw, row)
        # They begin and end one behind the other: with what lies between, no more a second.
        assert 0 < draw["rate"] <= DRAWS * watching.NS / draw["total_ns"], draw
        assert (each["name"], each["updates"]) == ("evaluations per draw", DRAWS), each
        assert abs(each["mean"] * DRAWS - row["calls"]) < 1e-6, (each, row)
    assert not [one for one in known["spans"] if one["job"] == 0], known["spans"]


def nutpies_threads_are_counted():
    known, told = sampled()
    jit = [(row, nodes) for row in called(known, 0) for nodes in [applies(known, row)]
           if {one["impl"] for one in nodes} == {"JIT"}]
    for row, nodes in jit:
        assert {one["calls"] for one in nodes} == {row["calls"]}, (row, nodes)
        assert 0 < sum(one["total_ns"] for one in nodes) < row["call_ns"], row
    evaluated, *rest = sorted(jit, key=lambda one: -one[0]["calls"])
    # It looks for a place to start, and for the size of its first step, before it draws.
    steps = sum(told["nutpie"])
    assert steps < evaluated[0]["calls"] < steps + 50 * CHAINS, (evaluated[0], told)
    # What it keeps of a draw is computed once for each.
    assert [row["calls"] for row, _ in rest] == [CHAINS * DRAWS], rest
    said = [notice["text"] for notice in known["notices"] if "nutpie draws" in notice["text"]]
    assert len(said) == 1 and "not seen" in said[0], known["notices"]


tap.run(processes_are_children_with_the_calls_of_their_chains,
        draws_are_counted_and_what_each_took, nutpies_threads_are_counted)
