# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""ported.py: the two programs of docs/mxnet.md: that of proftop prints and publishes what that of
MXNet prints, which is compiled and run where MXNet is. PROFTOP_TEST_MEMBERS names its Pythons."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import tap  # noqa: E402

STEPS = 50
PRINTED = {"load data": STEPS, "step": STEPS, "update": STEPS, "rows": STEPS + 1}
# What version 2 calls the call that prints.
RENAMED = {"mxnet-2.0": ["-DMXAggregateProfileStatsPrintEx=MXAggregateProfileStatsPrint"]}


def programs():
    with open(tap.source("docs", "mxnet.md"), encoding="utf-8") as file:
        before, after = re.findall(r"^```c\n(.*?)^```$", file.read(), re.M | re.S)
    return before, after


def counts(table):
    """Of each row of a table of statistics: its name and how often it was counted."""
    return {name: int(count) for name, count in
            re.findall(r"^(\S.*?) {2,}(\d+)(?: +\S+){2,4}$", table, re.M)}


def the_page_has_the_program_that_is_built():
    with open(tap.source("examples", "ported.c"), encoding="utf-8") as file:
        assert file.read().endswith(" */\n" + programs()[1])


def the_port_prints_and_publishes():
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "PROFTOP_DIR": folder, "LC_ALL": "C.UTF-8"}
        report = os.path.join(folder, "report.json")
        done = shell.proftop(env, "run", "-b", "-n", "0", "--format", "json", "-o", report, "--",
                             os.path.abspath(tap.built("examples", "ported")), STEPS)
        with open(report, encoding="utf-8") as file:
            known = json.loads(file.read().splitlines()[-1])
    assert (done.returncode, done.stderr) == (0, ""), done
    assert counts(done.stdout) == PRINTED, done.stdout
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
def the_original_prints_the_same_rows():
    members = dict(word.split("=", 1)
                   for word in os.environ.get("PROFTOP_TEST_MEMBERS", "").split())
    tried = [name for name in ("mxnet-1.9", "mxnet-2.0") if name in members]
    if not tried:
        raise tap.Skip("PROFTOP_TEST_MEMBERS names no Python that has MXNet")
    for name in tried:
        home, = glob.glob(os.path.join(os.path.dirname(members[name]), "..", "lib", "python3*",
                                       "site-packages", "mxnet"))
        with tempfile.TemporaryDirectory() as folder:
            unit, job = os.path.join(folder, "before.c"), os.path.join(folder, "before")
            with open(unit, "w", encoding="utf-8") as file:
                file.write(programs()[0])
            subprocess.run([*tap.CC, *RENAMED.get(name, []), unit, "-o", job, "-I",
                            os.path.join(home, "include"), "-L" + home, "-lmxnet",
                            "-Wl,-rpath," + home, "-Wl,-rpath-link," + home], check=True)
            done = subprocess.run([job, str(STEPS)], text=True, check=False, capture_output=True,
                                  env={**os.environ, "OMP_NUM_THREADS": "1"}, timeout=60,
                                  cwd=folder)
        assert done.returncode == 0, done
        assert counts(done.stdout) == PRINTED, (name, done.stdout)


tap.run(the_page_has_the_program_that_is_built, the_port_prints_and_publishes,
        the_port_goes_on_without_a_feed, the_original_prints_the_same_rows)
