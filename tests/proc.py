# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""proc.py: what the kernel reports about a running process: memory, threads, descriptors."""
import collections
import contextlib
import ctypes
import glob
import os

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


def ptrace(request, thread, address=None, data=None):
    """Makes a ptrace(2) request that returns 0. `data` is a number or an address."""
    assert libc.ptrace(request, thread, address, data) == 0, os.strerror(ctypes.get_errno())


def start_of(pid):
    """Start time of the process, in ticks since boot."""
    with open("/proc/%d/stat" % pid, encoding="ascii") as file:
        return int(file.read().rsplit(")", 1)[1].split()[19])


def call_of(pid):
    """System call of the main thread, from the kernel: its number and first argument, or
    "running"."""
    with open("/proc/%d/syscall" % pid, encoding="ascii") as file:
        return file.read().split()[:2]


def rss_kb(pid):
    with open("/proc/%d/statm" % pid, encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") // 1024


def threads(pid):
    """Maps thread names to task folders. The feed's threads are proftop-feed and the threads of
    libzmq."""
    found = collections.defaultdict(list)
    for name in glob.glob("/proc/%d/task/*/comm" % pid):
        with contextlib.suppress(OSError), open(name, encoding="ascii") as file:
            found[file.read().strip()].append(os.path.dirname(name))
    return found


def tables(pid):
    """Folders of the descriptor tables: the program's, and the feed's own."""
    return [folder + "/fd" for folder in ["/proc/%d" % pid, *threads(pid)["proftop-feed"]]]


def descriptors(pid):
    return sum(len(os.listdir(table)) for table in tables(pid))


def listening_ports(pid):
    """Inodes of listening TCP sockets in any descriptor table of the process."""
    listening = set()
    for name in ("tcp", "tcp6"):
        with open("/proc/%d/net/%s" % (pid, name), encoding="ascii") as file:
            listening |= {line.split()[9] for line in file if line.split()[3] == "0A"}
    held = set()
    for fd in glob.glob("/proc/%d/task/*/fd/*" % pid):
        with contextlib.suppress(FileNotFoundError):
            held.add(os.readlink(fd))
    assert any(name.startswith("socket:") for name in held), (pid, held)
    return [inode for inode in listening if "socket:[%s]" % inode in held]
