# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_refused.py: processes that cannot be attached to, or have nothing to show. proftop refuses
each with the reason and the remedy, and the process continues undisturbed. A test that needs root,
or a kernel that allows it, is skipped without that."""
import errno
import os
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
from attaching import QUIET, Job, ask, wait_until_quiet  # noqa: E402
from watching import Place, tap  # noqa: E402

ROOT = os.geteuid() == 0
NO_PYTHON = ["sh", "-c", "echo ready; exec cat"]
BUSY = "print('ready', flush=True)\nwhile True: pass"
# A process that seems to have MXNet's library, seen from outside.
MXNET = "import mmap; file = open('libmxnet.so', 'wb+'); file.write(bytes(4096)); file.flush(); " \
        "held = mmap.mmap(file.fileno(), 4096); " + QUIET
PR_SET_DUMPABLE, PTRACE_SEIZE = 4, 0x4206
C = "import ctypes, os, sys; c = ctypes.CDLL(None, use_errno=True); "
SHUT = C + "assert c.prctl(%d, 0, 0, 0, 0) == 0; %s" % (PR_SET_DUMPABLE, QUIET)
HOLD = C + "held = c.ptrace(%d, %%d, None, None); " \
           "print('ready' if held == 0 else os.strerror(ctypes.get_errno()), flush=True); " \
           "sys.stdin.readline(); print('let go')" % PTRACE_SEIZE
# Root without the capability that exempts it from the rule.
COMMON = ["setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace"] if ROOT else []
SCOPE = "/proc/sys/kernel/yama/ptrace_scope"
# A namespace in which the kernel seems to have a rule for attaching.
RULED = """
mount -t tmpfs none /proc/sys/kernel && mkdir /proc/sys/kernel/yama && echo %d >%s && exec "$@"
"""


def need(command):
    """True if the machine has the command, and it works for us."""
    try:
        done = subprocess.run([*command, "true"], capture_output=True, check=False)
    except FileNotFoundError as why:
        raise tap.Skip("there is no %s" % command[0]) from why
    if done.returncode != 0:
        raise tap.Skip("%s: %s" % (" ".join(command), done.stderr.decode().strip()))
    return command


def refused(place, pid, why, within=()):
    done = ask(place, "-b", "-p", str(pid), code=3, within=within)
    assert done.stderr.decode() == "proftop: %s\n" % why and done.stdout == b"", (why, done)


def attach_with_nothing_to_show_is_refused():
    with Place() as place:
        for command, why in (
                (NO_PYTHON, "runs no Python"),
                ([sys.executable, "-c", BUSY],
                 "has imported none of Aesara, MXNet, PyTensor, PyTorch, Theano, Theano-PyMC")):
            with Job(command, place.env()) as job:
                done = ask(place, "-b", "-p", str(job.pid), code=3)
                assert why in done.stderr.decode(), (why, done)
                os.kill(job.pid, signal.SIGSTOP)
                os.waitpid(job.pid, os.WUNTRACED)
                refused(place, job.pid, "process %d is stopped by a signal; kill -CONT %d lets it "
                        "go on" % (job.pid, job.pid))


def servers_of_a_kvstore_are_left_alone():
    """They run no Python. Values that are not in the environment are guessed."""
    command = [sys.executable, "-c", MXNET]
    with Place() as place:
        for role in ("server", "scheduler"):
            with Job(command, place.env(DMLC_ROLE=role), cwd=place.path) as job:
                is_one = "process %d is a %s of a kvstore of MXNet: it runs inside `import " \
                         "mxnet` until it ends, so it can't be " % (job.pid, role)
                refused(place, job.pid, is_one + "attached to, and nothing was changed. Start it "
                        "with: proftop run -- COMMAND")
                done = ask(place, "ctl", "detach", "-p", str(job.pid), code=3)
                assert is_one + "detached from: if it publishes, proftop ctl pause -p %d lets it " \
                    "count nothing" % job.pid in done.stderr.decode(), done
                assert job.end() == "[]"
        for more in ({}, {"DMLC_ROLE": "worker"}):
            with Job(command, place.env(**more), cwd=place.path) as job:
                wait_until_quiet(job.pid)
                done = ask(place, "ctl", "detach", "-p", str(job.pid), "--wait", "1", code=3)
                assert b"ran no Python for 1 s" in done.stderr, done
                assert b"If it is a server or scheduler of a kvstore of MXNet" in done.stderr, done


def others_are_left_alone():
    if not ROOT:
        raise tap.Skip("only root can be somebody else")
    with Place() as place, Job(NO_PYTHON, place.env(), user=65534) as job:
        refused(place, job.pid, "process %d belongs to user 65534: run proftop as that user"
                % job.pid)


def process_under_a_debugger_is_refused():
    with Place() as place, Job([sys.executable, "-c", QUIET], place.env()) as job:
        try:
            holder = Job([sys.executable, "-c", HOLD % job.pid], place.env())
        except AssertionError as why:
            if why.args[0][0] != os.strerror(errno.EPERM):
                raise
            raise tap.Skip("no process may hold another here: %s" % why) from why
        with holder:
            refused(place, job.pid, "process %d is held by process %d (a debugger, or strace): end "
                    "that first" % (job.pid, holder.pid))
            assert holder.end() == "let go"
        assert job.end() == "[]"


def undumpable_process_is_refused():
    """It has made itself undumpable, like a program that keeps secrets."""
    need(COMMON)
    if os.path.exists(SCOPE):
        with open(SCOPE, encoding="ascii") as file:
            if file.read().strip() != "0":
                raise tap.Skip("this kernel has a rule, of which the sentence would tell")
    with Place() as place, Job([sys.executable, "-c", SHUT], place.env()) as job:
        refused(place, job.pid, "process %d: the kernel forbids to look into it (it may not be "
                "dumpable, or this is a sandbox): start it with: proftop run" % job.pid, COMMON)
        assert job.end() == "[]"


def refusal_names_the_ptrace_scope():
    """The kernel refuses. The rule in the message comes from a file of ours in a namespace: setting
    the machine's rule would forbid other tests to attach."""
    if not ROOT:
        raise tap.Skip("only root can lay a file over one of the kernel's")
    unshare = need(["unshare", "--mount"])
    need(COMMON)
    for scope, whom in ((1, "its parents"), (2, "administrators"), (3, "nobody")):
        command = [*unshare, "sh", "-c", RULED % (scope, SCOPE), "sh", sys.executable, "-c", SHUT]
        with Place() as place, Job(command, place.env()) as job:
            refused(place, job.pid, "process %d: kernel.yama.ptrace_scope is %d, so attaching is "
                    "for %s: have it set to 0, or start the job with: proftop run"
                    % (job.pid, scope, whom),
                    ["nsenter", "--mount=/proc/%d/ns/mnt" % job.pid, *COMMON])
            assert job.end() == "[]"


def child_of(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid), encoding="ascii") as file:
        return int(file.read())


def processes_in_containers_are_refused():
    """A process in a container of its own files or processes. A network of its own alone is no
    container: proftop looks for a framework there."""
    own = [] if ROOT else ["--user"]
    with Place() as place:
        for space, apart in (("--mount", True), ("--pid", True), ("--net", False)):
            start = need(["unshare", *own, space, *(["--fork"] if space == "--pid" else [])])
            with Job([*start, sys.executable, "-c", QUIET], place.env()) as job:
                pid = child_of(job.pid) if "--fork" in start else job.pid
                if apart:
                    refused(place, pid, "process %d is in a container (another namespace): run "
                            "proftop in there" % pid)
                    assert job.end() == "[]"
                else:
                    wait_until_quiet(pid)
                    asked = ask(place, "ctl", "detach", "-p", str(pid), "--wait", "1", code=3)
                    assert b"ran no Python for 1 s" in asked.stderr, asked


def a_namespace_is_entered_and_looked_into():
    """As the refusal says: run in the container, proftop examines the same process."""
    if not ROOT:
        raise tap.Skip("only root can enter it")
    start = need(["unshare", "--mount"])
    with Place() as place, Job([*start, sys.executable, "-c", BUSY], place.env()) as job:
        done = ask(place, "-b", "-p", str(job.pid), code=3,
                   within=["nsenter", "--mount=/proc/%d/ns/mnt" % job.pid])
        assert b"has imported none of" in done.stderr, done


tap.run(attach_with_nothing_to_show_is_refused, servers_of_a_kvstore_are_left_alone,
        others_are_left_alone,
        process_under_a_debugger_is_refused, undumpable_process_is_refused,
        refusal_names_the_ptrace_scope,
        processes_in_containers_are_refused, a_namespace_is_entered_and_looked_into)
