# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""sizes.py: libproftop adds little to a program: the size of the library, and the number of lines
of the smallest publisher. (Length of the headers: lint/headers.py.)"""
import os
import re

import adopting
from adopting import do, path, tap

# The library that a program links, and the one that is loaded when a feed is opened. One step is a
# page: 4 kB. docs/measurements.md lists their contents.
LIBRARY_BYTES = 100 * 1000
# 5 kB of it are traces, and 4 kB the file of the black box.
LOOP_BYTES = (184 if "clang" in adopting.CC[0] else 168) * 1000
LINES = 12


def the_library_is_small():
    """Stripped, as packages install it. Only optimized builds are measured."""
    for name, limit in (("libproftop.so", LIBRARY_BYTES), ("libproftop-feed.so", LOOP_BYTES)):
        do("strip", "-o", path("stripped.so"), os.path.join(adopting.LIBRARIES, name))
        size = os.path.getsize(path("stripped.so"))
        print("# %s: %d bytes" % (name, size))
        assert size <= limit, (name, size)


def the_smallest_publisher_is_small():
    with open(tap.source("examples", "minimal.c"), encoding="utf-8") as file:
        code = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    lines = [line for line in code.splitlines()
             if "proftop" in line or re.match(r"\s+\w+\.\w+ = ", line)]
    print("# %d lines" % len(lines))
    assert 5 < len(lines) <= LINES, "\n".join(lines)


tap.run(the_library_is_small, the_smallest_publisher_is_small)
