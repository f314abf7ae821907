#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""planted.py: checks that the fuzz targets find a planted fault, so that a clean run means
something.

The planted programs are the usual ones without one check: of a length in the reader of frames
(WIRE_PLANT_FAULT), of a topic's sequence number in sync.c (SYNC_PLANT_FAULT), of a record in a
recording (RECORD_PLANT_FAULT), of an area in a black box (BOX_PLANT_FAULT), of the end of a request
in http_request.c (HTTP_PLANT_FAULT), or of a key in MXNet's statistics (IMPORT_PLANT_FAULT)."""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

SECONDS = 60


def run(*command, cwd=None, stride=None):
    # UndefinedBehaviorSanitizer prints its name only with this option.
    env = dict(os.environ, srcdir=tap.source(), UBSAN_OPTIONS="print_summary=1")
    if stride:
        env["TAP_STRIDE"] = stride
    return subprocess.run(command, env=env, cwd=cwd, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)


def died(result):
    """True if a signal ended the run, or a sanitizer reported an overread."""
    return result.returncode < 0 or "Sanitizer" in result.stdout


def replay_passes(name):
    """Runs one in ten inputs of the test of that name. The only difference is the fault."""
    result = run(tap.built("replay_" + name), stride="10")
    assert result.returncode == 0, result.stdout[-2000:]


def replay_finds(name):
    result = run(tap.built("replay_%s_planted" % name), stride="10")
    assert died(result), (result.returncode, result.stdout[-2000:])


def fuzzer_finds(name):
    """Starts from complete inputs alone."""
    corpus = tap.source("tests", "fuzz", "corpus", name)
    with tempfile.TemporaryDirectory() as folder:
        seeds = os.path.join(folder, "seeds")
        os.mkdir(seeds)
        for entry in os.listdir(corpus):
            if not entry.startswith("bad-"):
                shutil.copy(os.path.join(corpus, entry), seeds)
        target = os.path.abspath(tap.built("fuzz_%s_planted" % name))
        clean = os.path.abspath(tap.built("fuzz_" + name))
        result = run(clean, "-runs=0", seeds, cwd=folder)
        assert result.returncode == 0, result.stdout[-2000:]
        result = run(target, "-seed=1", "-max_total_time=%d" % SECONDS, seeds, cwd=folder)
        crashes = [entry for entry in os.listdir(folder) if entry.startswith("crash-")]
        assert died(result) and crashes, (result.returncode, result.stdout[-2000:])


def reader_passes_without_the_fault():
    replay_passes("wire")


def reader_replay_finds_the_fault():
    replay_finds("wire")


def reader_fuzzer_finds_the_fault():
    fuzzer_finds("wire")


def recording_passes_without_the_fault():
    replay_passes("recording")


def recording_replay_finds_the_fault():
    replay_finds("recording")


def recording_fuzzer_finds_the_fault():
    fuzzer_finds("recording")


def box_passes_without_the_fault():
    replay_passes("box")


def box_replay_finds_the_fault():
    replay_finds("box")


def box_fuzzer_finds_the_fault():
    fuzzer_finds("box")


def intake_passes_without_the_fault():
    replay_passes("intake")


def intake_replay_finds_the_fault():
    replay_finds("intake")


def intake_fuzzer_finds_the_fault():
    fuzzer_finds("intake")


def requests_pass_without_the_fault():
    replay_passes("http")


def request_replay_finds_the_fault():
    replay_finds("http")


def request_fuzzer_finds_the_fault():
    fuzzer_finds("http")


def import_passes_without_the_fault():
    replay_passes("import")


def import_replay_finds_the_fault():
    replay_finds("import")


def import_fuzzer_finds_the_fault():
    fuzzer_finds("import")


if __name__ == "__main__":
    tests = [reader_passes_without_the_fault, reader_replay_finds_the_fault,
             recording_passes_without_the_fault, recording_replay_finds_the_fault,
             box_passes_without_the_fault, intake_passes_without_the_fault,
             requests_pass_without_the_fault, request_replay_finds_the_fault,
             import_passes_without_the_fault]
    # The overread stays inside memory of the process, so only AddressSanitizer finds it reliably.
    # The reader's frames end at an inaccessible page.
    if os.environ.get("SANITIZER") == "address" and os.environ.get("SANITIZE_FLAGS"):
        tests += [intake_replay_finds_the_fault, import_replay_finds_the_fault,
                  box_replay_finds_the_fault]
    if os.path.exists(tap.built("fuzz_wire_planted")):  # built only by clang with --enable-fuzz
        tests += [reader_fuzzer_finds_the_fault, intake_fuzzer_finds_the_fault,
                  request_fuzzer_finds_the_fault, import_fuzzer_finds_the_fault,
                  recording_fuzzer_finds_the_fault, box_fuzzer_finds_the_fault]
    tap.run(*tests)
