# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""seeds.py: the figures of the documents that proftop subsumes, published by a running job with
exactly those durations (seed_job.c), and proftop's output for them. docs/features.md names a case
beside each row that it proves."""
import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import tap  # noqa: E402

QUANTUM = 1e9 / 2 ** 22
scratch = tempfile.TemporaryDirectory()


def job(*table):
    """A job that publishes a table. Gives a function that returns proftop's output for its
    options."""
    return shell.published({**os.environ, "PROFTOP_DIR": scratch.name, "LC_ALL": "C.UTF-8",
                            "COLUMNS": "160"}, tap.built("seed_job"), *table)


def facts(say, *options):
    return json.loads(say("--format", "json", *options))


def pane(text, title):
    """The rows of a pane of the text report, as [{column: cell}] in order, and the line about
    hidden rows. Columns are found by the positions of their titles; the name is the rest."""
    lines = text.split("\n")
    start = next(i for i, line in enumerate(lines) if re.match(" %s( |$)" % title, line)) + 1
    end = next(i for i in range(start, len(lines))
               if re.search(r"\.\.\. \(remaining|  rows \d+-\d+ of \d+$", lines[i]))
    titles = [title.rstrip("▼▲") for title in lines[start].split()]
    rows = []
    for line in lines[start + 1:end]:
        # The bar after the percentage is made of block characters; here it is not a field of its
        # own.
        line = re.sub("[▏▎▍▌▋▊▉█]", " ", line).replace(" C Py ", " C+Py ")
        cells = line.split(None, len(titles) - 1)
        rows.append(dict(zip(titles, cells)))
    return rows, lines[end].strip()


def by(rows, key, value):
    return [row for row in rows if row[key] == value]


def example_times_are_exact():
    with job("example") as say:
        told = facts(say)
    function = told["functions"][0]
    assert function["calls"] == 1
    assert function["call_ns"] == round(239 * QUANTUM) and function["vm_ns"] == round(50 * QUANTUM)
    assert function["thunk_ns"] == sum(round(n * QUANTUM) for n in (13, 9, 4))
    assert [function[key + "_ns"] for key in ("compile", "rewrite", "validate", "link")] == \
        [3642474000, 73265080, 371218, 958492000]
    assert [(row["index"], row["calls"], row["total_ns"]) for row in told["applies"]] == \
        [(0, 1, round(13 * QUANTUM)), (1, 1, round(4 * QUANTUM)), (2, 1, round(9 * QUANTUM))]


def example_percentages():
    with job("example") as say:
        rows, _ = pane(say(), "Apply")
        filtered, _ = pane(say("--filter", "mul"), "Ops")
        ops, _ = pane(say(), "Ops")
    assert [row["%TIME"] for row in rows] == ["50.0", "34.6", "15.4"]
    assert [row["SUM%"] for row in rows] == ["50.0", "84.6", "100.0"]
    assert [row["ID"] for row in rows] == ["0", "2", "1"]
    assert [row["%TIME"] for row in ops] == ["65.4", "34.6"]
    # A filter hides rows; it changes no figure of the others.
    assert [(row["NAME"], row["%TIME"]) for row in filtered] == \
        [("Elemwise{mul,no_inplace}", "34.6")]


def example_merges_by_equality():
    with job("example") as say:
        told = facts(say)
        classes, _ = pane(say(), "Class")
    assert [(row["name"], row["applies"], row["calls"]) for row in told["ops"]] == \
        [("Elemwise{add,no_inplace}", 2, 2), ("Elemwise{mul,no_inplace}", 1, 1)]
    assert [(row["name"], row["applies"], row["calls"]) for row in told["classes"]] == \
        [("tensor.elemwise.Elemwise", 3, 3)]
    assert [row["total_ns"] for row in told["classes"]] == [sum(row["total_ns"]
                                                                for row in told["ops"])] == [6199]
    assert (classes[0]["%TIME"], classes[0]["TIME"]) == ("100.0", "6.20us")


def example_names_are_whole():
    with job("example") as say:
        told = facts(say)
    assert [row["name"] for row in told["applies"]] == [
        "Elemwise{add,no_inplace}(x, y)",
        "Elemwise{add,no_inplace}(Elemwise{add,no_inplace}.0, z)",
        "Elemwise{mul,no_inplace}(TensorConstant{(1,) of 2.0}, Elemwise{add,no_inplace}.0)"]


def example_budget_adds_up():
    with job("example") as say:
        header = say().split("\n Class")[0]
    shares = {word: float(share) for word, share in
              re.findall(r"[█▓▒#=-] (ops|vm alone|rest) \S+ +([0-9.]+)%", header)}
    assert shares == {"ops": 10.9, "vm alone": 10.0, "rest": 79.1}, header


def trailers_sum_the_rows_not_shown():
    """A complete table has no such line. Of 30, the first three take 30, 29 and 28 of 465 parts."""
    with job("example") as say:
        whole, cut = say(), say("--top", "1")
    with job("many", "30") as say:
        folded = say("--top", "3")
    for title, plural in (("Class", "Classes"), ("Ops", "Ops"), ("Apply", "Apply instances")):
        rows, last = pane(whole, title)
        assert rows and last == "rows 1-%d of %d" % (len(rows), len(rows)), whole
        rows, last = pane(folded, title)
        assert len(rows) == 3 and last.startswith(
            "... (remaining 27 %s account for 81.29%%(3.78s) of the runtime)" % plural), last
        assert abs(float(rows[-1]["SUM%"]) + 81.29 - 100) < 0.1, rows
    rows, last = pane(cut, "Apply")
    assert len(rows) == 1
    assert last.startswith("... (remaining 2 Apply instances account for 50.01%(0.00s)"), last
    rows, last = pane(cut, "Ops")
    assert len(rows) == 1
    assert last.startswith("... (remaining 1 Ops account for 34.62%(0.00s)"), last


def worst_offenders_stand_first():
    with job("regression") as say:
        text = say()
    for title in ("Class", "Ops", "Apply"):
        shares = [float(row["%TIME"]) for row in pane(text, title)[0]]
        assert len(shares) >= 3 and shares == sorted(shares, reverse=True), shares


def apply_rows_are_never_merged():
    with job("regression") as say:
        told = facts(say)
        rows, _ = pane(say(), "Apply")
    dots = [row for row in told["applies"] if row["name"] == "_dot22"]
    assert sorted((row["index"], row["total_ns"]) for row in dots) == [(1, 64000), (15, 69000)]
    assert [(row["ID"], row["%TIME"]) for row in by(rows, "NAME", "_dot22")] == \
        [("15", "6.9"), ("1", "6.4")]


def ops_are_summed_over_their_applies():
    with job("regression") as say:
        told = facts(say)
        ops, _ = pane(say(), "Ops")
    mul = next(row for row in told["ops"] if row["name"] == "mul")
    assert (mul["total_ns"], mul["applies"]) == (139000, 3)
    assert by(ops, "NAME", "mul")[0]["%TIME"] == "13.9"
    assert told["functions"][0]["thunk_ns"] == 1000000


def ops_of_equal_text_stay_apart():
    with job("equality") as say:
        told = facts(say)
    ops = sorted((row["name"], row["applies"], row["calls"]) for row in told["ops"])
    assert ops == [("Composite{...}", 1, 3), ("Composite{...}", 2, 6), ("sleep", 2, 5)]


def sleep_is_time():
    with job("equality") as say:
        told = facts(say)
    sleeper = next(row for row in told["applies"] if row["index"] == 3)
    # At least the sleep time; the machine adds more.
    assert sleeper["calls"] == 5 and sleeper["total_ns"] >= 50_000_000, sleeper
    assert sleeper["min_ns"] >= 10_000_000 and sleeper["max_ns"] >= sleeper["min_ns"]


def running_op_is_named_before_it_ends():
    with job("hang") as say:
        first, header = facts(say), say().split("\n Class")[0]
        second = facts(say)
    opened = [(row["thread"], told["applies"][row["apply"]]["name"])
              for told in (first, second) for row in told["now"]]
    assert opened == [("stuck", "hang(x)")] * 2, (first["now"], second["now"])
    # It began once: its start stays, and the job's time advances.
    since = {told["now"][0]["since_ns"] for told in (first, second)}
    assert len(since) == 1 and first["applies"][0]["calls"] == 0
    assert re.search(r"stuck in hang\(x\) for \d", header), header


def leaving_and_coming_back_changes_nothing():
    with job("regression") as say:
        told = [facts(say) for _ in range(3)]
    for key in ("applies", "ops", "classes"):
        rows = [[(row["name"], row["calls"], row["total_ns"]) for row in one[key]] for one in told]
        assert rows[0] == rows[1] == rows[2], rows
    assert len({one["jobs"][0]["instance"] for one in told}) == 1


def never_run_nodes_count_as_applies():
    with job("equality") as say:
        told = facts(say)
        text = say("--function", "equality")
    idle = next(row for row in told["applies"] if row["index"] == 4)
    assert (idle["calls"], idle["total_ns"]) == (0, 0)
    assert (idle["min_ns"], idle["max_ns"], idle["last_ns"]) == (None, None, None)
    row = [row for row in pane(text, "Apply")[0] if row["ID"] == "4"][0]
    assert row["/CALL"] == "-", row


def unknown_is_null():
    with job("equality") as say:
        function = facts(say)["functions"][0]
    assert function["calls"] == 18402
    assert function["vm_ns"] is None
    assert (function["compile_ns"], function["link_ns"]) == (100000, 40000)
    assert (function["rewrite_ns"], function["validate_ns"]) == (None, None)


def panes_hold_the_same_sums():
    for table in ("example", "regression", "equality"):
        with job(table) as say:
            told = facts(say)
        for key in ("total_ns", "self_ns", "calls"):
            sums = {name: sum(row[key] for row in told[name])
                    for name in ("classes", "ops", "applies")}
            assert len(set(sums.values())) == 1, sums


def implementations_are_shown():
    with job("regression") as say:
        told = facts(say)
    impls = {row["name"]: row["impl"] for row in told["ops"]}
    assert impls == {"_dot22": "C", "mul": "C Py", "Sum{0}": "C", "InplaceDimShuffle{x,0}": "C"}



# As the document prints it, in whole nanoseconds, with the class name of the job.
DOCUMENT = """Function profiling
==================
  Message: None
  Time in 1 calls to Function.__call__: 5.698200e-05s
  Time in Function.vm.__call__: 1.192100e-05s (20.921%)
  Time in thunks: 6.199000e-06s (10.879%)
  Total compile time: 3.642474e+00s
    Aesara rewrite time: 7.326508e-02s
       Aesara validate time: 3.712180e-04s
    Aesara Linker time (includes C, CUDA code generation/compiling): 9.584920e-01s

Class
---
<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> <Class name>
  100.0%   100.0%       0.000s       2.07e-06s     C        3       3   tensor.elemwise.Elemwise
   ... (remaining 0 Classes account for   0.00%(0.00s) of the runtime)

Ops
---
<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> <Op name>
  65.4%    65.4%       0.000s       2.03e-06s     C        2        2   Elemwise{add,no_inplace}
  34.6%   100.0%       0.000s       2.15e-06s     C        1        1   Elemwise{mul,no_inplace}
   ... (remaining 0 Ops account for   0.00%(0.00s) of the runtime)

Apply
------
<% time> <sum %> <apply time> <time per call> <#call> <id> <Apply name>
""" + """\
  50.0%    50.0%       0.000s       3.10e-06s      1     0   Elemwise{add,no_inplace}(x, y)
  34.6%    84.6%       0.000s       2.15e-06s      1     2   Elemwise{mul,no_inplace}(Tensor\
Constant{(1,) of 2.0}, Elemwise{add,no_inplace}.0)
  15.4%   100.0%       0.000s       9.54e-07s      1     1   Elemwise{add,no_inplace}(Elemwise\
{add,no_inplace}.0, z)
   ... (remaining 0 Apply instances account for 0.00%(0.00s) of the runtime)

"""


def the_report_is_the_documents():
    with job("example") as say:
        assert say("--format", "aesara") == DOCUMENT
        theano = say("--format", "theano")
        folded = say("--format", "theano", "--n-ops", "1", "--n-apply", "1")
        pytensor = say("--format", "pytensor")
    assert theano == DOCUMENT.replace("Function.vm", "Function.fn") \
        .replace("Aesara rewrite", "Theano Optimizer").replace("Aesara", "Theano")
    assert section(folded, "Ops")[0] == [65.4] and "  Elemwise{add,no_inplace}\n   ... (" in folded
    assert "   ... (remaining 1 Ops account for  34.62%(0.00s) of the runtime)\n" in folded
    assert "   ... (remaining 2 Apply instances account for 50.01%(0.00s) of" in folded
    assert "   ... (remaining 0 Apply instances account for 0.00%%(0.00s) of" in pytensor


def calls_of_functions_are_exact():
    for table, calls, shown in (("example", 1, "1"), ("equality", 18402, "18.4k")):
        with job(table) as say:
            assert [row["calls"] for row in facts(say)["functions"]] == [calls], table
            assert re.search(r"^ calls %s  " % re.escape(shown), say(), re.M), say()
            theano = say("--format", "theano")
        assert "  Time in %d calls to Function.__call__: " % calls in theano, theano


PROFILEMODE = """ProfileMode.print_summary()
---------------------------
local_time 0.001 (Time spent running thunks)
Apply-wise summary: <fraction of local_time spent at this position> (<Apply position>, \
<Apply Op name>)
0.675 14 Sum{0}
0.069 15 _dot22
0.064 1 _dot22
0.053 0 InplaceDimShuffle{x,0}
... (remaining 3 Apply instances account for 0.14 of the runtime)
Op-wise summary: <fraction of local_time spent on this kind of Op> <Op name>
0.675 * Sum{0}
0.139   mul
0.133 * _dot22
0.053 * InplaceDimShuffle{x,0}
... (remaining 0 Ops account for 0.00 of the runtime)
(*) Op is running a c implementation
type-Op-wise summary: <fraction of local_time spent on this type of Op> <type of Op>
0.675 * Sum
0.139   Elemwise
0.133 * Dot22
0.053 * DimShuffle
... (remaining 0 types of Op account for 0.00 of the runtime)
(*) Op is running a c implementation
"""


def profilemode_prints_three_summaries():
    with job("regression") as say:
        told = say("--format", "profilemode", "--n-apply", "4", "--function", "regression")
        assert "remaining 0 Apply" in say("--format", "profilemode")
    assert told == PROFILEMODE, told
    with job("example") as say:
        # 13, 9 and 4 ticks, each in whole nanoseconds.
        assert "\nlocal_time 6.199e-06 (Time spent" in say("--format", "profilemode")


def section(text, title):
    """From a table of a profile: the percentages and the running sums of its rows; and the number
    of rows in its trailer with their sum."""
    part = text.split("\n%s\n---" % title)[1].split("\n\n")[0]
    rows = re.findall(r"^ +([0-9.]+)% +([0-9.]+)% ", part, re.M)
    left, share = re.search(r"\(remaining (\d+) .* account for +([0-9.]+)%", part).groups()
    return [float(row[0]) for row in rows], [float(row[1]) for row in rows], int(left), float(share)


def fractions(text):
    """The same from the three summaries of ProfileMode, without running sums."""
    parts = re.split(r"^\S+-wise summary.*\n", text, flags=re.M)[1:]
    for part in parts:
        left, share = re.search(r"\(remaining (\d+) .* account for (\S+) of", part).groups()
        yield list(map(float, re.findall(r"^(\d\S+) ", part, re.M))), int(left), float(share)


def tables_have_default_or_requested_lengths():
    """Node i of n takes i + 1 parts of n (n + 1) / 2."""
    with job("many", "30") as say:
        for words, lengths in (((), (20, 20, 20)), (("--n-ops", "5"), (5, 5, 20)),
                               (("--n-apply", "3"), (20, 20, 3))):
            text = say("--format", "theano", *words)
            for title, length in zip(("Class", "Ops", "Apply"), lengths):
                shares, sums, left, rest = section(text, title)
                parts = range(30, 30 - length, -1)
                assert shares == [round(100 * part / 465, 1) for part in parts], (words, shares)
                assert (left, rest) == (30 - length, round(100 - sum(parts) / 4.65, 2)), text
                assert abs(sums[-1] + rest - 100) <= 0.1, (sums, rest)
    with job("many", "12") as say:
        shares, _, left, rest = section(say("--format", "theano", "--n-apply", "3"), "Apply")
    assert (shares, left) == ([15.4, 14.1, 12.8], 9) and abs(sum(shares) + rest - 100) <= 0.1, rest


def summaries_have_default_or_requested_lengths():
    """15 nodes and 20 ops are printed; the trailer has the rest."""
    for nodes, words, lengths in (
            (30, (), (15, 20, 20)), (30, ("--n-apply", "3"), (3, 20, 20)),
            (30, ("--n-ops", "5"), (15, 5, 5)), (21, (), (15, 20, 20)), (16, (), (15, 16, 16))):
        whole = nodes * (nodes + 1) // 2
        with job("many", str(nodes)) as say:
            text = say("--format", "profilemode", *words)
        found = list(fractions(text))
        assert len(found) == 3, text
        for (shares, left, rest), length in zip(found, lengths):
            parts = range(nodes, nodes - length, -1)
            assert shares == [round(part / whole, 3) for part in parts], (nodes, words, shares)
            assert (left, rest) == (nodes - length, round(1 - sum(parts) / whole, 2)), text
            assert abs(sum(shares) + rest - 1) <= 0.0005 * length + 0.005, (shares, rest)
        if nodes == 21:
            assert "... (remaining 6 Apply instances account for 0.09 of the runtime)\n" in text
        if nodes == 16:
            assert "... (remaining 0 Ops account for 0.00 of the runtime)\n" in text


tap.run(example_times_are_exact, example_percentages, example_merges_by_equality,
        example_names_are_whole, example_budget_adds_up, trailers_sum_the_rows_not_shown,
        worst_offenders_stand_first, apply_rows_are_never_merged,
        ops_are_summed_over_their_applies, ops_of_equal_text_stay_apart, sleep_is_time,
        running_op_is_named_before_it_ends, leaving_and_coming_back_changes_nothing,
        never_run_nodes_count_as_applies, unknown_is_null, panes_hold_the_same_sums,
        implementations_are_shown, the_report_is_the_documents,
        calls_of_functions_are_exact, profilemode_prints_three_summaries,
        tables_have_default_or_requested_lengths, summaries_have_default_or_requested_lengths)
