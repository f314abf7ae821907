# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_whose.py: the job's own state stays unchanged where the job's actions and proftop's
coincide: an exit requested by a signal handler, the end of one of its threads, a function of its
own in proftop's place, a VM that it kept, a later import."""
import contextlib
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from attaching import SECONDS, Job, ask, look, look_until  # noqa: E402
from watching import Place, applies, function, need_python, tap, watched  # noqa: E402

CODE, CALLS = 5, 7      # of jobs/whose.py
TUNE, DRAWS = 20, 40    # of jobs/late_import.py


@contextlib.contextmanager
def whose(place, what):
    command = [need_python(), watching.job("whose"), what]
    with Job(command, place.env()) as job:
        yield job


def an_exit_in_a_hook_is_the_jobs():
    with Place() as place:
        done, _ = watching.watched(place, watching.job("whose"), "hook")
    assert done.returncode == CODE and b"not ended" not in done.stdout, done


def a_thread_that_is_ended_in_a_hook_ends_alone():
    with Place() as place:
        done, _ = watched(place, watching.job("whose"), "thread")
    assert (done.returncode, done.stdout) == (0, b"ended\ncounted\nnot ended\n"), done


def an_exit_while_it_is_attached_to_is_the_jobs():
    with Place() as place, whose(place, "load") as job:
        asked = subprocess.Popen([watching.PROFTOP, "-b", "-p", str(job.pid)],
                                 env=place.env(PROFTOP_ADAPTERS=watching.ADAPTERS),
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        out, err = job.process.communicate(timeout=SECONDS)
        asked.communicate(timeout=SECONDS)
    assert job.process.returncode == CODE and b"Traceback" not in err, (out, err)


def left_and_attached_to(place, job):
    look(place, job)
    ask(place, "ctl", "detach", "-p", str(job.pid))
    job.wait_for("ready")
    look(place, job)
    job.wait_for("counted")


def a_function_where_proftop_stood_is_the_jobs():
    """It is called after proftop has detached. Its callers are counted once after the next
    attach."""
    with Place() as place, whose(place, "places") as job:
        left_and_attached_to(place, job)
        known = look_until(place, job, lambda known: function(known, "f")["calls"] >= CALLS)
        job.end()
    assert function(known, "f")["calls"] == CALLS, known["functions"]
    assert {row["calls"] for row in applies(known, function(known, "f"))} == {CALLS}, known


def a_vm_that_is_kept_is_no_other_function():
    with Place() as place, whose(place, "vm") as job:
        left_and_attached_to(place, job)
        known = look_until(place, job, lambda known: function(known, "g")["calls"] >= CALLS)
        job.end()
    assert [(row["name"], row["calls"]) for row in known["functions"]] == [("g", CALLS)], known
    assert {row["calls"] for row in known["applies"]} == {CALLS}, known["applies"]


def a_vm_that_has_changed_is_known_by_its_lists():
    """Its tables no longer agree with its thunks. It is seen all the same."""
    with Place() as place, whose(place, "thunk") as job:
        left_and_attached_to(place, job)
        known = look_until(place, job, lambda known: function(known, "f")["calls"] >= CALLS)
        job.end()
    assert function(known, "f")["calls"] == CALLS, known["functions"]
    rows = applies(known, function(known, "f"))
    assert [(row["calls"], row["source"]) for row in rows] == [(CALLS, "set")] * len(rows), rows
    [said] = [one["text"] for one in known["notices"] if "not laid out as known" in one["text"]]
    assert "its tables do not hold what its thunks say" in said, said


def a_child_that_has_called_nothing_is_attached_to():
    with Place() as place, whose(place, "child") as job:
        look(place, job)
        child = job.process.stdout.readline().decode().strip()
        done = ask(place, "-b", "-p", child, "--format", "json")
        job.wait_for("counted")
        job.end()
    known = json.loads(done.stdout)
    assert [row["pid"] for row in known["jobs"]] == [int(child)], known["jobs"]
    assert function(known, "f")["calls"] == 0, known["functions"]


def attached_worker_sends_goodbye():
    """multiprocessing ends it by os._exit."""
    with Place() as place, whose(place, "worker") as job:
        child = job.process.stdout.readline().decode().strip()
        words = [watching.PROFTOP, "-b", "-n", "0", "-p", child, "--format", "json"]
        with subprocess.Popen(words, env=place.env(PROFTOP_ADAPTERS=watching.ADAPTERS),
                              stdout=subprocess.PIPE) as viewer:
            for line in viewer.stdout:
                last = json.loads(line)
                if job.process.stdin and function(last, "f")["calls"] == CALLS:
                    job.process.stdin.close()
                    job.process.stdin = None
        job.wait_for("counted")
    [row] = last["jobs"]
    assert (row["state"], row["complete"], last["final"]) == ("ended", True, True), row
    assert function(last, "f")["calls"] == CALLS, last["functions"]


def draws_of_what_is_imported_later_are_counted():
    python, env = watching.need_member("pymc"), watching.family(name="pymc")
    with Place() as place, Job([python, watching.job("late_import")], place.env(**env)) as job:
        look(place, job)
        job.wait_for("counted")
        known = look_until(place, job, lambda known: sum(
            one["calls"] for one in known["spans"]) == TUNE + DRAWS)
        job.end()
    assert {(one["domain"], one["name"], one["calls"]) for one in known["spans"]} == {
        ("PyMC", "tune", TUNE), ("PyMC", "draw", DRAWS)}, known["spans"]


def empty_framework(place):
    """A folder with a module named like a framework. Our finder sees its import."""
    folder = place.file("second")
    module = os.path.join(folder, "aesara", "compile", "function")
    os.makedirs(module)
    open(os.path.join(module, "types.py"), "x", encoding="utf-8").close()
    return folder


def names_the_second(known):
    said = [one["text"] for one in known["notices"] if one["text"].startswith("Aesara is not seen")]
    assert len(said) == 1 and said[0].endswith("here of PyTensor"), known["notices"]
    assert [row["name"] for row in known["functions"]] == ["f"], known["functions"]


def a_second_framework_is_named():
    """Whether the job imports it under `proftop run`, or before the attach."""
    with Place() as place:
        path = empty_framework(place)
        done, known = watched(place, watching.job("whose"), "second", PYTHONPATH=path)
        assert done.returncode == 0, done.stderr
        names_the_second(known)
        with Job([need_python(), watching.job("whose"), "second"],
                 place.env(PYTHONPATH=path)) as job:
            known, _ = look(place, job)
            job.wait_for("counted")
            job.end()
        names_the_second(known)


MOVED = "gevent moves calls that are under way off their stack, so that they cannot be counted"


def where_stacks_are_moved_nothing_is_counted():
    """Of functions compiled there. Later attaches are refused."""
    words = watching.job("moved")
    with Place() as place:
        bare = watching.alone(place, words)
        done, known = watched(place, words)
        assert bare.returncode == done.returncode == 0 and bare.stdout == done.stdout, (bare, done)
        with Job([need_python(), words, "late"], place.env()) as job:
            asked = ask(place, "-b", "-p", str(job.pid), code=3).stderr.decode()
            assert asked == "proftop: process %d: %s\n" % (job.pid, MOVED), asked
            assert job.end() == "end"
    before, behind = function(known, "before"), function(known, "behind")
    assert {row["calls"] for row in (before, *applies(known, before))} == {3}, known
    assert behind["calls"] is None and not applies(known, behind), behind
    said = [one["text"] for one in known["notices"] if one["text"].endswith(" not seen: " + MOVED)]
    # The other is for the steps inside it.
    assert len(said) == 2 and said[0].startswith("the nodes of behind are"), known["notices"]


def compile_function_of_the_job_stays_unchanged(name):
    """It is pickled, copied and looked up as without proftop, and is seen under any name that the
    job gives it."""
    python, package, flags, folder = watching.member(name)
    env = watching.family("linker=py", flags, name=folder)
    words = (watching.job("named"), package)
    with Place() as place:
        done, _ = watching.beside_alone(python, place, *words, **env)
        assert done.stdout.endswith(b" True\n"), done
        with Job([python, *words, "late"], place.env(**env), first=done.stdout) as job:
            for called in ("f", "h"):
                look(place, job)
                job.wait_for("compiled True")
                known, _ = look(place, job)
                row = function(known, called)
                assert row["compile_ns"] > row["rewrite_ns"] + row["link_ns"] > 0, row
                if called == "f":
                    ask(place, "ctl", "detach", "-p", str(job.pid))
                    job.wait_for("ready")
            assert job.end() == "end"


tap.run(*watching.of_each("compile_function_of_the_job_stays_unchanged_in_",
                          compile_function_of_the_job_stays_unchanged,
                          ("pytensor-2.31", "pytensor-3.0", "theano")),
        an_exit_in_a_hook_is_the_jobs, a_thread_that_is_ended_in_a_hook_ends_alone,
        an_exit_while_it_is_attached_to_is_the_jobs,
        a_function_where_proftop_stood_is_the_jobs, a_vm_that_is_kept_is_no_other_function,
        a_vm_that_has_changed_is_known_by_its_lists,
        a_child_that_has_called_nothing_is_attached_to, attached_worker_sends_goodbye,
        draws_of_what_is_imported_later_are_counted, a_second_framework_is_named,
        where_stacks_are_moved_nothing_is_counted)
