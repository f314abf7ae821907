# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""limits.py: checks the sizes that keep the code readable: functions of at most 70 lines, .c files
of at most 1,500, lines of at most 100 characters. Checks the licence at the top."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402
import tree  # noqa: E402

FUNCTION_LINES = 70
FILE_LINES = 1500
COLUMNS = 100
FOLDERS = (*tree.CODE, "tests", "script", "docs")
SPDX = "SPDX-License-Identifier: Apache-2.0"


def files(*endings):
    return tree.files(FOLDERS, *endings)


def lines(path):
    return tree.text_of(path).split("\n")


def functions(text):
    """(first line, last line) of each function. Its braces stand in the first column."""
    start = None
    for number, line in enumerate(text, 1):
        if line == "{":
            start = number
        elif line == "}" and start:
            yield start, number
            start = None


def functions_are_short():
    long = ["%s:%d: %d lines" % (path, first, last - first + 1)
            for path in files(".c", ".cc") for first, last in functions(lines(path))
            if last - first + 1 > FUNCTION_LINES]
    assert not long, "\n".join(long)


def the_measure_finds_functions():
    """Guards the check above against a change of style that would hide all functions."""
    found = sum(1 for path in files(".c") for _ in functions(lines(path)))
    assert found > 200, found
    planted = ["int f(void)", "{"] + ["    ;"] * 70 + ["}"]
    assert [last - first + 1 for first, last in functions(planted)] == [72]


def files_are_short():
    long = ["%s: %d lines" % (path, len(lines(path)) - 1)
            for path in files(".c") if len(lines(path)) - 1 > FILE_LINES]
    assert not long, "\n".join(long)


def lines_are_short():
    long = ["%s:%d: %d" % (path, number, len(line))
            for path in files(".c", ".h", ".py") for number, line in enumerate(lines(path), 1)
            if len(line) > COLUMNS]
    assert not long, "\n".join(long)


def licences_stand_in_front():
    bare = [path for path in files(".c", ".h", ".py", ".mk", ".sh")
            if SPDX not in "\n".join(lines(path)[:4])]
    assert not bare, "\n".join(bare)


tap.run(functions_are_short, the_measure_finds_functions, files_are_short, lines_are_short,
        licences_stand_in_front)
