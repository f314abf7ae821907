# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""ports.py: programs that speak ITT or NVTX, under `proftop run`: itt_job.c and nvtx_job.c, whose
counts are known beforehand."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import PROFTOP, WAIT, tap  # noqa: E402

JOBS = {"ITT": os.path.abspath(tap.built("itt_job")),
        "NVTX": os.path.abspath(tap.built("nvtx_job"))}
VARIABLES = {"ITT": "INTEL_LIBITTNOTIFY64", "NVTX": "NVTX_INJECTION64_PATH"}
FILES = {port: os.path.abspath(tap.built("adapters", "ports", "libproftop-%s.so" % port.lower()))
         for port in VARIABLES}
MS = 1000000
scratch = tempfile.TemporaryDirectory()
ENV = {**os.environ, "PROFTOP_DIR": scratch.name, "LC_ALL": "C.UTF-8"}
for variable in (*VARIABLES.values(), "PROFTOP"):
    ENV.pop(variable, None)

# Runs inside a constructor, while the loader's lock is held.
CONSTRUCTOR = """
extern void from_constructor(void);
__attribute__((constructor)) static void begin(void) { from_constructor(); }
"""


def run(port, *words, options=(), **env):
    """The last report of a job, and its output."""
    done = shell.proftop({**ENV, **env}, "run", *options, "-b", "-n", "0", "--format", "json", "--",
                         JOBS[port], *words)
    assert done.returncode == 0, done
    last = shell.lines(done.stderr)[-1]
    shell.fits(last, "json.schema")
    assert last["final"] is True, last
    for job in last["jobs"]:
        assert job["framework"] == port, job
        assert job["misuse"] == job["invalid"] == job["dropped"] == 0, job
    return last, done.stdout.splitlines()


def ops(report, job=0):
    """{(class, op): (calls, own time)}, without ops of no calls."""
    names = {(row["job"], row["id"]): row["name"] for row in report["classes"]}
    return {(names[job, row["class"]], row["name"]): (row["calls"], row["self_ns"])
            for row in report["ops"] if row["job"] == job and row["calls"]}


def calls(report, job=0):
    return {key: count for key, (count, _) in ops(report, job).items()}


def spans(report):
    return {(row["kind"], row["domain"], row["name"]): row["calls"] for row in report["spans"]}


def counters(report):
    return {(row["domain"], row["name"]): row["value"] for row in report["counters"]}


def nested(port, plain):
    report, _ = run(port, "nest")
    found = ops(report)
    assert {key: count for key, (count, _) in found.items()} == \
        {("work", "outer"): 20, ("work", "inner"): 40, plain: 20}, found
    # The sleep of 6 ms is in the inner range alone.
    assert found["work", "inner"][1] >= 240 * MS, found
    assert found["work", "outer"][1] < 120 * MS, found
    rows = {row["name"]: row for row in report["applies"]}
    assert set(rows) == {"outer", "inner in outer", "%s in outer" % plain[1]}, rows
    outer = rows["outer"]
    assert outer["metrics"]["incl"] >= 240 * MS > 2 * outer["self_ns"], outer
    assert [row["name"] for row in report["functions"]] == [port], report["functions"]


def itt_tasks_nest():
    nested("ITT", ("other", "from_constructor"))  # a task that is named by its function


def nvtx_ranges_nest():
    nested("NVTX", ("NVTX", "plain"))


def ends_need_not_match(port):
    """Ranges of two domains that do not nest are each counted. 44 ranges are deeper than 256."""
    report, _ = run(port, "unbalanced")
    assert calls(report) == {("work", "a"): 10, ("other", "b"): 10, ("work", "deep"): 256,
                             ("work", "after"): 5}, report["ops"]
    assert counters(report)["proftop", "ranges nested too deep"] == 44, counters(report)
    # The first ones come before any begin of the thread, which is no fault yet.
    assert counters(report)["proftop", "ends without a begin"] in (29, 30), counters(report)
    [after] = [row for row in report["applies"] if row["name"].startswith("after")]
    assert after["name"] == "after", after  # nothing is left open around it


def itt_ends_need_not_match():
    ends_need_not_match("ITT")


def nvtx_ends_need_not_match():
    ends_need_not_match("NVTX")


def itt_tasks_overlap_across_threads():
    report, _ = run("ITT", "overlap")
    assert spans(report) == {("task", "work", "request"): 50, ("task", "work", "region"): 7}
    [row] = [row for row in report["spans"] if row["name"] == "request"]
    assert row["min_ns"] >= 5 * MS, row  # each was open while the job slept
    assert counters(report) == {("proftop", "ends without a begin"): 1}
    assert not calls(report)


def nvtx_ranges_overlap_across_threads():
    report, _ = run("NVTX", "overlap")
    assert spans(report) == {("task", "work", "request"): 50, ("task", "NVTX", "plain"): 6}
    [row] = [row for row in report["spans"] if row["name"] == "request"]
    assert row["min_ns"] >= 5 * MS, row
    assert counters(report) == {("proftop", "ends without a begin"): 1}


def itt_spans_that_never_end_are_dropped():
    """Of 5,000 open ones the oldest make room for others."""
    report, _ = run("ITT", "lasting")
    assert spans(report) == {("task", "work", "lasting"): 1, ("task", "work", "short"): 10}
    assert counters(report) == {("proftop", "spans without an end"): 5000 - 4096 + 1,
                                ("proftop", "ends without a begin"): 1}, report["counters"]


def itt_functions_keep_their_names():
    """Two threads name functions at the same moments."""
    report, _ = run("ITT", "labelled")
    found = calls(report)
    assert found.pop(("work", "opens the feed")) == 1, found
    assert len(found) == 2 * 26 * 26 and set(found.values()) == {2}, {
        name: count for name, count in found.items() if count != 2}


def folded(report, what):
    """Of 200 names that differ in digits alone, 32 have rows of their own."""
    alike = {key[-1]: count for key, count in what.items() if key[-1].startswith(report)}
    assert len(alike) == 33 and sum(alike.values()) == 200, alike
    [rest] = [name for name in alike if "*" in name]
    assert alike[rest] == 168, alike
    return rest


def itt_names_are_bounded():
    report, _ = run("ITT", "digits")
    assert folded("task", calls(report)) == "task *"
    kinds = spans(report)
    assert folded("span", kinds) == "span *"
    others = {key: count for key, count in kinds.items() if not key[-1].startswith("span")}
    assert len(kinds) == 256 and sum(others.values()) == 1000, len(kinds)
    assert others["task", "(other)", "(other)"] == 1000 - (256 - 33 - 1), others
    marks = {(mark["domain"], mark["name"]) for mark in report["markers"]}
    assert len(report["markers"]) == 200 and len(marks) == 33, len(marks)


def nvtx_names_are_bounded():
    report, _ = run("NVTX", "digits")
    assert folded("range", calls(report)) == "range * of *"
    assert folded("span", spans(report)) == "span *"
    marks = {(mark["domain"], mark["name"]) for mark in report["markers"]}
    assert len(report["markers"]) == 200 and len(marks) == 33, len(marks)
    domains = [key for key in calls(report) if key[1] == "x"]
    assert len(domains) <= 64 and ("(other)", "x") in domains, domains
    assert sum(calls(report)[key] for key in domains) == 200, domains


def itt_counters_are_exact():
    report, said = run("ITT", "count")
    assert said == [], said
    assert counters(report) == {
        ("work", "plain"): 41, ("work", "large"): -5000000000, ("work", "small"): -7,
        ("work", "real"): 2.5, ("work", "early"): 7}, report["counters"]


def itt_frames_events_marks_and_pauses():
    report, _ = run("ITT", "rest")
    assert calls(report) == {("work", "frame"): 3, ("work", "counted"): 2}, report["ops"]
    assert ops(report)["work", "frame"][1] == 3000, report["ops"]  # as the job says
    assert spans(report) == {("frame", "work", "frame"): 33, ("event", "event", "event"): 6}
    assert [(mark["domain"], mark["name"], mark["scope"]) for mark in report["markers"]] == \
        [("work", "here", "global"), ("work", "here", "thread")], report["markers"]
    assert {mark["thread"] for mark in report["markers"]} == {"first"}, report["markers"]


def itt_handles_are_equal_for_equal_names():
    report, said = run("ITT", "handles")
    assert said == ["same same 1 work", "h\u00e9"], said
    assert calls(report) == {("work", "h\u00e9"): 4, ("work", "(no name)"): 1}, report["ops"]


def nvtx_levels_and_handles():
    report, said = run("NVTX", "levels")
    assert said == ["0 1 0 0 0 -1 1 0 -1 0", "same same same"], said
    assert calls(report) == {("NVTX", "a"): 1, ("NVTX", "b"): 1, ("work", "c"): 1,
                             ("other", "d"): 1}, report["ops"]


def nvtx_names_categories_and_attributes():
    report, _ = run("NVTX", "names")
    assert calls(report) == {
        ("work", "h\u00e9 \u2211 \U0001f600"): 4, ("work/io", "read"): 4, ("work", "read"): 4,
        ("NVTX/disk", "read"): 4, ("NVTX", "wide"): 4, ("work", "(no name)"): 8,
        ("NVTX", "(no name)"): 4}, report["ops"]


def nvtx_marks():
    report, _ = run("NVTX", "marks")
    assert [(mark["domain"], mark["name"], mark["thread"]) for mark in report["markers"]] == \
        [("NVTX", "here", "first"), ("NVTX", "here", "first"), ("work", "there", "first")]


def nvtx_threads_count_together():
    report, _ = run("NVTX", "threads")
    assert calls(report) == {("work", "many"): 80000}, report["ops"]


def forked_children_count_apart():
    report, _ = run("ITT", "forks", options=("--children",))
    counts = sorted(calls(report, job["id"])["work", "both"] for job in report["jobs"])
    assert counts == [3, 4, 5], report["jobs"]
    around = [calls(report, job["id"]).get(("work", "around"), 0) for job in report["jobs"]]
    assert sorted(around) == [0, 1, 1], around
    report, _ = run("NVTX", "forks", options=("--children",))
    counts = sorted(calls(report, job["id"])["work", "both"] for job in report["jobs"])
    assert counts == [3, 4], report["jobs"]  # a child without events is no job


def a_program_without_events_publishes_nothing():
    for port, job in JOBS.items():
        done = shell.proftop(ENV, "run", "-b", "-n", "1", "--", job, "quiet")
        assert "without publishing anything" in done.stderr, done


def variables(**env):
    """The two variables of a job of `proftop run`."""
    code = "import os; print([os.environ.get(name) for name in %r])" % (tuple(VARIABLES.values()),)
    done = shell.proftop({**ENV, **env}, "run", "-b", "-n", "1", "--", sys.executable, "-c", code)
    [line] = [line for line in done.stdout.splitlines() if line.startswith("[")]
    return line


def variables_of_the_user_stay():
    assert variables() == str([FILES["ITT"], FILES["NVTX"]])
    assert variables(INTEL_LIBITTNOTIFY64="mine", NVTX_INJECTION64_PATH="") == "['mine', '']"
    # There the ports are beside the adapters, or nowhere.
    assert variables(PROFTOP_ADAPTERS=scratch.name) == "[None, None]"


def doctor_names_the_ports():
    def found(**env):
        done = shell.proftop({**ENV, **env}, "doctor", "--format", "json")
        report, = shell.lines(done.stdout)
        shell.fits(report, "doctor.schema")
        return [(row["level"], row["text"]) for row in report["found"] if row["what"] == "port"]

    assert found() == [("fine", "%s: %s" % item) for item in FILES.items()], found()
    kept, nvtx = found(INTEL_LIBITTNOTIFY64="/mine.so")
    assert kept[0] == "note" and 'goes to "/mine.so"' in kept[1] and nvtx[0] == "fine", kept
    assert [(level, port in text and "is not installed" in text)
            for port, (level, text) in zip(FILES, found(PROFTOP_ADAPTERS=scratch.name))] == [
                ("note", True)] * 2


def a_port_works_by_hand():
    """Whoever sets the variable asks for the feed, but PROFTOP=0 and a missing file are obeyed."""
    for port, job in JOBS.items():
        named = {**ENV, VARIABLES[port]: FILES[port]}
        for env in {**named, "PROFTOP": "0"}, {**ENV, VARIABLES[port]: "/nowhere/lib.so"}, ENV:
            done = subprocess.run([job, "nest"], env=env, check=True, capture_output=True,
                                  text=True, timeout=WAIT)
            assert done.stdout.startswith("no ") and not done.stderr, (env, done)
        with subprocess.Popen([job, "cost"], env=named, stdout=subprocess.DEVNULL) as process:
            def found():
                listed = shell.proftop(ENV, "-l", "--format", "json")
                return [row for row in shell.lines(listed.stdout)
                        if row["pid"] == process.pid and row["framework"] == port]
            tap.wait_for("the job is listed", found, WAIT)
            process.kill()


def an_event_inside_a_constructor_does_not_hold_the_job():
    """The feed can't open while the loader's lock is held. The event is lost; later ones count."""
    source, library = (os.path.join(scratch.name, name) for name in ("late.c", "late.so"))
    with open(source, "w", encoding="ascii") as file:
        file.write(CONSTRUCTOR)
    subprocess.run([*tap.CC, "-shared", "-fPIC", "-o", library, source], check=True)
    report, said = run("ITT", "constructor", library)
    [seconds] = map(float, said)
    assert seconds < 4, said  # libproftop alone would wait 5 s
    assert calls(report)["work", "later"] > 0, report["ops"]


tap.run(itt_tasks_nest, nvtx_ranges_nest, itt_ends_need_not_match, nvtx_ends_need_not_match,
        itt_tasks_overlap_across_threads, nvtx_ranges_overlap_across_threads,
        itt_spans_that_never_end_are_dropped, itt_functions_keep_their_names,
        itt_names_are_bounded, nvtx_names_are_bounded, itt_counters_are_exact,
        itt_frames_events_marks_and_pauses, itt_handles_are_equal_for_equal_names,
        nvtx_levels_and_handles, nvtx_names_categories_and_attributes, nvtx_marks,
        nvtx_threads_count_together, forked_children_count_apart,
        a_program_without_events_publishes_nothing, variables_of_the_user_stay,
        doctor_names_the_ports, a_port_works_by_hand,
        an_event_inside_a_constructor_does_not_hold_the_job)
