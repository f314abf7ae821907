# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""rpm.py: rpmbuild makes the packages of script/distributions/proftop.spec, and what they contain
works. On a system of Debian rpmbuild does not know what is installed, so it does not ask."""
import glob
import os
import re
import shutil
import tempfile

from installing import (COMPILES_S, INSTALLS_S, SHOWS_S, do, need, plain_environment,
                        source_archive, tap)

SPEC = tap.source("script", "distributions", "proftop.spec")


def packages_are_built_and_work():
    need(SPEC, "the RPM spec")
    if not shutil.which("rpmbuild"):
        raise tap.Skip("rpmbuild is not there (script/setup install)")
    with tempfile.TemporaryDirectory(prefix="proftop-rpm-") as folder:
        _, version = source_archive(folder)
        do(["rpmbuild", "-bb", "--nodeps", "-D", "_topdir " + folder, "-D", "_sourcedir " + folder,
            "-D", "_smp_mflags -j2", "-D", "python3_sitelib /usr/lib/python3/site-packages",
            os.path.abspath(SPEC)], COMPILES_S, cwd=folder, env=plain_environment())
        root = os.path.join(folder, "root")
        os.mkdir(root)
        made = sorted(glob.glob(folder + "/RPMS/*/*.rpm"))
        names = [re.sub(r"-%s-.*" % re.escape(version), "", os.path.basename(path))
                 for path in made]
        assert {"proftop", "proftop-libs", "proftop-devel", "python3-proftop"} <= set(names), names
        for path in made:
            do(["sh", "-c", 'rpm2cpio "$1" | cpio -idm --quiet', "sh", path], INSTALLS_S, cwd=root)
        program, = glob.glob(root + "/usr/bin/proftop")
        said = do([program, "version"], SHOWS_S)
        assert said.startswith("proftop " + version), said
        asked = do(["rpm", "-qp", "--requires", *made], SHOWS_S)
        assert "proftop-libs" in asked and "libzmq.so" in asked, asked


tap.run(packages_are_built_and_work)
