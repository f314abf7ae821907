# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_mxnet_nodes.py: the properties that distinguish MXNet nodes: scopes of Gluon, shapes,
names. Tables do not grow with the number of steps. The count of primitives equals oneDNN's own."""
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from watching import (Place, applies, job, need_member, of_each, tap, watched_by)  # noqa: E402

VERSIONS = ("mxnet-1.9", "mxnet-2.0")
NODES = job("mxnet_nodes")
STEPS = 12


def seen(version, *words, **env):
    with Place() as place:
        done, known = watched_by(need_member(version), place, NODES, *words, **env)
    assert done.returncode == 0 and done.stdout == b"done\n", done
    return known


def net_of(known, name="hybridsequential"):
    rows = [row for row in known["functions"] if row["name"].lower().startswith(name)]
    assert len(rows) == 1, known["functions"]
    return applies(known, rows[0])


# For each node, without the numbers that MXNet 1 counts up in a process.
SCOPES = {
    "mxnet-1.9": {"dense_fwd": ["net:block:dense:", "net:block:dense:", "net:dense:"],
                  "dense_relu_fwd": ["net:block:dense:dense_relu:"]},
    "mxnet-2.0": {"node_0": ["net:dense0:"], "node_1": ["net:block:dense0:"], "node_2": [""],
                  "node_3": ["net:block:dense1:"]},
}


def scopes_are_a_grouping(version):
    """Each node and its gradient belong to the scope of the block that creates it."""
    known = seen(version, "blocks")
    lines = {row["id"]: row["name"] for row in known["lines"]}
    found = {False: {}, True: {}}
    for row in net_of(known):
        name, back = re.subn("_backward$", "", row["name"])
        scope = lines[row["line"]] or ""
        if version == "mxnet-1.9":
            name = re.sub(r"\d", "", name)
            scope = re.sub(r"\d", "", scope.replace("hybridsequential0:", "net:", 1))
        scope = re.sub("^hybridsequential:", "net:", scope)
        scope = re.sub(r"hybridsequential\d*:", "block:", scope)
        scope = scope if ":" in scope else ""
        found[bool(back)].setdefault(name, []).append(scope)
    for back, scopes in found.items():
        of_nodes = {name: sorted(scopes.get(name, ())) for name in SCOPES[version]}
        assert of_nodes == SCOPES[version], (back, found)


def rows_are_split_by_input_shape(version):
    """On request, the one row of a node becomes one row for each shape of its inputs."""
    plain = net_of(seen(version, "shapes"))
    apart = net_of(seen(version, "shapes", PROFTOP_MXNET_SHAPES="1"))
    assert {row["calls"] for row in plain} == {3}, plain
    assert sorted(row["calls"] for row in apart) == sorted([1, 2] * len(plain)), apart
    assert len(apart) == 2 * len(plain) == 8, apart
    for row in apart:
        rows = "4" if row["calls"] == 2 else "32"
        assert re.match(r"[^ ]+ \(%s,\d+\)" % rows, row["name"]), row
        assert row["shapes"].startswith("float32[%s," % rows), row


def names_are_whole(version):
    """A name with quotes, newlines and 10 kB: viewers show 4 KiB. JSON stays valid."""
    known = seen(version, "names")
    rows = [row for row in net_of(known, "symbolblock") if '"quoted"' in row["name"]]
    assert len(rows) == 1 and rows[0]["calls"] == 1, rows
    assert rows[0]["name"].startswith('a "quoted"\nname xxx'), rows[0]["name"][:40]
    assert len(rows[0]["name"]) > 1000, len(rows[0]["name"])
    marks = [row["name"] for row in known["markers"] if row["domain"] == "d"]
    assert len(marks) == 1 and marks[0].startswith('a "quoted"\nname xxx'), marks


def tables_stay_as_they_are(version):
    """1,000 steps of autograd have the same rows as 20."""
    def rows(steps):
        known = seen(version, "steps", steps)
        return {key: {row["name"] for row in known[key]} for key in ("ops", "functions", "applies")}

    few, many = rows("20"), rows("1000")
    engine = {"DeleteVariable", "WaitForVar"}  # their existence depends on threads
    for key, names in few.items():
        assert names ^ many[key] <= engine, (key, names ^ many[key])


def collector(folder):
    built = folder + "/itt_counts.so"
    subprocess.run([*tap.CC, "-shared", "-fPIC", "-O1", "-o", built,
                    tap.source("tests", "adapters", "itt_counts.c"), "-ldl", "-lpthread"],
                   check=True)
    return built


def counted_by_onednn(version, *words):
    """(kind of primitive: oneDNN's count, operator: calls) of one run."""
    with Place() as place:
        env = {"INTEL_LIBITTNOTIFY64": collector(place.path), "ITT_COUNTS": place.file("counts")}
        done, known = watched_by(need_member(version), place, *words, **env)
        assert done.returncode == 0, done
        with open(place.file("counts"), encoding="utf-8") as file:
            told = {name: int(count) for name, count in map(str.split, file)}
    names = {op["id"]: re.sub("{.*", "", op["name"]) for op in known["ops"]}
    calls = {}
    for row in known["applies"]:
        calls[names[row["op"]]] = calls.get(names[row["op"]], 0) + row["calls"]
    return told, calls


def softmaxes_are_those_of_onednn(version):
    told, calls = counted_by_onednn(version, job("mxnet_nodes"), "softmax")
    counted = [calls.get(name) for name in ("softmax", "log_softmax", "_backward_softmax")]
    assert counted == [10, 5, 3] and told["softmax"] == 18, (told, calls)


def primitives_are_those_of_onednn(version):
    """A gradient of a convolution or product is two primitives, for weights and for data. The
    gradient of the first layer is one, since the gradient of the data is not needed."""
    for way, first in (("cnn", "Convolution"), ("hybrid", "FullyConnected")):
        told, calls = counted_by_onednn(version, job("mxnet_train"), way, str(STEPS))
        for name, op, gradient in (("convolution", "Convolution", 2),
                                   ("inner_product", "FullyConnected", 2),
                                   ("eltwise", "Activation", 1), ("pooling_v2", "Pooling", 1)):
            expected = calls.get(op, 0) + gradient * calls.get("_backward_" + op, 0)
            expected -= STEPS if op == first else 0
            assert told.get(name, 0) == expected, (way, name, told, calls)
        assert told.get("convolution", 1) and told["inner_product"] and told["eltwise"], told


tap.run(*(test for what, one in (
    ("scopes_are_a_grouping_in_", scopes_are_a_grouping),
    ("rows_are_split_by_input_shape_in_", rows_are_split_by_input_shape),
    ("names_are_whole_in_", names_are_whole),
    ("tables_stay_as_they_are_in_", tables_stay_as_they_are),
    ("softmaxes_are_those_of_onednn_in_", softmaxes_are_those_of_onednn),
    ("primitives_are_those_of_onednn_in_", primitives_are_those_of_onednn))
    for test in of_each(what, one, VERSIONS)))
