# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""attaching.py: runs jobs without proftop, and attaches proftop to them."""
import json
import subprocess

from watching import ADAPTERS, PROFTOP, tap
import proc

SECONDS = 60 * tap.SLOW
QUIET = "import sys; print('ready', flush=True); sys.stdin.readline(); " \
        "print([name for name in sys.modules if 'proftop' in name])"


class Job:
    """A process of ours that prints when it is ready. It may print one line before that."""

    def __init__(self, command, env, first=b"", **more):
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
        self.pid = self.process.pid
        if first:
            self.wait_for(first.decode().strip())
        self.wait_for("ready")

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def wait_for(self, word):
        line = self.process.stdout.readline().decode().strip()
        assert line == word, (line, self.process.communicate())

    def end(self):
        """Returns its last line after its input has ended. It must have exited with success."""
        out, err = self.process.communicate(b"\n", timeout=SECONDS)
        assert self.process.returncode == 0 and b"Traceback" not in err, (out, err)
        return out.decode().splitlines()[-1]


def wait_until_quiet(pid):
    """QUIET prints that it is ready before it blocks in its call. The call reads descriptor 0."""
    tap.wait_for("its reading", lambda: proc.call_of(pid)[1:] == ["0x0"], SECONDS)


def ask(place, *words, code=0, within=(), adapters=ADAPTERS):
    """`within`: the beginning of a command that runs proftop in a place of its own."""
    if tap.SLOW > 1 and "-p" in words and "--wait" not in words and code == 0:
        words += ("--wait", str(10 * tap.SLOW))
    done = subprocess.run([*within, PROFTOP, *words], env=place.env(PROFTOP_ADAPTERS=adapters),
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS,
                          check=False)
    assert done.returncode == code, (words, done)
    return done


def look(place, job):
    """Returns one report of the job, and proftop's other output. Attaches to the job if that has
    not happened."""
    done = ask(place, "-b", "-p", str(job.pid), "--format", "json")
    return json.loads(done.stdout), done.stderr.decode()


def look_until(place, job, is_whole):
    """Returns the first report that contains everything that the job counted."""
    known = {}

    def whole():
        known.update(look(place, job)[0])
        return is_whole(known)
    tap.wait_for("all that it counted", whole, SECONDS)
    return known
