# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""exports.py: libproftop exports its public calls, all of them and nothing else, and needs only
libc. The library that it loads for a feed exports its loop, and needs libzmq."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402
import tree  # noqa: E402

LIBRARY = tap.built(".libs", "libproftop.so")
LOOP = tap.built(".libs", "libproftop-feed.so")
NEEDED = r"^(libc|libpthread|libdl|ld-linux[-\w]*)\.so"
SANITIZERS = r"^(lib(a|t|ub)san|libm|libgcc_s|librt|libdl|libresolv)\.so"


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


# A sanitizer's library stays in the list even if nothing uses it.
KEPT = re.findall(r"NEEDED.*\[(lib(?:a|t|ub)san.*)\]", output("readelf", "-d", LOOP))


def public_calls():
    names = tree.public_calls()
    assert len(names) == len(set(names)), sorted(names)
    return set(names)


def exports_are_the_public_calls():
    """Each with the release that brought it. The release is a symbol, too."""
    public = public_calls()
    names = [line.split()[0].split("@@")
             for line in output("nm", "-D", "-P", "--defined-only", LIBRARY).splitlines()]
    # Sanitizers add names that begin with two underscores.
    names = [name for name in names if not name[0].startswith(("__", "PROFTOP_"))]
    assert len(public) > 20, public
    assert {name[0] for name in names} == public, sorted({name[0] for name in names} ^ public)
    assert {name[1] for name in names} == {"PROFTOP_0.1"}, names


def needed(library):
    """The libraries that it needs beside libc and a sanitizer's libraries."""
    names = re.findall(r"NEEDED.*\[(.*)\]", output("readelf", "-d", library))
    allowed = NEEDED + "|" + SANITIZERS if KEPT else NEEDED
    return [name for name in names if not re.match(allowed, name)]


def libraries_are_few():
    assert needed(LIBRARY) == []
    others = needed(LOOP)
    assert len(others) == 1 and others[0].startswith("libzmq.so."), others


def the_loop_is_all_that_is_loaded():
    names = {line.split()[0] for line in output("nm", "-D", "-P", "--defined-only",
                                                LOOP).splitlines()}
    assert {name for name in names if not name.startswith("__")} == {"proftop_feed_loop"}, names


def the_environment_is_not_a_callers():
    """The library uses no plain getenv(): a program may have more rights than its caller, and the
    caller sets the environment."""
    reads = set()
    for library in (LIBRARY, LOOP):
        names = {line.split()[0].split("@")[0]
                 for line in output("nm", "-D", "-P", "--undefined-only", library).splitlines()}
        reads |= names & {"secure_getenv"}
        plain = names & {"getenv", "environ", "__environ", "system", "popen"}
        assert not plain, (library, plain)
    assert reads
    for header in tap.headers():
        with open(tap.source("include", header), encoding="utf-8") as file:
            bare = [line for line in file.read().splitlines() if re.search(r"\bgetenv\(", line)]
        assert all("AT_SECURE" in line for line in bare), (header, bare)


def the_loop_has_no_list_of_feeds():
    """Process-wide state exists once, in libproftop. The loop has its own copies of functions, and
    changes these variables through publisher_side."""
    names = {line.split()[0] for line in output("nm", "-P", LOOP).splitlines()}
    assert "proftop_feed_loop" in names, names
    one = {"publisher_all", "last_serial", "closings", "forked", "fork_parent",
           "leave_tsc"}
    assert not names & one, names & one


def unwound():
    """Returns (begin, end) of each code range that has an unwind table."""
    frames = output("readelf", "-W", "--debug-dump=frames", LIBRARY)
    section = re.split(r"^Contents of the \.eh_frame section:", frames, flags=re.M)[1]
    section = re.split(r"^Contents of the ", section, flags=re.M)[0]
    return [(int(a, 16), int(b, 16)) for a, b in re.findall(r"pc=(\w+)\.\.(\w+)", section)]


def public_calls_can_be_unwound():
    """A debugger, a profiler and a thread cancelled at any instruction can unwind. The code of the
    feed's own thread has no tables on purpose (feed/local.mk)."""
    tables = unwound()
    bare = []
    for line in output("nm", "-D", "-P", "--defined-only", LIBRARY).splitlines():
        name, _, at = line.split()[:3]
        if name.startswith("proftop_") and \
                not any(a <= int(at, 16) < b for a, b in tables):
            bare.append(name)
    assert not bare, bare


def stays_when_closed():
    """The library is never unloaded: its threads and fork handlers would run unmapped code."""
    for library in (LIBRARY, LOOP):
        assert "NODELETE" in output("readelf", "-d", library), library


def fits_into_a_program_that_runs_already():
    """libc has about 2 KB in all for the thread-local data of libraries that are loaded late."""
    sizes = [re.findall(r"^ +TLS +(?:\w+ +){4}(\w+) ", output("readelf", "-lW", library), re.M)
             for library in (LIBRARY, LOOP)]
    assert 0 < sum(int(size, 16) for [size] in sizes) <= 192, sizes


tap.run(exports_are_the_public_calls, libraries_are_few, the_loop_is_all_that_is_loaded,
        the_environment_is_not_a_callers,
        *([] if KEPT else [the_loop_has_no_list_of_feeds]), public_calls_can_be_unwound,
        stays_when_closed, fits_into_a_program_that_runs_already)
