# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_mxnet_found.py: MXNet jobs are found, named and attached to. Otherwise lists, doctor, the
header and the end of `proftop run` give the reason and the remedy."""
import json
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
from attaching import SECONDS, Job, ask, look, look_until  # noqa: E402
from watching import (ADAPTERS, PROFTOP, Place, examined, family, functions, job,  # noqa: E402
                      kvstore, need_member, of_each, run, tap, watched_by)

VERSIONS = ("mxnet-1.9", "mxnet-2.0")
ROUTE = "hooks in its engine; its own profiler is not used"
LACKS = "numpy 1.26.4 has no numpy.bool, which MXNet 1.9.1 needs. Install an older one: pip " \
        "install numpy==1.23.5 (it has wheels for Python 3.8 to 3.11)"


def version_of(python):
    done = subprocess.run([python, "-c", "import mxnet; print(mxnet.__version__)"],
                          capture_output=True, check=True)
    return done.stdout.decode().split()[-1]


def listed(place, pid):
    """The list's entry of a process."""
    rows = [json.loads(line) for line in ask(place, "-l", "--format", "json").stdout.splitlines()]
    row, = [row for row in rows if row["pid"] == pid]
    return row


def in_process(known, number=0):
    return {name: known["jobs"][number][name] for name in ("framework", "version", "route")}


# ---------------------------------------------------------------------------------------- doctor


def doctor_names_it(version):
    python = need_member(version)
    with Place() as place:
        found = examined(place, python, "job.py", MXNET_EXEC_BULK_EXEC_TRAIN="0")
    [(level, said)] = found["framework"]
    assert level == "fine" and said.startswith("MXNet " + version.partition("-")[2]), found
    assert said.endswith("/mxnet"), found
    assert ("fine", "MXNET_EXEC_BULK_EXEC_TRAIN=0") in found["fact"], found
    (level, how), (level_too, seen) = found["route"]
    assert level == level_too == "fine" and how.startswith(ROUTE + " (build "), found
    assert seen == "seen: operators, operators inside bulks, nodes of executors, queue, memory, " \
        "waits, calls of the C interface", found


def doctor_reports_limits_of_naive_engines(version):
    """For a Python, and for a running job. A role in a kvstore does not make doctor wait."""
    python = need_member(version)
    more = {"MXNET_ENGINE_TYPE": "NaiveEngine"}
    with Place() as place:
        found = examined(place, python, "job.py", DMLC_ROLE="server", **more)
        with Job([python, job("mxnet_loop")], place.env(**more)) as looping:
            ask(place, "-b", "-p", str(looping.pid))
            running = examined(place, pid=looping.pid)
            known, _ = look(place, looping)
            looping.end()
    notes = [text for level, text in found["route"] if level == "note"]
    assert len(notes) == 2 and notes[0].startswith("MXNET_ENGINE_TYPE=NaiveEngine: "), found
    assert notes[1].startswith("DMLC_ROLE=server: such a process is seen if proftop run"), found
    assert "queue" not in [text for level, text in found["route"] if level == "fine"][1], found
    assert running["notice"] == [("note", notes[0])], running
    assert ("fine", "MXNET_ENGINE_TYPE=NaiveEngine") in running["fact"], running
    assert "NaiveEngine: no queue" in running["route"][0][1], running
    # A missing figure has no row, since zeros would be false.
    names = [row["name"] for row in known["ops"]] + [row["name"] for row in known["counters"]]
    assert "_plus_scalar" in names and "queue" not in names, names
    assert "operators waiting" not in names, names


def an_unknown_build_is_named(version):
    """The same library with another build id."""
    python = need_member(version)
    [folder] = run([python, "-c", "import importlib.util; print("
                    "importlib.util.find_spec('mxnet').submodule_search_locations[0])"],
                   None, None).stdout.decode().split()
    with Place() as place:
        copy = place.file("mxnet")
        os.mkdir(copy)
        for name in os.listdir(folder):
            if name != "libmxnet.so":
                os.symlink(os.path.join(folder, name), os.path.join(copy, name))
        shutil.copyfile(os.path.join(folder, "libmxnet.so"), os.path.join(copy, "libmxnet.so"))
        with open(os.path.join(copy, "libmxnet.so"), "r+b") as library:
            head = library.read(1 << 16)
            library.seek(head.index(b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0") + 16)
            library.write(b"\0")
        found = examined(place, python, "job.py", PYTHONPATH=place.path)
        with Job([python, job("mxnet_loop")], place.env(PYTHONPATH=place.path)) as looping:
            done = ask(place, "-b", "-p", str(looping.pid), "--format", "json")
            looping.end()
    why = "this build of libmxnet.so is none that proftop knows"
    assert found["framework"][0][1].endswith(copy), found
    level, text = found["route"][0]
    assert level == "note" and why in text and "its own profiler" in text, found
    [known] = json.loads(done.stdout)["jobs"]
    assert why in known["route"], known


def numpy_without_bool_is_reported():
    """Then MXNet cannot be imported, unless the job itself provides a replacement."""
    python = need_member("mxnet-numpy")
    with Place() as place:
        found = examined(place, python, "job.py", code=3)
        bare = run([python, "-c", "import mxnet"], place.env(), place.path)
        command = [PROFTOP, "run", "--summary", "-o", place.file("report"), "--", python, "-c"]
        env = place.env(PROFTOP_ADAPTERS=ADAPTERS)
        failed = run([*command, "import mxnet"], env, place.path)
        helped = run([*command, "import numpy; numpy.bool = bool\nimport mxnet\n"
                      "mxnet.nd.ones(3).asnumpy(); raise SystemExit(4)"], env, place.path)
    assert found["framework"] == [
        ("fault", "MXNet is here and cannot be imported: " + LACKS)], found
    assert bare.returncode == failed.returncode == 1, (bare, failed)
    assert failed.stderr == bare.stderr + b"proftop: import mxnet fails: %s\n" % LACKS.encode(), (
        bare, failed)
    assert helped.returncode == 4 and helped.stderr == b"", helped


# ------------------------------------------------------------------------------------- processes


def it_is_found_and_attached_to(version):
    python = need_member(version)
    with Place() as place, Job([python, job("mxnet_loop")], place.env()) as looping:
        row = listed(place, looping.pid)
        assert (row["framework"], row["program"], row["facts"]) == (
            "MXNet", "mxnet_loop.py", None), row
        known = look_until(place, looping, lambda known: any(
            row["name"] == "_plus_scalar" for row in known["ops"]) and any(
                row["name"].lower().startswith("dense") for row in known["functions"]))
        assert in_process(known) == {"framework": "MXNet", "version": version_of(python),
                                     "route": ROUTE}, known["jobs"]
        assert listed(place, looping.pid)["framework"] == "MXNet"
        assert looping.end() == version_of(python)


def started(python, place, env, role):
    return subprocess.Popen([python, job("mxnet_kvstore")], env=dict(env, DMLC_ROLE=role),
                            cwd=place.path,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)


def servers_are_refused_while_workers_are_attached_to(version):
    """With a real kvstore. All refused processes continue."""
    python = need_member(version)
    roles = ("scheduler", "server", "worker", "worker")
    with Place() as place:
        env = kvstore(place)
        processes = [started(python, place, env, role) for role in roles]
        try:
            for worker in processes[2:]:
                assert worker.stdout.readline() == b"ready\n", worker.communicate()
            for role, process in zip(roles, processes):
                row = listed(place, process.pid)
                assert (row["framework"], row["role"]) == ("MXNet", role), row
                if role == "worker":
                    known, _ = look(place, process)
                    assert known["jobs"][0]["role"] == role, known["jobs"]
                    continue
                done = ask(place, "-b", "-p", str(process.pid), code=3)
                assert done.stderr.decode() == (
                    "proftop: process %d is a %s of a kvstore of MXNet: it runs inside `import "
                    "mxnet` until it ends, so it can't be attached to, and nothing was changed. "
                    "Start it with: proftop run -- COMMAND\n" % (process.pid, role)), done
            with open(place.file("enough"), "w", encoding="ascii"):
                pass
            ends = [process.communicate(timeout=SECONDS) for process in processes]
        finally:
            for process in processes:
                process.kill()
                process.wait()
    assert [process.returncode for process in processes] == [0] * 4, ends
    assert sorted(out for out, _ in ends[2:]) == [
        b"rank %d value 3.0\n" % rank for rank in (0, 1)], ends


def job_that_publishes_itself_names_the_framework(version):
    python = need_member(version)
    public = os.path.join(ADAPTERS, "proftop", "public.py")
    with Place() as place, Job([python, job("mxnet_publishes"), public], place.env()) as publishing:
        known, _ = look(place, publishing)
        assert (known["jobs"][0]["framework"], known["jobs"][0]["version"]) == (
            "MXNet", publishing.end()), known["jobs"]
    assert [(row["name"], row["value"]) for row in known["counters"]] == [("loss", 3)], known


# ---------------------------------------------------------------------------------- two frameworks


def check_both(known, first, times):
    """The rows and names of both."""
    double, = functions(known, "double")
    assert double["calls"] == times, known["functions"]
    names = {row["id"]: row["name"] for row in known["ops"]}
    calls = {names[row["op"]]: row["calls"] for row in known["applies"]}
    assert calls["exp"] == times and calls["_ones"] == times, calls
    theirs = [row["calls"] for row in known["applies"] if row["function"] == double["id"]]
    assert theirs == [times], known["applies"]
    job_, = known["jobs"]
    assert job_["framework"] == first, job_
    parts = ["MXNet 1.9.1: " + ROUTE, "PyTensor 2.12.3: C VM by its pointer tables: 1 function"]
    assert job_["route"] == "; ".join(parts if first == "MXNet" else parts[::-1]), job_


def two_frameworks_are_both_seen():
    """In either order of import."""
    python = need_member("mxnet-pytensor")
    for first, name in (("mxnet", "MXNet"), ("pytensor", "PyTensor")):
        with Place() as place:
            env = family(name="mxnet-pytensor")
            words = [python, job("mxnet_beside"), first, "pytensor"]
            bare = run(words, place.env(**env), place.path)
            done, known = watched_by(python, place, *words[1:], **env)
            assert (done.returncode, done.stdout, done.stderr) == (
                0, bare.stdout, bare.stderr), (bare, done)
        check_both(known, name, 7)
        assert "linker=cvm" in known["jobs"][0]["facts"], known["jobs"]


def two_frameworks_are_attached_to_and_left():
    """And again. In between, each framework has only its own objects."""
    python = need_member("mxnet-pytensor")
    with Place() as place:
        env = place.env(MXNET_CPU_WORKER_NTHREADS="2", **family(name="mxnet-pytensor"))
        with Job([python, job("mxnet_beside"), "mxnet", "pytensor", "wait"], env,
                 b"36.524366") as both:
            for _ in range(2):
                assert listed(place, both.pid)["framework"] == "PyTensor, MXNet"
                said = look(place, both)[1]
                assert "attached to PyTensor 2.12.3: 1 function with 1 node" in said, said
                assert "attached to MXNet 1.9.1" in said, said
                both.process.stdin.write(b"work\n")
                both.process.stdin.flush()
                both.wait_for("36.524366")
                known = look_until(place, both,
                                   lambda known: functions(known, "double")[0]["calls"])
                check_both(known, "PyTensor", 7)
                facts = known["jobs"][0]["facts"]
                assert {"linker=cvm", "MXNET_CPU_WORKER_NTHREADS=2"} <= set(facts), facts
                done = ask(place, "ctl", "detach", "-p", str(both.pid))
                assert b"left as it was" in done.stdout, done
                both.process.stdin.write(b"state\n")
                both.process.stdin.flush()
                both.wait_for("as it was")
            assert both.end() == "done"


LONG = [(what, tap.all_only(test)) for what, test in (
    ("doctor_reports_limits_of_naive_engines_in_", doctor_reports_limits_of_naive_engines),
    ("it_is_found_and_attached_to_in_", it_is_found_and_attached_to),
    ("servers_are_refused_while_workers_are_attached_to_in_",
     servers_are_refused_while_workers_are_attached_to),
    ("job_that_publishes_itself_names_the_framework_in_",
     job_that_publishes_itself_names_the_framework))]
tap.run(*of_each("doctor_names_it_in_", doctor_names_it, VERSIONS[:1]),
        *of_each("doctor_names_it_in_", tap.all_only(doctor_names_it), VERSIONS[1:]),
        *[test for what, one in LONG for test in of_each(what, one, VERSIONS)],
        *of_each("an_unknown_build_is_named_in_", tap.all_only(an_unknown_build_is_named),
                 VERSIONS[:1]),
        *map(tap.all_only, (numpy_without_bool_is_reported, two_frameworks_are_both_seen,
                            two_frameworks_are_attached_to_and_left)))
