# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""systems.py: proftop in fresh systems of other releases of Debian, as a user who is not root: the
wheel by pipx, the source package by pip, a checkout by autoconf 2.69. Needs root, and the mirrors
of Debian and PyPI. PROFTOP_TEST_WHEEL names the wheel, PROFTOP_TEST_SDIST the source package
(script/test makes both)."""
import glob
import os
import re
import time

from installing import (ROW, COMPILES_S, SHOWS_S, UID, System, do, need, rows_of_the_demo,
                        screen_of, tap)

WHEEL, SDIST = os.environ.get("PROFTOP_TEST_WHEEL"), os.environ.get("PROFTOP_TEST_SDIST")
# What a user has there, what compiles, and what a checkout needs in addition.
RUNS = ["ca-certificates", "python3", "python3-venv"]
BUILDS = ["gcc", "g++", "make", "python3-dev"]
AUTOTOOLS = ["autoconf", "automake", "libtool", "autoconf-archive", "pkg-config", "libncurses-dev",
             "libzmq3-dev", "libutf8proc-dev", "libzstd-dev"]


def pipx_installs_and_the_demo_is_live(release):
    wheel = need(WHEEL, "the wheel")
    system = System(release, RUNS + ([] if release == "bullseye" else ["pipx"]))
    path = system.give(wheel)
    pipx = "pipx"
    if release == "bullseye":  # there is no package
        system.run("python3", "-m", "venv", "v")
        system.run("v/bin/pip", "install", "pipx")
        pipx = "v/bin/pipx"
    began = time.monotonic()
    system.run(pipx, "install", path)
    installed = time.monotonic() - began
    seen = screen_of(system, "proftop", "demo")
    took = time.monotonic() - began
    assert ROW in seen, seen[-2000:]
    rows_of_the_demo(system, "proftop")
    size = int(do(["du", "-sk", "%s%s/.local" % (system.root, system.home)], SHOWS_S).split()[0])
    python = system.run("python3", "--version").strip()
    print("# %s, %s, %s: pipx install %.1f s, rows after %.1f s, %d kB with pip" % (
        release, python, os.path.basename(wheel), installed, took, size))


def debian_11():
    pipx_installs_and_the_demo_is_live("bullseye")


def debian_12():
    pipx_installs_and_the_demo_is_live("bookworm")


def debian_13():
    pipx_installs_and_the_demo_is_live("trixie")


def pip_builds_the_source_package(release, packages):
    """Without any option, and without a library of the system beside libc."""
    sdist = need(SDIST, "the source package")
    system = System(release, RUNS + packages)
    path = system.give(sdist)
    began = time.monotonic()
    system.run("python3", "-m", "venv", "v")
    system.run("v/bin/pip", "install", path, seconds=COMPILES_S)
    print("# %s, %s: pip install %.0f s" % (release, os.path.basename(sdist),
                                            time.monotonic() - began))
    assert ROW in screen_of(system, "v/bin/proftop", "demo")
    rows_of_the_demo(system, "v/bin/proftop")
    return system


def pip_builds_on_debian_13():
    pip_builds_the_source_package("trixie", BUILDS)


def pip_builds_without_a_compiler():
    """ziglang from PyPI compiles then."""
    system = pip_builds_the_source_package("bookworm", ["binutils", "make", "python3-dev"])
    assert not os.path.exists(system.root + "/usr/bin/cc")


def a_checkout_builds_with_autoconf_2_69():
    system = System("bullseye", RUNS + BUILDS + AUTOTOOLS)
    said = system.run("autoconf", "--version")
    assert re.search(r"\b2\.69$", said, re.M), said
    folder = system.root + system.home + "/source"
    do(["git", "-C", tap.source(), "checkout-index", "-a", "--prefix=%s/" % folder], SHOWS_S)
    do(["chown", "-R", "%d:%d" % (UID, UID), folder], SHOWS_S)
    system.run("sh", "-ec", "cd source; autoreconf -fi; ./configure --prefix=$HOME/.local; "
               "make -j2; make install", seconds=COMPILES_S)
    assert not glob.glob(system.root + system.home + "/.local/lib/*.la")
    assert ROW in screen_of(system, "proftop", "demo")


tap.run(debian_11, debian_12, debian_13, pip_builds_on_debian_13, pip_builds_without_a_compiler,
        a_checkout_builds_with_autoconf_2_69)
