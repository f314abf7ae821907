#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""planted.py: a fault planted in the reader of frames is found: what finds nothing may be blind.

The planted programs are the usual ones, but for one check of a length (WIRE_PLANT_FAULT).
"""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

CORPUS = tap.source("tests", "fuzz", "corpus", "wire")
SECONDS = 60


def run(*command, cwd=None):
    env = dict(os.environ, srcdir=tap.source())
    return subprocess.run(command, env=env, cwd=cwd, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)


def died(result):
    """By a signal, or by a sanitizer that says where it was read too far."""
    return result.returncode < 0 or "Sanitizer" in result.stdout


def replay_passes_without_the_fault():
    result = run(tap.built("replay_wire"))
    assert result.returncode == 0, result.stdout[-2000:]


def replay_finds_the_fault():
    result = run(tap.built("replay_wire_planted"))
    assert died(result), (result.returncode, result.stdout[-2000:])


def fuzzer_finds_the_fault():
    """From whole frames alone: none of them shows the fault by itself."""
    with tempfile.TemporaryDirectory() as folder:
        seeds = os.path.join(folder, "seeds")
        os.mkdir(seeds)
        for name in os.listdir(CORPUS):
            if not name.startswith("bad-"):
                shutil.copy(os.path.join(CORPUS, name), seeds)
        target = os.path.abspath(tap.built("fuzz_wire_planted"))
        clean = os.path.abspath(tap.built("fuzz_wire"))
        result = run(clean, "-runs=0", seeds, cwd=folder)
        assert result.returncode == 0, result.stdout[-2000:]
        result = run(target, "-seed=1", "-max_total_time=%d" % SECONDS, seeds, cwd=folder)
        crashes = [name for name in os.listdir(folder) if name.startswith("crash-")]
        assert died(result) and crashes, (result.returncode, result.stdout[-2000:])


if __name__ == "__main__":
    tests = [replay_passes_without_the_fault, replay_finds_the_fault]
    if os.path.exists(tap.built("fuzz_wire_planted")):  # only where clang builds with --enable-fuzz
        tests.append(fuzzer_finds_the_fault)
    tap.run(*tests)
