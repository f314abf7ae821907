#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""proftop_wheel.py: makes a wheel from the result of `make install`, for pip (PEP 517) and
script/wheel.

A wheel has the program, proftop-inject, libproftop, the adapters and the manual in the same places
as under any prefix, so that they find each other. The package `proftop` finds them by the list of
files that pip keeps. The wheel is tagged for all versions of CPython from 3.8 (one extension with
the limited API). It is tagged for every Linux with a new enough C library, if it needs no other
library."""
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

import proftop_bundle
from proftop_bundle import do

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Where script/wheel keeps the libzmq that it built.
KEPT = os.path.join(SOURCE, "build", "libzmq")
PACKAGE = ("adapters", "python", "package")
LICENCES = ("LICENSE", "NOTICE")
# A wheel has its own libzmq, or uses the system's.
LIBZMQ = ("bundled", "system")
# In a build tree: the licences of the bundled libraries.
BUNDLED = "bundled-licences"
# Every system has these libraries: its C library loads libgcc_s to cancel a thread. A wheel that
# needs others is only for systems like this one.
BASE = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s)|libproftop)\.so\.\d+$")
# Without libproftop's packed relocations, which older C libraries do not support.
PLAIN = "SMALL_LDFLAGS=-Wl,--gc-sections -Wl,-z,noseparate-code"
METADATA = """Metadata-Version: 2.4
Name: proftop
Version: %s
Summary: top for computation-graph programs: op timings of running jobs, live in a terminal
%sRequires-Python: >=3.8
Description-Content-Type: text/markdown

"""
# Parts of an installation that go into a wheel: a folder of configure's, a pattern of files under
# it, and the place in the wheel. C programs are built against the result of `make install`, not a
# wheel.
PARTS = (
    ("bindir", r"proftop$", "scripts", ""),
    ("libdir", r"libproftop(\.so\.\d+|-feed-[\d.]+\.so)$", "data", "lib"),
    ("pkgdatadir", r"python/", "data", "share/proftop"),
    ("pkglibexecdir", r"proftop-inject$", "data", "libexec/proftop"),
    ("mandir", r"man1/", "data", "share/man"),
)
WHEEL = """Wheel-Version: 1.0
Generator: proftop_wheel
Root-Is-Purelib: false
Tag: %s
"""
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same input gives the same bytes


def version():
    with open(os.path.join(SOURCE, "configure.ac"), encoding="utf-8") as file:
        return re.search(r"^AC_INIT\(\[proftop\], \[([\d.]+)\]\)", file.read(), re.M)[1]


def metadata(licences):
    with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    # With bundled libraries, NOTICE says which licence holds for which part.
    lines = ["License-Expression: Apache-2.0\n"] if len(licences) == len(LICENCES) else []
    lines += ["License-File: %s\n" % name for name in sorted(licences)]
    return METADATA % (version(), "".join(lines)) + readme


def tag(files):
    """The platform tag of a wheel with these files."""
    said = do("readelf", "-dVW", *files, folder="/")
    platform, machine = sysconfig.get_platform().split("-", 1)
    if all(BASE.match(name) for name in re.findall(r"Shared library: \[(.*?)\]", said)):
        platform = "manylinux_2_%d" % max(map(int, re.findall(r"\bGLIBC_2\.(\d+)", said)))
    return "cp38-abi3-%s_%s" % (platform, re.sub(r"[-.]", "_", machine))


def licences_of(tree):
    """Name -> text of all licences of a wheel from this tree."""
    paths = {name: os.path.join(SOURCE, name) for name in LICENCES}
    paths.update((rest, path) for path, rest in files_under(os.path.join(tree, BUNDLED)))
    texts = {}
    for name, path in paths.items():
        with open(path, encoding="utf-8") as file:
            texts[name] = file.read()
    return texts


# --------------------------------------------------------------------------------- the build tree

def copy_source(folder):
    """Copies the source without build results, so that the source folder is not changed."""
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


def configure(work, *words):
    """Makes a build tree in this folder, configured with these arguments."""
    source, tree = os.path.join(work, "source"), os.path.join(work, "tree")
    copy_source(source)
    os.makedirs(tree, exist_ok=True)
    if not os.path.exists(os.path.join(source, "configure")):
        do("autoreconf", "-fi", folder=source)
    words = ["--prefix=/usr", "--sysconfdir=/etc", "--disable-dependency-tracking", *words]
    headers = sysconfig.get_path("include")
    if os.path.exists(os.path.join(headers, "Python.h")):
        words += ["PYTHON_CFLAGS=-I" + headers, "PYTHON_LIBS= "]
    do(os.path.join(source, "configure"), *words, folder=tree)
    return tree


def build(work, libzmq, kept):
    """Makes a build tree in this folder. Links the system's libraries, or its own libzmq, which is
    built once in the folder `kept`."""
    # Without debug information, so that a wheel contains no paths of the build.
    words = ["CFLAGS=-O2"]
    if libzmq == LIBZMQ[0]:
        licences = os.path.join(work, "tree", BUNDLED)
        words += proftop_bundle.bundle(kept, SOURCE, licences)
    tree = configure(work, *words)
    do("make", "-j%d" % (os.cpu_count() or 1), PLAIN, folder=tree)
    return tree


# -------------------------------------------------------------------------------------- the wheel

class Wheel:
    """A wheel that is being written."""

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

    def close(self, tagged, licences):
        info = self.stem + ".dist-info/"
        self.put(info + "METADATA", metadata(licences).encode())
        self.put(info + "WHEEL", (WHEEL % tagged).encode())
        for name, text in licences.items():
            self.put(info + "licenses/" + name, text.encode())
        name = info + "RECORD"
        self.zip.writestr(zipfile.ZipInfo(name, EPOCH),
                          "\n".join([*self.record, name + ",,"]) + "\n")
        self.zip.close()


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\177ELF"


def files_under(folder):
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            path = os.path.join(where, name)
            yield path, os.path.relpath(path, folder).replace(os.sep, "/")


def parts_of(tree, root):
    """Path -> name in a wheel, of the files that this tree has installed under that root."""
    said = do("make", "-s", "print-wheel-folders", folder=tree)
    folders = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
    parts = {}
    for variable, pattern, scheme, where in PARTS:
        found = {path: "/".join(filter(None, ("proftop-%s.data" % version(), scheme, where, rest)))
                 for path, rest in files_under(root + folders[variable]) if re.match(pattern, rest)}
        if not found or variable == "pkgdatadir" and not any(
                path.endswith(".abi3.so") for path in found):
            raise SystemExit("proftop: %s has nothing in %s; the adapter for Python needs the "
                             "headers of Python (Debian: python3-dev)" % (tree, variable))
        parts.update(found)
    for path, rest in files_under(os.path.join(SOURCE, *PACKAGE)):
        if rest.endswith(".py"):
            parts[path] = "proftop/" + rest
    return parts


def pack(tree, folder):
    """Makes a wheel from the installed files of a build tree. Returns its name."""
    with tempfile.TemporaryDirectory(prefix="proftop-wheel-") as root:
        do("make", "-s", "install-strip", "DESTDIR=" + root, folder=tree)
        parts = parts_of(tree, root)
        tagged = tag([path for path in parts if is_elf(path)])
        name = "proftop-%s-%s.whl" % (version(), tagged)
        wheel = Wheel(os.path.join(folder, name))
        for path, inside in parts.items():
            wheel.put_file(inside, path)
        wheel.close(tagged, licences_of(tree))
    return name


# ------------------------------------------------------------------------------------- for pip

def which_libzmq(config_settings):
    """The value of `--config-settings libzmq=...`, from LIBZMQ; default: the first."""
    said = (config_settings or {}).get("libzmq", LIBZMQ[0])
    if said not in LIBZMQ:
        raise SystemExit("proftop: libzmq=%s is neither %s nor %s" % (said, *LIBZMQ))
    return said


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None, kept=None):
    libzmq = which_libzmq(config_settings)
    with tempfile.TemporaryDirectory(prefix="proftop-wheel-") as work:
        return pack(build(work, libzmq, kept or os.path.join(work, "libzmq")), wheel_directory)


def build_sdist(sdist_directory, config_settings=None):
    stem = "proftop-" + version()
    with tempfile.TemporaryDirectory(prefix="proftop-wheel-") as work:
        tree = configure(work)
        do("make", "-s", "distdir", folder=tree)
        packed = os.path.join(tree, stem)
        with open(os.path.join(packed, "PKG-INFO"), "w", encoding="utf-8") as file:
            file.write(metadata(LICENCES))
        if which_libzmq(config_settings) == LIBZMQ[0]:
            shutil.copy(proftop_bundle.fetch(os.path.join(work, "libzmq")), packed)
        with tarfile.open(os.path.join(sdist_directory, stem + ".tar.gz"), "w:gz",
                          format=tarfile.PAX_FORMAT) as archive:
            archive.add(packed, stem)
    return stem + ".tar.gz"


def main():
    parser = argparse.ArgumentParser(
        prog="script/wheel", description="makes a wheel, which pip installs; prints its path")
    parser.add_argument("--from", dest="tree", metavar="FOLDER",
                        help="of this build tree, instead of building all anew")
    parser.add_argument("--libzmq", choices=LIBZMQ, default=LIBZMQ[0],
                        help="system: with the libraries of this system, not with its own")
    parser.add_argument("--to", default="build", metavar="FOLDER", help="where (build)")
    options = parser.parse_args()
    os.makedirs(options.to, exist_ok=True)
    name = pack(os.path.abspath(options.tree), options.to) if options.tree else \
        build_wheel(options.to, {"libzmq": options.libzmq}, kept=KEPT)
    print(os.path.join(options.to, name))


if __name__ == "__main__":
    sys.exit(main())
