# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_imported.py: what real frameworks print and export of a run is read by `proftop --load`
with the figures that the framework itself has of that run."""
import json
import subprocess
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import PROFTOP, Place, job, need_member, of_each, tap  # noqa: E402


def printed(place, python, framework, **more):
    """Runs the job. Gives its own figures."""
    done = subprocess.run([python, job("printed_profiles"), framework, place.path],
                          env=place.env(**more), check=False, capture_output=True,
                          timeout=watching.SECONDS)
    assert done.returncode == 0, done
    with open(place.file("truth.json"), encoding="utf-8") as file:
        return json.load(file)


def loaded(place, name):
    done = subprocess.run([PROFTOP, "-b", "--format", "json", "--load", place.file(name)],
                          env=place.env(), check=False, capture_output=True, text=True,
                          timeout=watching.SECONDS)
    assert done.returncode == 0, done
    assert "not read" not in done.stderr, done.stderr
    report = json.loads(done.stdout)
    watching.fits(report, "json.schema")
    return report


def sums(report, table):
    """{name: [calls, us]}; rows of one name are one."""
    found = {}
    for row in report[table]:
        old = found.setdefault(row["name"], [0, 0.0])
        old[0] += row["calls"] or 0
        old[1] += (row["total_ns"] or 0) / 1e3
    return found


def near(ours, theirs, share, least=0.0):
    return abs(ours - theirs) <= share * abs(theirs) + least


def the_table_of_torch_is_read():
    with Place() as place:
        truth = printed(place, need_member("torch"), "torch")
        for name in ("table.txt", "shapes.txt"):
            ours = sums(loaded(place, name), "ops")
            assert ours.keys() == truth.keys(), ours.keys() ^ truth.keys()
            for op, (calls, own, _) in truth.items():
                assert ours[op][0] == calls, (name, op, ours[op], calls)
                # Three decimals of us, ms or s; a negative time is unknown. Each row of shapes.
                assert own < 0 or near(ours[op][1], own, 0.0006, 0.0006 * calls), (
                    name, op, ours[op], own)
        wide, narrow = loaded(place, "table.txt"), loaded(place, "narrow.txt")
        assert sum(row["calls"] for row in wide["ops"]) == sum(
            row["calls"] for row in narrow["ops"])
        incl = {row["name"]: row["metrics"]["incl"] for row in wide["ops"]}
        for op, (_, _, whole) in truth.items():
            assert near(incl[op] / 1e3, whole, 0.0006, 0.001), (op, incl[op], whole)


def the_trace_of_torch_is_read():
    with Place() as place:
        truth = printed(place, need_member("torch"), "torch")
        report = loaded(place, "trace.json")
        ours = sums(report, "ops")
        incl = {row["name"]: row["metrics"]["incl"] for row in report["ops"]}
        for op, (calls, own, whole) in truth.items():
            if op == "[memory]":
                continue
            assert near(incl[op] / 1e3, whole, 0.02, 1.0), (op, incl[op], whole)
            assert ours[op][0] == calls, (op, ours[op], calls)
            assert near(ours[op][1], own, 0.02, 1.0), (op, ours[op], own)
        assert report["jobs"][0]["framework"] == "PyTorch", report["jobs"]
        own, theirs = (sum(value[1] for value in of.values()) for of in (
            {op: ours[op] for op in truth if op in ours}, truth))
        assert near(own, theirs, 0.01), (own, theirs)


def read_mxnet(version):
    with Place() as place:
        truth = printed(place, need_member(version), "mxnet")
        rows = {name: (row["Count"], row["Total"] * 1e3)
                for name, row in truth["Time"]["operator"].items()}
        for name in ("table.txt", "truth.json"):
            report = loaded(place, name)
            ours = sums(report, "ops")
            for op, (calls, total) in rows.items():
                assert ours[op][0] == calls, (name, op, ours[op], calls)
                # Four digits in JSON, four decimals of ms in the table.
                assert near(ours[op][1], total, 0.0006, 0.06), (name, op, ours[op], total)
            [task] = [row for row in report["spans"] if row["name"] == "a task"]
            assert task["calls"] == 3
            [count] = [row for row in report["counters"] if row["name"] == "count"]
            assert (count["value"], count["updates"]) == (12, 3), count
            assert report["jobs"][0]["framework"] == "MXNet"
        ours = sums(loaded(place, "trace.json"), "ops")
        for op in ("dot", "relu"):
            assert ours[op][0] == rows[op][0] == 5, (op, ours[op])
            assert near(ours[op][1], rows[op][1], 0.02, 5 * 2), (op, ours[op], rows[op])


def the_profile_of_pytensor_is_read():
    python, _, flags, _ = watching.member("pytensor-2.31")
    with Place() as place:
        truth = printed(place, python, "pytensor", **watching.family(flags))
        for name in ("table.txt", "short.txt"):
            report = loaded(place, name)
            for table in ("classes", "ops", "applies"):
                ours = sums(report, table)
                for row, (calls, us) in truth[table].items():
                    if name == "table.txt" or row in ours:
                        assert ours[row][0] == calls, (name, row, ours[row], calls)
                        # Three digits of each node.
                        assert near(ours[row][1], us, 0.0055, 0.002), (name, row, ours[row], us)
            whole = sum(us for _, us in truth["classes"].values())
            assert near(sum(us for _, us in sums(report, "classes").values()), whole, 0.006), name
            [function] = report["functions"]
            assert function["name"] == "dense" and function["calls"] == truth["calls"]
            assert near(function["call_ns"] / 1e3, truth["call_us"], 1e-6), function
        report = loaded(place, "table.txt")
        ids = {row["name"]: row["index"] for row in report["applies"]}
        assert ids == truth["ids"], (ids, truth["ids"])
        classes = {row["id"]: row["name"] for row in report["classes"]}
        of = {row["name"]: classes[row["class"]] for row in report["ops"]}
        assert "(not printed)" not in of.values(), of


tap.run(the_table_of_torch_is_read, the_trace_of_torch_is_read, the_profile_of_pytensor_is_read,
        *map(tap.all_only,
             of_each("profiles_are_read_of_", read_mxnet, ("mxnet-1.9", "mxnet-2.0"))))
