# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""packages.py: the installed files suffice: projects outside the tree find libproftop with
pkg-config and with CMake, in an installation that was moved."""
import os
import re
import shutil
import subprocess

import adopting
from adopting import (CC, CXX, PLAIN, SANITIZE, calls, do, environment, folder, here, installed,
                      make, path, pkg_config_paths, report_of, tap)

COUNT = 100
ENGINE = {"own": COUNT * 3 // 4, "given": COUNT, "near": 0, "far": 0}
def the_headers_are_installed():
    installed()
    assert sorted(os.listdir(folder("includedir"))) == sorted(["proftop_calls.h"] + tap.headers())
    # The headers need each other, and nothing else of the tree.
    with open(path("alone.c"), "w", encoding="ascii") as file:
        for name in sorted(os.listdir(folder("includedir"))):
            if name.endswith(".h"):
                file.write("#include <%s>\n" % name)
        file.write("int alone;\n")
    do(*CC, "-std=c99", *adopting.STRICT, "-fsyntax-only", "-I" + folder("includedir"),
       path("alone.c"))


def pkg_config(*words):
    return do("pkg-config", *words, env={**PLAIN, **pkg_config_paths()}).split()


def pkg_config_serves_an_outside_project():
    installed()
    adopting.needs("pkg-config")
    os.makedirs(path("plain"), exist_ok=True)
    shutil.copy(here("engine.c"), path("plain"))
    program = path("plain", "engine")
    do(*CC, *SANITIZE, "-DPROFTOP_ALONE", "-o", program, path("plain", "engine.c"), "-pthread",
       *pkg_config("--cflags", "--libs", "proftop"))
    report, _ = report_of(program, str(COUNT), env=environment(library=folder("libdir")))
    assert calls(report, "applies") == ENGINE, report["applies"]


def cmake_serves_an_outside_project():
    installed()
    adopting.needs("cmake", CXX[0])
    project, built = path("project"), path("project", "build")
    os.makedirs(project, exist_ok=True)
    shutil.copy(here("outside.cmake"), os.path.join(project, "CMakeLists.txt"))
    for name in ("engine.c", "scopes.cc"):
        shutil.copy(here(name), project)
    flags = " ".join(SANITIZE)
    do("cmake", "-S", project, "-B", built, "-DCMAKE_PREFIX_PATH=" + folder("prefix"),
       "-DCMAKE_C_COMPILER=" + CC[0], "-DCMAKE_CXX_COMPILER=" + CXX[0], "-DCMAKE_C_FLAGS=" + flags,
       "-DCMAKE_CXX_FLAGS=" + flags, env=PLAIN)
    do("cmake", "--build", built, env=PLAIN)
    for form, library, on in (("proftop", None, True), ("dynamic", folder("libdir"), True),
                              ("dynamic", None, False), ("off", folder("libdir"), False)):
        env = environment(library=library)
        engine, scopes = (os.path.join(built, part + form) for part in ("engine_", "scopes_"))
        if on:
            assert calls(report_of(engine, str(COUNT), env=env)[0], "applies") == ENGINE, form
            assert calls(report_of(scopes, env=env)[0], "functions") == {"step": 15}, form
        else:
            assert "\non 0\n" in do(engine, str(COUNT), env=env), form
            assert "feed 0\n" in do(scopes, env=env), form


def cmake_refuses_other_versions():
    installed()
    adopting.needs("cmake")
    for asked, found in (("0.1", True), ("0.0.9", True), ("0.99", False), ("1.0", False)):
        project = path("asks." + asked)
        os.makedirs(project, exist_ok=True)
        with open(os.path.join(project, "CMakeLists.txt"), "w", encoding="ascii") as file:
            file.write("cmake_minimum_required(VERSION 3.13)\nproject(asks NONE)\n"
                       "find_package(proftop %s REQUIRED)\n" % asked)
        done = subprocess.run(
            ["cmake", "-S", project, "-B", project, "-DCMAKE_PREFIX_PATH=" +
             folder("prefix")], capture_output=True, env=PLAIN, timeout=60, check=False)
        assert (done.returncode == 0) == found, (asked, done)


def versions_agree():
    installed()
    with open(os.path.join(folder("includedir"), "proftop.h"), encoding="utf-8") as header:
        version = re.search(r'^#define PROFTOP_VERSION "([\d.]+)"', header.read(), re.M)[1]
    assert pkg_config("--modversion", "proftop") == [version]
    config = os.path.join(folder("cmakedir"), "proftopConfigVersion.cmake")
    with open(config, encoding="utf-8") as file:
        assert 'set(PACKAGE_VERSION "%s")' % version in file.read()


def files_below(root):
    return sorted(os.path.join(where, name) for where, _, names in os.walk(root) for name in names)


def is_elf(file):
    with open(file, "rb") as content:
        return content.read(4) == b"\177ELF"


def the_whole_installation_has_what_belongs_there():
    """No description of libtool, no link that nobody needs, no program below share/, documents for
    users alone, and no path for libraries that leaves the prefix. Uninstall removes all of it."""
    whole = path("whole")
    make("install", "DESTDIR=" + whole)
    files = files_below(whole)
    names = {os.path.basename(file) for file in files}
    assert not [name for name in names if name.endswith((".la", ".a"))], names
    links = sorted(name for name in names if re.match(r"libproftop.*\.so", name))
    assert len(links) == 6 and links[1:5] == [
        "libproftop-itt.so", "libproftop-nvtx.so", "libproftop.so", "libproftop.so.0"], links
    share = os.path.join(whole + folder("prefix")[len(adopting.STAGE):], "share")
    shared = [os.path.relpath(file, share) for file in files if file.startswith(share + os.sep)]
    assert not [file for file in shared if is_elf(os.path.join(share, file))], shared
    documents = {file for file in shared if file.startswith("doc/proftop/")}
    assert documents >= {"doc/proftop/" + name for name in (
        "README.md", "NEWS.md", "SECURITY.md", "LICENSE", "NOTICE", "docs/viewer.md",
        "docs/json.schema")}, documents
    assert not re.search("CONTRIBUTING|design|measurements|features", " ".join(documents))
    prefix = whole + folder("prefix")[len(adopting.STAGE):]
    found = 0
    for file in filter(is_elf, (file for file in files if not os.path.islink(file))):
        for run in re.findall(r"R(?:UN)?PATH.*\[(.*)\]", do("readelf", "-dW", file)):
            for part in run.split(":"):
                there = part.replace("$ORIGIN", os.path.dirname(file))
                inside = os.path.normpath(there if "$ORIGIN" in part else whole + there)
                assert inside.startswith(prefix + os.sep), (file, run)
                found += "$ORIGIN" in part
    assert found > 0
    make("uninstall", "DESTDIR=" + whole)
    assert files_below(whole) == [], files_below(whole)


tap.run(the_headers_are_installed, the_whole_installation_has_what_belongs_there,
        pkg_config_serves_an_outside_project, cmake_serves_an_outside_project,
        cmake_refuses_other_versions, versions_agree)
