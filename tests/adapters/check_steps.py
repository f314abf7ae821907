# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_steps.py: the progress of a Scan, while it runs and after its end."""
import json
import subprocess
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import Place, job, tap  # noqa: E402

# A step's progress is sent at most every 0.1 s.
TOLD_NS = 150 * 10 ** 6
NUMBAS = ("pytensor-3.0",)  # by default


def last_report(path):
    """The last complete report, or None."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")[:-1]
    except FileNotFoundError:
        lines = []
    return json.loads(lines[-1]) if lines else None


def scans(path):
    """From the last report: function -> [calls, step, steps] of its Scan."""
    last = last_report(path)
    if last is None:
        return {}
    names = {row["id"]: row["name"] for row in last["functions"]}
    return {names[row["function"]]: [row["calls"], *[(row["metrics"] or {}).get(name)
                                                     for name in ("step", "steps")]]
            for row in last["applies"] if row["name"].startswith(("Scan{", "for{", "while{",
                                                                  "forall", "do_while"))}


def how_far_it_is(name, folder=None):
    python, package, flags, own = watching.member(name)
    # Theano's C code for a Scan does not compile on this Python, also without us.
    how = "linker=vm,cxx=" if package == "theano" else ""
    flags = watching.family(flags, how, name=own if folder is None else folder)
    with Place() as place:
        output = place.file("steps.json")
        process = subprocess.Popen(
            [watching.PROFTOP, "run", "-b", "-n", "0", "-d", "0.1", "--format", "json", "-o",
             output, "--", python, job("steps"), package],
            env=place.env(PROFTOP_ADAPTERS=watching.ADAPTERS, **flags),
            cwd=place.path, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        for step in range(4):
            assert process.stdout.readline() == b"held\n", scans(output)
            tap.wait_for("step %d of 4" % step,
                         lambda: scans(output).get("held") == [1, step, 4], watching.SECONDS)
            seen_ns = last_report(output)["time_ns"]
            tap.wait_for("a report of when the next step will be told",
                         lambda: last_report(output)["time_ns"] > seen_ns + TOLD_NS,
                         watching.SECONDS)
            process.stdin.write(b"\n")
            process.stdin.flush()
        printed, _ = process.communicate(timeout=watching.SECONDS)
        assert (process.returncode, printed) == (0, b"[7.0, 32.0, 4.0]\n"), printed
        # The number of steps is unknown for the one that ended early.
        assert scans(output) == {"held": [2, 4, 4], "early": [1, 5, None]}, scans(output)


def running_scan_reports_its_step():
    for name in watching.there():
        if name not in NUMBAS:
            how_far_it_is(name)


def one_that_numba_compiled_does_so():
    for name in NUMBAS:
        how_far_it_is(name, "steps")


tap.run(running_scan_reports_its_step, one_that_numba_compiled_does_so)
