# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_spared.py: steps of a Scan in which the sampling budget lets no node be timed. They run the
framework's own thunks, and are counted at each node all the same."""
import json
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import Place, applies, job, tap  # noqa: E402

# Theano's own C VM does not run a Scan on this Python.
MEMBERS = ("pytensor-2.31", "pytensor-2.25", "pytensor-3.0", "pymc", "aesara")
BUDGET = {"PROFTOP_BUDGET": "0.01"}


def runs():
    """(name, Python, words, environment) of each available member."""
    for name in watching.there():
        if name in MEMBERS:
            python, package, own, folder = watching.member(name)
            yield name, python, [job("spared"), package], dict(
                BUDGET, **watching.family("linker=cvm", own, name=folder))


def inside(known, name):
    """The function of a Scan that was made as `name`."""
    row, = [row for row in known["functions"]
            if row["name"] == name and row["parent"] is not None]
    return row


def gone(way):
    """(name, output, the viewer's reports) of each member in that way."""
    for name, python, words, env in runs():
        with Place() as place:
            output = place.file("proftop.json")
            done = watching.run([python, *words, way, watching.ADAPTERS, watching.PROFTOP, output],
                                place.env(**env), place.path)
            assert done.returncode == 0, (name, done)
            with open(output, encoding="utf-8") as file:
                reports = [json.loads(line) for line in file]
        yield name, done.stdout.decode().strip(), reports


def each_node_has_each_step():
    for name, python, words, env in runs():
        with Place() as place:
            done, known = watching.watched_by(python, place, *words, **env)
        assert done.returncode == 0, (name, done)
        said = json.loads(done.stdout)
        assert 0 < said["spared"] < said["steps"], (name, said)
        steps = inside(known, "good")
        rows = applies(known, steps)
        assert len(rows) > 1 and steps["timed"] < steps["calls"], (name, steps)
        for row in (steps, *rows):
            assert row["calls"] == said["steps"], (name, row, said)
            # At most the watched ones. Some are watched before the budget settles.
            assert 0 < row["timed"] <= said["steps"] - said["spared"], (name, row, said)


def counted(known):
    """(calls, timed) of the steps, under None, and of the nodes inside, by their ids."""
    steps = inside(known, "good")
    return {None: (steps["calls"], steps["timed"]),
            **{row["id"]: (row["calls"], row["timed"]) for row in applies(known, steps)}}


def timed_later(reports):
    """For the steps and each node inside: (calls, number of timed ones since some were untimed)."""
    known = [row for row in reports if any(f["name"] == "good" and f["parent"] is not None
                                           for f in row["functions"])]
    rows = [counted(row) for row in known]
    before = next(row for row in rows if row[None][1] < row[None][0])
    return {key: (calls, timed - before[key][1]) for key, (calls, timed) in rows[-1].items()}


def attach_amid_a_step_times_all_nodes():
    """Some nodes then have one call more than the function. They are timed with the others all the
    same."""
    for name, said, reports in gone("enter"):
        assert said == "entered", (name, said)
        found = timed_later(reports)
        calls, timed = found.pop(None)
        assert {row[0] - calls for row in found.values()} == {0, 1}, (name, calls, found)
        assert timed > 50, (name, timed, found)
        for row in found.values():
            # One of 8 while the budget does not yet know that steps pass, then one of 2, then all.
            assert timed / 8 < row[1] <= timed + 1, (name, timed, found)


def detach_amid_a_step_restores_everything():
    for name, said, _ in gone("leave"):
        assert said == "left 2 times", (name, said)


def a_pause_keeps_what_has_passed():
    for name, said, reports in gone("pause"):
        steps = inside(reports[-1], "good")
        # A step in which one of the 4 pauses begins or ends may count or not. So may the step in
        # which proftop attached. At each pause 16 had not yet been added to the function and its
        # nodes.
        for row in (steps, *applies(reports[-1], steps)):
            assert abs(row["calls"] - int(said)) <= 2 * 4 + 1, (name, row, said)


def steps_without_a_viewer_count_all_calls():
    """Without a viewer a feed may count functions alone."""
    for name, said, reports in gone("alone"):
        assert inside(reports[-1], "good")["calls"] == int(said), (name, said, reports[-1])


def function_first_called_in_a_step_has_the_right_parent():
    for name, said, reports in gone("first"):
        known = reports[-1]
        kid, = [row for row in known["functions"] if row["name"] == "kid"]
        above, = [row for row in applies(known, inside(known, "with kid"))
                  if row["id"] == kid["parent"]]
        assert "step" in above["name"], (name, above)
        # The very first call, whose node was unknown, is none of its calls.
        assert kid["calls"] == int(said) - 1, (name, kid, said)


def calls_of_each_way_are_counted_at_each_node():
    """A VM that is called directly many times, and through its function in between."""
    for name, said, reports in gone("between"):
        kid, = [row for row in reports[-1]["functions"] if row["name"] == "kid"]
        assert kid["timed"] < kid["calls"], (name, kid)  # how many pass depends on the machine
        for row in (kid, *applies(reports[-1], kid)):
            assert row["calls"] == int(said), (name, row, said)


def steps_that_become_slow_are_counted_soon():
    for name, said, _ in gone("slow"):
        # Of each 8 steps that are not begun, the last one asks, and then one is begun.
        assert all(lag <= 10 for lag in json.loads(said).values()), (name, said)


def a_child_is_not_in_the_step_of_a_lost_thread():
    for name, said, _ in gone("fork"):
        assert said == "watched", (name, said)


tap.run(each_node_has_each_step, attach_amid_a_step_times_all_nodes,
        detach_amid_a_step_restores_everything, a_pause_keeps_what_has_passed,
        steps_without_a_viewer_count_all_calls,
        function_first_called_in_a_step_has_the_right_parent,
        calls_of_each_way_are_counted_at_each_node, steps_that_become_slow_are_counted_soon,
        a_child_is_not_in_the_step_of_a_lost_thread)
