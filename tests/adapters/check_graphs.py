# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_graphs.py: graphs that a Python program defines itself have exact counts, in threads,
tasks, recursion and forked children. examples/engine.py is such a program."""
import json
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


IDLE = """
import time
import proftop
outer = proftop.Graph("outer")
loop = outer.node("Loop")
inner = proftop.Graph("inner", parent=loop)
node = inner.node("Node")
def spin(ns):
    until = time.perf_counter_ns() + ns
    while time.perf_counter_ns() < until:
        pass
for _ in range(200):
    with outer.call(), loop:
        spin(200000)
        with inner.call(), node:
            spin(20000)
    time.sleep(0.01)
"""


def own_time_follows_while_the_job_is_idle():
    """Between its calls the job waits, so most looks at it find nothing running. The own time of a
    node with a graph inside is not behind that of one report before."""
    with Place() as place:
        path = place.file("idle.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(IDLE)
        done, _ = watched_by(PYTHON or sys.executable, place, path, options=("-d", "0.1"),
                             PROFTOP_BUDGET="0")
        with open(place.file("proftop.json"), encoding="utf-8") as file:
            reports = [json.loads(line) for line in file]
    assert (done.returncode, done.stderr) == (0, b""), done
    owed, looks = 0, 0
    for known in reports:
        rows = {row["name"]: row for row in known["applies"]}
        inside = {row["name"]: row for row in known["functions"]}.get("inner")
        if "Loop" not in rows or not inside or inside["thunk_ns"] is None:
            continue
        own_ns = rows["Loop"]["self_ns"]
        assert own_ns >= owed, (own_ns, owed, looks)
        owed, looks = rows["Loop"]["total_ns"] - inside["thunk_ns"] - 2000000, looks + 1
    assert looks > 10 and own_ns > 200 * 200000, (looks, own_ns)


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


tap.run(counts_of_graphs_are_exact, own_time_follows_while_the_job_is_idle,
        an_engine_of_the_examples_is_seen)
