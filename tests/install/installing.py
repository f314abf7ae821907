# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""installing.py: fresh systems of Debian in folders, by debootstrap, with a user who is not root.
build/systems keeps them; the user's home is made anew each time. Needs root and Debian's mirror."""
import glob
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

SYSTEMS = os.path.join(os.path.abspath(tap.source()), "build", "systems")
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
UID = 1000
COMPILES_S, INSTALLS_S, SHOWS_S = 1200, 300, 60
ROW = b"Elemwise"


def do(command, seconds, **more):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", timeout=seconds, check=False, **more)
    assert done.returncode == 0, "%s\n%s%s" % (command, done.stdout[-3000:], done.stderr[-3000:])
    return done.stdout


class System:
    """A release of Debian in a folder, with a home of its own for the user."""

    def __init__(self, release, packages, machine=None):
        if os.geteuid() != 0 or not shutil.which("debootstrap"):
            raise tap.Skip("debootstrap needs root (Debian: debootstrap)")
        self.root = os.path.join(SYSTEMS, "-".join(filter(None, (release, machine))))
        self.home = "/home/user"
        if not os.path.exists(self.root + "/complete"):
            shutil.rmtree(self.root, ignore_errors=True)
            os.makedirs(SYSTEMS, exist_ok=True)
            do(["debootstrap", "--variant=minbase",
                *(["--arch=" + machine] if machine else []), release, self.root], COMPILES_S)
            open(self.root + "/complete", "w", encoding="ascii").close()
        shutil.copy("/etc/resolv.conf", self.root + "/etc/")
        there = do(["chroot", self.root, "dpkg-query", "-W", "-f", "${Package} "], SHOWS_S).split()
        missing = sorted(set(packages) - set(there))
        if missing:
            env = dict(os.environ, DEBIAN_FRONTEND="noninteractive", LC_ALL="C")
            do(["chroot", self.root, "apt-get", "update"], INSTALLS_S, env=env)
            do(["chroot", self.root, "apt-get", "install", "-y", "--no-install-recommends",
                *missing], INSTALLS_S, env=env)
        # pip trusts what this machine trusts.
        if os.path.exists(CERTIFICATES):
            os.makedirs(os.path.dirname(self.root + CERTIFICATES), exist_ok=True)
            shutil.copy(CERTIFICATES, self.root + CERTIFICATES)
        shutil.rmtree(self.root + self.home, ignore_errors=True)
        os.makedirs(self.root + self.home)
        os.chown(self.root + self.home, UID, UID)

    def command(self, words, **env):
        """The command that runs these words as the user, in processes of its own, which all end
        with the first."""
        seen = {"HOME": self.home, "PATH": self.home + "/.local/bin:/usr/bin:/bin:/usr/sbin",
                "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "PIP_CERT": CERTIFICATES}
        seen.update({name: os.environ[name] for name in ("PIP_INDEX_URL", "PIP_DEFAULT_TIMEOUT")
                     if name in os.environ}, **env)
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child",
                "--mount-proc=%s/proc" % self.root,
                # The shell stays: --kill-child ends no process that has changed its user.
                "sh", "-c", '"$@"; exit $?', "sh", "chroot", "--userspec=%d:%d" % (UID, UID),
                self.root, "env", "-i", "-C", self.home,
                *("%s=%s" % item for item in seen.items()), *words]

    def run(self, *words, seconds=INSTALLS_S, **env):
        return do(self.command(words, **env), seconds)

    def give(self, path):
        """A copy of the file, for the user. Returns its name in the system."""
        shutil.copy(path, self.root + self.home)
        return "%s/%s" % (self.home, os.path.basename(path))


def source_archive(folder):
    """Makes the archive of the source there, by `make dist`. Returns its path and the version."""
    do(["make", "-C", tap.built(), "-s", "dist"], COMPILES_S)
    made, = glob.glob(tap.built("proftop-*.tar.xz"))
    path = shutil.move(made, folder)
    return path, re.search(r"proftop-([\d.]+)\.tar", path)[1]


def plain_environment():
    """Without what `make check` sets for our own build."""
    return {name: value for name, value in os.environ.items()
            if not re.match(r"MAKE|MFLAGS|srcdir$|builddir$|CC$|PYTHON3$|SANITIZE", name)}


def on_terminal(command, env):
    """Runs a command on a terminal until a row of the demo is on its screen, or it ends. Returns
    what came. A screen is painted in pieces, so the word LIVE may not come as a whole."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(command[0], command, dict(os.environ, **env))
    seen, until = b"", time.monotonic() + SHOWS_S
    try:
        while ROW not in seen and time.monotonic() < until:
            if select.select([terminal], [], [], 1)[0]:
                try:
                    seen += os.read(terminal, 65536)
                except OSError:  # it has ended
                    break
        return seen
    finally:
        os.kill(child, signal.SIGKILL)  # unshare ignores the others
        os.waitpid(child, 0)
        os.close(terminal)


def screen_of(system, *words):
    return on_terminal(system.command(words), {})


def rows_of_the_demo(system, program):
    """The demo prints rows with calls."""
    system.run(program, "demo", "-b", "-n", "2", "-d", "0.5", "--format", "json", "-o", "r.json",
               seconds=SHOWS_S)
    with open(system.root + system.home + "/r.json", encoding="utf-8") as file:
        known = json.loads(file.read().splitlines()[-1])
    assert sum(row["calls"] for row in known["applies"]) > 100, known["applies"]


def need(path, what):
    if not path or not os.path.exists(path):
        raise tap.Skip("%s is not there (script/test makes it)" % what)
    return path
