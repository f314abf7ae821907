# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""debian.py: debian/ makes packages, lintian finds nothing in them, and they work together in a
fresh system. Needs dpkg-dev, debhelper and lintian, and root for the last."""
import glob
import os
import re
import shutil
import tempfile

from installing import (ROW, COMPILES_S, INSTALLS_S, System, do, need, plain_environment,
                        rows_of_the_demo, screen_of, source_archive, tap)

scratch = tempfile.TemporaryDirectory(prefix="proftop-debian-")


def built_packages():
    """Folder of the packages, made once from `make dist` and debian/."""
    need(tap.source("debian"), "debian/")
    for program in ("dpkg-buildpackage", "dh", "lintian"):
        if not shutil.which(program):
            raise tap.Skip("%s is not there (script/setup install)" % program)
    if not os.listdir(scratch.name):
        archive, version = source_archive(scratch.name)
        source = archive[:-len(".tar.xz")]
        os.rename(archive, "%s/proftop_%s.orig.tar.xz" % (scratch.name, version))
        do(["tar", "-C", scratch.name, "-xf", "%s/proftop_%s.orig.tar.xz" % (
            scratch.name, version)], INSTALLS_S)
        shutil.copytree(tap.source("debian"), source + "/debian")
        do(["dpkg-buildpackage", "-us", "-uc"], COMPILES_S, cwd=source,
           env=dict(plain_environment(), DEB_BUILD_OPTIONS="parallel=2"))
    return scratch.name


def packages_are_built():
    names = sorted(os.path.basename(path).split("_")[0]
                   for path in glob.glob(built_packages() + "/*.deb"))
    names = [name for name in names if not name.endswith("-dbgsym")]
    assert names == ["libproftop-dev", "libproftop0", "proftop", "python3-proftop"], names


def lintian_finds_nothing():
    changes, = glob.glob(built_packages() + "/*.changes")
    said = do(["lintian", "--allow-root", "--fail-on", "error,warning", "--display-info", changes],
              INSTALLS_S)
    assert not re.search(r"^[EWI]:", said, re.M), said


def packages_work_in_a_fresh_system():
    """All files have one owner, the demo is live, and Python imports the package."""
    folder = built_packages()
    system = System("bookworm", ["ca-certificates", "python3"])
    names = [os.path.basename(path) for path in glob.glob(folder + "/*.deb")
             if "-dbgsym_" not in path]
    for name in names:
        shutil.copy(os.path.join(folder, name), system.root + "/tmp/")
    env = dict(os.environ, DEBIAN_FRONTEND="noninteractive", LC_ALL="C")
    try:
        do(["chroot", system.root, "apt-get", "install", "-y", "--no-install-recommends",
            *("/tmp/" + name for name in names)], INSTALLS_S, env=env)
        assert ROW in screen_of(system, "proftop", "demo")
        rows_of_the_demo(system, "proftop")
        said = system.run("python3", "-c", "import proftop; print(proftop.__version__, "
                          "proftop.publish('x').reason)")
        assert re.fullmatch(r"[\d.]+ None\n", said), said
        assert "libproftop" in system.run("sh", "-c", "ldconfig -p")
    finally:
        do(["chroot", system.root, "apt-get", "purge", "-y",
            *(name.split("_")[0] for name in names)], INSTALLS_S, env=env)
        for name in names:
            os.unlink(system.root + "/tmp/" + name)


tap.run(packages_are_built, lintian_finds_nothing, packages_work_in_a_fresh_system)
