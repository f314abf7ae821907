# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""load.py: `proftop --load FILE`: reports of one job in each format, read back, have the figures of
the job within the rounding of the print; files are compared, and a bad file ends with a
sentence."""
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import one_sentence, tap  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
ENV = dict(os.environ, PROFTOP_DIR=FOLDER.name, XDG_RUNTIME_DIR=FOLDER.name, LC_ALL="C.UTF-8")
ENV.pop("COLUMNS", None)
# function, class, op, inputs, implementation, calls, ns of a call
PROGRAM = (
    ("train", "tensor.blas.Dot22", "Dot22", "x, w", "C", 200, 1234567),
    ("train", "tensor.blas.Dot22", "Dot22", "h, v", "C", 200, 345678),
    ("train", "tensor.elemwise.Elemwise", "Elemwise{add}", "h, b", "C", 200, 23456),
    ("train", "tensor.elemwise.Elemwise", "Elemwise{tanh}", "h", "C", 400, 4567),
    ("train", "tensor.elemwise.Sum", "Sum{0}", "h", "Py", 200, 98765),
    ("test", "tensor.elemwise.Sum", "Sum{0}", "y", "Py", 7, 87654),
)
EXAMPLE = """Function profiling
==================
Message: None
Time in 1 calls to Function.__call__: 5.698204e-05s
Time in Function.fn.__call__: 1.192093e-05s (20.921%)
Time in thunks: 6.198883e-06s (10.879%)
Total compile time: 3.642474e+00s
Theano Optimizer time: 7.326508e-02s
Theano validate time: 3.712177e-04s
Theano Linker time (includes C, CUDA code generation/compiling): 9.584920e-01s Class
---
<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> <Class name>
100.0% 100.0% 0.000s 2.07e-06s C 3 3 <class 'theano.tensor.elemwise.Elemwise'>
... (remaining 0 Classes account for 0.00%(0.00s) of the runtime) Ops
---
<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> <Op name>
65.4% 65.4% 0.000s 2.03e-06s C 2 2 Elemwise{add,no_inplace}
34.6% 100.0% 0.000s 2.15e-06s C 1 1 Elemwise{mul,no_inplace}
... (remaining 0 Ops account for 0.00%(0.00s) of the runtime) Apply
------
<% time> <sum %> <apply time> <time per call> <#call> <id> <Apply name>
50.0% 50.0% 0.000s 3.10e-06s 1 0 Elemwise{add,no_inplace}(x, y)
34.6% 84.6% 0.000s 2.15e-06s 1 2 Elemwise{mul,no_inplace}(2.0, Elemwise{add,no_inplace}.0)
15.4% 100.0% 0.000s 9.54e-07s 1 1 Elemwise{add,no_inplace}(Elemwise{add,no_inplace}.0, z)
... (remaining 0 Apply instances account for 0.00%(0.00s) of the runtime)
"""


class Job(shell.Job):
    def __init__(self):
        self.process = subprocess.Popen([tap.built("diff_job")], env=ENV, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        lines = ["\t".join((f, c, op, "%s(%s)" % (op, args), impl, str(calls), str(ns)))
                 for f, c, op, args, impl, calls, ns in PROGRAM]
        self.process.stdin.write("\n".join([*lines, "", ""]))
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "published\n"
        self.pid = self.process.pid

    def end(self):
        pass


@contextlib.contextmanager
def file_of(text):
    with tempfile.NamedTemporaryFile("w", dir=FOLDER.name, encoding="utf-8") as file:
        file.write(text)
        file.flush()
        yield file.name


def load(path, *words, code=0, **more):
    done = shell.proftop(ENV, "-b", "--load", path, *words, **more)
    assert done.returncode == code, done
    return done


def loaded(path, *words, **more):
    [report] = shell.rows(load(path, "--format", "json", *words, **more), "json.schema")
    return report


def sums(report, table):
    """{name: [calls, applies, ns]} of a table of a report."""
    found = {}
    for row in report[table]:
        old = found.setdefault(row["name"], [0, 0, 0])
        for at, key in enumerate(("calls", "applies", "total_ns")):
            old[at] += row.get(key) or (1 if key == "applies" else 0)
    return found


def near(a, b, share):
    return abs(a - b) <= share * max(a, b) + 1


def profiles_of_the_family_are_read_back():
    with Job() as job:
        live = json.loads(shell.proftop(ENV, "-b", "-p", job.pid, "--format", "json").stdout)
        for word in ("theano", "aesara", "pytensor"):
            text = shell.proftop(ENV, "-b", "-p", job.pid, "--format", word).stdout
            with file_of(text) as path:
                report = loaded(path)
            assert report["state"] == "ended" and report["final"], report["state"]
            for table in ("classes", "ops", "applies"):
                ours, theirs = sums(report, table), sums(live, table)
                assert ours.keys() == theirs.keys(), (word, table, ours, theirs)
                for name, (calls, nodes, ns) in theirs.items():
                    assert ours[name][:2] == [calls, nodes], (word, name, ours[name])
                    # Three digits are printed, of each node.
                    assert near(ours[name][2], ns, 0.0051), (word, name, ours[name], ns)
            functions = {row["name"]: row["calls"] for row in report["functions"]}
            assert functions == {"train": 200, "test": 7}, functions


def profilemode_is_read_back():
    with Job() as job:
        live = json.loads(shell.proftop(ENV, "-b", "-p", job.pid, "--format", "json").stdout)
        text = shell.proftop(ENV, "-b", "-p", job.pid, "--format", "profilemode").stdout
        with file_of(text) as path:
            report = loaded(path)
            again = load(path, "--format", "profilemode").stdout
    whole = sum(row["total_ns"] for row in live["ops"])
    for table in ("classes", "ops"):
        ours = {row["name"]: row for row in report[table]}
        for row in live[table]:
            assert ours[row["name"]]["calls"] is None
            # A fraction has three decimals; two nodes are two fractions.
            assert abs(ours[row["name"]]["total_ns"] - row["total_ns"]) <= 0.0011 * whole, row
    # Printed again, all lines are the same but for their last digit.
    number = re.compile(r"\b0\.[0-9]+")
    assert number.sub("N", again) == number.sub("N", text), (again, text)
    for ours, theirs in zip(number.findall(again), number.findall(text)):
        assert abs(float(ours) - float(theirs)) < 0.0021, (ours, theirs)


def statistics_and_json_are_read_back_exactly():
    with Job() as job:
        live = json.loads(shell.proftop(ENV, "-b", "-p", job.pid, "--format", "json").stdout)
        for word, off in (("mxnet", 50), ("mxnet-json", 0), ("json", 0)):
            text = shell.proftop(ENV, "-b", "-p", job.pid, "--format", word).stdout
            with file_of(text) as path:
                ours = sums(loaded(path), "ops")
                if word != "json":
                    assert load(path, "--format", word).stdout == text, word
            for name, (calls, nodes, ns) in sums(live, "ops").items():
                assert ours[name][0] == calls, (word, name)
                assert abs(ours[name][2] - ns) <= off, (word, name, ours[name], ns)
                assert word != "json" or ours[name][1] == nodes


def a_dump_is_read_back_exactly():
    with Job() as job, tempfile.TemporaryDirectory() as folder:
        live = json.loads(shell.proftop(ENV, "-b", "-p", job.pid, "--format", "json").stdout)
        path = os.path.join(folder, "dump.json")
        done = shell.proftop(ENV, "ctl", "dump", path, "-p", job.pid)
        assert done.returncode == 0, done
        report = loaded(path)
        for table in ("classes", "ops", "applies"):
            assert sums(report, table) == sums(live, table), table
        functions = [{row["name"]: row["calls"] for row in of["functions"]}
                     for of in (report, live)]
        assert functions[0] == functions[1], functions


def a_copy_of_a_web_page_is_read():
    with file_of("Some words before.\n\n" + EXAMPLE + "\nand behind\n") as path:
        report = loaded(path)
        text = load(path).stdout
        with open(path, encoding="utf-8") as file:
            assert loaded("-", stdin=file)["ops"] == report["ops"]
    assert [row["calls"] for row in report["classes"]] == [3]
    assert sorted(row["calls"] for row in report["ops"]) == [1, 2]
    assert sorted(row["total_ns"] for row in report["applies"]) == [954, 2150, 3100]
    assert report["functions"][0]["call_ns"] == 56982
    assert report["jobs"][0]["framework"] == "Theano" and report["jobs"][0]["pid"] is None
    for words in ("FILE", "A file: profile of Theano, Aesara or PyTensor.", "57.0us/call",
                  "rows 1-3 of 3"):
        assert words in text, (words, text)


def a_line_that_is_no_row_is_named():
    bad = EXAMPLE.replace("65.4% 65.4% 0.000s", "65.4% sixty 0.000s").replace(
        "15.4% 100.0% 0.000s", "garbage")
    with file_of(bad) as path:
        done = load(path)
        assert "Line 17 is no row of a profile: `65.4% sixty 0.000s" in done.stderr, done.stderr
        assert "Line 24 is no row of a profile: `garbage" in done.stderr, done.stderr
        assert "2 lines of this file were not read." in done.stderr, done.stderr
        assert "2 of its lines could not be read; L names them." in done.stdout, done.stdout
        # The class still has its calls and its time.
        report = loaded(path)
    assert [(row["calls"], row["applies"]) for row in report["classes"]] == [(3, 3)]


def files_are_compared():
    slow = EXAMPLE.replace("3.10e-06s", "9.30e-06s").replace("2.03e-06s", "5.13e-06s")
    with file_of(EXAMPLE) as a, file_of(slow) as b:
        done = shell.proftop(ENV, "diff", "--format", "json", a, b)
        [found] = shell.rows(done, "diff.schema")
        rows = {row["name"]: row for row in found["applies"]}
        assert rows["Elemwise{add,no_inplace}(x, y)"]["delta_ns"] == 6200, rows
        assert found["totals"]["ops_ns"]["delta"] == 6200, found["totals"]
        text = shell.proftop(ENV, "diff", a, b).stdout
        assert "Elemwise{add,no_inplace}" in text, text
        same = shell.proftop(ENV, "diff", "--format", "json", a, a)
        assert json.loads(same.stdout)["totals"]["ops_ns"]["delta"] == 0


def load_rejects_other_files_and_options():
    def refused(path, *words):
        return shell.proftop(ENV, "-b", "--load", path, *words)

    with file_of("nothing\nof that kind\n") as path:
        one_sentence(refused(path), 3, "is no profile that proftop knows: none of its 2 lines")
        one_sentence(refused(path, "-p", 1), 2, "leave out -p")
        one_sentence(refused(path, "--all"), 2, "leave out -p")
        one_sentence(refused(path, "--format", "mxnet", "--reset"), 2, "leave out --load")
        one_sentence(shell.proftop(ENV, "diff", "--load", path, path), 2, "--load shows a file")
    one_sentence(refused("/no/such/file"), 3, "cannot be opened", "No such file")
    one_sentence(refused(FOLDER.name), 3, "cannot be read", "directory")
    one_sentence(refused("/dev/zero"), 3, "has a line of more than 64 MiB")
    one_sentence(refused("/dev/null"), 3, "it is empty")
    one_sentence(refused(""), 2, "--load takes a file")
    one_sentence(refused("\x1b[31m\n.txt"), 3, "cannot be opened")


tap.run(profiles_of_the_family_are_read_back, profilemode_is_read_back,
        statistics_and_json_are_read_back_exactly, a_dump_is_read_back_exactly,
        a_copy_of_a_web_page_is_read, a_line_that_is_no_row_is_named, files_are_compared,
        load_rejects_other_files_and_options)
