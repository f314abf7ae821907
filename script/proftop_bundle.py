#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""proftop_bundle.py: what a wheel holds of others, so that it needs no library but the C library's:
a libzmq without extras, made of Debian's source package, and the archives of libsodium, ncurses and
utf8proc that lie beside their headers, where they do. proftop_wheel.py links them."""
import glob
import hashlib
import os
import re
import shutil
import subprocess
import tarfile

# The release that configure finds on Debian 12, so both kinds of build carry the same code.
PACKAGE, RELEASE = "zeromq3", "4.3.4"
TARBALL = "%s_%s.orig.tar.gz" % (PACKAGE, RELEASE)
SHA256 = "0ff5a531c9ffaf0dfdc7dc78d13d1383088f454896d252934c429b2554d10559"
# CURVE by libsodium: with the tweetnacl that lies in it a message costs 22 times as much. No other
# extra is in it by default. Its functions are not to be seen from outside of what they are in.
CONFIGURE = ("--disable-shared", "--enable-static", "--with-pic", "--disable-drafts",
             "--with-libsodium", "--disable-libbsd", "--disable-perf", "--disable-curve-keygen",
             "--disable-Werror", "--without-docs", "--disable-dependency-tracking",
             "CFLAGS=-O2 -fvisibility=hidden", "CXXFLAGS=-O2 -fvisibility=hidden")
# C++ comes with it: the archives of the compiler, since a job may have loaded others.
CXX = "-l:libstdc++.a -l:libgcc_eh.a"
# What else configure looks for: its name for it, the package that its archives are in, and they.
ARCHIVES = (("CURSES", "libncurses-dev", ("ncursesw", "tinfo")),
            ("UTF8PROC", "libutf8proc-dev", ("utf8proc",)))
INSTEAD = ("with the system's libzmq a wheel is made by pip install . --config-settings "
           "libzmq=system, or by script/wheel --libzmq system")


def do(*command, folder):
    """Runs a step of the build, and gives what it printed, which is told when it fails. A make that
    we run under has no say in it."""
    env = {name: value for name, value in os.environ.items()
           if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "DESTDIR")}
    env["LC_ALL"] = "C"
    try:
        done = subprocess.run(command, cwd=folder, env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except OSError as error:
        raise SystemExit("proftop: %s could not be run: %s" % (command[0], error)) from error
    text = done.stdout.decode("utf-8", "replace")
    if done.returncode != 0:
        raise SystemExit("%s\nproftop: %s failed in %s" % (text[-4000:], command[0], folder))
    return text


def is_the_release(path):
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest() == SHA256


def source_lists(folder):
    """What this machine's apt knows, as places of sources, in this folder."""
    os.mkdir(folder)
    for path in ("/etc/apt/sources.list", *glob.glob("/etc/apt/sources.list.d/*.list"),
                 *glob.glob("/etc/apt/sources.list.d/*.sources")):
        if os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                text = re.sub(r"(?m)^deb(?=\s)", "deb-src", file.read())
            with open(os.path.join(folder, os.path.basename(path)), "w", encoding="utf-8") as file:
                file.write(re.sub(r"(?m)^Types:.*", "Types: deb-src", text))


def fetch(folder):
    """Fetches the release into this folder, and gives its path: apt checks who signed it, and we
    which it is. Nothing that apt keeps is touched, so anybody may."""
    apt = os.path.join(folder, "apt")
    os.makedirs(os.path.join(apt, "lists", "partial"))
    source_lists(os.path.join(apt, "sources"))
    options = []
    for name, value in (("SourceList", "/dev/null"), ("SourceParts", apt + "/sources")):
        options += ["-o", "Dir::Etc::%s=%s" % (name, value)]
    options += ["-o", "Dir::State::Lists=%s/lists" % apt, "-o", "Dir::Cache=%s" % apt,
                "-o", "APT::Sandbox::User="]
    try:
        do("apt-get", *options, "update", folder=folder)
        do("apt-get", *options, "source", "--download-only", PACKAGE, folder=folder)
    except SystemExit as error:
        raise SystemExit("%s\nproftop: the source of libzmq could not be had (apt-get source %s); "
                         "%s" % (error, PACKAGE, INSTEAD)) from None
    shutil.rmtree(apt)
    path = os.path.join(folder, TARBALL)
    if not is_the_release(path):
        raise SystemExit("proftop: apt-get source %s gave no %s with the sum %s, as Debian 12 has; "
                         "%s" % (PACKAGE, TARBALL, SHA256, INSTEAD))
    return path


def libzmq(folder, source):
    """The folder of libzmq, built under this one, unless it was before. `source`: ours, where the
    release lies already if it was packed for pip."""
    top = os.path.join(folder, "libzmq-" + RELEASE)
    if os.path.exists(os.path.join(top, "built")):
        return top
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    packed = os.path.join(source, TARBALL)
    with tarfile.open(packed if is_the_release(packed) else fetch(folder)) as archive:
        archive.extractall(folder)
    do("autoreconf", "-fi", folder=top)
    do("./configure", *CONFIGURE, folder=top)
    do("make", "-j%d" % (os.cpu_count() or 1), "src/libzmq.la", folder=top)
    with open(os.path.join(top, "built"), "w", encoding="ascii"):
        pass
    return top


def archives(package, names, licences):
    """What links these archives; their copyright goes to the folder. Nothing: not all are there."""
    compiler = os.environ.get("CC", "cc").split()
    about = os.path.join("/usr/share/doc", package, "copyright")
    for name in names:
        found = do(*compiler, "-print-file-name=lib%s.a" % name, folder="/").strip()
        if not os.path.isabs(found) or not os.path.isfile(about):
            return ""
    shutil.copyfile(about, os.path.join(licences, package + ".copyright"))
    return " ".join("-l:lib%s.a" % name for name in names)


def bundle(folder, source, licences):
    """The words of configure that link what is others' into the wheel; their licences go to the
    folder of that name, which is made."""
    top = libzmq(folder, source)
    os.makedirs(licences)
    for name in ("COPYING", "COPYING.LESSER", "AUTHORS"):
        shutil.copyfile(os.path.join(top, name), os.path.join(licences, "libzmq." + name))
    sodium = archives("libsodium-dev", ("sodium",), licences) or "-lsodium"
    words = ["ZMQ_CFLAGS=-I%s/include" % top,
             "ZMQ_LIBS=-L%s/src/.libs -l:libzmq.a %s %s" % (top, sodium, CXX)]
    for variable, package, names in ARCHIVES:
        found = archives(package, names, licences)
        if found:
            words.append("%s_LIBS=%s" % (variable, found))
    return words
