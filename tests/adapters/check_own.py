# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_own.py: memory that a Python program publishes itself, in the scope of its thread or task.
check_wheel.py tests the rest."""
import sys

sys.dont_write_bytecode = True
from watching import PYTHON, Place, job, need_python, tap, watched_by  # noqa: E402

TIMES = 100


def scopes_are_of_a_thread_or_a_task():
    with Place() as place:
        done, known = watched_by(PYTHON or sys.executable, place, job("scoped"))
    assert done.returncode == 0, done
    rows = {(row["device"], row["pool"], row["scope"]): row["bytes"] for row in known["memory"]}
    whole = (2 + 3 + 5 + 7) * TIMES + 19 + 23 + 11 + 13 + 11 + 17
    assert rows == {
        ("cpu", "pool", "a:"): 2 * TIMES, ("cpu", "pool", "b:"): 3 * TIMES,
        ("cpu", "pool", "c:"): 5 * TIMES, ("cpu", "pool", "d:"): 7 * TIMES,
        ("cpu", "pool", "stepped:"): 19, ("cpu", "pool", "given up:"): 23,
        ("cpu", "pool", "net:layer:"): 22, ("cpu", "pool", "alone:"): 13,
        ("cpu", "pool", "<unk>:"): 17, ("cpu", "pool", None): whole,
        ("gpu/0", None, None): 2 << 20}, rows
    gpu, = (row for row in known["memory"] if row["device"] == "gpu/0")
    assert (gpu["peak_bytes"], gpu["limit_bytes"]) == (3 << 20, 1 << 30), gpu


def numbers_of_numpy_are_counted_as_they_are():
    """Also unsigned numbers, and values that are no numbers. Any text is a valid name."""
    with Place() as place:
        done, known = watched_by(need_python(), place, job("counts"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), done
    rows = {row["name"]: (row["value"], row["updates"]) for row in known["counters"]}
    assert rows == {"rows": (133, 4), "loss": (5, 1), "odd?": (1, 1)}, rows
    assert [row["name"] for row in known["spans"]] == ["load caf?.csv"], known["spans"]


def workers_ended_by_multiprocessing_count_as_complete():
    """They end by os._exit. The last report has all their work, and is marked as complete."""
    for words in (), ("late",):
        with Place() as place:
            done, known = watched_by(PYTHON or sys.executable, place, job("pooled"), *words,
                                     options=("--children",))
        assert done.returncode == 0, done
        states = [(one["state"], one["complete"], one["reason"]) for one in known["jobs"]]
        assert len(states) >= 2 and {state[:2] for state in states} == {("ended", True)}, states
        assert sum(row["calls"] for row in known["spans"] if row["name"] == "work") == 60, known


tap.run(scopes_are_of_a_thread_or_a_task, numbers_of_numpy_are_counted_as_they_are,
        workers_ended_by_multiprocessing_count_as_complete)
