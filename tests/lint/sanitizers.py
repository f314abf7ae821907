# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""sanitizers.py: a sanitized build reports the faults that tests/lint/plant.c has on purpose, with
the same options that the tests run with."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

PLANTS = {
    "address": (("overflow", "insufficient space"), ("use", "heap-use-after-free"),
                ("leak", "LeakSanitizer"), ("undefined", "signed integer overflow")),
    "thread": (("race", "data race"),),
}


def planted_faults_are_found():
    for plant, words in PLANTS[os.environ["SANITIZER"]]:
        done = subprocess.run([tap.built("plant"), plant], capture_output=True, text=True,
                              check=False)
        assert done.returncode not in (0, 2), (plant, done.returncode)
        assert words in done.stderr, (plant, done.stderr)


tap.run(planted_faults_are_found)
