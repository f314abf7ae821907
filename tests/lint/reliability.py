# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""reliability.py: docs/reliability.md lists the faults that the suite injects: each one with its
bar, and nothing else."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

sys.path.insert(0, tap.source("tests", "e2e", "faults"))
from faults import FAULTS, REPEATS  # noqa: E402

# The numbers of the study that this suite covers. Other tests cover the rest.
NUMBERS = {"R%d" % n for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 17, 18, 21, 22)}


def rows():
    with open(tap.source("docs", "reliability.md"), encoding="utf-8") as file:
        for line in file:
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            if cells and re.fullmatch(r"R\d+", cells[0]):
                yield cells


def every_fault_stands_in_the_table():
    table = {tuple(cells[:3]) for cells in rows()}
    suite = {(fault.number, fault.what, fault.bar) for fault in FAULTS}
    assert table == suite, "run script/test --long: %s" % sorted(table ^ suite)


def every_number_has_a_fault():
    assert {fault.number for fault in FAULTS} == NUMBERS


def each_was_repeated_and_judged():
    for cells in rows():
        assert len(cells) == 7 and int(cells[5]) >= REPEATS >= 20, cells
        assert cells[6] in ("yes", "**no**"), cells


tap.run(every_fault_stands_in_the_table, every_number_has_a_fault, each_was_repeated_and_judged)
