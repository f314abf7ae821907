# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_torch_device.py: what ops of PyTorch make a GPU do, on a pretended GPU: CUPTI and the
driver are stand-ins, compiled against NVIDIA's headers (cupti_stand_in.c). Jobs say what they
launched."""
import glob
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
from attaching import Job, ask, look_until  # noqa: E402
from watching import Place, class_of, job, need_member, run, tap, watched_by  # noqa: E402

JOBS, STEPS, STEPS_OF_WINDOWS = job("torch_device"), 20, 3000
STAND_INS = {"libcupti.so.13": ("cupti_stand_in.c", ()),
             "libcuda.so.1": ("cupti_stand_in.c", ("-DDRIVER",)),
             "libc10_cuda.so": ("c10_cuda_stand_in.c", ("-lc10",))}
KERNELS = {"mm": "fake::gemm<float, 128>", "add": "fake::add<float>", "back": "fake_back"}


def packages(python):
    """The folder of the packages of this Python."""
    found, = glob.glob(os.path.join(os.path.dirname(os.path.dirname(python)), "lib", "python3*",
                                    "site-packages"))
    return found


def stand_ins(place, python):
    """Compiles the stand-ins into a folder, and returns it."""
    headers, = glob.glob(os.path.join(packages(python), "nvidia", "cu1*", "include"))
    for name, (source, flags) in STAND_INS.items():
        subprocess.run([*tap.CC, "-O1", "-shared", "-fPIC", "-isystem", headers, "-o",
                        place.file(name), tap.source("tests", "adapters", source),
                        "-Wl,-soname," + name, "-lpthread",
                        "-L" + os.path.join(packages(python), "torch", "lib"), *flags], check=True)
    return place.path


def watched(name, steps=STEPS, options=("--watched",), **env):
    """What proftop knows of a job, and what the job says. The job ends as without proftop."""
    python = need_member("torch")
    with Place() as place:
        folder, truth = stand_ins(place, python), place.file("truth.json")
        env = dict({"PROFTOP_BUDGET": "0", "XDG_CACHE_HOME": place.file("cache")}, **env)
        bare = run([python, JOBS, name, str(steps), folder, truth], place.env(**env), place.path)
        done, known = watched_by(python, place, JOBS, name, str(steps), folder, truth, *options,
                                 **env)
        with open(truth, encoding="utf-8") as file:
            told = json.load(file)
    assert done.returncode == bare.returncode == 0, (done, bare)
    assert done.stdout == bare.stdout, (done, bare)
    return known, told


def on_device(known):
    """{op: ns of a device}, and {row: [launches, ns]} of kernels and copies, by name."""
    classes = class_of(known)
    theirs = {row["id"] for row in known["ops"] if classes[row["id"]] in ("kernel", "copy")}
    ops = {row["name"]: row["metrics"]["device"] for row in known["ops"]
           if row["id"] not in theirs and (row["metrics"] or {}).get("device")}
    rows = {row["name"]: [row["calls"], row["metrics"]["device"]] for row in known["applies"]
            if row["op"] in theirs and row["calls"] and row["metrics"]}
    return ops, rows


def renamed(kernels):
    """Rows as the job counts them, under the names of kernels in their source."""
    return {" in ".join([KERNELS.get(name.split(" in ")[0], name.split(" in ")[0])] +
                        name.split(" in ")[1:]): value
            for name, value in kernels.items() if value[0]}


def is_exact(known, told):
    """Each op, kernel and copy has its launches and its time, to the ns."""
    ops, rows = on_device(known)
    assert ops == {name: ns for name, (_, ns) in told["ops"].items() if name != "null"}, (
        ops, told["ops"])
    assert rows == renamed(told["kernels"]), (rows, told["kernels"])
    for row in known["applies"]:
        assert row["name"] not in rows or row["self_ns"] is None, row  # no time of a thread


def counters(known):
    return {row["name"]: row["value"] for row in known["counters"] if row["domain"] == "cuda/0"}


def kernels_belong_to_the_ops_that_launched_them():
    """Of ops, of autograd's thread, of graphs that are replayed, and of no op."""
    known, told = watched("plain")
    is_exact(known, told)
    seen = counters(known)
    assert seen["kernels"] == 3 * STEPS + 25, seen
    assert (seen["to device"], seen["from device"], seen["set"]) == tuple(
        told["bytes"][way] for way in ("from host to device", "from device to host", "set")), seen
    # Streams overlap, so that the device is busy for less than the sum. Each step waits for it.
    whole = sum(ns for _, ns in told["kernels"].values())
    assert whole - STEPS * 5000 <= seen["busy time"] <= whole, (whole, seen)
    assert seen["busy time"] < seen["watched"], seen
    assert 0 <= seen["busy"] <= 100, seen
    assert "by CUPTI" in known["jobs"][0]["route"], known["jobs"]
    assert known["jobs"][0]["misuse"] == known["jobs"][0]["invalid"] == 0, known["jobs"]
    function, = [row for row in known["functions"] if row["name"] == "device"]
    assert function["calls"] is None and function["call_ns"] is None, function


def ops_of_four_threads_share_a_device():
    is_exact(*watched("threads"))


def the_profiler_of_the_job_comes_first():
    """It gets CUPTI and all its records. Before and after, all records are proftop's."""
    known, told = watched("profiles")
    is_exact(known, told)
    assert told["state"][0] == 1 and told["state"][2] == 6, told["state"]  # kineto's own ids


def another_owner_is_left_alone():
    known, told = watched("owned", options=())
    assert told["state"][:5] == [1, 0, 0, 0, 0], told["state"]
    assert on_device(known) == ({}, {}), known["ops"]
    assert "another profiler has CUPTI" in known["jobs"][0]["route"], known["jobs"]
    assert not counters(known), known["counters"]


def a_daemon_of_kineto_is_left_alone():
    known, told = watched("plain", options=(), KINETO_USE_DAEMON="1")
    assert told["state"][:5] == [0, 0, 0, 0, 0], told["state"]
    assert on_device(known) == ({}, {}), known["ops"]


def a_forked_child_does_not_touch_cupti():
    known, told = watched("forks")
    is_exact({key: [row for row in rows if row.get("job", 0) == 0] if isinstance(rows, list)
              else rows for key, rows in known.items()}, told)


def windows_have_the_kernels_of_the_ops_that_they_count():
    """An op that is counted has its kernel, though it may end after the window."""
    known, told = watched("plain", STEPS_OF_WINDOWS, PROFTOP_BUDGET="0.5")
    assert known["jobs"][0]["share"] < 1, known["jobs"]
    ops, rows = on_device(known)
    calls = {row["name"]: row["calls"] for row in known["ops"]}
    assert 0 < calls["fake::mm"] < STEPS_OF_WINDOWS, calls
    for op, (launches, ns) in told["ops"].items():
        if op.startswith("fake::"):
            assert ops[op] == calls[op] * ns / STEPS_OF_WINDOWS, (op, ops, calls)
    for row, (launches, ns) in renamed(told["kernels"]).items():
        if " in fake::" in row:
            assert rows[row] == [calls["fake::mm"], calls["fake::mm"] * ns / launches], (row, rows)
    seen = counters(known)
    assert 0 < seen["busy time"] < seen["watched"], seen


def multiplied(known):
    """[launches, ns] of the kernel of fake::mm, so far."""
    return on_device(known)[1][KERNELS["mm"] + " in fake::mm"]


def a_job_that_is_left_has_its_cupti_back():
    """Attached to while it uses a device, and left, three times."""
    python = need_member("torch")
    with Place() as place:
        words = [python, JOBS, "held", "5", stand_ins(place, python), place.file("truth.json")]
        with Job(words, place.env(PROFTOP_BUDGET="0", XDG_CACHE_HOME=place.file("cache"))) as held:
            for _ in range(3):
                known = look_until(place, held, lambda known: on_device(known)[0].get("fake::mm"))
                ns = multiplied(known)[1]
                assert ns > 0 and ns % 20000 == 0, ns
                # The time comes in a later frame than the launches, and the job goes on.
                look_until(place, held, lambda known: 20000 * multiplied(known)[0] >= ns)
                ask(place, "ctl", "-p", str(held.pid), "detach")
                held.process.stdin.write(b"\n")
                held.process.stdin.flush()
                held.wait_for("[0, 0, 0, 0]")
            assert held.end() == "[0, 0, 0, 0]"


def bytes_of_ops_on_a_device_are_those_of_its_profiler():
    known, told = watched("memory", 10, options=())
    ours = {row["name"]: (row["metrics"]["dev alloc"] or 0, row["metrics"]["dev freed"] or 0)
            for row in known["ops"] if row["metrics"].get("dev alloc") or
            row["metrics"].get("dev freed")}
    assert ours == {name: tuple(value) for name, value in told["allocated"].items()}, (ours, told)
    assert {name: taken - given for name, (taken, given) in ours.items()} == told["profiled"], (
        ours, told["profiled"])
    pools = {(row["device"], row["pool"]): (row["bytes"], row["peak_bytes"])
             for row in known["memory"] if row["device"] != "cpu/0"}
    assert pools == {("cuda/0", "PyTorch"): (4000, 4000), ("cuda/1", "PyTorch"): (96, 96),
                     ("cuda/0", "PyTorch reserves"): (4096, 4096),
                     ("cuda/1", "PyTorch reserves"): (512, 512)}, pools
    notice, = [one["text"] for one in known["notices"]]
    assert notice == ("out of memory: PyTorch could not allocate %d bytes on cuda/0, in fake::out; "
                      "4000 bytes are allocated: 4000 bytes by fake::take" % (1 << 40)), notice


for test in (ops_of_four_threads_share_a_device, another_owner_is_left_alone,
             a_daemon_of_kineto_is_left_alone, a_forked_child_does_not_touch_cupti,
             a_job_that_is_left_has_its_cupti_back, kernels_belong_to_the_ops_that_launched_them,
             windows_have_the_kernels_of_the_ops_that_they_count):
    tap.all_only(test)
tap.run(kernels_belong_to_the_ops_that_launched_them, the_profiler_of_the_job_comes_first,
        bytes_of_ops_on_a_device_are_those_of_its_profiler,
        windows_have_the_kernels_of_the_ops_that_they_count, ops_of_four_threads_share_a_device,
        another_owner_is_left_alone, a_daemon_of_kineto_is_left_alone,
        a_forked_child_does_not_touch_cupti, a_job_that_is_left_has_its_cupti_back)
