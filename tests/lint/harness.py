# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""harness.py: what `make check` and `configure` are trusted with: a failing case fails and is
named; a missing package is named together with what to install."""
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
    """With no .pc file to be found, as on a machine without the package."""
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


tap.run(a_failing_case_fails_and_is_named, a_missing_package_is_named)
