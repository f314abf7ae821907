# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""instructions.py: how many instructions a begin and its end take with everything on, the loop and
the two clocks among them, and a duration that is given. Unlike time, their number is the same on a
busy machine."""
import os
import re
import shutil
import subprocess

import adopting
from adopting import compile_c, here, linked, tap

FEW, MANY = 2000, 12000
# docs/design.md says what they are made of, and why the second is not the 80 once hoped for.
LIMITS = {"inlined": 65, "called": 98, "given": 40}  # gcc 12: 58, 86 and 34


def executed(program, function, pairs, env):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
               "--toggle-collect=%s" % function, program, function[0], str(pairs)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode == 2:
        raise tap.Skip("this machine has no time stamps to be relied on")
    assert done.returncode == 0, (command, done.returncode, done.stderr)
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def stripped():
    """A folder with the library without its debugging information: valgrind 3.19 cannot read what
    clang 14 writes, and gives up."""
    folder = adopting.path("stripped")
    os.makedirs(folder, exist_ok=True)
    for name in ("libproftop.so", "libproftop.so.0"):
        adopting.do("strip", "-g", "-o", os.path.join(folder, name),
                    os.path.join(adopting.LIBRARIES, "libproftop.so"))
    return folder


def it_takes_few(function):
    if not shutil.which("valgrind"):
        raise tap.Skip("valgrind is not installed")
    if os.uname().machine != "x86_64":
        raise tap.Skip("nothing is inlined on this machine")
    with open(tap.built("Makefile"), encoding="utf-8") as file:
        flags = re.search(r"^CFLAGS = (.*)$", file.read(), re.M).group(1)
    if adopting.SANITIZE or (function == "called" and "-O2" not in flags):
        raise tap.Skip("the library is not compiled as it is installed: %s" % flags)
    program = compile_c("pairs", here("pairs.c"), *linked(), "-g0")
    env = adopting.environment(library=stripped(), PROFTOP="1")
    count = executed(program, function, MANY, env) - executed(program, function, FEW, env)
    each = count / (MANY - FEW)
    print("# %s: %.1f instructions" % (function, each))
    assert 20 < each <= LIMITS[function], each


def inlined_begin_and_end():
    it_takes_few("inlined")


def called_begin_and_end():
    it_takes_few("called")


def duration_given():
    it_takes_few("given")


tap.run(inlined_begin_and_end, called_begin_and_end, duration_given)
