# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_mxnet.py: compares unmodified MXNet jobs with the counts of MXNet's own profiler in the
same run, and with the graph that they run."""
import json
import re
import sys
import time

sys.dont_write_bytecode = True
from watching import (NS, Place, applies, function, job, need_member, of_each, run,  # noqa: E402
                      tap, watched_by)

VERSIONS = ("mxnet-1.9", "mxnet-2.0")
STEPS, RUNS = 12, 5
TRAIN = job("mxnet_train")
# Interface calls that `import mxnet` itself makes, before a job can start its profiler.
IMPORTS = {"MXSetIsNumpyShape": 1, "MXSetIsNumpyDefaultDtype": 1}


def said(done):
    """The output of a process, without the time stamps of MXNet 2."""
    return done.returncode, done.stdout, re.sub(rb"^\[[\d:]+\] ", b"", done.stderr, flags=re.M)


def as_alone(version, place, *words, **env):
    """Watches a job, which must print the same as without proftop."""
    bare = run([need_member(version), *words], place.env(**env), place.path)
    done, known = watched_by(need_member(version), place, *words, **env)
    assert said(done) == said(bare) and done.returncode == 0, (done, bare)
    return done, known


def plain(name):
    """Removes brackets, and the attributes that MXNet 2 appends to an op, complete or cut."""
    text, depth = "", 0
    for letter in name.strip("[]"):
        depth += letter == "{"
        text += letter if depth == 0 else ""
        depth -= letter == "}" and depth > 0
    return text


def calls_by_op(known):
    names = {op["id"]: plain(op["name"]) for op in known["ops"]}
    calls = {}
    for row in known["applies"]:
        calls[names[row["op"]]] = calls.get(names[row["op"]], 0) + row["calls"]
    return calls


def nodes_inside(known, dumped):
    """Calls of nodes inside rows that dumps() has as a whole: segments of executors."""
    inside = {}
    for name, row in dumped.items():
        members = plain(name).split(",")
        for member in members if len(members) > 1 else []:
            inside[member] = inside.get(member, 0) + row["Count"]
    return inside


def called(ours, name):
    """Our calls under one of MXNet's names, which it cuts at 127 bytes."""
    if len(name) < 127:
        return ours.get(plain(name))
    calls = [count for known, count in ours.items() if known.startswith(plain(name).rstrip(","))]
    return calls[0] if len(calls) == 1 else calls


def counts_equal(version, way):
    """Checks each row of operators, of calls and of memory in MXNet's own profile. Two rows differ:
    WaitForVar depends on the speed of a thread, and MXNet counts one that it runs itself. The
    largest use of memory is equal in one of a few runs: if one thread frees while another
    allocates, the two counts may have another order."""
    largest = []
    while not any(ours == theirs for ours, theirs in largest):
        assert len(largest) < RUNS, largest
        largest.append(counts_of_one_run(version, way))


def counts_of_one_run(version, way):
    with Place() as place:
        file = place.file("dumps.json")
        done, known = watched_by(need_member(version), place, TRAIN, way, str(STEPS), file)
        assert done.returncode == 0, done.stderr.decode()
        with open(file, encoding="utf-8") as text:
            dumped = json.load(text)
    assert known["jobs"][0]["invalid"] == known["jobs"][0]["misuse"] == 0, known["jobs"]
    operators, ours = dumped["Time"]["operator"], calls_by_op(known)
    imports = IMPORTS if version == "mxnet-2.0" else {}
    inside = nodes_inside(known, operators)
    wrong = {}
    for name, row in operators.items():
        expected = row["Count"] + inside.get(name, 0)
        if called(ours, name) != expected and name != "WaitForVar":
            wrong[name] = row["Count"], inside.get(name), ours.get(plain(name))
    for name, row in dumped["Time"]["MXNET_C_API"].items():
        # The calls that query the profiler itself are no longer counted there.
        expected = row["Count"] + imports.get(name, 0)
        if not name.startswith("MXNet C API") and ours.get(name) != expected:
            wrong[name] = row["Count"], None, ours.get(name)
    assert not wrong, wrong
    memory = dumped["Memory"]["Device Storage"]["Memory: cpu/0"]
    pools = [row for row in known["counters"] if row["domain"] == "cpu/0" and not row["name"]]
    assert len(pools) == 1, known["counters"]
    assert pools[0]["updates"] == memory["Count"], (pools, memory)
    # MXNet's JSON has four digits.
    return float("%.4g" % (pools[0]["max"] / 1000)), memory["Max"]


def net_of(known):
    """The CachedOp of a Gluon job."""
    rows = [row for row in known["functions"]
            if row["name"].lower().startswith("hybridsequential")]
    assert len(rows) == 1, known["functions"]
    return rows[0]


def does(known):
    """The kinds of work of the rows of each op, by its name, in a set."""
    names = {op["id"]: plain(op["name"]) for op in known["ops"]}
    words = {}
    for row in known["applies"]:
        words.setdefault(names[row["op"]], set()).add(row["waits"])
    return words


def only_the_caller_waits(known, wall_s):
    """Other rows count the time of interface calls, and the time that operators wait for a thread.
    Such time is not waiting. So the waiting time is at most the job's run time, since only one
    thread waits here."""
    classes = {one["id"]: one["name"] for one in known["classes"]}
    found = {classes[op["class"]]: set() for op in known["ops"]}
    words = does(known)
    for op in known["ops"]:
        found[classes[op["class"]]] |= words[plain(op["name"])]
    assert found.pop("MXNET_C_API") == words["queue"] == {"aside"}, (found, words)
    assert found.pop("wait") == {"waits"}, found
    assert found.pop("engine") == {"works", "aside"}, found
    assert found and all(one == {"works"} for one in found.values()), found
    waits = sum(row["wait_ns"] for row in known["classes"])
    assert 0 < waits == sum(row["total_ns"] for row in known["classes"]
                            if row["name"] == "wait"), known["classes"]
    assert waits < wall_s * NS, (waits, wall_s)


def bulks_are_kept(version):
    """hybridize() with its defaults. MXNet's own profiler would disable bulking."""
    begun = time.monotonic()
    with Place() as place:
        _, known = as_alone(version, place, TRAIN, "hybrid", str(STEPS))
    only_the_caller_waits(known, time.monotonic() - begun)
    calls = calls_by_op(known)
    assert calls["FullyConnected"] == calls["_backward_FullyConnected"] == 3 * STEPS, calls
    assert calls["ImperativeBulk"] == 2 * STEPS, calls
    net = net_of(known)
    rows = applies(known, net)
    assert net["calls"] == STEPS and {row["calls"] for row in rows} == {STEPS}, rows
    dense = [row for row in rows if row["shapes"] and "[128,128]" in row["shapes"].split("->")[0]]
    shapes = {row["shapes"] for row in dense}
    assert "float32[32,128], float32[128,128], float32[128] -> float32[32,128]" in shapes, rows
    frames = {(row["domain"], row["name"]): row["calls"] for row in known["spans"]}
    assert frames["MXNet", "step"] == STEPS, frames
    queue = {row["name"]: row["value"] for row in known["counters"] if row["domain"] == "MXNet"}
    assert queue["operators waiting"] == 0 and queue["operators started"] > STEPS, queue


def nodes_of_a_module():
    with Place() as place:
        _, known = as_alone("mxnet-1.9", place, TRAIN, "module", str(STEPS))
    nodes = {row["name"]: row["calls"] for row in applies(known, function(known, "softmax"))
             if "," not in row["name"]}
    names = ["fc1", "relu1", "fc2", "relu2", "fc3", "softmax"]
    assert nodes == {name + end: STEPS for name in names for end in ("", "_backward")}, nodes


def convolutions_do_not_merge(version):
    with Place() as place:
        _, known = as_alone(version, place, TRAIN, "cnn", str(STEPS))
    ops = {row["id"]: row["name"] for row in known["ops"]}
    rows = [row for row in applies(known, net_of(known)) if ops[row["op"]] == "Convolution"]
    assert len(rows) == 2 and {row["calls"] for row in rows} == {STEPS}, rows
    assert len({row["name"] for row in rows}) == 2, rows


def comes_and_goes(version):
    """Detaches and attaches 20 times while two threads train. In between, every slot holds the
    library's own function. The count covers the attached time only."""
    with Place() as place:
        done, known = watched_by(need_member(version), place, job("mxnet_again"))
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().split("\n")[-2] == "done", done
    # Memory allocated while detached is freed later.
    assert known["jobs"][0]["invalid"] == known["jobs"][0]["misuse"] == 0, known["jobs"]
    nets = [row for row in known["functions"] if row["name"].lower().startswith("hybrid")]
    assert any(row["calls"] for row in nets), known["functions"]
    queue = {row["name"]: row["value"] for row in known["counters"] if row["domain"] == "MXNet"}
    assert queue["operators waiting"] == 0, queue


def custom_operators_have_their_name(version):
    with Place() as place:
        _, known = as_alone(version, place, job("mxnet_custom"))
    calls = calls_by_op(known)
    for name in ("MyOp", "_backward_MyOp"):
        assert calls[name] == calls[name + "::pure_python"] == 10, calls
    for name in ("Derived", "_backward_Derived"):
        assert calls[name] == calls[name + "::pure_python"] == 3, calls
    divisions = {name for name in ("_div_scalar", "_npi_true_divide_scalar") if name in calls}
    assert calls["_backward_CustomFunction"] == 4, calls
    assert sum(calls[name] for name in divisions) == 8, calls
    assert not calls.get("Custom") and calls["_ones"] == 1, calls
    inside = [name for name in calls if name.startswith("MyOp::") and calls[name] == 10]
    assert len(inside) >= 2, calls
    for name in ("_plus_scalar", "_npi_add_scalar", "_mul_scalar", "_npi_multiply_scalar"):
        assert not calls.get(name), calls  # each run is counted once
    words = does(known)
    for name in ("MyOp", "_backward_MyOp"):
        assert words[name] == {"aside"}, words
        assert words[name + "::pure_python"] == {"works"}, words
    assert words["_backward_CustomFunction"] == {"aside"}, words
    assert all(words[name] == {"works"} for name in divisions), words
    names = {op["id"]: op["name"] for op in known["ops"]}
    lanes = {names[row["op"]]: row["detail"]["device"] for row in known["applies"]}
    assert (lanes["MyOp"], lanes["sum"], lanes["DeleteVariable"]) == (
        "cpu/0 async", "cpu/0", "cpu/0 delete"), lanes


def one_that_raises_leaves_nothing_open(version):
    with Place() as place:
        done, known = as_alone(version, place, job("mxnet_raises"))
    assert not known["now"], known["now"]
    assert done.stdout.count(b"MXNetError MXNetError") == 6, done.stdout


def forks_end(version):
    with Place() as place:
        _, known = as_alone(version, place, job("mxnet_loader"))
    dense = [row for row in known["functions"] if row["name"].lower().startswith("dense")]
    assert [row["calls"] for row in dense] == [16], known["functions"]
    waits = {row["name"]: row["calls"] for row in known["spans"]}
    assert waits == {"wait for batch": 18}, waits  # the last one of each round gets no batch


def a_forked_child_counts_its_own(version):
    with Place() as place:
        done, known = watched_by(need_member(version), place, job("mxnet_fork"),
                                 options=["--children"])
    assert done.returncode == 0 and sorted(done.stdout.split()) == [b"2", b"3", b"7"], done
    assert len(known["jobs"]) == 2, known["jobs"]
    for one, times in zip(known["jobs"], (5, 7)):
        assert one["invalid"] == one["misuse"] == 0, one
        ops = {op["id"] for op in known["ops"] if op["name"] == "_ones"}
        calls = [row["calls"] for row in known["applies"]
                 if row["op"] in ops and row["job"] == one["id"]]
        assert sum(calls) == times, (one, calls)
        values = {row["name"] or row["domain"]: row for row in known["counters"]
                  if row["job"] == one["id"]}
        assert values["operators waiting"]["value"] == 0, values
        assert values["cpu/0"]["updates"] > times, values


def operators_belong_to_who_pushed_them(version):
    """Also a network at the address of an older one."""
    with Place() as place:
        done, known = watched_by(need_member(version), place, job("mxnet_reuse"))
    assert done.returncode == 0, done
    ops = {op["id"]: op["name"] for op in known["ops"]}
    ran = {}
    for net in known["functions"]:
        if net["name"].startswith("Net"):
            ran[net["name"].rstrip("_")] = [net["calls"], *(
                sum(row["calls"] for row in applies(known, net) if ops[row["op"]] == name)
                for name in ("FullyConnected", "Activation", "_backward_Activation"))]
    assert ran == {"Net%d" % number: [3, 6, 3, 3] for number in range(30)}, ran


def engines(version):
    """Each kind of engine, and the users' settings for bulks: the operators of graphs are the
    same."""
    counted = []
    for env in ({}, {"MXNET_ENGINE_TYPE": "NaiveEngine"}, {"MXNET_ENGINE_TYPE": "ThreadedEngine"},
                {"MXNET_EXEC_BULK_EXEC_TRAIN": "0", "MXNET_EXEC_BULK_EXEC_MAX_NODE_TRAIN_FWD": "0",
                 "MXNET_EXEC_BULK_EXEC_MAX_NODE_TRAIN_BWD": "0"},
                {"MXNET_PROFILER_AUTOSTART": "1"}):
        with Place() as place:
            _, known = as_alone(version, place, TRAIN, "hybrid", str(STEPS), **env)
        rows = applies(known, net_of(known))
        counted.append({(row["name"], row["calls"], row["shapes"]) for row in rows})
    assert counted[0] and all(one == counted[0] for one in counted[1:]), counted


def kinds_stop_as_they_are_switched(version):
    with Place() as place:
        done, known = watched_by(need_member(version), place, job("mxnet_filters"))
    assert done.returncode == 0, done
    calls = calls_by_op(known)
    one_by_one = "_mul_scalar" if version == "mxnet-1.9" else "_npi_multiply_scalar"
    assert calls["FullyConnected"] == 5 + 7 + 8, calls
    assert calls[one_by_one] == 5 + 6 + 8, calls
    invoke = "MXInvokeCachedOp" if version == "mxnet-1.9" else "MXNDArraySyncCopyToCPU"
    assert calls[invoke] == 5 + 6 + 7, calls


def unknown_builds_step_down(version):
    """Falls back to the events of MXNet's own profiler, and if those are not found, to its table.
    Operators are counted, and the header says what is not seen. The job ends with the same loss."""
    for way, words in (("hooked", "the events that its own profiler adds up"),
                       ("printed", "the table that its own profiler prints")):
        with Place() as place:
            bare = run([need_member(version), TRAIN, "hybrid", str(STEPS)], place.env(), place.path)
            done, known = watched_by(need_member(version), place, job("mxnet_unknown"), way, TRAIN,
                                     "hybrid", str(STEPS))
        assert (done.returncode, done.stdout) == (0, bare.stdout), (done, bare)
        calls = calls_by_op(known)
        assert calls["FullyConnected"] == calls["_backward_FullyConnected"] == 3 * STEPS, calls
        assert words in known["jobs"][0]["route"], known["jobs"]
        assert "bulking off" in known["jobs"][0]["route"], known["jobs"]


def counts_of(version):
    return lambda way: counts_equal(version, way)


# For each version, the tests of the gate and those of script/test --all.
TESTS = [
    *of_each("counts_equal_those_of_1_9_", counts_of("mxnet-1.9"), ("hybrid",)),
    *of_each("bulks_are_kept_by_", bulks_are_kept, ("mxnet-1.9",)),
    nodes_of_a_module,
    *of_each("counts_equal_those_of_1_9_", tap.all_only(counts_of("mxnet-1.9")),
             ("imperative", "static", "module", "cnn")),
    *of_each("counts_equal_those_of_2_0_", tap.all_only(counts_of("mxnet-2.0")),
             ("imperative", "hybrid", "static", "cnn")),
    *of_each("bulks_are_kept_by_", tap.all_only(bulks_are_kept), ("mxnet-2.0",)),
]
TESTS += [test for what, one in (
    ("convolutions_do_not_merge_in_", convolutions_do_not_merge),
    ("comes_and_goes_in_", comes_and_goes),
    ("custom_operators_have_their_name_in_", custom_operators_have_their_name),
    ("kinds_stop_as_they_are_switched_in_", kinds_stop_as_they_are_switched),
    ("unknown_builds_step_down_of_", unknown_builds_step_down),
    ("a_forked_child_counts_its_own_in_", a_forked_child_counts_its_own),
    ("operators_belong_to_who_pushed_them_in_", operators_belong_to_who_pushed_them),
    ("forks_end_in_", forks_end), ("engines_of_", engines),
    ("one_that_raises_leaves_nothing_open_in_", one_that_raises_leaves_nothing_open))
          for test in of_each(what, tap.all_only(one), VERSIONS)]
tap.run(*TESTS)
