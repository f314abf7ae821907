# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""sizes.py: what a program takes in with libproftop is small: the library, and the lines that its
smallest publisher consists of. (How long the headers are: lint/headers.py.)"""
import os
import re

import adopting
from adopting import do, path, tap

# What a program links; and what is loaded beside it when a feed is opened. A step is a page: 4 kB.
# docs/measurements.md says what stands in them.
LIBRARY_BYTES = 100 * 1000
LOOP_BYTES = (168 if "clang" in adopting.CC[0] else 154) * 1000
LINES = 25


def the_library_is_small():
    """Stripped, as packages install it. Only what is compiled for speed is measured."""
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
    assert 10 < len(lines) <= LINES, "\n".join(lines)


tap.run(the_library_is_small, the_smallest_publisher_is_small)
