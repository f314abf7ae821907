# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_graphs.py: graphs that a Python program defines itself have exact counts, in threads,
tasks, recursion and forked children. examples/engine.py is such a program."""
import sys

sys.dont_write_bytecode = True
from watching import PYTHON, Place, job, tap, watched_by  # noqa: E402

ENGINE = tap.source("examples", "engine.py")
THREADS, TIMES, DEPTH = 4, 100, 5
with open(job("graphs"), encoding="utf-8") as file:  # where the job makes its second graph
    LINE = file.read().partition('Graph("body"')[0].count("\n") + 1


def calls(known, group):
    """Name of a row -> its calls in all jobs."""
    found = {}
    for row in known[group]:
        found[row["name"]] = found.get(row["name"], 0) + row["calls"]
    return found


def counts_of_graphs_are_exact():
    with Place() as place:
        done, known = watched_by(PYTHON or sys.executable, place, job("graphs"),
                                 options=("--children",), PROFTOP_BUDGET="0")
    assert (done.returncode, done.stderr) == (0, b""), done
    many = THREADS * TIMES
    assert calls(known, "applies") == {
        "add(x, y)": many + 1 + 1, "add(y, x)": 2 * many, "Nested": DEPTH, "slow(x)": 1,
        "Early": 1, "Late": 1, "Decorated": 3, "Failing": 0, "Loop": 1, "Inside": 3,
        "Elsewhere": 1, "Overlapping": 2}, calls(known, "applies")
    assert calls(known, "functions") == {"engine": many + 1, "body": 3}, known["functions"]
    assert {(row["file"], row["line"]) for row in known["functions"]} == {
        ("engine.py", 7), (job("graphs"), LINE)}, known["functions"]
    row = {row["name"]: row for row in known["applies"] if row["job"] == 0}
    assert [row[name]["impl"] for name in ("add(x, y)", "add(y, x)", "slow(x)")] == [
        "Py", "C", None], row
    # A run takes longer than what is measured inside it, and shorter than what is around it. So
    # does the sum of two runs that overlap in one node. The two clocks may differ by 1 %.
    times = [int(word) for word in done.stdout.split()]
    for name, inside, around in ("slow(x)", *times[:2]), ("Overlapping", *times[2:]):
        assert 0.99 * inside <= row[name]["total_ns"] <= 1.01 * around, (row[name], times)


def an_engine_of_the_examples_is_seen():
    steps = 50
    with Place() as place:
        done, known = watched_by(PYTHON or sys.executable, place, ENGINE, str(steps),
                                 PROFTOP_BUDGET="0")
    assert (done.returncode, done.stderr) == (0, b""), done
    runs = steps + 1
    assert {row["name"]: row["calls"] for row in known["applies"]} == {
        "loop(x, y)": runs, "add(last, x)": runs, "sum(both)": runs, "mul(x, y)": 5 * runs,
        "tanh(product)": 5 * runs}, known["applies"]
    assert {row["name"]: row["calls"] for row in known["functions"]} == {
        "step": runs, "the loop's body": 5 * runs}, known["functions"]
    frame, = known["spans"]
    assert (frame["name"], frame["calls"]) == ("step", steps), frame


tap.run(counts_of_graphs_are_exact, an_engine_of_the_examples_is_seen)
