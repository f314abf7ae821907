# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""harness.py: checks `make check` and `configure`: a failing case fails and is named; a missing
package is named together with the command that installs it."""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402


def a_failing_case_fails_and_is_named():
    with tempfile.TemporaryDirectory() as folder:
        log, result = os.path.join(folder, "log"), os.path.join(folder, "trs")
        done = subprocess.run(
            [os.environ.get("SHELL", "/bin/sh"), tap.source("build-aux", "tap-driver.sh"),
             "--test-name", "planted", "--log-file", log, "--trs-file", result,
             "--color-tests", "no", "--enable-hard-errors", "yes", "--expect-failure", "no",
             "--", tap.built("planted_failure")],
            capture_output=True, text=True, check=False)
        with open(result, encoding="utf-8") as file:
            said = file.read()
    assert "FAIL: planted" in done.stdout and "planted_to_fail" in done.stdout, done.stdout
    assert "PASS: planted" in done.stdout and ":global-test-result: FAIL" in said or \
        ":global-test-result: ERROR" in said, said


def a_missing_package_is_named():
    """Hides every .pc file, as on a machine without the package."""
    configure = tap.source("configure")
    if not shutil.which("pkg-config"):
        raise tap.Skip("there is no pkg-config")
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([os.path.abspath(configure)], cwd=folder, capture_output=True,
                              text=True, check=False,
                              env={**os.environ, "PKG_CONFIG_LIBDIR": folder,
                                   "PKG_CONFIG_PATH": ""})
    assert done.returncode != 0
    assert "libzmq" in done.stderr and "apt-get install libzmq3-dev" in done.stderr, done.stderr


def bench_prints_medians_with_a_verdict():
    """The output of `script/bench --runs 3` for three runs."""
    runs = [("19.0 ns", "0.70 x", "31.5 MB"), ("21.0 ns", "1.29 x", "32.5 MB"),
            ("20.0 ns", "1.40 x", "32.1 MB")]
    text = ""
    for floor, own, memory in runs:
        text += "run\nthe clock in use: time stamps (tsc)\n"
        for row in (("floor", floor, "", ""), ("off", "1.00 ns", own, "<= 1.10 x the floor (a)"),
                    ("own", "7.00 ns", own, "0.70 to 1.30 x; +- 3 ns"),
                    ("held", floor, own, "<= 4 ns, held to 1.29 x the least"),
                    ("held not", floor, own, "<= 4 ns, held to 19 ns"),
                    ("memory", memory, "", "<= 32 MB (without: 1 MB)"),
                    ("memory", "64.0 B", "", "64 B")):
            text += "%-58s %14s %9s   %s\n" % row
    done = subprocess.run(["awk", "-f", tap.source("script", "bench.awk")], input=text,
                          capture_output=True, text=True, check=False)
    said = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and said == [
        "floor 20 ns (3 runs: 19 to 21)",
        "off 1 ns 1.290 x missed <= 1.10 x the floor (3 runs: 0.7 to 1.4)",
        "own 7 ns 1.290 x met 0.70 to 1.30 x (3 runs: 0.7 to 1.4)",
        "held 20 ns 1.290 x missed <= 4 ns, held to 1.29 x the least: met (3 runs: 0.7 to 1.4)",
        "held not 20 ns 1.290 x missed <= 4 ns, held to 19 ns: missed (3 runs: 0.7 to 1.4)",
        "memory 32.1 MB missed <= 32 MB (3 runs: 31.5 to 32.5)",
        "memory 64 B met 64 B (3 runs: 64 to 64)"], (said, done.stderr)


tap.run(a_failing_case_fails_and_is_named, a_missing_package_is_named,
        bench_prints_medians_with_a_verdict)
