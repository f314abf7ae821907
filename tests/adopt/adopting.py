# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""adopting.py: helpers for the tests of this folder: compilers, programs, and proftop's reports of
them."""
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
HEADERS = os.path.abspath(tap.source("include"))
# proftop_calls.h is made there.
INCLUDE = ["-I" + HEADERS, "-I" + os.path.abspath(tap.built("include"))]
LIBRARIES = os.path.abspath(tap.built(".libs"))
PROFTOP = os.path.abspath(tap.built("proftop"))
WAIT = 60
CC = tap.CC
SANITIZE = shlex.split(os.environ.get("SANITIZE_FLAGS", ""))
# Programs linked with the library of this build must use the same sanitizers.
CXX = ["clang++"] if "clang" in CC[0] else ["g++"]
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]

scratch = tempfile.TemporaryDirectory()


def path(*names):
    return os.path.join(scratch.name, *names)


def here(name):
    return os.path.join(HERE, name)


def environment(library=LIBRARIES, **more):
    """A registry of the test's own. `library` is the folder of libproftop, None for no folder."""
    os.makedirs(path("jobs"), mode=0o700, exist_ok=True)
    env = {**os.environ, "PROFTOP_DIR": path("jobs"), "XDG_RUNTIME_DIR": path("jobs"), **more}
    env.pop("LD_LIBRARY_PATH", None)
    if library is not None:
        env["LD_LIBRARY_PATH"] = library
    return env


def is_inlined():
    """True if inlined code counts here: on x86-64, if the kernel's clock is the processor's time
    stamps and PROFTOP_CLOCK does not forbid them. Elsewhere each call goes through the library."""
    if platform.machine() != "x86_64" or os.environ.get("PROFTOP_CLOCK") == "monotonic":
        return False
    try:
        with open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                  encoding="ascii") as file:
            return file.read() == "tsc\n"
    except OSError:
        return False


def needs(*programs):
    for program in programs:
        if not shutil.which(program):
            raise tap.Skip(program + " is not there")


def ended(*command, status=0, **more):
    """Runs a command, which must end with `status`."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=WAIT,
                          stdin=subprocess.DEVNULL, **more)
    assert done.returncode == status, (command, done.returncode, done.stdout, done.stderr)
    return done


def do(*command, **more):
    """The same. Returns the output."""
    return ended(*command, **more).stdout


def compile_c(output, *words, compiler=None, standard="c99"):
    """Compiles strictly, and links unless the arguments contain -c."""
    do(*(compiler or CC), "-std=" + standard, *STRICT, "-O2", "-g", *SANITIZE, *INCLUDE, "-o",
       path(output), *words)
    return path(output)


def linked():
    return ["-L" + LIBRARIES, "-lproftop", "-pthread"]


def report_of(*command, env=None, again=True):
    """(last report, stdout) of a job under `proftop run -b`. A very busy machine may miss the two
    seconds of a goodbye. The report is then missing or not final, and says so. In that case the job
    is run once more."""
    out = path("report.json")
    done = ended(PROFTOP, "run", "-b", "--format", "json", "-o", out, "--", *command,
                 env=env or environment())
    with open(out, encoding="utf-8") as file:
        reports = file.read().splitlines()
    if not reports and again and "ended before anything could be shown" in done.stderr:
        print("#", done.stderr)
        return report_of(*command, env=env, again=False)
    assert reports, "there is no report; it said: %s" % done.stderr
    report = json.loads(reports[-1])
    if not report["final"] and again:
        print("# not final:", report["state"], report["jobs"])
        return report_of(*command, env=env, again=False)
    assert report["final"] is True, report
    return report, done.stdout


def calls(report, table):
    """Maps the name of each row of a table to its calls."""
    return {row["name"]: row["calls"] for row in report[table]}


# ------------------------------------------------------------------------------- an installation

STAGE = path("stage")
PARTS = ("libLTLIBRARIES", "includeHEADERS", "nodist_includeHEADERS", "pkgconfigDATA",
         "nodist_cmakeDATA")
PLAIN = {name: value for name, value in os.environ.items()
         if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "LD_LIBRARY_PATH")}


def make(*words):
    return do("make", "-C", os.path.abspath(tap.built()), "-s", *words, env=PLAIN)


def folder(name, known={}):  # pylint: disable=dangerous-default-value
    """A folder of the installation, by the make variable that names it."""
    if not known:
        known.update(re.findall(r"^(\w+)=(.*)$", make("print-folders"), re.M))
    return STAGE + known[name]


def installed():
    """Installs the library, its headers and the files of the two tools, once, in another place."""
    if not os.path.isdir(STAGE):
        make("DESTDIR=" + STAGE, *["install-" + part for part in PARTS])


def pkg_config_paths():
    """The environment in which pkg-config finds the installation."""
    return {"PKG_CONFIG_PATH": folder("pkgconfigdir"), "PKG_CONFIG_SYSROOT_DIR": STAGE}
