# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""shell.py: shared code of the command line tests: starts and ends jobs, runs proftop as a shell
does, and checks its output."""
import contextlib
import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

PROFTOP = os.path.abspath(tap.built("proftop"))
SYNTHETIC = os.path.abspath(tap.built("examples", "synthetic"))
FOUND_JOB = os.path.abspath(tap.built("found_job"))
WAIT = 30 * tap.SLOW


def instrumented():
    """True in a sanitized build, where the library is many times slower."""
    return bool(os.environ.get("SANITIZE_FLAGS"))


# Options of examples/train: a smaller network there, which takes some ms a step, too.
TRAIN_SIZE = ["--hidden", "24", "--batch", "64"] if instrumented() else []


def end_all(pids):
    """Kills processes, of any parent, and waits until each has really ended: all traces are gone,
    and its sockets are closed."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError), pidfd(pid) as process:
            signal.pidfd_send_signal(process, signal.SIGKILL)
            assert tap.readable([process], WAIT), "process %d lives on" % pid


@contextlib.contextmanager
def pidfd(pid):
    process = os.pidfd_open(pid)
    try:
        yield process
    finally:
        os.close(process)


def announcement(place, start, number):
    """Name and text of the registry file of a feed of this process."""
    name = os.path.join(place, "%d-%d-%d" % (os.getpid(), start, number))
    return name + ".info", (
        "version=1\npid=%d\nstart=%d\ninstance=%032x\nfacts=ipc://%s.pub\ncontrol=ipc://%s.ctl\n"
        % (os.getpid(), start, number, name, name))


class Job:
    """A job, up to the line that each of its feeds prints. It is killed at the end of the block."""

    def __init__(self, env, *command, feeds=1):
        self.process = subprocess.Popen(command, env=env, text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.said = [self.process.stdout.readline().strip() for _ in range(feeds)]
        self.pids = sorted(int(said) for said in self.said if said.isdigit())
        self.pid = self.process.pid

    def __enter__(self):
        return self

    def end(self):
        self.process.kill()

    def __exit__(self, *_):
        self.end()
        self.process.stdin.close()
        self.process.wait(WAIT)
        self.process.stdout.close()


@contextlib.contextmanager
def published(env, *command):
    """A job that reports when it has published, and ends with its input. Gives a function that
    returns the output of proftop -b with the given options."""
    process = subprocess.Popen([*map(str, command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               env=env, text=True)
    try:
        assert process.stdout.readline() == "published\n"

        def say(*options):
            done = proftop(env, "-b", "-p", process.pid, *options)
            assert done.returncode == 0, done.stderr
            return done.stdout

        yield say
    finally:
        process.stdin.close()
        assert process.wait(WAIT) == 0
        process.stdout.close()


class Guest(Job):
    """found_job with its workers; they end when its input ends."""

    def __init__(self, env, *words, before=(), feeds=1):
        super().__init__(env, *before, FOUND_JOB, *words, feeds=feeds)

    def end(self):
        pass


class Screen:
    """proftop on a terminal of its own, of so many columns, if that is given."""

    def __init__(self, env, *words, cols=None):
        self.seen = ""
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            if cols:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, cols, 0, 0))
            os.execve(PROFTOP, [PROFTOP, *words, "--no-sync"], env)

    def wait_for(self, word):
        deadline = time.monotonic() + WAIT
        while word not in self.seen:
            left = deadline - time.monotonic()
            assert left > 0, (word, self.seen)
            if tap.readable([self.master], left):
                self.seen += os.read(self.master, 65536).decode("utf-8", "replace")

    def press(self, key):
        self.seen = ""
        os.write(self.master, key)

    def end(self):
        os.kill(self.pid, signal.SIGTERM)
        assert os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1]) == 128 + signal.SIGTERM
        os.close(self.master)


# A Python with these files mapped, as if it had loaded them.
MAPS = """
import mmap, os, sys
maps = []
for path in sys.argv[1:]:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb+") as file:
        file.write(bytes(4096))
        file.flush()
        maps.append(mmap.mmap(file.fileno(), 4096))
print(os.getpid(), flush=True)
sys.stdin.read()
"""
VM, NUMPY = "compiled/lazylinker_ext/lazylinker_ext.so", "site/numpy/core/umath.so"


def silent(place, files, packages):
    """The command of a process that runs a framework but publishes nothing. The framework is
    recognised by its mapped files and the packages beside them. The process prints its pid, and
    ends with its input."""
    for name in packages:
        os.makedirs(os.path.join(place, "site", name), exist_ok=True)
    script = os.path.join(place, "train.py")
    with open(script, "w", encoding="ascii") as file:
        file.write(MAPS)
    return sys.executable, script, *[os.path.join(place, name) for name in files]


def proftop(env, *words, **more):
    return subprocess.run([PROFTOP, *map(str, words)], env=env, timeout=WAIT, check=False,
                          **{"capture_output": True, "text": True, **more})


def fits(report, schema):
    """Checks a report against its schema in docs, where this is possible."""
    if jsonschema:
        with open(tap.source("docs", schema), encoding="utf-8") as file:
            jsonschema.Draft7Validator(json.load(file)).validate(report)


def lines(said):
    """JSON by lines; a name may contain a character that ends a line elsewhere."""
    return [json.loads(line) for line in said.split("\n") if line]


def rows(done, schema):
    """The lines of a report."""
    assert done.returncode == 0, done
    found = lines(done.stdout)
    for row in found:
        fits(row, schema)
    return found


def need_no_job(env):
    """For cases without any publishing job: this user's own jobs are in every list, and tests must
    not touch them."""
    others = [row["pid"] for row in rows(proftop(env, "-l", "--format", "json"), "jobs.schema")
              if row["facts"]]
    if others:
        raise tap.Skip("processes %s of this user publish, too" % others)


def one_sentence(done, code, *words):
    """The error is on a line of its own, with these words; ssh may print more."""
    said = [line for line in done.stderr.strip().splitlines() if line.startswith("proftop: ")]
    assert done.returncode == code and len(said) == 1, done
    for word in words:
        assert word in said[0], (word, said)
