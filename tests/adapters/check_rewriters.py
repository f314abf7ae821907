# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_rewriters.py: the phases of a compilation, and what is known of nodes before they run,
against what PyTensor itself says of the same compilation."""
import json
import sys

sys.dont_write_bytecode = True
from watching import NS, Place, applies, function, job, tap, watched  # noqa: E402

PROFILED = "profile=True,profile_optimizer=True"


def compiled():
    """(what proftop said, what PyTensor said) of one compilation."""
    with Place() as place:
        truth = place.file("rewriters.json")
        done, known = watched(place, job("rewriters"), TRUTH=truth, flags=PROFILED)
        assert done.returncode == 0, done.stderr.decode(errors="replace")
        with open(truth, encoding="utf-8") as file:
            return known, json.load(file)


def inside(known, row):
    """The phases inside one, in the order in which they first began."""
    return [one for one in known["rewrites"] if one["parent"] == row["id"]]


def compare(known, row, told):
    """Name, nodes and nesting are the framework's own; its clock stands around ours. What it tells
    no parts of has parts with us. Gives the number of phases compared."""
    name, seconds, before, after, children = told
    assert row["name"] == name and row["calls"] == 1 and row["open_since_ns"] is None, (row, told)
    assert (row["nodes_before"], row["nodes_after"]) == (before, after), (row, told[:4])
    assert 0 < row["total_ns"] <= seconds * NS + 1000, (row, told[:4])
    parts = inside(known, row)
    assert not children or [part["name"] for part in parts] == [one[0] for one in children]
    return 1 + sum(compare(known, part, one) for part, one in zip(parts, children))


def phases_are_those_of_the_framework():
    known, told = compiled()
    made = function(known, "f")
    roots = [row for row in known["rewrites"] if row["parent"] is None]
    assert len(roots) == 1 and roots[0]["function"] == made["id"], roots
    assert compare(known, roots[0], told[:5]) > 40
    assert roots[0]["nodes_after"] == len(applies(known, made))
    # Their validation is the fourth part of a clock that also sees what stands around it.
    assert roots[0]["validate_ns"] == made["validate_ns"] > 0, (roots[0], made)
    assert abs(roots[0]["validate_ns"] - told[5] * NS) < 0.25 * told[5] * NS + 200000, told[5]
    assert roots[0]["total_ns"] <= made["rewrite_ns"] * 1.01 + 1000000, (roots[0], made)
    # Of rewriters that run again and again until nothing changes, each call counts.
    canonicalize = next(row for row in known["rewrites"] if row["name"] == "canonicalize")
    assert any(row["calls"] > 1 for row in inside(known, canonicalize))
    assert sum(row["total_ns"] for row in inside(known, canonicalize)) <= canonicalize["total_ns"]


def nodes_are_described():
    known, told = compiled()
    rows = applies(known, function(known, "f"))
    assert [row["name"] for row in rows] == [node[0] for node in told[6]]
    views = overwritten = made = 0
    ids = {row["id"]: row for row in rows}
    for row, (_, dtypes, view_map, destroy_map) in zip(rows, told[6]):
        inputs, outputs = row["detail"]["inputs"], row["detail"]["outputs"]
        assert [one["dtype"] for one in inputs] == dtypes, row
        for number, one in enumerate(outputs):
            view, over = view_map.get(str(number)), destroy_map.get(str(number))
            assert one["view_of"] == (view[0] if view else None), (row, view_map)
            assert one["overwrites"] == (over[0] if over else None), (row, destroy_map)
            views += bool(view)
            overwritten += bool(over)
        for one in inputs:
            if one["apply"] is not None:
                source = ids[one["apply"]]
                assert source["index"] < row["index"]
                assert source["detail"]["outputs"][one["output"]]["dtype"] == one["dtype"]
                made += 1
    assert views and overwritten and made > 10, (views, overwritten, made)
    # A scalar's size is known before it is made; that of a matrix of any size is not.
    sums = [row for row in rows if row["name"].startswith("Sum{")]
    assert sums and all(row["bytes"] == 4 and row["shapes"] == "float32 -> float32[]"
                        for row in sums), sums
    assert any(row["bytes"] is None for row in rows)


tap.run(phases_are_those_of_the_framework, nodes_are_described)
