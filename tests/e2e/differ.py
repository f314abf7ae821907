# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""differ.py: `proftop diff` of running jobs and saved reports: known figures (diff_job.c), pairs,
left-out rows, and an error sentence for every failure."""
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import one_sentence, tap  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
ENV = dict(os.environ, PROFTOP_DIR=FOLDER.name, XDG_RUNTIME_DIR=FOLDER.name, LC_ALL="C.UTF-8")
ENV.pop("COLUMNS", None)
TABLES = ("classes", "ops", "applies")
MS = 10 ** 6


def apply(op, inputs, calls, ns, *, name="", impl="C", function="train"):
    """A line for diff_job: an op of a class, with one node."""
    head = op.split("{", maxsplit=1)[0]
    return (function, "tensor." + (name or head), op, "%s(%s)" % (op, inputs), impl, calls, ns)


class Job(shell.Job):
    def __init__(self, *rows):
        self.process = subprocess.Popen([tap.built("diff_job")], env=ENV, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.process.stdin.write("".join("\t".join(map(str, row)) + "\n" for row in rows) + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "published\n"
        self.pid = self.process.pid

    def end(self):
        pass


def diff(*words, **more):
    return shell.proftop({**ENV, **more.pop("env", {})}, "diff", *words, **more)


def known(*words, **more):
    """The JSON output. Checks the sums of every comparison."""
    done = diff("--format", "json", *words, **more)
    [found] = shell.rows(done, "diff.schema")
    whole = found["totals"]["ops_ns"]["delta"]
    for table in TABLES:
        rest = found["left_out"][table]["delta_ns"]
        assert sum(row["delta_ns"] for row in found[table]) + rest == whole, (table, found)
    return found


def rows(found, table):
    return {row["name"]: row for row in found[table]}


@contextlib.contextmanager
def saved(*lines):
    """The report of a job that has ended."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        with Job(*lines) as job:
            done = shell.proftop(ENV, "-b", "-p", job.pid, "--format", "json", "-o", path)
            assert done.returncode == 0, done
        yield path


def diff_counts_missing_rows_as_zero():
    """The seed's print_diff_summary has the wrong sign here."""
    before = apply("X", "a", 1, 10 * MS)
    after = apply("X", "a", 1, 7 * MS), apply("Y", "a", 2, MS)
    with Job(before) as a, Job(*after) as b:
        found = known(a.pid, b.pid)
        back = known(b.pid, a.pid)
        text = diff(a.pid, b.pid).stdout
    x, y = (rows(found, "classes")["tensor." + name] for name in "XY")
    assert (x["delta_ns"], x["mark"], x["ratio"]) == (-3 * MS, None, 0.7), x
    assert (y["delta_ns"], y["mark"], y["ratio"]) == (2 * MS, "new", None), y
    assert (y["a_ns"], y["a_calls"], y["b_ns"], y["b_calls"]) == (0, 0, 2 * MS, 2), y
    assert y["delta_per_call_ns"] == MS and x["delta_per_call_ns"] == -3 * MS
    assert found["totals"]["ops_ns"] == {"a": 10 * MS, "b": 9 * MS, "delta": -MS, "ratio": 0.9,
                                         "estimated": False}
    gone = rows(back, "ops")["Y"]
    assert (gone["delta_ns"], gone["mark"], gone["ratio"]) == (-2 * MS, "gone", 0), gone
    lines = text.splitlines()
    assert any(line.split()[:4] == ["-3.00ms", "10.0ms", "7.00ms", "0.70"] for line in lines), text
    assert any(line.split()[:4] == ["+2.00ms", "0ns", "2.00ms", "new"] for line in lines), text
    assert "sum of B - A: -1.00ms" in text and max(map(len, lines)) <= 80, text


PROGRAM = [apply("Dot", "x, w", 3, 500), apply("Add", "Dot.0, b", 3, 100),
           apply("Add", "y, b", 3, 200), apply("Tanh", "Add.0", 3, 4000),
           apply("Dot", "x, w", 2, 7, function="test")]


def two_jobs_of_one_program_match():
    """In any order: a toposort depends on the hash seed."""
    other = PROGRAM[::-1]
    random.Random(1).shuffle(other)
    with Job(*PROGRAM) as a, Job(*other) as b:
        found = known(a.pid, b.pid)
    assert [len(found[table]) for table in TABLES] == [3, 3, 5]
    for table in TABLES:
        for row in found[table]:
            assert row["mark"] is None and not row["paired"] and row["delta_ns"] == 0, row
            assert row["a_calls"] == row["b_calls"] and row["a_applies"] == row["b_applies"], row
    assert sorted(row["function"] for row in found["applies"]) == ["test"] + 4 * ["train"]


def addresses_do_not_count():
    text = "Add{<transfer_type object at 0x%x>}"
    one, other = (apply(text % at, "x", 1, 5) for at in (0x171e650, 0x7f3b9ac0))
    with Job(one) as a, Job(other) as b:
        found = known(a.pid, b.pid)
        same = diff(a.pid, b.pid).stdout
    for table in TABLES:
        [row] = found[table]
        assert row["mark"] is None and row["delta_ns"] == 0 and not row["paired"], row
    assert "Ops: 1, 0 new, 0 gone" in same, same


def a_saved_report_is_the_job():
    after = apply("X", "a", 1, 7 * MS), apply("Y", "a", 2, MS)
    with Job(apply("X", "a", 1, 10 * MS)) as a, Job(*after) as b, saved(*after) as path:
        live, report = known(a.pid, b.pid), known(a.pid, path)
        piped = known(a.pid, "-", stdin=open(path, encoding="utf-8"))
    assert report["b"]["saved"] and not live["b"]["saved"] and piped["b"]["operand"] == "-"
    for key in ("totals",) + TABLES:
        assert live[key] == report[key] == piped[key], key


@tap.all_only
def rows_beyond_the_limits_are_summed_up():
    """30 ops, each 1 us longer than the one before. In B each takes twice as long."""
    def program(more):
        return [apply("Op%d" % i, "x", 1, 1000 * i + more * i) for i in range(1, 31)]

    with Job(*program(0)) as a, Job(*program(1000)) as b:
        usual = diff(a.pid, b.pid).stdout
        few = diff("--n-ops", 2, "--n-apply", 1, a.pid, b.pid).stdout
        last = diff("--n-ops", 29, "--n-apply", 29, a.pid, b.pid).stdout
        every = diff("--n-ops", 30, "--n-apply", 30, a.pid, b.pid).stdout
        found, cut = known(a.pid, b.pid), known("--n-apply", 15, a.pid, b.pid)
    # The 20 largest classes are shown, and 15 Apply rows.
    assert " ... (remaining 10 Classes differ by +55.0us)" in usual, usual
    assert " ... (remaining 10 Ops differ by +55.0us)" in usual, usual
    assert " ... (remaining 15 Applies differ by +120us)" in usual, usual
    assert usual.count("Op30") == 3 and usual.count("Op11") == 2 and "Op10" not in usual, usual
    assert "remaining 28 Ops differ by +406us" in few and "remaining 29 Applies" in few, few
    for one in ("Class", "Op", "Apply"):
        assert " ... (remaining 1 %s differs by +1.00us)" % one in last, last
    assert "remaining" not in every, every
    assert len(found["ops"]) == len(found["applies"]) == 30
    assert found["left_out"]["ops"] == {"rows": 0, "delta_ns": 0, "estimated": False}
    assert cut["left_out"]["applies"] == {"rows": 15, "delta_ns": 120000, "estimated": False}
    deltas = [row["delta_ns"] for row in found["ops"]]
    assert deltas == sorted(deltas, reverse=True), deltas


def forms_of_one_op_are_paired():
    """Forms of an op made by another linker, or by working in place."""
    one = [apply("Dot", "x, w", 4, 900, impl="Py"), apply("Dot", "x, v", 4, 500, impl="Py"),
           apply("Sigmoid", "Dot.0", 4, 10, impl="Py"), apply("Sqr", "x", 4, 10, impl="Py")]
    other = [apply("Gemv{inplace}", "e, 1.0, x, v, 0.0", 4, 100),
             apply("Dot22", "x, w", 4, 300),
             apply("Sigmoid", "Gemv{inplace}.0", 4, 10), apply("Abs", "x", 4, 10)]
    with Job(*one) as a, Job(*other) as b:
        found = known(a.pid, b.pid)
        text = diff(a.pid, b.pid, env={"COLUMNS": "120"}).stdout
    ops = rows(found, "ops")
    dot = ops["Dot"]
    assert sorted(dot["b_names"]) == ["Dot22", "Gemv{inplace}"] and dot["a_names"] == ["Dot"], dot
    assert (dot["paired"], dot["mark"], dot["a_impl"], dot["b_impl"]) == (True, None, "Py", "C")
    assert (dot["a_applies"], dot["b_applies"], dot["delta_ns"]) == (2, 2, 4 * (400 - 1400)), dot
    assert (ops["Sqr"]["mark"], ops["Abs"]["mark"]) == ("gone", "new")
    applies = rows(found, "applies")
    assert applies["Dot(x, w)"]["b_names"] == ["Dot22(x, w)"], applies
    assert applies["Dot(x, v)"]["b_names"] == ["Gemv{inplace}(e, 1.0, x, v, 0.0)"], applies
    assert applies["Sigmoid(Dot.0)"]["b_names"] == ["Sigmoid(Gemv{inplace}.0)"], applies
    assert len(found["applies"]) == 5
    row = next(line for line in text.splitlines() if "Dot -> " in line)
    assert "Py -> C" in row, text


def diff_reports_different_call_counts():
    with Job(apply("X", "a", 10, 1000)) as a, Job(apply("X", "a", 40, 800)) as b:
        found, text = known(a.pid, b.pid), diff(a.pid, b.pid).stdout
        wide = diff(a.pid, b.pid, env={"COLUMNS": "130"}).stdout
        alone = known("--function", "train", a.pid, b.pid)
    [row] = found["applies"]
    assert row["delta_ns"] == 22000 and row["delta_per_call_ns"] == -200, row
    assert row["delta_per_function_call_ns"] == -200, row
    assert "functions were called 10 times in A and 40 times in B" in text, text
    assert "/FCALL" in text and " -200ns" in text and max(map(len, text.splitlines())) <= 80, text
    assert "/CALL /FCALL" in " ".join(wide.split()), wide
    assert alone["a"]["function"] == "train" and alone["applies"] == found["applies"]


def the_longer_run_is_not_the_slower():
    """Scaled as if A had been as long as B: rows that differ only in their number of calls come
    last."""
    with Job(apply("Big", "a", 10, 9000), apply("Slower", "b", 10, 1000)) as a, \
            Job(apply("Big", "a", 100, 9000), apply("Slower", "b", 100, 3000)) as b:
        found, text = known(a.pid, b.pid), diff(a.pid, b.pid).stdout
    assert [row["name"] for row in found["applies"]] == ["Slower(b)", "Big(a)"], found["applies"]
    assert [row["delta_ns"] for row in found["applies"]] == [290000, 810000], found["applies"]
    lines = text.splitlines()
    note = next(at for at, line in enumerate(lines) if "10 times in A and 100 times in B" in line)
    assert note < next(at for at, line in enumerate(lines) if line.startswith("Class:")), text


def applies_name_their_function():
    with Job(apply("X", "a", 10, 1000), apply("X", "a", 10, 100, function="test")) as a, \
            Job(apply("X", "a", 10, 1000), apply("X", "a", 10, 100, function="test")) as b:
        text, alone = diff(a.pid, b.pid).stdout, diff("--function", "test", a.pid, b.pid).stdout
    table = text[text.index("Apply:"):].splitlines()
    assert table[1].split()[-2:] == ["FUNCTION", "NAME"], text
    assert [line.split()[-2:] for line in table[2:4]] == [["train", "X(a)"], ["test", "X(a)"]], text
    assert "FUNCTION" not in alone[alone.index("Apply:"):], alone


def names_are_whole_where_no_terminal_is():
    """Cut to the requested columns."""
    name, function = "Elemwise{" + "composite, " * 20 + "}", "a_function_of_a_long_name"
    job = [apply(name, "x", 1, MS, function=function), apply("Y", "b", 1, 7)]
    with Job(*job) as a, Job(*job) as b:
        text = diff(a.pid, b.pid).stdout
        narrow = diff(a.pid, b.pid, env={"COLUMNS": "100"}).stdout
    [row] = [line for line in text.splitlines() if line.endswith(name + "(x)")]
    assert row.split()[-22] == function, row
    assert name not in narrow and function not in narrow, narrow
    assert max(map(len, narrow.splitlines())) <= 100, narrow


def small_ratios_are_not_nothing():
    with Job(apply("X", "a", 1, 100 * MS), apply("Y", "b", 1, 100 * MS)) as a, \
            Job(apply("X", "a", 1, MS), apply("Y", "b", 1, 9)) as b:
        text = diff(a.pid, b.pid).stdout
    shares = [line.split()[3] for line in text[text.index("Apply:"):].splitlines()[2:4]]
    assert sorted(shares) == ["0.010", "<.001"], text


def a_job_and_itself():
    with Job(*PROGRAM) as job, saved(*PROGRAM) as path:
        found, text = known(job.pid, job.pid), diff(job.pid, job.pid).stdout
        twice = known(path, path)
    assert "A and B are the same job" in text, text
    for report in (found, twice):
        assert all(row["delta_ns"] == 0 and row["mark"] is None
                   for table in TABLES for row in report[table]), report


def jobs_go_by_their_names():
    with Job(*PROGRAM) as a:
        named = known("diff_job", a.pid)
        listed = shell.rows(shell.proftop(ENV, "-l", "--format", "json"), "jobs.schema")
        facts, = [row["facts"] for row in listed if row["pid"] == a.pid]
        endpoint = known(facts, "diff_job")
        with Job(*PROGRAM):
            one_sentence(diff("diff_job", a.pid), 3, "2 jobs are called 'diff_job'")
    assert named["a"]["pid"] == endpoint["a"]["pid"] == a.pid


def diff_reports_a_killed_job():
    with Job(*PROGRAM) as a, saved(*PROGRAM) as path:
        os.kill(a.pid, signal.SIGSTOP)
        one_sentence(diff("--wait", "0.3", a.pid, path), 3, "no figures came from %d" % a.pid)
        process = subprocess.Popen([shell.PROFTOP, "diff", str(a.pid), "-"], env=ENV,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        # More than a pipe holds: when the write returns, B is being read and A is attached.
        process.stdin.write(b" " * 2 ** 20)
        a.process.kill()
        with open(path, "rb") as report:
            out, errors = process.communicate(report.read(), timeout=shell.WAIT)
    done = subprocess.CompletedProcess([], process.returncode, out, errors.decode())
    one_sentence(done, 4, "%d ended before anything could be compared" % a.pid)


def diff_rejects_incomparable_inputs():
    with tempfile.TemporaryDirectory() as folder, saved(*PROGRAM) as path:
        def file(text):
            name = os.path.join(folder, "x")
            with open(name, "wb") as out:
                out.write(text)
            return name

        with open(path, "rb") as source:
            good = source.read()
        one_sentence(diff(path), 2, "diff compares two")
        one_sentence(diff(path, path, path), 2, "diff compares two")
        one_sentence(diff("", path), 2, "empty word")
        one_sentence(diff(path, path, "-p", "1"), 2, "leave out -p")
        one_sentence(diff(path, path, "--filter", "Dot"), 2, "--pane, --sort and --filter")
        one_sentence(diff(path, path, "--format", "theano"), 2, "text or json")
        one_sentence(diff(path, "no such job"), 3, "'no such job' is no file")
        one_sentence(diff(path, "/no/such/file"), 3, "cannot be opened", "No such file")
        one_sentence(diff(path, folder), 3, "cannot be read", "directory")
        one_sentence(diff(path, 2 ** 22 + 1), 3, "there is no process")
        one_sentence(diff(path, file(b"")), 3, "it is empty")
        one_sentence(diff(path, file(b"Function profiling\n")), 3, "has no row that can be read")
        one_sentence(diff(path, file(b"{}")), 3, "is no report of proftop")
        one_sentence(diff(path, file(good[:len(good) // 2])), 3, "is cut off")
        one_sentence(diff(path, file(b"[" * 100000)), 3, "is no profile that proftop knows")
        one_sentence(diff(path, file(b'{"x":' + b"[" * 100000)), 3, "deeper")
        one_sentence(diff(path, "/dev/zero"), 3, "has a line of more than 64 MiB")
        whole = known(path, file(good))
        done = diff("--format", "json", path, file(good + good[:-20]))
        one_sentence(done, 0, "cut off: the one before it is compared")
        assert json.loads(done.stdout)["applies"] == whole["applies"]


def hostile_names_stay_on_their_lines():
    """In a report from an unknown writer."""
    names = ["%s%n{}", "a\nb\x1b[31m\u202e", "x" * 900000, "\ud83d\ude00 \u5c64", "\udc80"]
    with tempfile.TemporaryDirectory() as folder, saved(*PROGRAM) as path:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        for row, name in zip(report["applies"] + report["ops"], names * 2):
            row["name"] = name
        for row in report["classes"] + report["functions"]:
            row["name"] = names[1]
        other = os.path.join(folder, "hostile.json")
        with open(other, "w", encoding="ascii") as file:
            json.dump(report, file)
        text, found = diff(other, path).stdout, known(path, other)
        zero = known(other, other)
        narrow = diff(other, path, env={"COLUMNS": "80"}).stdout
    assert max(map(len, narrow.splitlines())) <= 80 and "\x1b" not in narrow, narrow
    assert max(map(len, text.splitlines())) <= 3 * 1024 and "\x1b" not in text, text
    assert "%s%n{}" in {row["name"] for row in found["applies"]}
    assert all(row["delta_ns"] == 0 and not row["mark"] for row in zero["applies"])


def estimates_are_marked():
    with tempfile.TemporaryDirectory() as folder, saved(*PROGRAM) as path:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        report["applies"][3].update(timed=1, total_ns=24000)  # of 3 calls
        other = os.path.join(folder, "estimated.json")
        with open(other, "w", encoding="ascii") as file:
            json.dump(report, file)
        found, text = known(path, other), diff(path, other).stdout
        few, cut = known(path, other, "--n-apply", "1"), diff(path, other, "--n-apply", "0").stdout
        ratios = []
        for total_ns in (24000, 144, 1, 10 ** 9):
            report["applies"][3].update(total_ns=total_ns)
            with open(other, "w", encoding="ascii") as file:
                json.dump(report, file)
            ratios += [line.split()[3] for line in diff(path, other).stdout.splitlines()
                       if line.endswith(" Tanh(Add.0)")]
        report["applies"][3].update(total_ns=24000)
        for function in report["functions"]:
            function.update(call_ns=40000, vm_ns=20000)
        exact = os.path.join(folder, "exact.json")
        with open(exact, "w", encoding="ascii") as file:
            json.dump(report, file)
        report["functions"][0].update(timed=1, call_error_ns=5, call_ns=80000)
        with open(other, "w", encoding="ascii") as file:
            json.dump(report, file)
        totals = diff(exact, other).stdout
    row = rows(found, "applies")["Tanh(Add.0)"]
    assert row["estimated"] and row["delta_ns"] == 12000, row
    # Each sum that contains it is an estimate too, and no other sum.
    assert few["applies"][0]["estimated"] and not few["left_out"]["applies"]["estimated"], few
    assert "Apply: 5, 0 new, 0 gone; sum of B - A: ~+12.0us" in text, text
    assert "remaining 5 Applies differ by ~+12.0us" in cut, cut
    assert "~+12us 12.0us ~24us ~2.00 ~+4.0us".split() in \
        [line.split()[:5] for line in text.splitlines()], text
    said = [line.split() for line in totals.splitlines()]
    assert "in calls 80.0us ~120us ~+40.0us ~1.50".split() in said, totals
    assert "in VM 40.0us ~40.0us ~0 ~1.00".split() in said, totals
    assert "calls of ops 14 14 0 1.00".split() in said, totals
    # The mark does not shorten a ratio. A cell without a figure has no mark.
    assert ratios == ["~2.00", "~.012", "<.001", ">9999"], ratios


def refreshes(path, report, each):
    """A file of reports. Each has 100 calls more, which took this long."""
    total = 100000
    with open(path, "w", encoding="ascii") as file:
        for at, ns in enumerate((0, *each)):
            total += 100 * ns
            report["applies"][3].update(calls=100 * (at + 1), timed=100 * (at + 1), total_ns=total)
            file.write(json.dumps(report) + "\n")


def differences_within_the_noise_are_marked():
    with tempfile.TemporaryDirectory() as folder, saved(*PROGRAM) as path:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        a, b, c = (os.path.join(folder, name) for name in ("a.json", "b.json", "c.json"))
        refreshes(a, report, (1000, 1100, 900, 1050, 950))
        refreshes(b, report, (1020, 1080, 930, 1060, 960))
        refreshes(c, report, (2000, 2100, 1900, 2050, 1950))
        same, other, single = known(a, b), known(a, c), known(path, b)
        texts = [diff(*words).stdout for words in ((a, b), (a, c), (path, b))]
    same, other, alone = (rows(found, "applies")["Tanh(Add.0)"] for found in (same, other, single))
    assert same["within_noise"] is True and 5000 < same["noise_ns"] < 100000, same
    assert other["within_noise"] is False and other["noise_ns"] < other["delta_ns"], other
    assert alone["within_noise"] is None and alone["noise_ns"] is None, alone
    assert (single["a"]["refreshes"], single["b"]["refreshes"]) == (1, 6), single
    marked = [[line for line in text.splitlines() if " = " in line] for text in texts]
    assert any(line.endswith(" Tanh(Add.0)") for line in marked[0]), texts[0]
    assert not marked[1] and not marked[2], texts
    assert "=: no more than A and B vary, by 6 and 6 of their refreshes" in texts[0], texts[0]
    assert "how much A varies is not known: it is one saved state" in texts[2], texts[2]
    assert "how much B" not in texts[2], texts[2]


def references_are_not_trusted():
    def broken(change):
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        change(report)
        with open(other, "w", encoding="ascii") as file:
            json.dump(report, file)
        return diff(path, other)

    with tempfile.TemporaryDirectory() as folder, saved(*PROGRAM) as path:
        other = os.path.join(folder, "broken.json")
        for table, key in (("applies", "function"), ("applies", "op"), ("ops", "class")):
            for value in (9, -1, 2 ** 64, 2 ** 70, 1.5, "x", None, {"a": [1]}):
                one_sentence(broken(lambda report: report[table][0].update({key: value})), 3,
                             "refers to one that is not there")
        one_sentence(broken(lambda report: report["ops"][0].update(id=1)), 3,
                     "two rows with one id")
        one_sentence(broken(lambda report: report["ops"][0].update(id=None)), 3, "without an id")
        one_sentence(broken(lambda report: report["functions"][0].update(parent=0)), 3,
                     "inside a later one")
        one_sentence(broken(lambda report: report["jobs"].append(report["jobs"][0])), 3,
                     "several jobs")
        # Figures of any size and type, and sparse ids, are accepted.
        for value in (2 ** 64 - 2, 2 ** 64, -5, 1e300, True, None, "x"):
            for key in ("calls", "total_ns", "timed", "total_error_ns", "index"):
                done = broken(lambda report: report["applies"][0].update({key: value}))
                assert done.returncode == 0, done
            for key in ("calls", "timed", "call_ns", "call_error_ns"):
                done = broken(lambda report: report["functions"][0].update({key: value}))
                assert done.returncode == 0, done


tap.run(diff_counts_missing_rows_as_zero, two_jobs_of_one_program_match, addresses_do_not_count,
        a_saved_report_is_the_job, rows_beyond_the_limits_are_summed_up,
        forms_of_one_op_are_paired, diff_reports_different_call_counts,
        the_longer_run_is_not_the_slower,
        applies_name_their_function, names_are_whole_where_no_terminal_is,
        small_ratios_are_not_nothing, a_job_and_itself,
        jobs_go_by_their_names, diff_reports_a_killed_job, diff_rejects_incomparable_inputs,
        hostile_names_stay_on_their_lines, estimates_are_marked,
        differences_within_the_noise_are_marked, references_are_not_trusted)
