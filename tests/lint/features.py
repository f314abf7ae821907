# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""features.py: checks docs/features.md, the ledger. Every row has a test that exists and runs, or
says `open` (due in the next pieces of work) or `later`. No id is missing or used twice."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), HERE]
import tap  # noqa: E402
from ledger_rows import rows, tests  # noqa: E402

# How many rows each family had at the beginning. New rows take the next numbers.
FIRST = {"A": 46, "B": 65, "C": 98, "D": 20}
UNPROVED = ("open", "later")


def has_case(text, file, case):
    """True if the file defines the case and passes it to its runner."""
    case = re.escape(case)
    if file.endswith(".c"):
        return re.search(r"START_TEST\(%s\)" % case, text) and \
            len(re.findall(r"\b%s\b" % case, text)) >= 2
    if file.endswith(".py"):
        return re.search(r"^\s*def %s\(" % case, text, re.M) and \
            len(re.findall(r"\b%s\b" % case, text)) >= 2
    return re.search(r"\b%s\b" % case, text)


def stage_runs(stage):
    """True if a stage of script/test exists and CI runs it."""
    with open(tap.source("script", "test"), encoding="utf-8") as file:
        text = file.read()
    every = re.search(r"--all \]; then\n.*\n\s*stages=\"(.*)\"", text)[1].split()
    return stage in every and "stage_%s()" % stage in text


def ids_are_whole():
    seen = [row for row, _ in rows()]
    twice = {row for row in seen if seen.count(row) > 1}
    missing = [family + str(number) for family, count in FIRST.items()
               for number in range(1, count + 1) if family + str(number) not in seen]
    assert not twice and not missing, (sorted(twice), missing)


def rows_have_five_cells():
    wrong = [row for row, cells in rows() if len(cells) != 5]
    assert not wrong, wrong


def named_tests_exist_and_run():
    run, wrong = tests(), []
    for row, cells in rows():
        named = [word.strip("`") for word in re.split(r"[,\s]+", cells[-1]) if word]
        if not named:
            wrong.append("%s names no test" % row)
        for word in named:
            if word in UNPROVED:
                continue
            file, _, case = word.partition(":")
            if file == "script/test":
                if not stage_runs(case):
                    wrong.append("%s: script/test --all has no stage %s" % (row, case))
            elif file not in run:
                wrong.append("%s: %s is not a test that runs" % (row, file))
            elif not case or not has_case(run[file], file, case):
                wrong.append("%s: %s has no case %r" % (row, file, case))
    assert not wrong, "\n".join(wrong)


def the_check_would_find_a_missing_case():
    run = tests()
    name = "model/check_unit.c"
    assert name in run and not has_case(run[name], name, "no_such_case_anywhere")


def unproved_rows_are_counted():
    left = {word: [row for row, cells in rows() if cells[-1] == word] for word in UNPROVED}
    count = sum(1 for _ in rows())
    print("# %d rows: %d proved, %d open, %d later" % (
        count, count - sum(map(len, left.values())), len(left["open"]), len(left["later"])))
    assert count >= sum(FIRST.values())


tap.run(ids_are_whole, rows_have_five_cells, named_tests_exist_and_run,
        the_check_would_find_a_missing_case, unproved_rows_are_counted)
