#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""proftop_bundle.py: builds and collects the libraries of other projects for a wheel, so that the
wheel needs only the C library.

These are a libzmq without extras, made of Debian's source package, and the archives of libsodium,
ncurses and utf8proc, if they are installed beside their headers. proftop_wheel.py links them."""
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
# CURVE by libsodium: with the bundled tweetnacl a message costs 22 times as much. All other extras
# are off by default. The functions must not be visible outside of the object that contains them.
CONFIGURE = ("--disable-shared", "--enable-static", "--with-pic", "--disable-drafts",
             "--with-libsodium", "--disable-libbsd", "--disable-perf", "--disable-curve-keygen",
             "--disable-Werror", "--without-docs", "--disable-dependency-tracking",
             "CFLAGS=-O2 -fvisibility=hidden", "CXXFLAGS=-O2 -fvisibility=hidden")
# libzmq needs C++: link the compiler's archives, since a job may have loaded other versions.
CXX = "-l:libstdc++.a -l:libgcc_eh.a"
# Other libraries that configure looks for: (its name, the package with the archives, the archives).
ARCHIVES = (("CURSES", "libncurses-dev", ("ncursesw", "tinfo")),
            ("UTF8PROC", "libutf8proc-dev", ("utf8proc",)))
INSTEAD = ("with the system's libzmq a wheel is made by pip install . --config-settings "
           "libzmq=system, or by script/wheel --libzmq system")


def do(*command, folder):
    """Runs a step of the build. Returns its output, and prints the output if the step fails. An
    outer make has no influence on it."""
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
    """Writes apt's sources of this machine into this folder, as sources of source packages."""
    os.mkdir(folder)
    for path in ("/etc/apt/sources.list", *glob.glob("/etc/apt/sources.list.d/*.list"),
                 *glob.glob("/etc/apt/sources.list.d/*.sources")):
        if os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                text = re.sub(r"(?m)^deb(?=\s)", "deb-src", file.read())
            with open(os.path.join(folder, os.path.basename(path)), "w", encoding="utf-8") as file:
                file.write(re.sub(r"(?m)^Types:.*", "Types: deb-src", text))


def fetch(folder):
    """Downloads the release into this folder, and returns its path. apt checks the signature, and
    this function the checksum. apt's own files are not changed, so any user may run it."""
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
    """The folder of libzmq below this one. Builds it unless it was built before. `source`:
    proftop's source; it contains the release if it was packed for pip."""
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
    """The link options of these archives. Copies their copyright to the folder. "" if one is
    missing."""
    compiler = os.environ.get("CC", "cc").split()
    about = os.path.join("/usr/share/doc", package, "copyright")
    for name in names:
        found = do(*compiler, "-print-file-name=lib%s.a" % name, folder="/").strip()
        if not os.path.isabs(found) or not os.path.isfile(about):
            return ""
    shutil.copyfile(about, os.path.join(licences, package + ".copyright"))
    return " ".join("-l:lib%s.a" % name for name in names)


def bundle(folder, source, licences):
    """The arguments of configure that link the bundled libraries into the wheel. Makes the folder
    `licences` and copies their licences there."""
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
