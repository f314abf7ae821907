#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""proftop_wheel.py: makes a wheel of what `make install` gives; for pip (PEP 517) and script/wheel.

A wheel has the program, proftop-inject, libproftop, the adapters and the manual where they are
under any prefix, so that they find each other; and the package `proftop`, which finds them by the
list of files that pip keeps. It is tagged for all versions of CPython from 3.8 (the extension is
one, of the limited API) and for this system: libzmq, ncurses and utf8proc are the system's.
"""
import argparse
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = ("adapters", "python", "package")
LICENCES = ("LICENSE", "NOTICE")
METADATA = """Metadata-Version: 2.4
Name: proftop
Version: %s
Summary: top for computation-graph programs: op timings of running jobs, live in a terminal
License-Expression: Apache-2.0
License-File: LICENSE
License-File: NOTICE
Requires-Python: >=3.8
Description-Content-Type: text/markdown

"""
# What of an installation goes into a wheel: a folder of configure's, what is under it, and where it
# comes to. A C program is built against what `make install` gives, not against this.
PARTS = (
    ("bindir", r"proftop$", "scripts", ""),
    ("libdir", r"libproftop\.so\.\d+$", "data", "lib"),
    ("pkgdatadir", r"python/", "data", "share/proftop"),
    ("pkglibexecdir", r"proftop-inject$", "data", "libexec/proftop"),
    ("mandir", r"man1/", "data", "share/man"),
)
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same input gives the same bytes


def version():
    with open(os.path.join(SOURCE, "configure.ac"), encoding="utf-8") as file:
        return re.search(r"^AC_INIT\(\[proftop\], \[([\d.]+)\]\)", file.read(), re.M)[1]


def metadata():
    with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
        return METADATA % version() + file.read()


def tag():
    return "cp38-abi3-" + re.sub(r"[-.]", "_", sysconfig.get_platform())


def about():
    """Name -> text of what a wheel says of itself."""
    texts = {"METADATA": metadata(),
             "WHEEL": "Wheel-Version: 1.0\nGenerator: proftop_wheel\nRoot-Is-Purelib: false\n"
                      "Tag: %s\n" % tag()}
    for name in LICENCES:
        with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
            texts["licenses/" + name] = file.read()
    return texts


def do(*command, folder):
    """Runs a step of the build, and gives what it printed, which is told when it fails. A make that
    we run under has no say in it."""
    env = {name: value for name, value in os.environ.items()
           if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "DESTDIR")}
    done = subprocess.run(command, cwd=folder, env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    text = done.stdout.decode("utf-8", "replace")
    if done.returncode != 0:
        raise SystemExit("%s\nproftop: %s failed in %s" % (text[-4000:], command[0], folder))
    return text


# --------------------------------------------------------------------------------- the build tree

def copy_source(folder):
    """The source without what is built of it, so that nothing is written into it."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=SOURCE, stdin=subprocess.DEVNULL,
                            capture_output=True, check=False) \
        if os.path.exists(os.path.join(SOURCE, ".git")) else None
    if listed is None or listed.returncode != 0:
        shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("build", "*.o", "*.pyc"))
        return
    for name in os.fsdecode(listed.stdout).split("\0"):
        path = os.path.join(SOURCE, name)
        if name and os.path.isfile(path):
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            shutil.copy2(path, os.path.join(folder, name))


def configure(work):
    """A configured build tree, made in this folder."""
    source, tree = os.path.join(work, "source"), os.path.join(work, "tree")
    copy_source(source)
    os.mkdir(tree)
    if not os.path.exists(os.path.join(source, "configure")):
        do("autoreconf", "-fi", folder=source)
    words = ["--prefix=/usr", "--sysconfdir=/etc", "--disable-dependency-tracking"]
    headers = sysconfig.get_path("include")
    if os.path.exists(os.path.join(headers, "Python.h")):
        words += ["PYTHON_CFLAGS=-I" + headers, "PYTHON_LIBS= "]
    do(os.path.join(source, "configure"), *words, folder=tree)
    return tree


def build(work):
    tree = configure(work)
    do("make", "-j%d" % (os.cpu_count() or 1), folder=tree)
    return tree


# -------------------------------------------------------------------------------------- the wheel

class Wheel:
    """A wheel while it is written."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.stem = "proftop-" + version()
        self.record = []

    def put(self, name, content, executable=False):
        entry = zipfile.ZipInfo(name, EPOCH)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        self.zip.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        self.record.append("%s,sha256=%s,%d" % (name, digest, len(content)))

    def put_file(self, name, path):
        with open(path, "rb") as file:
            self.put(name, file.read(), os.access(path, os.X_OK))

    def close(self):
        info = self.stem + ".dist-info/"
        for name, text in about().items():
            self.put(info + name, text.encode())
        name = info + "RECORD"
        self.zip.writestr(zipfile.ZipInfo(name, EPOCH),
                          "\n".join([*self.record, name + ",,"]) + "\n")
        self.zip.close()


def files_under(folder):
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            path = os.path.join(where, name)
            yield path, os.path.relpath(path, folder).replace(os.sep, "/")


def pack(tree, folder):
    """Makes a wheel of what a build tree installs. Gives its name."""
    said = do("make", "-s", "print-wheel-folders", folder=tree)
    folders = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
    name = "proftop-%s-%s.whl" % (version(), tag())
    with tempfile.TemporaryDirectory(prefix="proftop-wheel-") as root:
        do("make", "-s", "install-strip", "DESTDIR=" + root, folder=tree)
        wheel = Wheel(os.path.join(folder, name))
        for variable, pattern, scheme, where in PARTS:
            found = [(path, rest) for path, rest in files_under(root + folders[variable])
                     if re.match(pattern, rest)]
            if not found or variable == "pkgdatadir" and not any(
                    rest.endswith(".abi3.so") for _, rest in found):
                raise SystemExit("proftop: %s has nothing in %s; the adapter for Python needs the "
                                 "headers of Python (Debian: python3-dev)" % (tree, variable))
            for path, rest in found:
                wheel.put_file("/".join(filter(None, (wheel.stem + ".data", scheme, where, rest))),
                               path)
        for path, rest in files_under(os.path.join(SOURCE, *PACKAGE)):
            if rest.endswith(".py"):
                wheel.put_file("proftop/" + rest, path)
        wheel.close()
    return name


# ------------------------------------------------------------------------------------- for pip

def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = "proftop-%s.dist-info" % version()
    for name, text in about().items():
        path = os.path.join(metadata_directory, folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return folder


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with tempfile.TemporaryDirectory(prefix="proftop-wheel-") as work:
        return pack(build(work), wheel_directory)


def build_sdist(sdist_directory, config_settings=None):
    stem = "proftop-" + version()
    with tempfile.TemporaryDirectory(prefix="proftop-wheel-") as work:
        tree = configure(work)
        do("make", "-s", "distdir", folder=tree)
        packed = os.path.join(tree, stem)
        with open(os.path.join(packed, "PKG-INFO"), "w", encoding="utf-8") as file:
            file.write(metadata())
        with tarfile.open(os.path.join(sdist_directory, stem + ".tar.gz"), "w:gz",
                          format=tarfile.PAX_FORMAT) as archive:
            archive.add(packed, stem)
    return stem + ".tar.gz"


def main():
    parser = argparse.ArgumentParser(
        prog="script/wheel", description="makes a wheel, which pip installs; prints its path")
    parser.add_argument("--from", dest="tree", metavar="FOLDER",
                        help="of this build tree, instead of building all anew")
    parser.add_argument("--to", default="build", metavar="FOLDER", help="where (build)")
    options = parser.parse_args()
    os.makedirs(options.to, exist_ok=True)
    name = pack(os.path.abspath(options.tree), options.to) if options.tree else \
        build_wheel(options.to)
    print(os.path.join(options.to, name))


if __name__ == "__main__":
    sys.exit(main())
