# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""debugger.py: stops each thread of a job by ptrace(2), as a debugger does, without a signal that
the job can see."""
import contextlib
import os
import signal

from ground import proc

DETACH, SEIZE, INTERRUPT = 17, 0x4206, 0x4207
WALL = 0x40000000  # for waitpid: threads as well


def stop(thread):
    proc.ptrace(SEIZE, thread)
    proc.ptrace(INTERRUPT, thread)
    _, status = os.waitpid(thread, WALL)
    assert os.WIFSTOPPED(status) and os.WSTOPSIG(status) == signal.SIGTRAP, status


def state_of(pid, thread):
    with open("/proc/%d/task/%d/stat" % (pid, thread), encoding="ascii") as file:
        return file.read().rsplit(")", 1)[1].split()[0]


@contextlib.contextmanager
def debugged(job):
    """The calling thread is the tracer, and must also detach."""
    threads = []
    try:
        for name in os.listdir("/proc/%d/task" % job.pid):
            stop(int(name))
            threads.append(int(name))
        states = {state_of(job.pid, thread) for thread in threads}
        assert states == {"t"}, states  # t: stopped by a tracer; T: by a signal
        yield
    finally:
        for thread in threads:
            proc.ptrace(DETACH, thread)
