# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_late.py: attaches to running jobs that were started without proftop, and detaches again.
The counts equal the framework's counts from then on, and nothing else changes.

PROFTOP_TEST_LONG=1 attaches to a job 50 times instead of 20, and applies the bars on the times."""
import ast
import contextlib
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import time
import types

sys.dont_write_bytecode = True
import watching  # noqa: E402
sys.path.insert(0, watching.tap.source("tests", "e2e"))
from attaching import QUIET, SECONDS, Job, ask, look, look_until  # noqa: E402
from attaching import proc, wait_until_quiet  # noqa: E402
from shell import Screen  # noqa: E402
from watching import ADAPTERS, PROFTOP, Place, need_python, tap  # noqa: E402

LINKERS = ["cvm", "c|py", "py", "vm"]  # of jobs/late.py; the framework does not profile two of them
# The routes of its functions, each by the best step available.
ROUTES = ["C VM by its pointer tables: 1 function", "Python VM by its list of thunks: 1 function",
          "linker without a VM by its list of thunks: 2 functions"]
LONG = os.environ.get("PROFTOP_TEST_LONG") == "1"
TIMES = 50 if LONG else 20
# Of jobs/late_pymc.py, after the draw in which proftop attaches. In the draw of MORE it waits.
DRAWS, STEPS_A_DRAW, MORE = 70, 2, 30
DRAWN, OWN_CALLS = 110, 9  # of jobs/late_nutpie.py
# Of jobs/late_nutpie_amid.py: the step at which proftop attaches, and whether calls of logp, and of
# the values of a draw, are counted. A chain evaluates logp at most STARTS times before it steps.
COUNTED = {"rewriting": (True, True), "linking": (False, True), "made": (False, True),
           "taken": (False, False)}
STARTS = 50
AFTER = 50  # of jobs/late.py
CALLS, STEPS, AT = 20, 10, 4  # of jobs/late_inner.py: later calls, and the step in progress
# A sleeping process that never runs a framework.
ASLEEP = "import ctypes; nap = (ctypes.c_long * 2)(600, 0); print('ready', flush=True); " \
         "ctypes.CDLL(None).nanosleep(nap, None)"
REFUSED = b"ran no Python for 1 s", b"nothing was changed"
# Numbers of clock_nanosleep() and restart_syscall(), which continues an interrupted one.
NAPS = {"x86_64": ("230", "219"), "aarch64": ("115", "128")}
NUMBA = """
import sys
import numba
import numpy
f = numba.njit(lambda x: numpy.exp(x).sum() + numpy.linalg.inv(numpy.eye(3))[0, 0])
f(numpy.ones(3))
print("ready", flush=True)
sys.stdin.readline()
print("end")
"""


def family_job(place, python, package, what, name="", flags="", **more):
    env = place.env(**watching.family(flags, name=name), **more)
    return Job([python, watching.job("late"), package, what], env)


def counts_of(place, job, framework):
    """Attaches, lets the job train, and returns the counts of both sides."""
    _, said = look(place, job)
    assert re.search(r"attached to %s \S+: 4 functions with \d+ nodes, in \d+ ms of its main "
                     r"thread; it stood still for [\d.]+ ms" % framework, said), said
    job.wait_for("counted")
    known = look_until(place, job, lambda known: all(
        row["calls"] == AFTER for row in known["functions"] + known["applies"]))
    return known, json.loads(job.end())


def routes_of(known):
    """The order depends on the memory addresses of the objects."""
    return sorted(known["jobs"][0]["route"].split("; "))


@contextlib.contextmanager
def ends_as_alone(place, words, env, how):
    """A job to attach to. At its end it prints the same last line as it prints alone, unless `how`
    is given."""
    bare = watching.run(words, place.env(**env), place.path)
    with Job([*words, how], place.env(**env)) as job:
        yield job
        job.last = job.end()
    assert bare.returncode == 0 and bare.stdout.decode().splitlines()[-1] == job.last, \
        (bare, job.last)


def one_member(python, package, framework, name="", flags=""):
    with Place() as place, family_job(place, python, package, "count", name, flags) as job:
        known, told = counts_of(place, job, framework)
    assert sorted(row["name"] for row in known["functions"]) == sorted(LINKERS), known["functions"]
    assert routes_of(known) == ROUTES, known["jobs"]
    assert sorted(told["since"]) == sorted(told["compiled"]) == ["cvm", "vm"], told
    assert len([one for one in known["notices"] if "how long they took" in one["text"]]) == 1, \
        known["notices"]
    for linker in LINKERS:
        row = watching.function(known, linker)
        assert row["mode"] == "Mode linker=%s optimizer=fast_run" % linker, row
        rows = watching.applies(known, row)
        assert [one["name"] for one in rows] == told["texts"][linker], (rows, told)
        counts = told["since"].get(linker, [AFTER] * len(rows))
        assert [one["calls"] for one in rows] == counts == [AFTER] * len(rows), (rows, told)
        impls = {one["impl"] for one in rows}
        assert impls == {"Py"} if linker == "py" else "C" in impls, (linker, impls)
        times = [row[part + "_ns"] for part in ("compile", "rewrite", "validate", "link")]
        compiled = [round(part * watching.NS) for part in told["compiled"].get(linker, ())]
        assert times == (compiled or [None] * 4), (row, told)
        assert not compiled or min(times) > 0, row
        assert 0 < sum(one["total_ns"] for one in rows) <= row["call_ns"], row


def rows_count_from_the_moment_of_attaching():
    one_member(need_python(), "pytensor", "PyTensor")


def rows_of_member(name):
    package, framework, flags = watching.MEMBERS[name]
    one_member(watching.need_member(name), package, framework, name, flags)


def inside_of(name, where, linker="cvm"):
    """Tests the functions inside a Scan and a graph made an op, from the next node on. Returns the
    rows of the function, of the Scan and of the graph, by name, and the report."""
    python, package, own, folder = watching.member(name)
    env = watching.family("linker=" + linker, own, name=folder)
    words = [python, watching.job("late_inner"), package]
    with Place() as place, ends_as_alone(place, words, env, where) as job:
        _, said = look(place, job)
        assert "3 functions with" in said, said
        job.wait_for("counted")
        known = look_until(place, job, lambda known: watching.function(
            known, "outer")["calls"] == CALLS)
    told, nodes = json.loads(job.last), {row["id"]: row for row in known["applies"]}
    outer = watching.function(known, "outer")
    boxed, steps = sorted((row for row in known["functions"] if row["parent"] is not None),
                          key=lambda row: row["name"] == "steps")
    assert nodes[boxed["parent"]]["name"].startswith("OpFromGraph"), nodes[boxed["parent"]]
    assert nodes[steps["parent"]]["metrics"] == {"step": STEPS, "steps": STEPS}, nodes
    assert {nodes[row["parent"]]["function"] for row in (boxed, steps)} == {outer["id"]}, nodes
    rows = [watching.applies(known, row) for row in (outer, steps, boxed)]
    names = [[one["name"] for one in some] for some in rows]
    assert (names[0], sorted(names[1:])) == (told["outer"], told["inner"]), (names, told)
    return [[(one["name"], one["calls"]) for one in some] for some in rows], known


def nodes_inside_others_count_from_the_next_call_on(linker):
    (outer, steps, boxed), known = inside_of("pytensor-2.31", "between", linker)
    assert {calls for _, calls in outer + boxed} == {CALLS}, (outer, boxed)
    assert {calls for _, calls in steps} == {CALLS * STEPS}, steps
    assert watching.function(known, "steps")["calls"] == CALLS * STEPS, known["functions"]
    sums = [sum(row["total_ns"] for row in watching.applies(known, watching.function(
        known, "outer"))), sum(row["self_ns"] for row in known["applies"])]
    assert sums[0] == sums[1] > 0, (sums, known["applies"])


def nodes_inside_others_count_within_the_call(name):
    """Counts everything after the running node: the rest of its step, the remaining steps, and the
    nodes of the function after its Scan."""
    (outer, steps, boxed), _ = inside_of(name, "inside")
    for text, calls in outer:
        after = text.startswith(("Subtensor", "OpFromGraph"))
        assert calls == CALLS + after, (text, calls)
    assert {calls for _, calls in boxed} == {CALLS + 1}, boxed
    left = CALLS * STEPS + STEPS - AT
    assert [calls for _, calls in steps] == [left, left, left + 1] and "here" in steps[1][0], steps


def groups_are_found():
    with Place() as place, Job([need_python(), watching.job("groups"), "pytensor", "late"],
                               place.env(**watching.family("linker=cvm"))) as job:
        look(place, job)
        job.wait_for("counted")
        known, _ = look(place, job)
        job.end()
    watching.check_groups(known["functions"])
    for name in ("f", "g"):  # a profile that both share does not give the time of either
        assert watching.function(known, name)["compile_ns"] is None, known["functions"]


def shared_profile_gives_no_compile_time(name):
    """The framework adds up the compilations of all functions. All but one may be gone."""
    python, package, flags, folder = watching.member(name)
    env = watching.family("linker=cvm", flags, name=folder)
    with Place() as place, Job([python, watching.job("gone"), package], place.env(**env)) as job:
        look(place, job)
        job.wait_for("counted")
        known, _ = look(place, job)
        told = json.loads(job.end())
    times = {row["name"]: row["compile_ns"] for row in known["functions"]}  # or its profile's
    assert times == {"several": None, "unnamed": None, "own": round(told["own"] * watching.NS)}, (
        times, told)
    assert all(seconds > 0 for seconds in told.values()), told


def a_compilation_that_has_begun_is_not_all_known(name):
    """Only parts of the compilation that begin later are counted."""
    python, package, flags, folder = watching.member(name)
    env = watching.family("linker=cvm", flags, name=folder)
    with Place() as place, Job([python, watching.job("late_rewrite"), package],
                               place.env(**env)) as job:
        look(place, job)
        job.wait_for("counted")
        known = look_until(place, job, lambda known: len(known["functions"]) == 2)
        job.end()
    cut, whole = (watching.function(known, name) for name in ("cut", "whole"))
    assert cut["calls"] == whole["calls"] == 1, known["functions"]
    assert cut["compile_ns"] is cut["rewrite_ns"] is None and cut["link_ns"] > 0, cut
    assert whole["compile_ns"] > whole["rewrite_ns"] + whole["link_ns"] > 0, whole


def numba_job(place, *words):
    command = [watching.need_member(watching.NUMBA), watching.job("late_numba"), *words]
    return Job(command, place.env(**watching.family(name="numba-late")))


@tap.all_only
def numba_functions_are_compiled_again_with_marks():
    """Also a loop, and a function not called before. After the detach everything is as before. Code
    with marks has a cache of its own."""
    with Place() as place, numba_job(place) as job:
        plain, _ = watching.numba_cache("numba-late")
        _, said = look(place, job)
        assert "5 functions; Numba compiles 5 again, with marks, and then" in said, said
        job.wait_for("later")
        ask(place, "ctl", "detach", "-p", str(job.pid))
        job.wait_for("left")
        look(place, job)
        job.wait_for("counted")
        known = look_until(place, job, lambda known: (
            {row["calls"] for row in known["functions"]},
            {row["calls"] for row in known["applies"]}) == ({50, None}, {50, 500}))
        nodes = ast.literal_eval(job.end())
    kept, marked = watching.numba_cache("numba-late")
    assert plain and marked and all(kept[file] == code for file, code in plain.items()), kept.keys()
    with Place() as place:  # it could not load code with marks
        bare = watching.run([watching.need_member(watching.NUMBA), watching.job("late_numba"),
                             "alone"], place.env(**watching.family(name="numba-late")),
                            place.path)
    assert bare.returncode == 0 and ast.literal_eval(bare.stdout.decode().splitlines()[-1]) == nodes
    assert watching.numba_cache("numba-late")[1] == marked, marked
    assert not [one for one in known["notices"] if "not seen" in one["text"]], known["notices"]
    assert len(nodes) == 6 and len(known["functions"]) == 10, known["functions"]
    for name, texts in nodes.items():
        rows = watching.applies(known, watching.function(known, name))
        assert [row["name"] for row in rows] == texts and texts, (rows, texts)
        assert {(row["calls"], row["impl"]) for row in rows} == {(50, "JIT")}, rows
    inner = [(row["name"], {one["calls"] for one in watching.applies(known, row)})
             for row in known["functions"] if row["parent"] is not None]
    assert sorted(inner) == [("box", {50})] * 2 + [("steps", {500})] * 2, inner
    told = [row["metrics"] for row in known["applies"] if row["name"].startswith("Scan{")]
    assert told == [{"step": 10, "steps": 10}] * 2, told


@tap.all_only
def a_job_that_forks_and_ends_while_numba_compiles_does_so():
    with Place() as place, numba_job(place, "brief") as job:
        look(place, job)
        out, err = job.process.communicate(timeout=SECONDS)
    assert (job.process.returncode, out, err) == (7, b"", b""), (job.process.returncode, out, err)


@tap.all_only
def function_awaiting_numba_is_not_seen_in_a_forked_child():
    """The job has no thread that compiles."""
    with Place() as place:
        command = [watching.need_member(watching.NUMBA), watching.job("late_child"),
                   watching.ADAPTERS]
        with Job(command, place.env(**watching.family(name="numba-late"))) as job:
            child = int(job.process.stdout.readline())
            known = look_until(place, types.SimpleNamespace(pid=child), lambda known: (
                [row["calls"] for row in known["functions"]] == [1]))
            assert job.end() == "0"
    assert known["applies"] == [], known["applies"]
    assert [one["text"] for one in known["notices"]] == [
        "the nodes of f are not seen: this process was forked before Numba had compiled it again"
    ], known["notices"]


def running_workers_are_reported_and_attached_to():
    """By its pid, proftop attaches to the job alone. With --children it attaches to the workers
    too."""
    with Place() as place:
        words = [need_python(), watching.job("late_workers")]
        with Job(words, place.env(**watching.family())) as job:
            known, _ = look(place, job)
            done = ask(place, "-b", "-p", str(job.pid), "--children", "--format", "json")
            job.end()
    said = [one["text"] for one in known["notices"] if "--children" in one["text"]]
    assert len(said) == len(known["jobs"]) == 1, known["notices"]
    assert b"attached to 2 of 2 child processes" in done.stderr, done
    main, *workers = json.loads(done.stdout)["jobs"]
    assert [one["parent"] for one in workers] == [main["instance"]] * 2, (main, workers)


def compiling_again_is_silent():
    """A warning of the first compilation is not repeated. The job's own filter decides on warnings
    all the time."""
    with Place() as place:
        command = [watching.need_member(watching.NUMBA), watching.job("late_warns")]
        with Job(command, place.env(**watching.family(name="numba-late"))) as job:
            known, _ = look(place, job)
            job.wait_for("marked")
            out, err = job.process.communicate(b"\n", timeout=SECONDS)
    assert (job.process.returncode, out) == (0, b"0 0\n"), (job.process.returncode, out, err)
    told = [err.count(b"UserWarning: " + words) for words in (b"Numba will", b"the job's own")]
    assert told == [1, 1], err
    assert not [one for one in known["notices"] if "not seen" in one["text"]], known["notices"]


def watched_while_it_draws(place, job):
    """Reports of one viewer: while the job waits in a draw, and then until it has drawn."""
    reports = []
    viewer = subprocess.Popen(
        [PROFTOP, "-b", "-n", "0", "-d", "0.1", "--format", "json", "-p", str(job.pid)],
        env=place.env(), stdout=subprocess.PIPE)
    try:
        for draws in (MORE - 1, DRAWS):
            while not reports or [one["calls"] for one in reports[-1]["spans"]] != [draws]:
                reports.append(json.loads(viewer.stdout.readline()))
            if draws < DRAWS:
                del reports[:-1]
                job.process.stdin.write(b"\n")
                job.process.stdin.flush()
    finally:
        viewer.kill()
        viewer.communicate()
    return reports


def rates_are_those_of_the_totals(reports):
    """A report with new data gives the draws since the one before. Another report may keep the
    older rate, as between two ticks."""
    drew = 0
    for before, after in zip(reports, reports[1:]):
        calls = [{row["id"]: row["calls"] for row in known["applies"]} for known in (before, after)]
        draws = [known["spans"][0]["calls"] for known in (before, after)]
        if calls[0] == calls[1]:
            continue
        for row in after["applies"]:
            assert row["interval_calls"] == row["calls"] - calls[0][row["id"]], (row, calls)
        if draws[1] > draws[0]:
            assert after["spans"][0]["interval_rate"] > 0, after["spans"]
            drew += draws[1] - draws[0]
    assert drew == DRAWS - MORE + 1, [known["spans"] for known in reports]


def draws_are_counted_from_the_moment_of_attaching():
    """For a running sampler. The draw in progress does not count, and neither do its steps."""
    python, env = watching.need_member("pymc"), watching.family(name="pymc")
    words = [python, watching.job("late_pymc")]
    with Place() as place, ends_as_alone(place, words, env, "attached") as job:
        look(place, job)
        job.wait_for("more")
        reports = watched_while_it_draws(place, job)
        job.wait_for("counted")
        known = look_until(place, job, lambda known: (
            {one["updates"] for one in known["counters"]} == {DRAWS} and
            {row["calls"] for row in known["functions"]} <= {0, DRAWS + 1}))
        ask(place, "ctl", "detach", "-p", str(job.pid))
    rates_are_those_of_the_totals(reports)
    [draw], counters = known["spans"], {one["name"]: one for one in known["counters"]}
    each, left = counters["evaluations per draw"], counters["draws left"]
    assert (left["max"], left["value"]) == (DRAWS - 1, 0), left
    assert (draw["domain"], draw["kind"], draw["name"], draw["calls"]) == (
        "PyMC", "frame", "draw", DRAWS), draw
    assert (each["name"], each["mean"]) == ("evaluations per draw", STEPS_A_DRAW), each
    # One function for each step, and one that is called between draws. The evaluations of the draw
    # in progress count for them.
    calls = [row["calls"] for row in known["functions"] if row["calls"]]
    assert calls == [DRAWS + 1] * (STEPS_A_DRAW + 1), known["functions"]
    pymc_functions_are_named_by_purpose(known)


def pymc_functions_are_named_by_purpose(known):
    """The user's line is unknown by now, and a notice says so. The library's line makes no row. It
    is in the detail of a node."""
    called = [row["name"] for row in known["functions"] if row["calls"]]
    assert sorted(called) == ["change of logp"] * STEPS_A_DRAW + ["values of a draw"], called
    assert {row["file"] for row in known["functions"]} == {None}, known["functions"]
    lines = {row["name"] for row in known["lines"]} - {None}
    assert all(line.startswith(watching.job("late_pymc") + ":") for line in lines), lines
    unknown = {one["detail"]["library"] for one in known["applies"]
               if one["detail"] and known["lines"][one["line"]]["name"] is None} - {None}
    assert unknown and all("/site-packages/pymc/" in line for line in unknown), unknown
    said = [one["text"] for one in known["notices"] if "nobody knows which line" in one["text"]]
    assert len(said) == 1, known["notices"]


@tap.all_only
def functions_taken_by_nutpie_before_are_reported_unseen():
    """The earlier one has no call count, since 0 would be wrong. Functions compiled later have all
    counts."""
    python, env = watching.need_member("pymc"), watching.family(name="pymc")
    words = [python, watching.job("late_nutpie")]
    with Place() as place, ends_as_alone(place, words, env, "attached") as job:
        _, told = look(place, job)
        job.wait_for("counted")
        known = look_until(place, job, lambda known: watching.function(
            known, "own")["calls"] == OWN_CALLS)
    texts = [one["text"] for one in known["notices"]]
    assert len([text for text in texts if re.search(
        "^nutpie is imported: .* before proftop came is not seen", text)]) == 1, texts
    route = "unseen, as nutpie calls code without marks: 2 functions"
    assert "; 2 unseen, as nutpie calls code without marks, in" in told, told
    assert route in known["jobs"][0]["route"], known["jobs"]
    unseen = [row for row in known["functions"] if row["calls"] is None]
    assert len(unseen) == 2 and not any(watching.applies(known, row) for row in unseen), unseen
    assert sum(one["times"] for one in known["notices"] if one["text"].endswith(
        "not seen: nutpie took its code out of it before proftop came")) == 2, known["notices"]
    assert {one["calls"] for one in watching.applies(
        known, watching.function(known, "own"))} == {OWN_CALLS}, known["applies"]
    # The later sampler's logp, and the function of the values of each draw.
    later = [row for row in known["functions"] if row["name"].rpartition(": ")[0] in (
        "logp and gradient", "values of a draw")]
    evaluations, kept = sorted((row["calls"] for row in later), reverse=True)
    assert evaluations > kept == DRAWN, later
    for row in later:
        assert {one["calls"] for one in watching.applies(known, row)} == {row["calls"]}, row


def functions_taken_by_nutpie_are_counted_or_unknown_at(where):
    """Attaches while nutpie compiles. Uncounted calls are unknown, never 0."""
    python, env = watching.need_member("pymc"), watching.family(name="pymc")
    words = [python, watching.job("late_nutpie_amid"), where]
    with Place() as place, ends_as_alone(place, words, env, "attached") as job:
        look(place, job)
        job.wait_for("counted")
        known = look_until(place, job, lambda known: len(nutpies(known)) == 2)
    steps, draws = map(int, job.last.split())
    rows = nutpies(known)
    assert [row["calls"] is not None for row in rows] == list(COUNTED[where]), known["functions"]
    for row, truth, more in zip(rows, (steps, draws), (STARTS, 0)):
        unseen = [one["text"] for one in known["notices"] if one["text"].startswith(
            "the nodes of %s are not seen: nutpie t" % (row["name"] or "a function"))]
        nodes = {one["calls"] for one in watching.applies(known, row)}
        if row["calls"] is None:
            assert unseen and not nodes, (row, nodes, known["notices"])
        else:
            assert 0 <= row["calls"] - truth <= more and not unseen, (row, truth)
            assert nodes == {row["calls"]}, (row, nodes)


def nutpies(known):
    """nutpie's two rows: logp, and the values of a draw. An older function has no purpose in its
    name, only its place. nutpie does not take the code of its third function."""
    kinds = {"logp and gradient": 0, "values of a draw": 1}
    rows = [row for row in known["functions"] if row["parent"] is None]
    named = {kinds[kind]: row for row in rows for kind in [str(row["name"]).partition(": ")[0]]
             if kind in kinds}
    others = [row for row in rows if row not in named.values() and row["calls"] is None]
    return [named.get(at) or others.pop(0) for at in (0, 1) if at in named or others]


def held_by(job):
    """Names of its threads, and the targets of its descriptors."""
    root, names = "/proc/%d/" % job.pid, []
    for thread in os.listdir(root + "task"):
        with contextlib.suppress(OSError), \
                open(root + "task/%s/comm" % thread, encoding="utf-8") as file:
            names.append(file.read().strip())
    files = []
    for number in os.listdir(root + "fd"):
        with contextlib.suppress(OSError):
            files.append(os.readlink(root + "fd/" + number))
    return sorted(names), sorted(files)


def size_of(job):
    """Mappings, and memory in kB."""
    root = "/proc/%d/" % job.pid
    with open(root + "statm", encoding="ascii") as file:
        resident = int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") // 1024
    with open(root + "maps", encoding="ascii") as file:
        return len(file.readlines()), resident


def attached_and_left_it_is_the_same_job():
    python, begun, stops = need_python(), [], []
    with Place() as place, family_job(place, python, "pytensor", "churn") as job:
        before = held_by(job)
        for turn in range(TIMES):
            start = time.monotonic()
            done = ask(place, "-b", "-p", str(job.pid), "--format", "json", "--sort", "time")
            begun.append(time.monotonic() - start)
            stops.append(float(re.search(r"still for ([\d.]+) ms", done.stderr.decode()).group(1)))
            known = json.loads(done.stdout)
            # If anything were left in a VM, proftop would refuse it and take the next step.
            assert routes_of(known) == ROUTES, (turn, known["jobs"])
            assert len(known["applies"]) > 3, done
            left = ask(place, "ctl", "detach", "-p", str(job.pid))
            assert b"left as it was" in left.stdout, left
            tap.poll(lambda: held_by(job) == before, SECONDS)
            assert held_by(job) == before, (turn, before, held_by(job))
            assert not [name for name in os.listdir(place.path) if name.endswith(".info")]
            if turn == 1:
                maps, resident = size_of(job)
        after = size_of(job)
        told = json.loads(job.end())
    assert after[0] <= maps + 4, (maps, after)  # one mapping per attach would be 18
    assert after[1] <= resident + 1024, (resident, after)
    assert told["seen"] and not told["left"] and told["same"] and told["equal"], told
    assert "Wrap" not in told["kinds"] and told["profile"] is False, told
    print("# %d times: stop median %.2f ms, worst %.2f ms; first rows median %.3f s, worst %.3f s"
          % (TIMES, statistics.median(stops), max(stops), statistics.median(begun), max(begun)))
    # The time without disturbance. Other tests run at the same time.
    assert min(stops) <= 50 and min(begun) <= 0.5 * tap.SLOW, (stops, begun)
    # Four times the bar, for the same reason.
    assert statistics.median(begun) <= (0.5 if LONG else 2) * tap.SLOW, begun
    assert not LONG or (statistics.median(stops) <= 1 and max(stops) <= 20), stops


def viewer_reports_the_detach_and_its_requester():
    with Place() as place, family_job(place, need_python(), "pytensor", "churn") as job:
        look(place, job)
        viewer = subprocess.Popen(
            [PROFTOP, "-b", "-n", "0", "-d", "0.1", "--format", "json", "-p", str(job.pid)],
            env=place.env(), stdout=subprocess.PIPE)
        try:
            assert json.loads(viewer.stdout.readline())["jobs"][0]["state"] == "live"
            ask(place, "ctl", "detach", "-p", str(job.pid))
            last = json.loads(viewer.communicate(timeout=SECONDS)[0].splitlines()[-1])
            listed = [json.loads(line) for line in
                      ask(place, "-l", "--format", "json").stdout.splitlines()]
        finally:
            viewer.kill()
            viewer.communicate()
        job.end()
    why, = [row["why"] for row in listed if row["pid"] == job.pid]
    assert "or it was detached from (proftop -p %d attaches to it again)" % job.pid in why, why
    mine, = last["jobs"]
    assert last["final"] and mine["state"] == "detached" and viewer.returncode == 0, last["jobs"]
    assert re.fullmatch(r"it was detached from \(asked by \S.*, process \d+ on \S+\), and went on",
                        mine["reason"]), mine["reason"]


def a_detach_that_is_interrupted_is_done_again():
    """The next detach or attach removes the rest."""
    with Place() as place:
        done = watching.alone(place, watching.job("interrupted"), watching.ADAPTERS)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"left\n", b""), done


def attaching_twice_is_attaching_once():
    with Place() as place, family_job(place, need_python(), "pytensor", "churn") as job:
        for said in (True, False):
            _, told = look(place, job)
            assert ("attached to" in told) == said, told
        assert len([name for name in os.listdir(place.path) if name.endswith(".info")]) == 1
        ask(place, "ctl", "detach", "-p", str(job.pid))
        again = ask(place, "ctl", "detach", "-p", str(job.pid), code=3)
        assert b"it is not attached to" in again.stderr, again
        told = json.loads(job.end())
    assert told["same"] and told["equal"], told


def no_flag_is_set_under_run_either():
    with Place() as place:
        done, known = watching.watched(place, watching.job("late"), "pytensor", "churn")
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["profile"] is False and told["left"], told
    for row in known["functions"]:
        rows = watching.applies(known, row)
        assert len(rows) == told["nodes"][row["name"]] > 2, (rows, told)


def a_job_that_wants_no_feed_gets_none():
    with Place() as place, family_job(place, need_python(), "pytensor", "churn",
                                      PROFTOP="0") as job:
        done = ask(place, "-b", "-p", str(job.pid), code=3)
        assert b"PROFTOP=0 in the environment keeps every feed off" in done.stderr, done
        assert not [name for name in os.listdir(place.path) if name.endswith(".info")]
        told = json.loads(job.end())
    assert not told["seen"] and told["same"] and told["equal"], told


def a_thread_that_never_runs_python_is_left_alone():
    with Place() as place, Job([sys.executable, "-c", QUIET], place.env()) as job:
        wait_until_quiet(job.pid)
        done = ask(place, "-b", "-p", str(job.pid), "--wait", "1", code=3)
        assert all(said in done.stderr for said in REFUSED), done
        done = ask(place, "ctl", "detach", "-p", str(job.pid), "--wait", "1", code=3)
        assert all(said in done.stderr for said in REFUSED), done
        # The queued code runs now, and finds that no viewer waits.
        assert job.end() == "[]"


def refused_attach_names_the_c_sampler():
    """Recognized by its library, which is mapped there."""
    with Place() as place:
        folder = place.file("nutpie")
        os.mkdir(folder)
        library = os.path.join(folder, "_lib.abi3.so")
        with open(library, "wb") as file:
            file.write(b"nothing" * 1000)
        code = "import mmap; file = open(%r, 'rb'); " \
            "held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ); " % library
        with Job([sys.executable, "-c", code + QUIET], place.env()) as job:
            wait_until_quiet(job.pid)
            done = ask(place, "-b", "-p", str(job.pid), "--wait", "1", code=3)
            assert all(said in done.stderr for said in REFUSED), done
            assert done.stderr.endswith(
                b" nutpie is loaded there: while its sampler runs in C, nothing can attach. Try "
                b"again when it has ended\n"), done
            job.end()


@tap.all_only
def a_sleep_takes_as_long_as_it_would():
    """The sleep does not restart: the kernel knows its end."""
    machine = os.uname().machine
    if machine not in NAPS:
        raise tap.Skip("nobody has looked which numbers %s has" % machine)
    with Place() as place, Job([sys.executable, "-c", ASLEEP], place.env()) as job:
        def call():
            return proc.call_of(job.pid)[0]
        tap.wait_for("its sleep", lambda: call() == NAPS[machine][0], SECONDS)
        for _ in range(2):
            ask(place, "ctl", "detach", "-p", str(job.pid), "--wait", "1", code=3)
            tap.wait_for("its sleep", lambda: call() in NAPS[machine], SECONDS)
            assert call() == NAPS[machine][1], call()


def job_killed_during_attach_is_reported_as_ended():
    with Place() as place, Job([sys.executable, "-c", QUIET], place.env()) as job:
        wait_until_quiet(job.pid)
        asked = subprocess.Popen([PROFTOP, "-b", "-p", str(job.pid)], stdin=subprocess.DEVNULL,
                                 env=place.env(PROFTOP_ADAPTERS=ADAPTERS), stderr=subprocess.PIPE)
        tap.wait_for("what is to be run", lambda: text_is_in(job.pid), SECONDS)
        os.kill(job.pid, signal.SIGKILL)
        job.process.wait()
        _, err = asked.communicate(timeout=SECONDS)
    assert asked.returncode == 3 and b"ended while it was attached to" in err, err


def text_is_in(pid):
    """True if the code to run is there: at the beginning of an anonymous page."""
    with open("/proc/%d/maps" % pid, encoding="ascii") as file:
        parts = [[int(end, 16) for end in line.split()[0].split("-")] for line in file
                 if len(line.split()) == 5 and " rw-p " in line]
    with open("/proc/%d/mem" % pid, "rb", 0) as memory:
        for start, end in parts:
            for page in range(start, min(end, start + (4 << 20)), 4096):
                memory.seek(page)
                if memory.read(11) == b"try:\n    tr":
                    return True
    return False


def listed(place):
    rows = map(json.loads, ask(place, "-l", "--format", "json").stdout.splitlines())
    return [(row["pid"], row["framework"], row["program"], row["attachable"]) for row in rows]


@tap.all_only
def numba_alone_is_not_taken_for_pytensor():
    """With PyTensor installed beside it, though only Numba may be running."""
    python = watching.need_member(watching.NUMBA)
    with Place() as place:
        with Job([python, "-c", NUMBA], place.env()) as job:
            assert listed(place) == [], listed(place)
            job.end()
        flags = watching.family(name="numba-late")
        with Job([python, watching.job("late_numba")], place.env(**flags)) as job:
            assert [row[:2] for row in listed(place)] == [(job.pid, "PyTensor?")], listed(place)


def the_list_on_the_screen_attaches():
    """And a process that publishes leaves the list of those to attach to."""
    with Place() as place, family_job(place, need_python(), "pytensor", "count") as job:
        may = listed(place)
        assert may in ([(job.pid, "PyTensor", "late.py", yes)] for yes in (True, False)), may
        screen = Screen(place.env(PROFTOP_ADAPTERS=ADAPTERS, TERM="xterm", COLUMNS="200"))
        screen.wait_for("attachable" if may[0][3] else "none")
        screen.press(b"\r")
        screen.wait_for("ed to PyTensor")  # the earlier text begins with this word
        job.wait_for("counted")
        assert listed(place) == [(job.pid, "PyTensor", "late.py", None)], listed(place)
        screen.end()
        job.end()


tap.run(rows_count_from_the_moment_of_attaching, groups_are_found,
        *watching.of_each("shared_profile_gives_no_compile_time_in_",
                          shared_profile_gives_no_compile_time, ("pytensor-2.31",)),
        *map(tap.all_only, watching.of_each(
            "shared_profile_gives_no_compile_time_in_", shared_profile_gives_no_compile_time,
            ("pytensor-3.0", "theano"))),
        *watching.of_each("a_compilation_that_has_begun_is_not_all_known_in_",
                          a_compilation_that_has_begun_is_not_all_known,
                          ("pytensor-2.31", *watching.MEMBERS)),
        *watching.of_each("nodes_inside_others_count_from_the_next_call_on_by_",
                          nodes_inside_others_count_from_the_next_call_on, ("cvm",)),
        *map(tap.all_only, watching.of_each(
            "nodes_inside_others_count_from_the_next_call_on_by_",
            nodes_inside_others_count_from_the_next_call_on, ("py", "vm"))),
        *watching.of_each("nodes_inside_others_count_within_the_call_in_",
                          nodes_inside_others_count_within_the_call, ("pytensor-2.31",)),
        *map(tap.all_only, watching.of_each(
            "nodes_inside_others_count_within_the_call_in_",
            nodes_inside_others_count_within_the_call, ("pytensor-3.0", "aesara"))),
        *watching.of_each("late_rows_of_", rows_of_member),
        numba_functions_are_compiled_again_with_marks,
        a_job_that_forks_and_ends_while_numba_compiles_does_so,
        function_awaiting_numba_is_not_seen_in_a_forked_child,
        running_workers_are_reported_and_attached_to, compiling_again_is_silent,
        draws_are_counted_from_the_moment_of_attaching,
        functions_taken_by_nutpie_before_are_reported_unseen,
        *map(tap.all_only, watching.of_each(
            "functions_taken_by_nutpie_are_counted_or_unknown_at_",
            functions_taken_by_nutpie_are_counted_or_unknown_at, COUNTED)),
        attached_and_left_it_is_the_same_job, viewer_reports_the_detach_and_its_requester,
        a_detach_that_is_interrupted_is_done_again, attaching_twice_is_attaching_once,
        no_flag_is_set_under_run_either, a_job_that_wants_no_feed_gets_none,
        a_thread_that_never_runs_python_is_left_alone,
        refused_attach_names_the_c_sampler, a_sleep_takes_as_long_as_it_would,
        job_killed_during_attach_is_reported_as_ended,
        numba_alone_is_not_taken_for_pytensor, the_list_on_the_screen_attaches)
