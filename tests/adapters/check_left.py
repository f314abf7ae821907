# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_left.py: a call of a function without a VM that is aborted between two nodes is over then.
The following calls count."""
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import Place, applies, function, job, tap  # noqa: E402

GOOD, STEPS = 3, 4  # of jobs/left.py


def run(name, where):
    python, package, flags, folder = watching.member(name)
    with Place() as place:
        done, known = watching.watched_by(python, place, job("left"), package, where,
                                          **watching.family(flags, name=folder))
    assert (done.returncode, done.stdout) == (0, b"left\n"), done
    return known


def counts(known, name):
    """Calls of the function and of each of its nodes."""
    row = function(known, name)
    return row["calls"], [one["calls"] for one in applies(known, row)]


def one_member(name):
    """An aborted call is not counted. But its first node has run in it, and its values were
    read."""
    for where in ("between", "inside"):
        known = run(name, where)
        assert not [row for row in known["functions"] if row["open_since_ns"]], known["functions"]
        calls, steps = GOOD + 1, GOOD * STEPS
        assert counts(known, "f") == (calls, [calls + 3, calls, calls]), known["applies"]
        assert counts(known, "other") == (1, [1, 1, 1]), known["applies"]
        assert counts(known, "steps") == (steps, [steps + 2, steps, steps]), known["applies"]
        assert (function(known, "outer")["calls"], function(known, "last")["calls"]) == (GOOD, 1)
        for one in ("f", "steps"):
            first = applies(known, function(known, one))[0]
            assert first["shapes"] == "float64[3] -> float64[3]", first


tap.run(*watching.of_each("left_calls_are_over_in_", one_member,
                          ("pytensor-2.31", *watching.MEMBERS)))
