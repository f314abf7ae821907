# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""exports.py: libproftop shows strangers its public calls, all of them and nothing else, and needs
libc and libzmq alone."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

LIBRARY = tap.built(".libs", "libproftop.so")
NEEDED = r"^(libc|libpthread|ld-linux[-\w]*|libzmq)\.so"
SANITIZERS = r"^(lib(a|t|ub)san|libm|libgcc_s|librt|libdl|libresolv)\.so"


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def public_calls():
    """What the public headers declare by PROFTOP_FN(type, value, name, and PROFTOP_PROC(name."""
    names = []
    for header in sorted(os.listdir(tap.source("feed"))):
        if re.match(r"proftop.*\.h$", header):
            with open(tap.source("feed", header), encoding="utf-8") as file:
                names += re.findall(r"^PROFTOP_(?:FN\([^,]+,[^,]+,|PROC\()\s*(proftop_\w+),",
                                    file.read(), re.M)
    assert len(names) == len(set(names)), sorted(names)
    return set(names)


def exports_are_the_public_calls():
    public = public_calls()
    names = {line.split()[0].split("@")[0]
             for line in output("nm", "-D", "-P", "--defined-only", LIBRARY).splitlines()}
    # Sanitizers add names that begin with two underscores.
    names = {name for name in names if not name.startswith("__")}
    assert len(public) > 20, public
    assert names == public, sorted(names ^ public)


def libraries_are_few():
    needed = re.findall(r"NEEDED.*\[(.*)\]", output("readelf", "-d", LIBRARY))
    assert any(name.startswith("libzmq") for name in needed), needed
    sanitized = any(re.match(r"^lib(a|t|ub)san", name) for name in needed)
    allowed = NEEDED + "|" + SANITIZERS if sanitized else NEEDED
    wrong = [name for name in needed if not re.match(allowed, name)]
    assert not wrong, wrong


def unwound():
    """(begin, end) of the code that has a table to unwind it by."""
    frames = output("readelf", "-W", "--debug-dump=frames", LIBRARY)
    section = re.split(r"^Contents of the \.eh_frame section:", frames, flags=re.M)[1]
    section = re.split(r"^Contents of the ", section, flags=re.M)[0]
    return [(int(a, 16), int(b, 16)) for a, b in re.findall(r"pc=(\w+)\.\.(\w+)", section)]


def what_a_job_calls_can_be_unwound():
    """A debugger, a profiler, and a thread that is cancelled at any moment find the way out; what
    the feed's own thread runs is left out on purpose (feed/local.mk)."""
    tables = unwound()
    bare = []
    for line in output("nm", "-D", "-P", "--defined-only", LIBRARY).splitlines():
        name, _, at = line.split()[:3]
        if name.startswith("proftop_") and \
                not any(a <= int(at, 16) < b for a, b in tables):
            bare.append(name)
    assert not bare, bare


def stays_when_closed():
    """Threads and fork handlers of the library would run into nothing."""
    assert "NODELETE" in output("readelf", "-d", LIBRARY)


def fits_into_a_program_that_runs_already():
    """For thread-local data of libraries that are loaded late, libc has about 2 KB for all."""
    [size] = re.findall(r"^ +TLS +(?:\w+ +){4}(\w+) ", output("readelf", "-lW", LIBRARY), re.M)
    assert 0 < int(size, 16) <= 128, size


tap.run(exports_are_the_public_calls, libraries_are_few, what_a_job_calls_can_be_unwound,
        stays_when_closed, fits_into_a_program_that_runs_already)
