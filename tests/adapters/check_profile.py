# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_profile.py: compares `--format pytensor` with PyTensor's own print at the end of the same
run, byte for byte except times."""
import re
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from masking import profiles, timed  # noqa: E402
from watching import Place, job, tap  # noqa: E402

STEPS = 300
FLAGS = "profile=True"


def both(place, *options, words=(watching.LOGREG, str(STEPS)), **env):
    """(ours, theirs) of one run."""
    output = place.file("report.txt")
    command = [watching.PROFTOP, "run", *options, "-o", output, "--", watching.need_python(),
               *words]
    done = watching.run(command, place.env(PROFTOP_ADAPTERS=watching.ADAPTERS, **env), place.path)
    assert done.returncode == 0, done
    with open(output, encoding="utf-8") as file:
        return file.read(), done


def same(ours, theirs, names=("train", "predict"), more_than=10):
    """Returns ours, masked."""
    ours, theirs = profiles(ours), profiles(theirs)
    for name in names:
        assert ours[name] == theirs[name], "\n".join(
            ["proftop:", *ours[name], "PyTensor:", *theirs[name]])
        assert sum(line.startswith("ROW") for line in ours[name]) > more_than
    return ours


def the_report_is_the_frameworks_own():
    with Place() as place:
        ours, done = both(place, "--summary", "--format", "pytensor", flags=FLAGS)
    same(ours, done.stderr.decode())
    assert ours.count("Function profiling\n") == 3, "each once, and their sum"
    # The framework's own sum is broken in this release. Ours is there.
    total = profiles(ours)["Sum of all(2) printed profiles at exit."]
    assert "  Time in %d calls to Function.__call__: Ts" % (STEPS + 1) in total, total


def summary_speaks_the_jobs_dialect():
    """Names are cut at the length that the job sets."""
    with Place() as place:
        ours, done = both(place, "--summary", flags=FLAGS + ",profiling__output_line_width=90")
        plain = watching.alone(place, watching.LOGREG, str(STEPS))
    same(ours, done.stderr.decode())
    assert done.stdout == plain.stdout and done.returncode == 0


def an_op_of_both_kinds_is_shown_as_the_framework_does():
    """Its class has both, and the op has the kind of its last node."""
    with Place() as place:
        ours, done = both(place, "--summary", words=[job("mixed")], flags=FLAGS)
    assert done.stdout == b"4.0\n" * 6, done
    ours = same(ours, done.stderr.decode(), ("one", "two"), 6)
    for name in ("one", "two"):
        assert any(" C Py " in row and "Twice" in row for row in ours[name]), ours


def limits_fold_as_the_frameworks_do():
    with Place() as place:
        ours, done = both(place, "--summary", "--n-ops", "1", "--n-apply", "3",
                          flags=FLAGS + ",profiling__n_ops=1,profiling__n_apply=3")
    folded = [re.findall(r"remaining (\d+) (\w+)", timed(text))
              for text in (ours.split("  Message: Sum")[0], done.stderr.decode())]
    assert sorted(folded[0]) == sorted(folded[1]) and len(folded[0]) == 6, folded


def nodes_that_never_ran_are_left_out_as_the_framework_does():
    """They count in the number of applies of their ops."""
    with Place() as place:
        ours, done = both(place, "--summary", words=[job("lazy")], flags=FLAGS,
                          TRUTH=place.file("truth.json"))
    ours = same(ours, done.stderr.decode(), ("choose", "always"), 8)
    rows = {name: [line for line in ours[name] if line.startswith("ROW")]
            for name in ("choose", "always")}
    for name, branches in (("choose", 2), ("always", 1)):
        # Each branch has an op and an apply. Their class has both; 5 of its applies ran.
        assert len([row for row in rows[name] if "CAReduce{" in row.split("if{")[0]]) == \
            2 * branches, rows
        assert len([row for row in rows[name] if re.search(
            r"C +5 +2 +pytensor\.tensor\.elemwise\.CAReduce$", row)]) == 1, rows


def only_the_rewriter_profile_is_missing():
    """The counters of the rewriters are only in the framework's output. All lines around them are
    in ours too."""
    with Place() as place:
        ours, done = both(place, "--summary", flags=FLAGS + ",profile_optimizer=True")
    theirs, lacking = re.subn(r"(?ms)^Rewriter Profile\n-+\n.*?(?=^Here are tips)", "",
                              done.stderr.decode())
    assert lacking == 2 and "Rewriter Profile" not in ours, (lacking, theirs, ours)
    same(ours, theirs)


@tap.all_only
def mxnets_table_counts_as_the_framework_does():
    """Rows are read from the right, since names contain blanks."""
    with Place() as place:
        ours, done = both(place, "--summary", "--format", "mxnet", flags=FLAGS)
    table = ours.split("operator\n")[1].split("\n\n")[0].splitlines()[3:]
    counts = {name.strip(): int(count) for name, count, *times in
              (line.rsplit(maxsplit=5) for line in table)}
    theirs = {}
    printed = done.stderr.decode().split("Sum of")[0]
    for ops in re.findall(r"(?ms)^Ops\n-+\n(.*?)^ +\.\.\.", printed):
        for count, name in re.findall(r"(?m)^.* (?:C|Py) +(\d+) +\d+ +(.*)$", ops):
            theirs[name] = theirs.get(name, 0) + int(count)
    assert counts == theirs and len(counts) > 10, (counts, theirs)


tap.run(the_report_is_the_frameworks_own, only_the_rewriter_profile_is_missing,
        an_op_of_both_kinds_is_shown_as_the_framework_does,
        mxnets_table_counts_as_the_framework_does,
        summary_speaks_the_jobs_dialect, limits_fold_as_the_frameworks_do,
        nodes_that_never_ran_are_left_out_as_the_framework_does)
