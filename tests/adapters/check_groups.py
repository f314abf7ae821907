# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_groups.py: functions with one profile or one mode of the job form a group. A group, and any
chosen functions, are one scope in every kind of report. The figures equal those in the framework's
own shared profile."""
import json
import re
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import Place, job, tap  # noqa: E402


def runs():
    """(name, package, Python) of each available member. PyTensor is always in it, else the test is
    skipped."""
    found = [("", "pytensor", watching.need_python())]
    for name in ("theano", "aesara", "pytensor-3.0"):
        try:
            found.append((name, watching.MEMBERS[name][0], watching.need_member(name)))
        except tap.Skip:
            pass
    return found


def flags(name):
    return watching.family("linker=cvm", watching.MEMBERS[name][2] if name else "", name=name)


def scoped(place, python, name, package, *options):
    done, known = watching.watched_by(python, place, job("groups"), package, options=options,
                                      **flags(name))
    assert done.returncode == 0, done
    return json.loads(done.stdout), known


def groups_are_listed():
    for name, package, python in runs():
        with Place() as place:
            truth, known = scoped(place, python, name, package)
        watching.check_groups(known["functions"])
        pair = [watching.applies(known, watching.function(known, one))[0] for one in "fg"]
        assert [row["calls"] for row in pair] == [1, 2], pair
        assert truth == {"calls": 3, "nodes": 2, "node_calls": 3}, truth


def a_shared_profile_is_one_scope():
    """B12: f 1 call, g 2 calls."""
    rows, known = of_group("f")
    assert rows == {"f": 1, "g": 2}, rows
    (op,) = known["ops"]
    assert (op["name"], op["calls"], op["applies"]) == ("Exp", 3, 2), op


def functions_of_one_mode_are_one_scope():
    """A11: a group is chosen by the name of any member. One of them has a profile of its own."""
    rows, known = of_group("two")
    assert rows == {"one": 1, "two": 2, "three": 3}, rows
    assert known["ops"][0]["calls"] == 6 and known["ops"][0]["applies"] == 3, known["ops"]


def of_group(name):
    """The calls of its functions and all other figures are the sums of both."""
    with Place() as place:
        _, known = scoped(place, watching.need_python(), "", "pytensor", "--group", name)
    rows = known["functions"]
    assert {row["function"] for row in known["applies"]} == {row["id"] for row in rows}
    total = sum(row["total_ns"] for row in known["applies"])
    for table, key in (("ops", "total_ns"), ("classes", "total_ns"), ("functions", "thunk_ns")):
        assert sum(row[key] for row in known[table]) == total > 0, (table, known[table])
    return {row["name"]: row["calls"] for row in rows}, known


def profile_of(place, dialect, *options):
    """The message, the calls and the rows of Ops of a report's only profile."""
    output = place.file("report.txt")
    done = watching.run([watching.PROFTOP, "run", "--summary", "--format", dialect, *options, "-o",
                         output, "--", watching.need_python(), job("groups"), "pytensor"],
                        dict(place.env(PROFTOP_ADAPTERS=watching.ADAPTERS), **flags("")),
                        place.path)
    with open(output, encoding="utf-8") as file:
        text = file.read()
    assert done.returncode == 0 and text.count("Function profiling\n") == 1, (done, text)
    ops = re.findall(r"^ +100.0% +100.0% .* C +(\d+) +(\d+) +(\S+)$", text, re.M)
    return (re.search("  Message: (.*)", text)[1],
            int(re.search(r"  Time in (\d+) calls to Function", text)[1]), ops)


def a_scope_of_several_is_one_profile():
    """B11: any chosen functions, in the words of the framework."""
    with Place() as place:
        message, calls, ops = profile_of(place, "pytensor", "--group", "g")
        assert (message, calls, ops[-1]) == ("f + g", 3, ("3", "2", "Exp")), (message, calls, ops)
        names = ("--function", "three", "--function", "g", "--function", "own")
        message, calls, ops = profile_of(place, "aesara", *names)
        assert (message, calls) == ("own + g + three", 6), (message, calls)
        assert ops[-1] == ("6", "3", "Exp"), ops


tap.run(groups_are_listed, a_shared_profile_is_one_scope, functions_of_one_mode_are_one_scope,
        a_scope_of_several_is_one_profile)
