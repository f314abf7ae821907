# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""features.py: docs/features.md, the ledger. Every row has a test that exists and runs, or says
`open` (due in the next pieces of work) or `later`; no id is missing or used twice; what a row says
it said first, or it differs for a reason."""
import hashlib
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), HERE]
import tap  # noqa: E402
from ledger_rows import rows, tests  # noqa: E402

# How many rows each family has had from the beginning; new ones take the next numbers.
FIRST = {"A": 46, "B": 65, "C": 98, "D": 20}
UNPROVED = ("open", "later")
# Rows whose text is not that of ledger.txt: what it is instead, and why. Any other that differs was
# changed unnoticed.
DIFFERS = {
    "A2": ("563c40632276", "what Numba compiled can't be entered: it is compiled anew"),
    "A6": ("e49d6b351e3f", "only a VM fills what it is compared with: else thunks are asked"),
    "A9": ("09fb0886c441", "more than was asked: the rewrite, the library; when neither is known"),
    "A29": ("6e00549928d5", "a pane where nothing is left says nothing of it; printed profiles do"),
    "B2": ("38dc38992914", "more than was asked: times of calls and of the VM agree too"),
    "B4": ("3a462e87bc51", "what the flag costs, and which text of it is the framework's alone"),
    "B19": ("0ed2bf1ec041", "PyTensor 3 was found to print None, too"),
    "B27": ("813ee9f574b5", "the machine's time has the thunks in it: alone, or it is no sum"),
    "B45": ("32e9f8bf5af3", "a pane where nothing is left says nothing of it; printed profiles do"),
    "B46": ("2789ae5918b3", "a pane where nothing is left says nothing of it; printed profiles do"),
    "B47": ("59b1406fbccf", "a pane where nothing is left says nothing of it; printed profiles do"),
    "B56": ("4b1aa99fe0b3", "panes show binary units, reports those of the framework"),
    "B62": ("3981facec121", "a timing is no test: benchmarks measure both, tests hold the sums"),
    "C5": ("4ce4ec264cf4", "more than was asked: what is in no scope is a row as well"),
    "C9": ("f80c2d49c5ee", "a level that stands still would be false as soon as memory is freed"),
    "C11": ("49642bf8a0c0", "it is there"),
    "C12": ("4be850f35b75", "more than was asked: a dump that fails is told"),
    "C13": ("c728abd490d3", "what an exit takes is the machine's; what it waits for is asserted"),
    "C15": ("f201514c231b", "a timing is no test: the benchmark measures it, tests hold the sum"),
    "C16": ("b4b2757f6583", "more than was asked: what this process is not, it is told"),
    "C27": ("30a4a89665a4", "it is there"),
    "C34": ("9e6cb8d0c934", "it is done"),
    "C35": ("16bc2dfdf495", "as many calls as it takes for resets to find some"),
    "C47": ("665be05a6b54", "it is there"),
    "C48": ("7ce0397c359e", "it is there"),
    "C49": ("1e48742b5b4c", "it is there"),
    "C50": ("ea3e597118ab", "it is there"),
    "C52": ("a3b1ae3937b9", "dumps have it; a stream of events is later"),
    "C94": ("0f9a5f09b160", "it is there"),
    "C97": ("bddd0596f9a1", "it is there"),
    "C98": ("19293e6bb520", "it is there"),
}


def words_of(cells):
    """What ledger.txt has of a row: feature, what it is in proftop, proof."""
    return hashlib.sha256(" | ".join(cells[1:4]).encode()).hexdigest()[:12]


def ledger():
    """(id, words_of) of each row as it was first written."""
    with open(tap.source("tests", "lint", "ledger.txt"), encoding="ascii") as file:
        return dict(line.split() for line in file if not line.startswith("#"))


def has_case(text, file, case):
    """Whether the file defines the case and hands it to its runner."""
    case = re.escape(case)
    if file.endswith(".c"):
        return re.search(r"START_TEST\(%s\)" % case, text) and \
            len(re.findall(r"\b%s\b" % case, text)) >= 2
    if file.endswith(".py"):
        return re.search(r"^\s*def %s\(" % case, text, re.M) and \
            len(re.findall(r"\b%s\b" % case, text)) >= 2
    return re.search(r"\b%s\b" % case, text)


def stage_runs(stage):
    """Whether a stage of script/test exists and is one of those that CI runs."""
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


def rows_say_what_they_said():
    """Those that were added since are not in the first ledger."""
    first, now = ledger(), {row: words_of(cells) for row, cells in rows()}
    assert len(first) == sum(FIRST.values()), len(first)
    other = {row: now[row] for row in first
             if now.get(row) not in (first[row], DIFFERS.get(row, ("",))[0])}
    assert not other, "not the first words, nor those that DIFFERS gives a reason for: %s" % other
    print("# %d of %d rows say something else, for a reason" % (
        sum(now[row] != first[row] for row in first), len(first)))


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


def what_is_left_is_said():
    left = {word: [row for row, cells in rows() if cells[-1] == word] for word in UNPROVED}
    count = sum(1 for _ in rows())
    print("# %d rows: %d proved, %d open, %d later" % (
        count, count - sum(map(len, left.values())), len(left["open"]), len(left["later"])))
    assert count >= sum(FIRST.values())


tap.run(ids_are_whole, rows_say_what_they_said, rows_have_five_cells, named_tests_exist_and_run,
        the_check_would_find_a_missing_case, what_is_left_is_said)
