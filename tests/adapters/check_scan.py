# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_scan.py: reports of a Scan, compared with each member of Theano's family's own print of the
same run: the profile of the inside, and the overhead after the profile of the function."""
import functools
import json
import re
import sys

sys.dont_write_bytecode = True
import masking  # noqa: E402
import watching  # noqa: E402
from watching import job, tap  # noqa: E402

CALLS, STEPS = 3, 150
FLAGS = "profile=True,linker=vm_nogc,cxx="  # so that no member compiles Scan's own code
HEADS = re.compile(r"(?m)^(?=Function profiling$|\nScan Op profiling)")


def parts(text):
    """(the profile of the function with the Scan, of the function inside, of the other function)"""
    found = [masking.TIPS.sub(r"\1", part) for part in HEADS.split(masking.timed(text))]
    one, = [part for part in found if "\n  Message: last\n" in part]
    inside, = [part for part in found if part.startswith("\nScan Op profiling")]
    other, = [part for part in found if "\n  Message: plain\n" in part]
    return one, inside, other


def masked(part):
    """Masks everything on which two clocks may differ."""
    lines = masking.lines_of(part)
    return [re.sub(r" *[\d.]+(s|%)", r" T\1", line) if re.match(r"(total| {5}) *[\d.]+s ", line)
            else line for line in lines]


@functools.lru_cache
def run(name):
    # Each node, since two clocks may differ on the slowest ones.
    every = watching.profiling(name, "n_apply=100")
    said, report = watching.summed_up(name, job("scans"), FLAGS, every)
    return parts(report), parts(said)


def runs():
    for name in watching.there():
        yield (name, *run(name))


def reports_are_the_frameworks_own():
    for name, ours, theirs in runs():
        for mine, its in zip(ours, theirs):
            mine, its = masked(mine), masked(its)
            assert mine == its, "\n".join([name, "proftop:", *mine, "its own:", *its])
        for title, counts in (("Scan overhead:", [1, 0, 0]), ("Scan Op profiling", [0, 1, 0])):
            assert [part.count(title) for part in ours] == counts, (name, title)


def the_time_of_the_op_has_two_parts():
    for name, (_, inside, _), (_, theirs, _) in runs():
        calls, steps, whole = map(float, re.search(
            r"Time in (\S+) calls of the op \(for a total of (\S+) steps\) (\S+)s$", inside,
            re.M).groups())
        assert (calls, steps) == (CALLS, STEPS), (name, inside)
        (vm, part), (beside, rest) = [
            (float(took), float(share)) for took, share in
            re.findall(r"^  Total .* (\S+)s \((\S+)%\)$", inside, re.M)]
        assert abs(part + rest - 100) < 0.002 and abs(part / 100 - vm / whole) < 2e-5, inside
        assert 0 < vm < whole and abs(vm + beside - whole) < whole * 1e-5, (name, inside, theirs)


def internal_functions_of_scan_have_no_row():
    """Theano 1.0 and Theano-PyMC compile a function to analyse a graph, and never call it."""
    for name in watching.there():
        python, package, flags, folder = watching.member(name)
        with watching.Place() as place:
            done, known = watching.watched_by(
                python, place, job("scans"), package,
                **watching.family(FLAGS, flags, name=folder))
        names = [row["name"] for row in known["functions"] if row["parent"] is None]
        assert sorted(names) == ["last", "plain"], (name, names, done.stderr)


def own_time_does_not_fall_amid_calls():
    """Nodes inside are counted while the Scan runs. The call of the Scan is counted at its end."""
    with watching.Place() as place:
        output = place.file("states.json")
        done = watching.run(
            [watching.PROFTOP, "run", "-b", "-n", "0", "-d", "0.15", "--format", "json", "-o",
             output, "--", watching.need_python(), job("long_scan")],
            place.env(PROFTOP_ADAPTERS=watching.ADAPTERS), place.path)
        assert done.returncode == 0, done.stderr
        with open(output, encoding="utf-8") as file:
            states = [json.loads(line) for line in file]
    states = [state for state in states if state["applies"] and state["classes"]]
    before = open_calls = 0
    for state in states:
        whole = sum(row["self_ns"] for row in state["applies"])
        scan, = [row for row in state["classes"] if row["name"].endswith("Scan")]
        assert before <= scan["self_ns"] <= whole, (before, scan, whole)
        assert scan["self_ns"] <= scan["total_ns"] <= whole * 1.001, (scan, whole)
        before = scan["self_ns"]
        open_calls += scan["open_ns"] > 0
    assert open_calls > 5, len(states)


tap.run(internal_functions_of_scan_have_no_row, reports_are_the_frameworks_own,
        the_time_of_the_op_has_two_parts, own_time_does_not_fall_amid_calls)
