# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""gate.py: checks that script/check runs each test that is not marked for script/test --all alone.
ALL_ONLY in tests/local.mk marks a test, and tap_all_only() or all_only() marks a case in the test.
Lists the rows of the ledger that only script/test --all proves."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ledger_rows  # noqa: E402
import tap  # noqa: E402

STAGES = ("gate_sanitized", "gate", "all_only")


def printed(target, *words):
    env = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    return subprocess.run(["make", "-s", "--no-print-directory", "-C", tap.built(), target, *words],
                          check=True, capture_output=True, text=True, env=env).stdout.split()


def stage(name):
    return printed("print-stage-tests", "STAGE=" + name)


def marked(file, text):
    """The cases of a test that only script/test --all runs."""
    if file.endswith(".c"):
        calls = re.findall(r"tap_(?:native_)?all_only\((.*?)\);", text, re.S)
        return set(re.findall(r"\w+", " ".join(calls)))
    return set(re.findall(r"^@tap\.all_only\s+def (\w+)", text, re.M))


def is_in_gate(test, left_out, texts):
    """True if script/check runs a test of the ledger, FILE:CASE."""
    file, _, case = test.partition(":")
    program = os.path.basename(file)[:-2] if file.endswith(".c") else "tests/" + file
    return program not in left_out and case not in marked(file, texts[file])


def each_test_has_its_place():
    there = printed("print-stage-tests", "STAGE=every")
    places = {name: set(stage(name)) for name in STAGES}
    for test in there:
        found = [name for name in STAGES if test in places[name]]
        # A sanitized build has its own test. Another build lists it all the same.
        assert len(found) == 1, (test, found)
    unknown = set().union(*places.values()) - set(there) - {"tests/lint/sanitizers.py"}
    assert not unknown, "these names in tests/local.mk are no tests: %s" % unknown


def a_test_that_is_left_out_is_left_out_whole():
    """A test of ALL_ONLY needs no marks. A test whose cases are all marked belongs into
    ALL_ONLY."""
    texts, left_out = ledger_rows.tests(), stage("all_only")
    for file, text in texts.items():
        program = os.path.basename(file)[:-2] if file.endswith(".c") else "tests/" + file
        marks = marked(file, text)
        assert not (marks and program in left_out), (file, marks)
        if file.endswith(".py") and marks:
            run = re.findall(r"\w+", text[text.rindex("tap.run("):])
            assert set(run) - marks - {"tap", "run"}, "%s: nothing is left for script/check" % file


def marks_are_found():
    assert marked("x.c", "tap_all_only(tap_add_loop(s, \"a\", b, 3));\ntap_native(c);") == \
        {"tap_add_loop", "s", "a", "b", "3"}
    assert marked("x.py", "@tap.all_only\ndef one():\n    pass\n\ndef two():\n") == {"one"}
    assert is_in_gate("f/check_x.c:b", [], {"f/check_x.c": "tap_add(s, \"b\", b);"})
    assert not is_in_gate("f/check_x.c:b", ["check_x"], {"f/check_x.c": ""})


def rows_that_all_alone_proves_are_listed():
    texts, left_out, rows = ledger_rows.tests(), stage("all_only"), []
    for row, cells in ledger_rows.rows():
        named = [word.strip("`") for word in re.split(r"[,\s]+", cells[-1]) if ":" in word]
        if named and not any(is_in_gate(test, left_out, texts) for test in named
                             if not test.startswith("script/test:")):
            rows.append(row)
    print("# %d rows are proved by script/test --all alone: %s" % (len(rows), " ".join(rows)))


tap.run(each_test_has_its_place, a_test_that_is_left_out_is_left_out_whole, marks_are_found,
        rows_that_all_alone_proves_are_listed)
