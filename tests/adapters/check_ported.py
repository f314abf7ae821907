# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_ported.py: the two programs of docs/mxnet.md. The one that calls MXNet is compiled and run
with the real library. The one that calls proftop prints and publishes the same."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from watching import PROFTOP, Place, need_member, of_each, run, tap  # noqa: E402

STEPS = 50
PRINTED = {"load data": STEPS, "step": STEPS, "update": STEPS, "rows": STEPS + 1}
# The name in version 2 of the call that prints.
RENAMED = {"mxnet-2.0": ["-DMXAggregateProfileStatsPrintEx=MXAggregateProfileStatsPrint"]}


def programs():
    with open(tap.source("docs", "mxnet.md"), encoding="utf-8") as file:
        before, after = re.findall(r"^```c\n(.*?)^```$", file.read(), re.M | re.S)
    return before, after


def counts(table):
    """Maps the name of each row of a table of statistics to its count."""
    return {name: int(count) for name, count in
            re.findall(r"^(\S.*?) {2,}(\d+)(?: +\S+){2,4}$", table, re.M)}


def the_page_has_the_program_that_is_built():
    with open(tap.source("examples", "ported.c"), encoding="utf-8") as file:
        assert file.read().endswith(" */\n" + programs()[1])


def the_port_prints_and_publishes():
    with Place() as place:
        report = place.file("report.json")
        done = run([PROFTOP, "run", "-b", "-n", "0", "--format", "json", "-o", report, "--",
                    os.path.abspath(tap.built("examples", "ported")), str(STEPS)],
                   place.env(LC_ALL="C.UTF-8"), place.path)
        with open(report, encoding="utf-8") as file:
            known = json.loads(file.read().splitlines()[-1])
    assert (done.returncode, done.stderr) == (0, b""), done
    assert counts(done.stdout.decode()) == PRINTED, done.stdout
    spans = {(row["kind"], row["domain"], row["name"]): row["calls"] for row in known["spans"]}
    assert spans == {("task", "training", "load data"): STEPS, ("frame", "training", "step"): STEPS,
                     ("event", "event", "update"): STEPS}, spans
    rows, = known["counters"]
    assert (rows["domain"], rows["name"], rows["value"]) == ("training", "rows", 64 * STEPS), rows
    marks = [(row["domain"], row["name"], row["scope"]) for row in known["markers"]]
    assert marks == [("training", "epoch", "process")], marks
    job, = known["jobs"]
    assert (job["invalid"], job["misuse"], job["dropped"]) == (0, 0, 0), job


def the_port_goes_on_without_a_feed():
    done = subprocess.run([tap.built("examples", "ported"), str(STEPS)], text=True, check=False,
                          capture_output=True, env={**os.environ, "PROFTOP": "0"}, timeout=60)
    assert (done.returncode, done.stdout) == (0, ""), done
    assert "ported: " in done.stderr and "PROFTOP=0" in done.stderr, done


@tap.all_only
def the_original_prints_the_same_rows(version):
    home, = glob.glob(os.path.join(os.path.dirname(need_member(version)), "..", "lib", "python3*",
                                   "site-packages", "mxnet"))
    with Place() as place:
        unit, job = place.file("before.c"), place.file("before")
        with open(unit, "w", encoding="utf-8") as file:
            file.write(programs()[0])
        subprocess.run([*tap.CC, *RENAMED.get(version, []), unit, "-o", job, "-I",
                        os.path.join(home, "include"), "-L" + home, "-lmxnet",
                        "-Wl,-rpath," + home, "-Wl,-rpath-link," + home], check=True)
        done = run([job, str(STEPS)], place.env(), place.path)
    assert done.returncode == 0, done
    assert counts(done.stdout.decode()) == PRINTED, done.stdout


tap.run(the_page_has_the_program_that_is_built, the_port_prints_and_publishes,
        the_port_goes_on_without_a_feed,
        *of_each("the_original_prints_the_same_rows_in_", the_original_prints_the_same_rows,
                 ("mxnet-1.9", "mxnet-2.0")))
