# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""guard.py COMMAND...: runs one test and ends what it leaves behind.

A process that outlives its test holds the pipe that `make check` reads, and so the whole suite.
guard.py adopts every descendant of the test (PR_SET_CHILD_SUBREAPER, prctl(2)). When the test has
ended, it kills the descendants that remain, stopped ones too. If the test takes longer than
PROFTOP_TEST_LIMIT_S seconds (1200, times CK_TIMEOUT_MULTIPLIER), it kills all of them."""
import ctypes
import os
import resource
import signal
import sys
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LIMIT_S = int(os.environ.get("PROFTOP_TEST_LIMIT_S") or 1200) * \
    int(os.environ.get("CK_TIMEOUT_MULTIPLIER") or 1)
PRCTL = ctypes.CDLL(None).prctl


def children():
    """Processes that this process waits for: the test and its orphans."""
    with open("/proc/self/task/%d/children" % os.getpid(), encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def name_of(pid):
    try:
        with open("/proc/%d/cmdline" % pid, "rb") as file:
            words = file.read().replace(b"\0", b" ").strip()
    except OSError:
        return "?"
    return ascii(words.decode("utf-8", "replace"))[1:-1][:100]


def kill_the_rest():
    """Children of a killed process become ours: one more round finds them."""
    while True:
        left = children()
        if not left:
            return
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        for pid in left:
            os.waitpid(pid, 0)


def say(line):
    sys.stdout.write("# guard: %s\n" % line)
    sys.stdout.flush()


def start(command):
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        PRCTL(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        try:
            os.execvp(command[0], command)
        except OSError as error:
            say("%s: %s" % (command[0], error))
            os._exit(127)
    return pid


def wait_for(test):
    """Exit code of the test; reaps its orphans that end meanwhile."""
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == test:
            return status


def main():
    PRCTL(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    begin = time.monotonic()

    def too_late(*_):
        for pid in children():
            say("killed after %d s: %s" % (time.monotonic() - begin, name_of(pid)))
        sys.stdout.write("Bail out! the test took longer than %d s\n" % LIMIT_S)
        sys.stdout.flush()
        kill_the_rest()
        os._exit(124)

    def ended(number, _):
        kill_the_rest()
        os._exit(128 + number)

    signal.signal(signal.SIGALRM, too_late)
    signal.signal(signal.SIGTERM, ended)
    signal.signal(signal.SIGINT, ended)
    signal.alarm(LIMIT_S)
    status = wait_for(start(sys.argv[1:]))
    signal.alarm(0)
    left = [(pid, name_of(pid)) for pid in children()]
    kill_the_rest()
    for pid, name in left:
        say("ended process %d, which the test left behind: %s" % (pid, name))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    say("%.1f s, %.1f s of the processor" % (time.monotonic() - begin,
                                             used.ru_utime + used.ru_stime))
    sys.exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status)
             else 128 + os.WTERMSIG(status))


if __name__ == "__main__":
    main()
