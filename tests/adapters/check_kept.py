# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_kept.py: a job of a framework is killed amid an op. `proftop last` has each call before it,
and names the op."""
import json
import signal
import sys
import tempfile

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import ADAPTERS, PROFTOP, Place, applies, function, job, run, tap  # noqa: E402

CALLS = 100
TORCH = """
import os, signal, torch
a = torch.ones(8, 8)
for step in range(%d):
    a = torch.mm(a, a).clamp(max=1)
os.kill(os.getpid(), signal.SIGKILL)
""" % CALLS


def left_by(*command, **more):
    """Runs a job that is killed, with its counts in a folder in memory. Returns the report of its
    file, and the last report of the viewer."""
    with Place() as place, tempfile.TemporaryDirectory(dir="/dev/shm", prefix="proftop-") as memory:
        output = place.file("proftop.json")
        env = dict(place.env(PROFTOP_ADAPTERS=ADAPTERS, PROFTOP_BUDGET="0", **more),
                   PROFTOP_DIR=memory)
        done = run([PROFTOP, "run", "--keep", "-b", "-n", "0", "--format", "json", "-o", output,
                    "--", *command], env, place.path)
        assert done.returncode == 128 + signal.SIGKILL, done
        kept = run([PROFTOP, "last", "-b", "--format", "json"], env, place.path)
        assert kept.returncode == 0, kept
        with open(output, encoding="utf-8") as file:
            seen = [json.loads(line) for line in file]
        return json.loads(kept.stdout), seen[-1] if seen else None


def each_node_until_the_kill_is_counted():
    left, _ = left_by(watching.need_python(), job("killed"))
    one = function(left, "f")
    op = {row["id"]: row["name"] for row in left["ops"]}
    nodes = applies(left, one)
    calls = {row["name"]: row["calls"] for row in nodes}
    [straw] = [row for row in nodes if "last_straw" in op[row["op"]]]
    before = [row for row in nodes if row["index"] < straw["index"]]
    after = [row for row in nodes if row["index"] > straw["index"]]
    assert straw["calls"] == CALLS and before and after, calls
    assert {row["calls"] for row in before} == {CALLS + 1}, calls
    assert {row["calls"] for row in after} == {CALLS}, calls
    assert one["calls"] == CALLS and one["open_since_ns"] is not None, one
    [now] = left["now"]
    assert now["apply"] == straw["id"], (now, straw)
    assert left["state"] == "gone" and left["jobs"][0]["framework"] == "PyTensor", left["jobs"]


def each_op_of_torch_is_counted():
    with Place() as cache:
        left, _ = left_by(watching.need_member("torch"), "-c", TORCH, XDG_CACHE_HOME=cache.path)
    calls = {row["name"]: row["calls"] for row in left["ops"] if row["calls"]}
    assert (calls["aten::mm"], calls["aten::clamp"]) == (CALLS, CALLS), calls
    assert left["now"] == [], left["now"]


tap.run(each_node_until_the_kill_is_counted, each_op_of_torch_is_counted)
