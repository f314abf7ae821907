# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""gate.py: `proftop diff --fail-above` on real jobs and saved runs of known figures: its verdicts,
exit codes, text and JSON, and an error sentence for every failure."""
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import one_sentence, tap  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
ENV = dict(os.environ, PROFTOP_DIR=FOLDER.name, XDG_RUNTIME_DIR=FOLDER.name, LC_ALL="C.UTF-8")
ENV.pop("COLUMNS", None)
SAME, SLOWER, CANNOT_TELL = 0, 1, 6
MS = 10 ** 6


class Job(shell.Job):
    """A diff_job: rows of op, calls, ns of a call, and what it does (C: it works)."""

    def __init__(self, *rows):
        self.process = subprocess.Popen([tap.built("diff_job")], env=ENV, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for op, calls, ns, *does in rows:
            self.process.stdin.write("train\tclass.%s\t%s\t%s(x)\t%s\t%d\t%d\n" % (
                op, op, op, does[0] if does else "C", calls, ns))
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "published\n"
        self.pid = self.process.pid

    def end(self):
        pass


def gate(*words, **more):
    return shell.proftop({**ENV, **more.pop("env", {})}, "diff", "--fail-above",
                         more.pop("above", "10%"), *words, **more)


def judged(*words, code, **more):
    """The JSON of a gate that ends with this code."""
    done = gate("--format", "json", *words, **more)
    assert done.returncode == code and done.stderr == "", done
    [found] = shell.lines(done.stdout)
    shell.fits(found, "diff.schema")
    assert found["verdict"] == {SAME: "same", SLOWER: "slower", CANNOT_TELL: "cannot_tell"}[code]
    return found


def rows(found):
    return {row["name"]: row for row in found["rows"]}


@contextlib.contextmanager
def template():
    """A report of a real job, from which runs are made."""
    with Job(*[("Op%d" % i, 10, i * MS) for i in range(1, 8)]) as job:
        done = shell.proftop(ENV, "-b", "-p", job.pid, "--format", "json")
        assert done.returncode == 0, done
    yield json.loads(done.stdout)


class Runs:
    """Saved runs below a folder: copies of a report of a real job, with times of their own."""

    def __init__(self, report, folder, seed=1):
        self.report, self.folder, self.random, self.count = report, folder, random.Random(seed), 0

    def save(self, side, at, change=None, slower=None, noise=0.02):
        """One run, saved at second `at`. `slower`: the time of an op is multiplied so."""
        report = json.loads(json.dumps(self.report))
        self.count += 1
        report["time_ns"] = (10 ** 6 + at) * 10 ** 9
        report["jobs"][0]["instance"] = "%032x" % (self.count + self.random.getrandbits(100))
        pace = 1 + self.random.uniform(-0.05, 0.05)
        for row in report["applies"]:
            factor = (slower or {}).get(row["name"].split("(")[0], 1)
            row["total_ns"] = round(row["total_ns"] * pace * factor *
                                    (1 + self.random.uniform(-noise, noise)))
        if change:
            change(report)
        os.makedirs(os.path.join(self.folder, side), exist_ok=True)
        path = os.path.join(self.folder, side, "%02d.json" % self.count)
        with open(path, "w", encoding="ascii") as file:
            file.write(json.dumps(report) + "\n")
        return path

    def both(self, runs=10, in_turns=True, change=None, noise=0.02, **slower):
        """Folders of A and B, of which B has the change."""
        for i in range(runs):
            self.save("a", 2 * i if in_turns else i, noise=noise)
            self.save("b", 2 * i + 1 if in_turns else runs + i, change, slower, noise)
        return os.path.join(self.folder, "a"), os.path.join(self.folder, "b")


@contextlib.contextmanager
def runs():
    with template() as report, tempfile.TemporaryDirectory() as folder:
        yield Runs(report, folder)


def a_slower_op_ends_with_1():
    with runs() as some:
        a, b = some.both(Op4=1.15)
        found = judged(a, b, code=SLOWER)
        text = gate(a, b)
        files = [[os.path.join(folder, name) for name in sorted(os.listdir(folder))]
                 for folder in (a, b)]
        listed = judged(*files[0], "--", *files[1], code=SLOWER)
        mixed = judged(a, "--", *files[1], code=SLOWER)
        back = judged(b, a, code=SAME)
        wide = gate(a, b, above="30%")
    row = rows(found)["Op4"]
    assert row["verdict"] == "slower" and row["reason"] is None and row["mark"] is None, row
    assert 1.1 < row["low"] * 1.05 < row["ratio"] * 1.05 and 1.12 < row["ratio"] < 1.18, row
    assert (row["a_runs"], row["b_runs"], row["estimated"]) == (10, 10, False), row
    assert abs(row["a"] / (4 * MS) - 1) < 0.05 and abs(row["share"] - 4.6 / 28.6) < 0.02, row
    assert all(other["verdict"] == "same" for name, other in rows(found).items()
               if name != "Op4") and len(found["rows"]) == 7, found
    assert found["turns"] and found["pace"]["verdict"] == "same", found
    assert found["figure"] == "ns_per_function_call" and found["by"] == "op", found
    assert listed["rows"] == mixed["rows"] == found["rows"]
    assert rows(back)["Op4"]["ratio"] < 0.9, back
    assert wide.returncode == SAME and "\nsame: 0 slower, 0 cannot tell, 8 same\n" in wide.stdout
    assert text.returncode == SLOWER and text.stderr == "", text
    lines = text.stdout.splitlines()
    assert lines[0].startswith("A  10 runs: ") and "more than 10 % above A" in text.stdout, text
    at = lines.index(next(line for line in lines if line.startswith("VERDICT")))
    assert lines[at + 1].split()[0] == "slower" and lines[at + 1].split()[-1] == "Op4", lines
    [pace] = [line.split() for line in lines if line.endswith(" all rows together: B / A")]
    assert lines[at].split()[3] == "PACED" and pace[:3] == ["same", "-", "-"], (lines[at], pace)
    assert "%.3f" % found["pace"]["ratio"] == pace[3], (pace, found["pace"])
    assert lines[-1] == "slower: 1 slower, 0 cannot tell, 7 same", lines


def equal_runs_end_with_0():
    with runs() as some:
        a, b = some.both()
        found = judged(a, b, code=SAME)
        few = gate("--n-ops", 2, a, b)
        narrow = gate(a, b, env={"COLUMNS": "74"})
        out = os.path.join(some.folder, "verdicts.json")
        written = gate("-o", out, "--format", "json", a, b)
        with open(out, encoding="utf-8") as file:
            saved = json.load(file)
    assert all(row["verdict"] == "same" for row in found["rows"]), found
    assert " ... (5 more rows are the same; --n-ops shows more)" in few.stdout, few
    assert max(map(len, narrow.stdout.splitlines())) <= 74, narrow
    assert written.returncode == SAME and written.stdout == "" and saved["rows"] == found["rows"]


def what_cannot_be_told_ends_with_6():
    with runs() as some:
        a, b = some.both(noise=0.5, Op4=1.15)
        noisy = judged(a, b, code=CANNOT_TELL)
        text = gate(a, b)
    assert {row["reason"] for row in noisy["rows"] if row["verdict"] == "cannot_tell"} == {"wide"}
    assert "the runs of one side differ too much" in " ".join(text.stdout.split()), text
    with runs() as some:
        a, b = some.both(runs=4, Op4=2)
        few = judged(a, b, code=CANNOT_TELL)
        text = gate(a, b)
        one = judged(os.path.join(a, os.listdir(a)[0]), os.path.join(b, os.listdir(b)[0]),
                     code=CANNOT_TELL)
    assert rows(few)["Op4"]["reason"] == "few_runs" and rows(few)["Op1"]["verdict"] == "same", few
    assert rows(few)["Op4"]["low"] is None and rows(few)["Op4"]["high"] > 1.5, few
    assert "6 runs of each side show that one of so many rows is slower" in text.stdout, text
    assert all(row["reason"] == "few_runs" and row["high"] is None for row in one["rows"]), one


def a_run_against_itself_ends_with_6():
    with runs() as some:
        a, b = some.both()
        first = os.path.join(a, sorted(os.listdir(a))[0])
        itself = judged(first, first, code=CANNOT_TELL)
        copy = judged(a, a, code=CANNOT_TELL)
        text = gate(a, a)
        with open(first, encoding="utf-8") as source:
            again = source.read()
        with open(os.path.join(a, "99.json"), "w", encoding="utf-8") as file:
            file.write(again)
        twice = judged(a, b, code=SAME)
        said = gate(a, b)
    assert all(row["reason"] == "one_run" for row in itself["rows"] + copy["rows"]), itself
    assert "says nothing against itself" in " ".join(text.stdout.split()), text
    assert [run["counted"] for run in twice["a"]] == 10 * [True] + [False], twice["a"]
    assert "1 of the 11 named is the same run as one before, and is not counted" in said.stdout
    with Job(("X", 10, MS), ("Y", 10, MS)) as job:
        live = judged(job.pid, job.pid, code=CANNOT_TELL)
    assert all(row["reason"] == "one_run" for row in live["rows"]), live


def jobs_are_runs_too():
    """Eight live jobs: they ran together, so they took turns."""
    with contextlib.ExitStack() as stack:
        one, other = ([stack.enter_context(Job(("X", 100, ns + i), ("Y", 100, 50000 + i)))
                       for i in range(6)] for ns in (50000, 60000))
        a, b = ([job.pid for job in jobs] for jobs in (one, other))
        found = judged(*a, "--", *b, code=SLOWER)
        calls = judged("--per-call", *a, "--", *b, code=SLOWER)
        functions = judged("--by", "function", *a, "--", *b, code=SAME)
        classes = judged("--by", "class", *a, "--", *b, code=SLOWER)
        applies = judged("--by", "apply", "--function", "train", *a, "--", *b, code=SLOWER)
    assert found["turns"] and [run["time_ns"] for run in found["a"]] == 6 * [None], found
    assert rows(found)["X"]["verdict"] == "slower" and found["pace"] is None, found
    assert abs(rows(found)["X"]["ratio"] - 1.2) < 0.001, found
    assert calls["figure"] == "ns_per_call" and abs(rows(calls)["X"]["b"] - 60002.5) < 2, calls
    assert abs(rows(functions)["train"]["a"] - MS) < 1, functions  # what diff_job says of its calls
    assert rows(classes)["class.X"]["verdict"] == "slower", classes
    row = rows(applies)["X(x)"]
    assert (row["verdict"], row["function"]) == ("slower", "train"), applies


def a_machine_that_changed_fails_no_row():
    def slower(report):
        for row in report["applies"]:
            row["total_ns"] = round(1.3 * row["total_ns"])

    with runs() as some:
        a, b = some.both(in_turns=False, change=slower)
        after = judged(a, b, code=CANNOT_TELL)
        text = gate(a, b)
    assert all(row["verdict"] == "same" for row in after["rows"]) and not after["turns"], after
    assert after["pace"]["reason"] == "no_turns" and 1.2 < after["pace"]["ratio"] < 1.4, after
    assert "run them in turns, A B A B" in " ".join(text.stdout.split()), text
    with runs() as some:
        found = judged(*some.both(change=slower), code=SLOWER)
        assert found["pace"]["verdict"] == "slower", found["pace"]
        assert abs(rows(found)["Op3"]["plain_ratio"] - 1.3) < 0.06, found


def rows_may_come_and_go():
    def swap(name, ns):
        def change(report):
            for row in report["ops"] + report["applies"]:
                if row["name"].startswith("Op7"):
                    row["name"] = row["name"].replace("Op7", name)
                    row["total_ns"] = ns
        return change

    with runs() as some:
        found = judged(*some.both(change=swap("Fresh", 75 * MS)), code=SAME)
    fresh, gone = rows(found)["Fresh"], rows(found)["Op7"]
    assert (fresh["mark"], fresh["verdict"], fresh["a"], fresh["a_runs"]) == \
        ("new", "same", None, 0), fresh
    assert (gone["mark"], gone["verdict"], gone["b"], gone["ratio"]) == ("gone", "same", None, None)
    with runs() as some:
        a, b = some.both(change=swap("Fresh", 200 * MS))
        found, text = judged(a, b, code=SLOWER), gate(a, b)
    fresh = rows(found)["Fresh"]
    assert fresh["verdict"] == "slower" and 1.8 < fresh["ratio"] < 2.1, fresh  # 200 ms to 210 ms
    assert " Fresh [new]\n" in text.stdout and " Op7 [gone]\n" in text.stdout, text
    with runs() as some:
        found = judged(*some.both(change=swap("Fresh", MS // 2)), code=SAME)
    assert "Fresh" not in rows(found) and found["not_judged"]["small"] == 1, found


def forms_of_one_op_are_one_row():
    """B has another form of an op, as by another linker."""
    def rename(to):
        def change(report):
            for row in report["ops"] + report["applies"]:
                row["name"] = row["name"].replace("Op7", to)
        return change

    with runs() as some:
        for i in range(10):
            some.save("a", 2 * i, rename("Dot"))
            some.save("b", 2 * i + 1, rename("Dot22"), {"Op7": 1.3})
        a, b = (os.path.join(some.folder, side) for side in "ab")
        found, text = judged(a, b, code=SLOWER), gate(a, b)
    row = rows(found)["Dot"]
    assert (row["verdict"], row["mark"], row["names"]) == ("slower", None, ["Dot", "Dot22"]), row
    assert abs(row["ratio"] - 1.3) < 0.03 and len(found["rows"]) == 7, found
    assert " Dot -> Dot22\n" in text.stdout, text


def what_is_unknown_is_told():
    def change(report):
        for row in report["applies"]:
            if row["name"].startswith("Op2"):
                row["total_ns"] = None
            if row["name"].startswith("Op3"):
                row["waits"] = "waits"
            if row["name"].startswith("Op5"):
                row["timed"] = 5

    with runs() as some:
        for i in range(10):
            some.save("a", 2 * i, lambda report: report["applies"][2].update(waits="waits"))
            some.save("b", 2 * i + 1, change)
        a, b = (os.path.join(some.folder, side) for side in "ab")
        found, text = judged(a, b, code=CANNOT_TELL), gate(a, b)
        per_class = judged("--by", "class", a, b, code=CANNOT_TELL)
    row = rows(found)["Op2"]
    assert (row["verdict"], row["reason"], row["b"], row["mark"]) == \
        ("cannot_tell", "unknown", None, None), row
    assert "Op3" not in rows(found) and found["not_judged"]["waiting"] == 1, found
    assert rows(found)["Op5"]["estimated"] and not rows(found)["Op4"]["estimated"], found
    assert "rows that are not judged: 1 only waiting\n" in text.stdout, text
    assert any(line.endswith(" Op5") and "~" in line for line in text.stdout.splitlines())
    assert rows(per_class)["class.Op2"]["reason"] == "unknown", per_class


def small_rows_are_not_judged():
    with runs() as some:
        a, b = some.both(Op1=1.3)
        found = judged("--min-time", "15ms", a, b, code=SAME)
        none = judged("--min-time", "100s", a, b, code=CANNOT_TELL)
        text = gate("--min-time", "100s", a, b)
    assert found["not_judged"]["small"] == 1 and "Op1" not in rows(found), found
    assert none["rows"] == [] and none["not_judged"]["small"] == 7, none
    assert "no row was judged" in text.stdout, text


def bytes_are_compared():
    def allocate(more):
        def change(report):
            for i, row in enumerate(report["applies"]):
                row["metrics"] = {"alloc": 10 * (1 << 20) * (more if i == 1 else 1), "other": 3}
        return change

    with runs() as some:
        for i in range(8):
            some.save("a", i, allocate(1))
            some.save("b", 100 + i, allocate(2))
        a, b = (os.path.join(some.folder, side) for side in "ab")
        found = judged("--by", "memory", a, b, code=SLOWER)
        text = gate("--by", "memory", a, b)
        time = judged(a, b, code=SAME)
    row = rows(found)["Op2"]
    assert (row["verdict"], row["ratio"], row["a"], row["b"]) == \
        ("slower", 2, 1 << 20, 2 << 20), row
    assert found["figure"] == "bytes_per_function_call" and found["pace"] is None, found
    assert rows(found)["Op1"]["verdict"] == "same" and len(found["rows"]) == 7, found
    assert "bytes allocated per call of the function, by op" in text.stdout, text
    assert "2.00 MiB" in text.stdout, text
    assert len(time["rows"]) == 7
    with runs() as some:
        none = judged("--by", "memory", *some.both(), code=CANNOT_TELL)
    assert none["rows"] == [], none


def wrong_words_are_refused():
    with runs() as some:
        a, b = some.both(runs=1)
        for words in (("--fail-above", "0%", a, b), ("--fail-above", "nan", a, b),
                      ("--fail-above", "-3%", a, b), ("--fail-above", "10%", a),
                      ("--fail-above", "10%", a, "--"), ("--per-call", a, b),
                      ("--fail-above", "10%", "--by", "line", a, b), (a, "--", b)):
            one_sentence(shell.proftop(ENV, "diff", *words), 2)
        one_sentence(shell.proftop(ENV, "-b", "--fail-above", "10%"), 2, "are of diff")
        empty = os.path.join(some.folder, "empty")
        os.mkdir(empty)
        one_sentence(gate(a, empty), 3, "has no saved run")
        one_sentence(gate(a, "/no/such/file.json"), 3, "cannot be opened")
        one_sentence(gate(a, "nothing_of_this_name"), 3, "is no file")
        one_sentence(gate(os.path.join(FOLDER.name, "999"), b), 3, "cannot be opened")
        broken = os.path.join(b, "broken.json")
        with open(broken, "w", encoding="ascii") as file:
            file.write("{\"schema\": 7}")
        one_sentence(gate(a, b), 3, "broken.json", "cannot be read")
        with open(broken, "w", encoding="ascii") as file:
            for path in (some.save("c", 1), some.save("c", 2)):
                with open(path, encoding="utf-8") as source:
                    file.write(source.read())
        one_sentence(gate(a, b), 3, "has reports of several runs")
        one_sentence(gate("--function", "missing", a, a), 3, "missing")
        one_sentence(gate("-o", "/dev/full", a, a), 5, "/dev/full")
        one_sentence(gate("-o", "/no/such/folder/x", a, a), 5, "could not be written")
        many = gate(*[os.path.join(a, name) for name in os.listdir(a)] * 65, "--", b)
        one_sentence(many, 3, "at most 64 runs of each side")


def runs_of_run_are_judged():
    """As docs/gate.md says: runs of a real program that are recorded by `proftop run`."""
    with tempfile.TemporaryDirectory() as folder:
        for i in range(2):
            for side in "ab":
                os.makedirs(os.path.join(folder, side), exist_ok=True)
                done = shell.proftop(ENV, "run", "-b", "--format", "json", "-o",
                                     os.path.join(folder, side, "%d.json" % i), "--",
                                     tap.built("examples", "train"), "--quiet", "--steps", 300)
                assert done.returncode == 0, done
        a, b = (os.path.join(folder, side) for side in "ab")
        found = judged("--min-time", "10us", a, b, code=CANNOT_TELL)
        assert found["rows"] and found["turns"], found
        assert len({run["instance"] for run in found["a"] + found["b"]}) == 4, found
        assert all(row["a"] > 0 and row["b"] > 0 for row in found["rows"] if not row["mark"]), found
        assert {row["reason"] for row in found["rows"] if row["verdict"] == "cannot_tell"} == \
            {"few_runs"}, found


tap.run(a_slower_op_ends_with_1, equal_runs_end_with_0, what_cannot_be_told_ends_with_6,
        a_run_against_itself_ends_with_6, jobs_are_runs_too, a_machine_that_changed_fails_no_row,
        rows_may_come_and_go, forms_of_one_op_are_one_row, what_is_unknown_is_told,
        small_rows_are_not_judged, bytes_are_compared, wrong_words_are_refused,
        runs_of_run_are_judged)
