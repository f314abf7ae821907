# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_ports.py: real programs that speak ITT and NVTX. tests/e2e/ports.py tests the rest."""
import sys

sys.dont_write_bytecode = True
from watching import Place, job, need_member, tap, watched_by  # noqa: E402


def calls(known, number=0):
    """{(class, op): calls} of one job."""
    names = {(row["job"], row["id"]): row["name"] for row in known["classes"]}
    return {(names[number, row["class"]], row["name"]): row["calls"] for row in known["ops"]
            if row["job"] == number}


def watched(member, name, *options):
    with Place() as place:
        done, known = watched_by(need_member(member), place, job(name), options=options)
    assert done.returncode == 0 and not done.stderr, done
    return done.stdout.decode(), known


def ranges_of_nvtx_are_exact():
    _, known = watched("ports", "ports_nvtx")
    assert [one["framework"] for one in known["jobs"]] == ["NVTX"], known["jobs"]
    assert calls(known) == {("train", "step"): 200, ("train/math", "product"): 400,
                            ("NVTX", "pause"): 200}, known["ops"]
    rows = {row["name"]: row for row in known["applies"]}
    assert set(rows) == {"step", "product in step", "pause in step"}, rows
    assert rows["pause in step"]["self_ns"] >= 100e6 > rows["step"]["self_ns"], rows
    assert rows["step"]["metrics"]["incl"] >= rows["pause in step"]["self_ns"], rows
    assert [(row["domain"], row["name"], row["calls"]) for row in known["spans"]] == \
        [("NVTX", "request", 10)], known["spans"]
    assert {(row["domain"], row["name"]) for row in known["markers"]} == {("train", "done")}
    assert len(known["markers"]) == 200


def nodes_of_openvino_have_their_names():
    said, known = watched("ports", "ports_openvino")
    assert [one["framework"] for one in known["jobs"]] == ["ITT"], known["jobs"]
    found = calls(known)
    names = said.split()
    assert len(names) == 4, said
    for name in names:
        assert found["ov::op::cpu::details", name] == 100, (name, found)


def ops_that_the_adapter_counts_are_aside():
    """emit_itt() repeats each op of PyTorch, whose adapter counts it in the job's own feed."""
    _, known = watched("torch", "ports_torch", "--children")
    jobs = {one["framework"]: one["id"] for one in known["jobs"]}
    assert set(jobs) == {"PyTorch", "ITT"}, jobs
    assert calls(known, jobs["ITT"])["PyTorch", "aten::mm"] == 10, known["ops"]
    ops = {(row["job"], row["id"]): row["name"] for row in known["ops"]}
    waits = {row["waits"] for row in known["applies"]
             if row["job"] == jobs["ITT"] and ops[row["job"], row["op"]] == "aten::mm"}
    assert waits == {"aside"}, waits


for test in (ranges_of_nvtx_are_exact, nodes_of_openvino_have_their_names):
    tap.all_only(test)  # their environment is not in the gate
tap.run(ranges_of_nvtx_are_exact, nodes_of_openvino_have_their_names,
        ops_that_the_adapter_counts_are_aside)
