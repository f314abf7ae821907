# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""readme.py: the example of README.md compiles as C and as C++ without a warning, and a viewer sees
the published data."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import tap  # noqa: E402

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
FRAME = """%s
#include <math.h>
#include <stdlib.h>
static double x[10000];
int main(int count, char **words)
{
    long steps = count > 1 ? atol(words[1]) : 1000000000;
%s
    return 0;
}
"""


def made_with(name):
    """A variable of the build's Makefile, as words."""
    with open(tap.built("Makefile"), encoding="utf-8") as file:
        return shlex.split(re.search(r"^%s =(.*)$" % name, file.read(), re.M).group(1))


def cxx():
    if not shutil.which("g++"):
        raise tap.Skip("there is no C++ compiler")
    return ["g++"]


def program():
    with open(tap.source("README.md"), encoding="utf-8") as file:
        blocks = re.findall(r"^```c\n(.*?)^```$", file.read(), re.M | re.S)
    assert len(blocks) == 1, len(blocks)
    include, body = blocks[0].split("\n", 1)
    assert include == "#include <proftop.h>", include
    return FRAME % (include, body)


def compile_example(folder, command, ending, *more):
    unit, job = os.path.join(folder, "job" + ending), os.path.join(folder, "job")
    with open(unit, "w", encoding="utf-8") as file:
        file.write(program())
    done = subprocess.run([*command, *STRICT, "-I" + tap.source("include"), unit, "-o", job, *more],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return job


def check_standards(compiler, ending, *standards):
    with tempfile.TemporaryDirectory() as folder:
        for standard in standards:
            compile_example(folder, [*compiler, "-std=" + standard, "-c"], ending)


def check_seen(compiler, ending):
    libs = os.path.abspath(tap.built(".libs"))
    with tempfile.TemporaryDirectory() as folder:
        job = compile_example(folder, compiler, ending, *made_with("SANITIZE_FLAGS"), "-L" + libs,
                              "-lproftop", "-Wl,-rpath," + libs, "-lm")
        jobs = os.path.join(folder, "jobs")
        os.mkdir(jobs, 0o700)
        env = dict(os.environ, PROFTOP_DIR=jobs, LC_ALL="C.UTF-8")
        with subprocess.Popen([job], env=env) as running:
            try:
                shown = shell.proftop(env, "-b", "-n", "1", "--wait", "20", "-p", running.pid)
            finally:
                running.kill()
        assert shown.returncode == 0, shown.stderr
        for words in ("Elemwise", "Elemwise{cos}", "Elemwise{sqr}", "Elemwise{cos}(x)",
                      "Elemwise{sqr}(cos.0)"):
            assert re.search(r"(?m) %s *$" % re.escape(words), shown.stdout), (words, shown.stdout)


def example_is_plain_c():
    check_standards(made_with("CC"), ".c", "c99", "c11")


def example_is_plain_cxx():
    check_standards(cxx(), ".cc", "c++11", "c++17", "c++20")


def viewer_sees_the_example_in_c():
    check_seen(made_with("CC"), ".c")


def viewer_sees_the_example_in_cxx():
    check_seen(cxx(), ".cc")


tap.run(example_is_plain_c, example_is_plain_cxx, viewer_sees_the_example_in_c,
        viewer_sees_the_example_in_cxx)
