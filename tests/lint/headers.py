# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""headers.py: every header compiles alone. The public ones also compile as C99 and C++11,
pedantically, and they stay short."""
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402
import tree  # noqa: E402

CC = shlex.split(os.environ.get("CC", "cc"))
FOLDERS = ("include", "model", "feed", "tui", "adapters/inject", "adapters/mxnet", "adapters/ports",
           "adapters/torch")
STRICT = ("-pedantic", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-O2")
MADE = tap.built("include")  # proftop_calls.h
HEADER_LINES = {".h": 300, ".hpp": 600}  # all of C++ is in one header


def compiles(command, *paths):
    with tempfile.TemporaryDirectory() as folder:
        ending = ".cc" if any("c++" in word for word in command) else ".c"
        unit = os.path.join(folder, "alone" + ending)
        with open(unit, "w", encoding="ascii") as file:
            for path in paths:
                file.write('#include "%s"\n' % os.path.abspath(path))
            file.write("int alone;\n")
        done = subprocess.run([*command, "-fsyntax-only", unit], capture_output=True, text=True,
                              check=False)
    return done.stderr if done.returncode else ""


def every_header_compiles_alone():
    include = ["-I" + folder for folder in (tap.source(), tap.source("include"), MADE)]
    wrong = []
    for path in tree.files(FOLDERS, ".h"):
        wrong.append(compiles([*CC, "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE",
                               *include], path))
    assert len(wrong) >= 15, len(wrong)
    assert not any(wrong), "".join(wrong)


def public_headers():
    return [tap.source("include", name) for name in sorted(os.listdir(tap.source("include")))
            if name.startswith("proftop") and name.endswith((".h", ".hpp"))]


def public_headers_are_plain(compilers, standards, ending):
    """The headers compile in each of the three forms without a warning: all in one program, and one
    by one linked."""
    there = [compiler for compiler in compilers if shutil.which(compiler[0])]
    if not there:
        raise tap.Skip("there is no such compiler")
    headers = [path for path in public_headers() if path.endswith(ending)]
    wrong = [compiles([*there[0], "-std=" + standards[0], *STRICT], path) for path in headers]
    for compiler in there:
        for standard in standards:
            for form in ([], ["-DPROFTOP_DYNAMIC"], ["-DPROFTOP_OFF"]):
                command = [*compiler, "-std=" + standard, *form, "-I" + MADE, *STRICT]
                wrong.append(compiles(command, *headers))
    assert not any(wrong), "".join(wrong)


def public_headers_are_plain_c():
    public_headers_are_plain((CC, ["clang"]), ("c99", "c11", "gnu17"), ".h")


def public_headers_are_plain_cxx():
    public_headers_are_plain((["g++"], ["clang++"]), ("c++11", "c++17", "c++20"), (".h", ".hpp"))


def public_headers_are_short():
    """Each header is short enough to be read in one sitting."""
    long = []
    for path in public_headers():
        with open(path, encoding="utf-8") as file:
            count = len(file.readlines())
        if count > HEADER_LINES[os.path.splitext(path)[1]]:
            long.append("%s: %d lines" % (path, count))
    assert not long, "\n".join(long)


tap.run(every_header_compiles_alone, public_headers_are_plain_c, public_headers_are_plain_cxx,
        public_headers_are_short)
