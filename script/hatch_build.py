# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""hatch_build.py: what hatchling, the back end for pip, puts into a wheel or a source package of
proftop: the result of `make install`.

A wheel has the program, proftop-inject, libproftop, the adapters and the manual in the same places
as under any prefix, so that they find each other. The package `proftop` finds them by the list of
files that pip keeps. One extension with the limited API serves all versions of CPython from 3.8.

Settings in the environment, from pip's --config-settings (proftop_backend.py) or from script/wheel:
  PROFTOP_WHEEL_LIBRARIES  bundled (default): the libraries of proftop_libraries.py; system: this
                           system's
  PROFTOP_WHEEL_SOURCES    a folder with the archives of these libraries
  PROFTOP_WHEEL_ZIG        x86_64 or aarch64: compile by ziglang, for glibc 2.17 and later; the
                           default on a machine without a compiler
  PROFTOP_WHEEL_TREE       pack this build tree; build nothing"""
import glob
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

HERE = os.path.dirname(os.path.abspath(__file__))
if HERE not in sys.path:
    sys.path.insert(0, HERE)
import proftop_libraries  # noqa: E402
from proftop_libraries import do  # noqa: E402

SOURCE = os.path.dirname(HERE)
PACKAGE = os.path.join("adapters", "python", "package")
# In a checkout: the fetched archives and the built libraries. In a source package: the archives.
KEPT, CARRIED = os.path.join(SOURCE, "build"), os.path.join(SOURCE, "sources")
# What autoreconf makes, and a source package carries.
GENERATED = ("configure", "aclocal.m4", "Makefile.in", "config.h.in", "build-aux", "m4")
# Without libproftop's packed relocations, which need a newer C library. ziglang has not all flags.
PLAIN_ZIG = "SMALL_LDFLAGS=-Wl,--gc-sections"
PLAIN = PLAIN_ZIG + " -Wl,-z,noseparate-code"
# Parts of an installation that go into a wheel: a folder of configure's, a pattern of files below
# it, and the place in the wheel.
PARTS = (
    ("libdir", r"libproftop(\.so\.\d+|-feed-[\d.]+\.so)$", "lib"),
    ("includedir", r"proftop", "include"),
    ("cmakedir", r"proftopConfigVersion", "lib/cmake/proftop"),
    ("pkglibexecdir", r"((python|ports)/.*(?<!\.la)|proftop-inject|proftop-demo(-\w+\.ptrec)?)$",
     "libexec/proftop"),
    ("mandir", r"man[13]/", "share/man"),
    ("datadir", r"(bash-completion|zsh|fish)/", "share"),
)


# A wheel contains no links, and its files lie in a prefix that nobody knows before. So the files by
# which C programs find the library are written anew.
LINKER_SCRIPT = "INPUT(libproftop.so.0)\n"
PKG_CONFIG = """prefix=${pcfiledir}/../..
libdir=${prefix}/lib
includedir=${prefix}/include

Name: proftop
Description: Publish the op timings of a running graph program
Version: %s
Libs: -L${libdir} -lproftop -Wl,-rpath,${libdir}
Libs.private: -lpthread
Cflags: -I${includedir}
"""


def setting(name):
    return os.environ.get("PROFTOP_WHEEL_" + name) or None


def zig_machine():
    """The machine for which ziglang compiles: the given one, or this one if it has no compiler.
    None: its compiler does."""
    machine = os.uname().machine
    there = all(shutil.which(os.environ.get(name, word).split()[0])
                for name, word in (("CC", "cc"), ("CXX", "c++")))
    fits = machine in ("x86_64", "aarch64") and setting("LIBRARIES") != "system"
    return setting("ZIG") or (machine if fits and not there and not setting("TREE") else None)


def files_under(folder):
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            path = os.path.join(where, name)
            yield path, os.path.relpath(path, folder).replace(os.sep, "/")


def copy_source(folder):
    """Copies the source without build results, so that the source folder is not changed."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=SOURCE, stdin=subprocess.DEVNULL,
                            capture_output=True, check=False) \
        if os.path.exists(os.path.join(SOURCE, ".git")) else None
    if listed is None or listed.returncode != 0:
        shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns(
            "build", "sources", "*.o", "*.pyc"))
    else:
        for name in os.fsdecode(listed.stdout).split("\0"):
            path = os.path.join(SOURCE, name)
            if name and os.path.isfile(path):
                os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
                shutil.copy2(path, os.path.join(folder, name))
    if not os.path.exists(os.path.join(folder, "configure")):
        do("autoreconf", "-fi", folder=folder)


def archives():
    """The paths of the libraries' sources, by name."""
    if os.path.isdir(CARRIED):
        return proftop_libraries.fetch(CARRIED)
    return proftop_libraries.fetch(os.path.join(KEPT, "sources"), setting("SOURCES"))


def python_headers(work):
    """A copy of Python's headers. Debian's pyconfig.h includes one of a folder for the processor,
    where ziglang does not look. The limited API has the same types on x86-64 and aarch64."""
    include = sysconfig.get_path("include")
    folder = shutil.copytree(include, os.path.join(work, "python"))
    machines = os.path.join(os.path.dirname(include), sysconfig.get_config_var("MULTIARCH") or "",
                            os.path.basename(include), "pyconfig.h")
    if os.path.exists(machines):
        shutil.copyfile(machines, os.path.join(folder, "pyconfig.h"))
    return folder


def compile_tree(work, zig=None):
    """Builds proftop in this folder, by ziglang for the machine `zig`, or by the compiler of this
    system. Returns the build tree, and the folder with the licences of the bundled libraries."""
    source, tree = os.path.join(work, "source"), os.path.join(work, "tree")
    copy_source(source)
    os.makedirs(tree)
    licences = None
    tools = proftop_libraries.Tools(zig)
    words = ["--prefix=/usr", "--sysconfdir=/etc", "--disable-dependency-tracking",
             # Without debug information, so that a wheel contains no paths of the build.
             "CFLAGS=-O2"]
    if os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
        words += ["PYTHON_CFLAGS=-I" + python_headers(work), "PYTHON_LIBS= "]
    if setting("LIBRARIES") != "system":
        place = KEPT if os.access(SOURCE, os.W_OK) and not os.path.isdir(CARRIED) else work
        prefix = os.path.join(place, "libraries-%s-%s" % (tools.machine, "zig" if zig else "cc"))
        proftop_libraries.build(prefix, tools, archives())
        words += proftop_libraries.configure_words(prefix, tools)
        licences = os.path.join(prefix, "licences")
    if tools.is_foreign:
        words.append("PROFTOP_FOR_BUILD=" + printer(work))
    if zig:
        words += ["--host=%s-linux-gnu" % zig, "CC=" + " ".join(tools.cc),
                  "AR=" + " ".join(tools.ar), "RANLIB=" + " ".join(tools.ranlib),
                  "LDFLAGS=-Wl,-s"]  # the strip of this system may not know that machine
    do(os.path.join(source, "configure"), *words, folder=tree)
    do("make", "-j%d" % (os.cpu_count() or 1), PLAIN_ZIG if zig else PLAIN,
       folder=tree)
    return tree, licences


def printer(work):
    """A proftop that runs here. It prints the manual of one for another machine."""
    folder = os.path.join(work, "here")
    os.makedirs(folder)
    tree, _ = compile_tree(folder, os.uname().machine)
    return os.path.join(tree, "proftop")


def parts_of(tree, root):
    """Path -> place in a wheel, of the files that this tree has installed under that root."""
    said = do("make", "-s", "print-wheel-folders", folder=tree)
    folders = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
    parts = {}
    for variable, pattern, where in PARTS:
        parts.update({path: "%s/%s" % (where, rest)
                      for path, rest in files_under(root + folders[variable])
                      if re.match(pattern, rest)})
    if not any(place.endswith(".abi3.so") for place in parts.values()):
        raise SystemExit("proftop: %s has no adapter for Python: it needs the headers of Python "
                         "(Debian: python3-dev)" % tree)
    return os.path.join(root + folders["bindir"], "proftop"), parts


def for_c_programs(work, version):
    """Path -> place in the wheel of the files by which a compiler, pkg-config and CMake find it."""
    with open(os.path.join(SOURCE, "include", "proftopConfig.cmake.in"), encoding="ascii") as file:
        cmake = file.read().replace("@TO_INCLUDE@", "../../../include")
    parts = {}
    for place, text in (("lib/libproftop.so", LINKER_SCRIPT),
                        ("lib/pkgconfig/proftop.pc", PKG_CONFIG % version),
                        ("lib/cmake/proftop/proftopConfig.cmake", cmake)):
        path = os.path.join(work, os.path.basename(place))
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        parts[path] = place
    return parts


class Description(MetadataHookInterface):
    """README.md without the links to files of the source, which a page of an index lacks."""

    def update(self, metadata):
        with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
            text = re.sub(r"\[([^]]+)\]\((?!https?:)[^)]+\)", r"\1", file.read())
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class CustomBuildHook(BuildHookInterface):
    def dependencies(self):
        return ["ziglang"] if zig_machine() else []

    def initialize(self, version, build_data):
        self.work = tempfile.mkdtemp(prefix="proftop-wheel-")
        try:
            {"sdist": self.source_package, "wheel": self.wheel}[self.target_name](build_data)
        except BaseException:
            shutil.rmtree(self.work)
            raise

    def finalize(self, version, build_data, artifact_path):
        shutil.rmtree(self.work)

    def source_package(self, build_data):
        included = build_data["force_include"]
        # hatchling leaves out what git ignores, and a configure in a checkout may be an old one.
        folder = os.path.join(self.work, "source")
        copy_source(folder)
        included.update({os.path.join(folder, name): name for name in GENERATED})
        if setting("LIBRARIES") != "system":
            for path in archives().values():
                included[path] = "sources/" + os.path.basename(path)

    def wheel(self, build_data):
        tree, licences, machine = setting("TREE"), None, zig_machine()
        if tree is None:
            tree, licences = compile_tree(self.work, machine)
        root = os.path.join(self.work, "root")
        install = "install" if machine else "install-strip"
        do("make", "-s", install, "DESTDIR=" + root, folder=tree)
        program, parts = parts_of(tree, root)
        build_data["shared_scripts"][program] = "proftop"
        build_data["shared_data"].update({**parts, **for_c_programs(self.work,
                                                                    self.metadata.version)})
        for path, rest in files_under(licences) if licences else ():
            build_data["shared_data"][path] = "share/doc/proftop/licences/" + rest
        for path in glob.glob(os.path.join(SOURCE, PACKAGE, "*")):
            if os.path.isfile(path) and os.path.basename(path) != "_folder.py":  # of make install
                build_data["force_include"][path] = "proftop/" + os.path.basename(path)
        platform = "manylinux_2_17_{0}.manylinux2014_{0}".format(machine) if machine else \
            re.sub(r"[-.]", "_", sysconfig.get_platform())
        build_data.update(pure_python=False, tag="cp38-abi3-" + platform)
