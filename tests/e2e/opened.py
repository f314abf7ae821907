# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""opened.py: a loop, i.e. a node with a function inside it, while its calls are open (open_job.c):
no total falls, the sums add up, and each share is within 0 to 100."""
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import tap  # noqa: E402

TABLES = ("classes", "ops", "lines", "applies")
scratch = tempfile.TemporaryDirectory()


def job(*arguments, **variables):
    return shell.published({**os.environ, **variables, "PROFTOP_DIR": scratch.name,
                            "LC_ALL": "C.UTF-8", "COLUMNS": "200"},
                           tap.built("open_job"), *arguments)


def refreshes(say, count, every="0.2"):
    out = say("-n", count, "-d", every, "--format", "json")
    return [json.loads(line) for line in out.splitlines()]


def adds_up(report):
    """Own times add up to the outermost function's time; nothing else runs."""
    applies = report["applies"]
    whole = sum(row["self_ns"] for row in applies)
    for table in TABLES:
        assert sum(row["self_ns"] for row in report[table]) == whole, table
        assert all(0 <= row["self_ns"] <= whole for row in report[table]), report[table]
    for row in applies:
        assert row["open_ns"] <= row["total_ns"] and row["self_ns"] >= 0, row
    return whole, applies


def nothing_falls(before, report):
    for table in TABLES:
        for was, now in zip(before[table], report[table]):
            for key in ("calls", "total_ns", "self_ns"):
                assert now[key] >= was[key], (key, was, now)
        gained = [row["interval_ns"] for row in report[table]]
        assert None not in gained and min(gained) >= 0, report[table]


def never_falls(*arguments, count=12, counted=True, **variables):
    with job(*arguments, **variables) as say:
        reports = refreshes(say, count)
    assert len(reports) == count
    for before, report in zip(reports, reports[1:]):
        nothing_falls(before, report)
    for report in reports:
        whole, applies = adds_up(report)
        if counted:  # the innermost node has all the time that its loop has not: they are as long
            assert whole <= applies[0]["total_ns"] * 1.001 + 1e6, (whole, applies)
    return reports


def a_loop_of_long_calls():
    reports = never_falls(1, 1, 15, 10)  # 15 steps of 20 ms
    last = reports[-1]["applies"]
    assert last[0]["calls"] >= 2, last
    assert any(row["open_ns"] > 0 for report in reports for row in report["applies"])
    share = last[0]["self_ns"] / last[0]["total_ns"]
    assert 0.3 < share < 0.7, last  # a half; it was 0 during each call


def loops_inside_loops_on_two_threads():
    never_falls(2, 2, 5, 10)


def loops_of_very_short_steps():
    never_falls(3, 2, 8, 0, count=20)


def the_first_look_is_right():
    """With one refresh, during a call: earlier times are unknown."""
    for _ in range(3):
        with job(1, 1, 60, 10) as say:
            say("-n", "2", "-d", "0.3", "--format", "json")
            report, = refreshes(say, 1)
        loop, leaf = report["applies"]
        assert loop["calls"] == 0 and loop["total_ns"] == loop["open_ns"] > 0, loop
        assert 0 < loop["self_ns"] < loop["total_ns"], loop
        assert abs(loop["self_ns"] + leaf["self_ns"] - loop["total_ns"]) < 2e6, (loop, leaf)


def one_that_began_before_counting_did():
    """A call that is open when the viewer attaches is not counted, but its parts are."""
    for _ in range(2):
        reports = never_falls(1, 1, 20, 10, counted=False, PROFTOP_ON_DEMAND="1")
        loop, leaf = reports[-1]["applies"]
        assert loop["calls"] > 0, loop
        share = loop["self_ns"] / loop["total_ns"]
        assert 0.35 < share < 0.65, (loop, leaf)  # a half


def printed_profiles_count_calls_that_have_ended():
    with job(1, 1, 500, 10) as say:
        say("-n", "2", "-d", "0.3", "--format", "json")
        printed = say("-n", "1", "--format", "theano")
        shown = say("-n", "1")
    assert "Leaf" in printed and "Loop" in shown, (printed, shown)
    assert not [line for line in printed.splitlines() if line.rstrip().endswith("loop 0")], printed


def shares_stay_within_bounds():
    with job(1, 1, 15, 10) as say:
        for _ in range(4):
            text = say("-n", "2", "-d", "0.1")
            shares = [float(word) for line in text.splitlines() for word in line.split()[:1]
                      if line.startswith(" ") and word.replace(".", "", 1).isdigit()]
            assert shares and all(0 <= share <= 100 for share in shares), text


tap.run(a_loop_of_long_calls, loops_inside_loops_on_two_threads, loops_of_very_short_steps,
        the_first_look_is_right, one_that_began_before_counting_did,
        printed_profiles_count_calls_that_have_ended, shares_stay_within_bounds)
