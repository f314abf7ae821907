# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_mxnet_kvstore.py: a distributed MXNet job on this machine, unmodified: two workers, one
server and the scheduler, all watched at once."""
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
from watching import (ADAPTERS, PROFTOP, SECONDS, Place, job, kvstore, need_member,  # noqa: E402
                      of_each, run, tap)

VERSIONS = ("mxnet-1.9", "mxnet-2.0")
ROLES = ("scheduler", "server", "worker", "worker")
SAID = sorted("rank %d of 2 has 3.0\n" % rank for rank in (0, 1))
SEEN = {"PROFTOP": "1", "PYTHONPATH": os.path.join(ADAPTERS, "start")}


class Four:
    """The processes. They end with the block."""

    def __init__(self, version, place, *words, **env):
        env = kvstore(place, **env)
        command = [need_member(version), job("mxnet_four"), *words]
        self.all = [subprocess.Popen(command, env=dict(env, DMLC_ROLE=role), cwd=place.path,
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=subprocess.DEVNULL, text=True) for role in ROLES]
        self.workers = self.all[2:]

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        for one in self.all:
            one.kill()
            one.communicate()

    def said(self):
        """Returns the line of each worker, by rank."""
        for one in self.workers:
            assert tap.readable([one.stdout], SECONDS), "a worker says nothing"
        return sorted(one.stdout.readline() for one in self.workers)

    def ends(self):
        """Returns the exit codes of all, and their remaining output."""
        for one in self.workers:
            one.stdin.write("\n")
            one.stdin.flush()
        for one in self.all:
            one.wait(SECONDS)
        return [one.returncode for one in self.all], [one.stdout.read() for one in self.all]


def proftop(place, *words):
    return run([PROFTOP, *words], place.env(), place.path)


def lines(done):
    assert done.returncode == 0, done
    return [json.loads(line) for line in done.stdout.splitlines()]


def are_ranked(place):
    rows = lines(proftop(place, "-l", "--format", "json"))
    order = [(row["role"], row["rank"], row["size"]) for row in rows]
    return order == [("scheduler", None, None), ("server", None, None), ("worker", 0, 2),
                     ("worker", 1, 2)]


def calls_by_job(known):
    """Calls by op, of each job."""
    names = {(op["job"], op["id"]): op["name"] for op in known["ops"]}
    calls = [{} for _ in known["jobs"]]
    for row in known["applies"]:
        name = names[row["job"], row["op"]]
        calls[row["job"]][name] = calls[row["job"]].get(name, 0) + row["calls"]
    return calls


def looked_at(place):
    return lines(proftop(place, "-b", "--all", "--format", "json"))[-1]


def server_calls(known):
    return {name: calls_by_job(known)[1].get(name) for name in ("BinaryOpKernel", "CopyCPU2CPU")}


def has_counted(known):
    """True if all pushes and pulls have arrived here, which takes a moment."""
    pushed, pulled = "KVStoreDistDefaultPush", "KVStoreDistDefaultStoragePull"
    calls = calls_by_job(known)
    return (server_calls(known) == {"BinaryOpKernel": 30, "CopyCPU2CPU": 61} and
            [calls[rank].get(pushed) for rank in (2, 3)] == [31, 30] and
            [calls[rank].get(pulled) for rank in (2, 3)] == [30, 30])


def communicates(known, rank):
    """Pushes and pulls have one class, which contains all their time."""
    classes = [row for row in known["classes"]
               if row["job"] == rank and row["name"] == "communication"]
    ops = [row for row in known["ops"] if row["job"] == rank and row["name"].startswith("KVStore")]
    assert len(classes) == 1 and len(ops) == 2, known["ops"]
    assert {row["class"] for row in ops} == {classes[0]["id"]}, ops
    assert all(row["total_ns"] > 0 for row in ops), ops
    assert classes[0]["total_ns"] == sum(row["total_ns"] for row in ops), (classes, ops)


def threads_of_zmq(process):
    """Names of the threads known as libzmq's. Their time is in proftop's own overhead."""
    names = []
    for task in os.listdir("/proc/%d/task" % process.pid):
        with open("/proc/%d/task/%s/comm" % (process.pid, task), encoding="utf-8") as name:
            names.append(name.read().strip())
    return sorted(name for name in names if name.startswith("ZMQbg"))


def four_are_seen(version):
    with Place() as place:
        with Four(version, place) as four:
            assert four.said() == SAID
            codes, rest = four.ends()
            assert codes == [0] * 4, codes
        with Four(version, place, **SEEN) as four:
            assert four.said() == SAID
            tap.wait_for("roles and ranks", lambda: are_ranked(place), 30 * tap.SLOW)
            tap.wait_for("pushes and pulls", lambda: has_counted(looked_at(place)), 30 * tap.SLOW)
            known = looked_at(place)
            assert [(row["role"], row["rank"]) for row in known["jobs"]] == [
                ("scheduler", None), ("server", None), ("worker", 0), ("worker", 1)], known["jobs"]
            for rank in (2, 3):
                communicates(known, rank)
            for one in four.all:  # no thread of MXNet's own libzmq
                assert threads_of_zmq(one) == ["ZMQbg/IO/0", "ZMQbg/Reaper"], threads_of_zmq(one)
            assert four.ends() == (codes, rest)


def a_server_is_steered(version):
    """From outside, by its role."""
    def collecting():
        return [row["collect"] for row in looked_at(place)["jobs"]]

    def ctl(*words):
        done = proftop(place, "ctl", *words, "--role", "server")
        assert done.returncode == 0 and not done.stderr, done
        return done

    with Place() as place, Four(version, place, **SEEN) as four:
        assert four.said() == SAID
        tap.wait_for("pushes and pulls", lambda: has_counted(looked_at(place)), 30 * tap.SLOW)
        for asked, then in ((("pause",), "stop"), (("resume",), "run"),
                            (("set_state", "stop"), "stop"), (("set_state", "run"), "run")):
            ctl(*asked)
            assert collecting() == ["run", then, "run", "run"], asked
        ctl("dump", place.file("server.json"))
        with open(place.file("server.json"), encoding="utf-8") as file:
            assert "BinaryOpKernel" in file.read()
        assert four.ends()[0] == [0] * 4


def its_own_profiler_agrees(version):
    """The server's profiler, which worker 0 starts through the kvstore."""
    with Place() as place:
        with Four(version, place, "server.json", **SEEN) as four:
            assert four.said() == SAID
            tap.wait_for("pushes and pulls", lambda: has_counted(looked_at(place)), 30 * tap.SLOW)
            assert four.ends()[0] == [0] * 4
        with open(place.file("rank0_server.json"), encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
    begun = [row for row in events if row["name"] == "BinaryOpKernel" and row["ph"] in "BX"]
    assert len(begun) == 30, len(begun)


tap.run(*(test for what, one in (
    ("four_are_seen_in_", four_are_seen), ("a_server_is_steered_in_", a_server_is_steered),
    ("its_own_profiler_agrees_in_", its_own_profiler_agrees))
    for test in of_each(what, one, VERSIONS)))
