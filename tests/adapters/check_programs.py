# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_programs.py: typical programs under `proftop run`: they print the same as alone, and every
node is counted as the framework counts it. Times of nodes agree with the framework's, also inside a
Scan and in a lazy program, and with the time that waiting nodes report themselves."""
import json
import math
import statistics
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import Place, alone, applies, function, functions, job, tap, watched  # noqa: E402

STEPS, LENGTH, CALLS = 20, 30, 1501  # of jobs/programs.py
MANY_STEPS = 1000  # so that a clock of whole microseconds is precise enough
SAMPLED_STEPS, WAITING_STEPS = 3000, 15000  # so that they run until they are sampled
TABLES = "C VM by its pointer tables: "  # nodes on other routes do not count here
LONG_NS = 1000  # a node of such calls is compared within a tenth
WIDEST = 0.25  # of a time: a wider bar would accept anything
AROUND_NS = 200  # of a call of such a node, around its own clock: 95 to 115 on a quiet machine
STRETCHES = 5  # sampled ones, at least, in a run whose stretches are compared


def not_noticed(place, what, **options):
    """Compiles first. Returns the report of a run that compiles no more than one without
    proftop."""
    alone(place, job("programs"), what)
    bare = alone(place, job("programs"), what)
    done, known = watched(place, job("programs"), what, **options)
    assert bare.returncode == done.returncode == 0, (bare, done)
    assert (bare.stdout, bare.stderr) == (done.stdout, done.stderr) and bare.stdout, (bare, done)
    return known


def trained(what):
    """Our figures and the framework's, of a run that the framework profiles too."""
    with Place() as place:
        plain = not_noticed(place, what)
        told = place.file("truth.json")
        done, known = watched(place, job("programs"), what, TRUTH=told, flags="profile=True")
        assert done.returncode == 0, done.stderr
        told = watching.truth(told)
    watching.compare_calls(known, told, "train")
    for one in (plain, known):
        row = function(one, "train")
        nodes = applies(one, row)
        assert row["calls"] == STEPS and {node["calls"] for node in nodes} == {STEPS}, nodes
        assert [node["name"] for node in nodes] == [text for text, *_ in told["train"]]
        tables = [sum(line["self_ns"] for line in one[table])
                  for table in ("classes", "ops", "applies")]
        assert len(set(tables)) == 1 and tables[0] > 0, tables
    return plain, known, told


def a_network_is_counted():
    plain, *_ = trained("mlp")
    assert {row["impl"] for row in applies(plain, function(plain, "train"))} == {"C", "Py"}


@tap.all_only
def a_scan_and_its_gradient_are_counted():
    """Each is the parent of a function that is called once per step."""
    plain, known, told = trained("rnn")
    inner = sorted([[text, calls] for text, calls, *_ in told[name]]
                   for name in told if name != "train")
    assert len(inner) == 2 and {calls for rows in inner for _, calls in rows} == {STEPS * LENGTH}
    for one in (plain, known):
        names = {row["id"]: row["name"] for row in one["applies"]}
        rows = [row for row in one["functions"] if row["parent"] is not None]
        assert sorted(row["name"] for row in rows) == ["grad_of_steps", "steps"], rows
        assert all(row["name"] in names[row["parent"]] for row in rows), (rows, names)
        assert sorted([[node["name"], node["calls"]] for node in applies(one, row)]
                      for row in rows) == inner, (rows, inner)
        roots = sum(node["total_ns"] for node in applies(one, function(one, "train")))
        assert sum(node["self_ns"] for node in one["applies"]) == roots, one["functions"]


def far_off(known, told):
    """(rows, the distances of their times from the framework's, where 1 is the limit), by function
    and node. The limit covers the time between two clocks, and the row's own error figure. Calls
    are equal."""
    assert {row["name"] for row in known["functions"]} == set(told), (known["functions"], set(told))
    nodes = {}
    for one in known["functions"]:
        watching.compare_calls(known, told, one["name"])
        for row, (text, calls, seconds, *_) in zip(applies(known, one), told[one["name"]]):
            if calls:
                ns = seconds * watching.NS
                bar = min((row["total_error_ns"] or 0) / ns, WIDEST)
                nodes[one["name"], row["index"], text] = row, ns, bar
    return {node: row for node, (row, *_) in nodes.items()}, watching.nodes_are_off(nodes)


def times_agree(script, *words, **env):
    """Compares each node in the best of some runs, since other work on the machine falls between
    the clocks. The framework's clock covers our hooks, whose time depends on what the caches hold:
    some nodes have 500 ns in place of 100. So the framework's time of a run without proftop counts
    too. Returns the rows of the last run, by function and node."""
    rows = {}
    with Place() as place:
        def run():
            told, bare = place.file("truth.json"), place.file("bare.json")
            assert alone(place, job(script), *words, TRUTH=bare,
                         flags="profile=True").returncode == 0
            done, known = watched(place, job(script), *words, TRUTH=told, flags="profile=True",
                                  **env)
            assert done.returncode == 0, done.stderr
            route = known["jobs"][0]["route"]
            assert route.startswith(TABLES) and ";" not in route, route
            new, far = far_off(known, watching.truth(told))
            rows.update(new)
            _, apart = far_off(known, watching.truth(bare))
            return {node: min(far[node], apart[node]) for node in far}
        watching.best_of_runs(run)
    return rows


def each_time_agrees(names, script, *words):
    """Each call is timed. Each of these functions has a node that is long enough to compare."""
    rows = times_agree(script, *words, PROFTOP_BUDGET="0")
    assert all(row["timed"] == row["calls"] and row["total_error_ns"] is None
               for row in rows.values()), rows
    long = {name for (name, *_), row in rows.items() if row["total_ns"] > LONG_NS * row["calls"]}
    assert long == {name for name, *_ in rows} == names, rows


@tap.all_only
def times_of_a_network_are_the_frameworks():
    each_time_agrees({"train"}, "programs", "mlp", str(MANY_STEPS))


@tap.all_only
def times_inside_a_scan_and_its_gradient_are_the_frameworks():
    each_time_agrees({"train", "steps", "grad_of_steps"}, "programs", "rnn", str(MANY_STEPS))


@tap.all_only
def times_of_a_lazy_program_are_the_frameworks():
    each_time_agrees({"choose", "always"}, "lazy", str(MANY_STEPS), "1000")


@tap.all_only
def the_frameworks_times_are_in_the_bars_of_estimates():
    """Also with a sampling budget that a busy machine uses up. In untimed steps no clock of ours is
    inside the framework's."""
    rows = times_agree("programs", "rnn", str(SAMPLED_STEPS), PROFTOP_BUDGET="0.5")
    sampled = [row for row in rows.values() if row["timed"] < row["calls"]]
    assert sampled and all(row["total_error_ns"] for row in sampled), rows


def stretches_of(reports, sampled):
    """Node of the steps, by its index: ns per call in each stretch between two reports in which it
    was sampled, or was not."""
    was, found = {}, {}
    for known in reports:
        for one in known["functions"]:
            for row in applies(known, one) if one["parent"] is not None else ():
                now = row["calls"], row["timed"] or 0, row["total_ns"]
                calls, timed, ns = (a - b for a, b in zip(now, was.get(row["index"], now)))
                was[row["index"]] = now
                if calls and (timed < calls / 2) == sampled:
                    found.setdefault(row["index"], []).append(ns / calls)
    return found


def waited(place, one_of, budget):
    """One run with a sampling budget; 0: each call is timed. Returns the report, the rows of both
    nodes with the time that the nodes report for all of their calls, and by name the median of
    those reported times, and the excess of one of enough stretches."""
    done, known = watched(place, job("programs"), "waits", str(WAITING_STEPS),
                          options=["-d", "0.1"], PROFTOP_BUDGET=budget)
    assert done.returncode == 0, done.stderr
    assert known["jobs"][0]["route"] == TABLES + "2 functions", known["jobs"]
    with open(place.file("proftop.json"), encoding="utf-8") as file:
        stretches = stretches_of(map(json.loads, file), sampled=budget != "0")
    rows, said = applies(known, function(known, "steps")), json.loads(done.stdout)
    assert [row["name"][:3] for row in rows] == ["one", "two"], rows
    longer = {}
    for row, call_ns in zip(rows, said[1]):
        some = stretches.get(row["index"], [])
        if len(some) >= STRETCHES:
            longer[row["name"]] = call_ns, one_of(some) - call_ns
    return known, list(zip(rows, said[0])), longer


def waits_are_off(place):
    """Also with a sampling budget that a busy machine uses up. Returns the distance of the totals
    of both nodes from their own figures, and the distance of the median stretches from the least
    disturbed one of a run in which each call is timed. The nodes' own clock leaves out the code
    around it, and a part of itself."""
    *_, each = waited(place, min, "0")
    known, rows, longer = waited(place, statistics.median, "0.5")
    steps = function(known, "steps")
    [scan] = [row for row in known["applies"] if row["id"] == steps["parent"]]
    assert scan["timed"] == scan["calls"] == WAITING_STEPS, scan
    shown_at_ns = sum(spent_ns for _, spent_ns in rows)
    assert shown_at_ns < scan["total_ns"] < function(known, "wait")["vm_ns"], (scan, shown_at_ns)
    assert {row["calls"] for row, _ in rows} == {steps["calls"]} == {WAITING_STEPS * LENGTH}, rows
    if steps["calls"] in [row["timed"] for row, _ in rows]:
        return {}  # the feed got no processor before the job ended, so it has no samples
    far = {}
    for row, spent_ns in rows:
        bar = row["total_error_ns"] / spent_ns
        far["total", row["name"]] = watching.off(row, spent_ns, rounded=bar)
        if row["name"] in each and row["name"] in longer:
            (_, least_ns), (its_ns, its_more_ns) = each[row["name"]], longer[row["name"]]
            # The node tells one mean of all its calls. In a run that was disturbed it is above the
            # least stretch, and says nothing.
            far["each", row["name"]] = least_ns / AROUND_NS if least_ns > 0 else math.inf
            middle = {"total_ns": its_ns + its_more_ns, "calls": 1}
            far["middle", row["name"]] = watching.off(middle, its_ns + least_ns)
    return far


@tap.all_only
def waits_inside_a_scan_are_estimated_within_error():
    """A job that profiles nothing, with a small sampling budget: few steps are timed, and the
    others run as the framework made them. A disturbance in a timed step counts a hundredfold, and
    most disturbances are not seen. So the total is within its bar, which may be wide. The median of
    the stretches between two reports is as near as if each step were timed."""
    with Place() as place:
        watching.best_of_runs(lambda: waits_are_off(place), 6)


def one_function_in_three_threads():
    with Place() as place:
        known = not_noticed(place, "threads")
    row = function(known, "f")
    assert row["calls"] == CALLS, row
    assert {node["calls"] for node in applies(known, row)} == {CALLS}, applies(known, row)


def spawned_process_is_shown_as_a_child():
    with Place() as place:
        known = not_noticed(place, "spawn", options=["--children"])
    # It does not know its parent. The viewer found it by its process.
    main, child = known["jobs"]
    assert (main["parent"], child["parent"]) == (None, main["instance"]), known["jobs"]
    assert function(known, "own", child["id"])["job"] != main["id"], known["jobs"]
    [row] = functions(known, "own", child["id"])
    assert row["calls"] == 7 and {node["calls"] for node in applies(known, row)} == {7}, row


tap.run(a_network_is_counted, a_scan_and_its_gradient_are_counted,
        times_of_a_network_are_the_frameworks,
        times_inside_a_scan_and_its_gradient_are_the_frameworks,
        times_of_a_lazy_program_are_the_frameworks,
        the_frameworks_times_are_in_the_bars_of_estimates,
        waits_inside_a_scan_are_estimated_within_error, one_function_in_three_threads,
        spawned_process_is_shown_as_a_child)
