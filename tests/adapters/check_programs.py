# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_programs.py: programs of the kinds that people run, under `proftop run`: they print what
they print alone, and every node is counted as the framework counts it."""
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import Place, alone, applies, function, functions, job, tap, watched  # noqa: E402

STEPS, LENGTH, CALLS = 20, 30, 1501  # of jobs/programs.py


def not_noticed(place, what, **options):
    """Compiles what has to be, and gives what was known of a run like one without proftop."""
    alone(place, job("programs"), what)
    bare = alone(place, job("programs"), what)
    done, known = watched(place, job("programs"), what, **options)
    assert bare.returncode == done.returncode == 0, (bare, done)
    assert (bare.stdout, bare.stderr) == (done.stdout, done.stderr) and bare.stdout, (bare, done)
    return known


def trained(what):
    """What we know and what the framework counted, of a run that it profiles too."""
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


def a_scan_and_its_gradient_are_counted():
    """Each is the parent of a function, which is called once for each step."""
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


def one_function_in_three_threads():
    with Place() as place:
        known = not_noticed(place, "threads")
    row = function(known, "f")
    assert row["calls"] == CALLS, row
    assert {node["calls"] for node in applies(known, row)} == {CALLS}, applies(known, row)


def what_is_started_anew_is_a_child():
    with Place() as place:
        known = not_noticed(place, "spawn", options=["--children"])
    # It does not know who started it: the viewer found it by its process.
    main, child = known["jobs"]
    assert (main["parent"], child["parent"]) == (None, main["instance"]), known["jobs"]
    assert function(known, "own", child["id"])["job"] != main["id"], known["jobs"]
    [row] = functions(known, "own", child["id"])
    assert row["calls"] == 7 and {node["calls"] for node in applies(known, row)} == {7}, row


tap.run(a_network_is_counted, a_scan_and_its_gradient_are_counted, one_function_in_three_threads,
        what_is_started_anew_is_a_child)
