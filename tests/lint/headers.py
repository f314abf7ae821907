# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""headers.py: every header compiles alone; the public one as C99 and C++11 too, pedantically."""
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

CC = shlex.split(os.environ.get("CC", "cc"))
FOLDERS = ("model", "feed", "tui")


def compiles(command, path):
    with tempfile.TemporaryDirectory() as folder:
        ending = ".cc" if "-std=c++11" in command else ".c"
        unit = os.path.join(folder, "alone" + ending)
        with open(unit, "w", encoding="ascii") as file:
            file.write('#include "%s"\nint alone;\n' % os.path.abspath(path))
        done = subprocess.run([*command, "-fsyntax-only", unit], capture_output=True, text=True,
                              check=False)
    return done.stderr if done.returncode else ""


def every_header_compiles_alone():
    include = ["-I" + tap.source(folder) for folder in FOLDERS]
    wrong = []
    for folder in FOLDERS:
        for name in sorted(os.listdir(tap.source(folder))):
            if name.endswith(".h"):
                wrong.append(compiles([*CC, "-std=gnu11", "-Wall", "-Wextra", "-Werror",
                                       "-D_GNU_SOURCE", *include], tap.source(folder, name)))
    assert len(wrong) >= 15, len(wrong)
    assert not any(wrong), "".join(wrong)


def public_header_is_plain_c99():
    said = compiles([*CC, "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"],
                    tap.source("feed", "proftop.h"))
    assert not said, said


def public_header_is_plain_cxx11():
    if not shutil.which("g++"):
        raise tap.Skip("there is no C++ compiler")
    said = compiles(["g++", "-std=c++11", "-pedantic", "-Wall", "-Wextra", "-Werror"],
                    tap.source("feed", "proftop.h"))
    assert not said, said


tap.run(every_header_compiles_alone, public_header_is_plain_c99, public_header_is_plain_cxx11)
