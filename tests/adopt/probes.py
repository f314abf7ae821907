# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""probes.py: uses the USDT probes as an independent count: breakpoints at their addresses, set with
ptrace(2), count the same as the library does, for each apply and function."""
import collections
import ctypes
import json
import os
import platform
import re
import signal
import subprocess

import adopting
import proc
from adopting import compile_c, do, environment, here, linked, path, tap

LIBRARY = os.path.realpath(os.path.join(adopting.LIBRARIES, "libproftop.so"))
TRACEME, GETREGS, CONT = 0, 12, 7
WAIT_S, SOME = 60 * tap.SLOW, 100
# struct user_regs_struct of x86-64.
REGISTERS = ("r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp "
             "ss fs_base gs_base ds es fs gs").split()
# The register names that a probe's arguments use for the low 8, 16 and 32 bits.
NARROW = {**{"e" + name[1:]: name for name in REGISTERS[:16] if not name[1].isdigit()},
          **{name[1:]: name for name in REGISTERS[:16] if not name[1].isdigit()},
          **{name + "d": name for name in REGISTERS[:16] if name[1].isdigit()}}
# probed.c: 30 calls, each with five runs of `inner`. Each third one fails.
BEGUN = {("function__begin", 0): 30, ("node__begin", 0): 30, ("node__begin", 1): 150}
ENDED = {("function__end", 0): 20, ("node__end", 0): 20, ("node__end", 1): 150}


def probes_of(file):
    """Maps the file address of each of our probes to (name, location of the id)."""
    notes = do("readelf", "-nW", file)
    found = re.findall(r"Provider: proftop\s+Name: (\w+)\s+Location: (0x\w+),.*\s+Arguments: (\S+)",
                       notes)
    return {int(address, 16): (name, where) for name, address, where in found}


def library_has_probes():
    return {name for name, _ in probes_of(LIBRARY).values()}


class Traced:
    """A job that stops itself, under ptrace. The feed's thread is not traced."""

    def __init__(self, *command, **more):
        # The leak checker of sanitized builds needs ptrace for itself.
        env = environment(ASAN_OPTIONS="detect_leaks=0", **more)
        self.job = subprocess.Popen(command, env=env, preexec_fn=lambda: proc.ptrace(TRACEME, 0))
        self.pid = self.job.pid
        self.sites, self.hits = {}, collections.Counter()
        self.wait_for(signal.SIGTRAP)  # of its exec
        self.go_on(0)
        self.wait_for(signal.SIGSTOP)

    def wait_for(self, what):
        _, status = os.waitpid(self.pid, 0)
        assert os.WIFSTOPPED(status) and os.WSTOPSIG(status) == what, (status, what)

    def go_on(self, with_signal):
        proc.ptrace(CONT, self.pid, data=with_signal)

    def memory(self):
        return open("/proc/%d/mem" % self.pid, "r+b", buffering=0)

    def break_at(self, file):
        """Puts a breakpoint over each probe's nop."""
        with open("/proc/%d/maps" % self.pid, encoding="utf-8") as maps:
            start = min(int(line.split("-")[0], 16) for line in maps
                        if line.rstrip().endswith(os.path.realpath(file)))
        with self.memory() as memory:
            for address, probe in probes_of(file).items():
                memory.seek(start + address)
                assert memory.read(1) == b"\x90", (file, probe)
                memory.seek(start + address)
                memory.write(b"\xcc")
                self.sites[start + address] = probe

    def argument(self, where, registers):
        """The value that a probe's note describes: 4@%ebp, -4@$7, 8@-16(%rsp)."""
        size, place = where.split("@")
        constant = re.match(r"\$(-?\d+)$", place)
        in_memory = re.match(r"(-?\d*)\(%(\w+)\)$", place)
        if constant:
            return int(constant[1])
        if in_memory:
            with self.memory() as memory:
                memory.seek(registers[in_memory[2]] + int(in_memory[1] or 0))
                return int.from_bytes(memory.read(abs(int(size))), "little")
        name = place.lstrip("%")
        return registers[NARROW.get(name, name)] & ((1 << 8 * abs(int(size))) - 1)

    def count_until_it_stops(self, with_signal=0):
        values = (ctypes.c_ulonglong * len(REGISTERS))()
        while True:
            self.go_on(with_signal)
            with_signal = 0
            _, status = os.waitpid(self.pid, 0)
            assert os.WIFSTOPPED(status), status
            if os.WSTOPSIG(status) == signal.SIGSTOP:
                return
            assert os.WSTOPSIG(status) == signal.SIGTRAP, status
            proc.ptrace(GETREGS, self.pid, data=ctypes.addressof(values))
            registers = dict(zip(REGISTERS, values))
            name, where = self.sites[registers["rip"] - 1]
            self.hits[name, self.argument(where, registers)] += 1

    def end(self):
        self.go_on(0)
        assert self.job.wait(30) == 0


def report_of(pid):
    out = do(adopting.PROFTOP, "-b", "-p", str(pid), "--format", "json", env=environment())
    return json.loads(out.splitlines()[0])


def counted(report):
    """The library's counts, as a viewer sees them."""
    return {**{("node__end", row["id"]): row["calls"] for row in report["applies"]},
            **{("function__end", row["id"]): row["calls"] for row in report["functions"]}}


def traced(name, form, *words, **more):
    """The program, and its job with a breakpoint at each probe."""
    if platform.machine() != "x86_64":
        raise tap.Skip("the registers are those of x86-64")
    if not library_has_probes():
        raise tap.Skip("configured without probes (Debian: systemtap-sdt-dev)")
    program = compile_c(name, *form, here("probed.c"), *linked(), standard="gnu99")
    job = Traced(program, *words, **more)
    job.break_at(LIBRARY)
    if probes_of(program):
        job.break_at(program)
    return program, job


def check(name, *form):
    program, job = traced(name, form)
    job.count_until_it_stops()
    theirs = counted(report_of(job.pid))
    job.end()
    assert dict(job.hits) == {**BEGUN, **ENDED}, job.hits
    assert theirs == ENDED, theirs
    return program


def untimed(report):
    """The number of untimed calls of `inner`."""
    return sum(row["calls"] - row["timed"] for row in report["applies"]
               if row["id"] == 1 and row["timed"] is not None)


class Watched:
    """A viewer that makes the job keep to its sampling budget."""

    def __init__(self, pid):
        self.viewer = subprocess.Popen(
            [adopting.PROFTOP, "-b", "-n", "0", "-d", "0.1", "--format", "json", "-p", str(pid)],
            env=environment(), stdout=subprocess.PIPE)
        self.bytes = b""

    def has_seen_samples(self):
        """Reads everything since the last check. A traced job is slow, so this may be few calls."""
        while tap.readable([self.viewer.stdout], 0):
            more = os.read(self.viewer.stdout.fileno(), 1 << 16)
            assert more, "the viewer has ended"
            self.bytes += more
        *reports, self.bytes = self.bytes.split(b"\n")
        return reports and untimed(json.loads(reports[-1])) >= SOME

    def end(self):
        self.viewer.terminate()
        self.viewer.stdout.close()
        self.viewer.wait()


def check_sampled(name, *form, at_once):
    """The same with some untimed calls. `at_once`: number of last calls that one probe counted."""
    _, job = traced(name, form, "until it is told", PROFTOP_BUDGET="0.000001")
    viewer = Watched(job.pid)
    rounds = 0

    def one_more():
        nonlocal rounds
        rounds += 1
        job.count_until_it_stops()
        return viewer.has_seen_samples()

    tap.wait_for("samples", one_more, WAIT_S)
    job.count_until_it_stops(signal.SIGUSR1)
    viewer.end()
    report = report_of(job.pid)
    job.end()
    inner = ("node__end", 1)
    job.hits[inner] += at_once - (at_once > 0)
    want = {what: times * rounds for what, times in {**BEGUN, **ENDED}.items()}
    want[inner] += at_once
    assert dict(job.hits) == want, (job.hits, want)
    assert counted(report) == {what: want[what] for what in ENDED}, report
    assert untimed(report) >= SOME + at_once, report["applies"]


USDT = "-DPROFTOP_USDT", "-Wno-gnu-zero-variadic-macro-arguments"


def probes_of_the_library_count_alike():
    program = check("plain", "-DPROFTOP_PLAIN")
    assert not probes_of(program)


def probes_of_inlined_calls_count_alike():
    check("inlined", *USDT)


def probes_of_the_library_count_what_is_not_timed():
    check_sampled("plain_sampled", "-DPROFTOP_PLAIN", at_once=0)


def probes_of_inlined_calls_count_what_is_not_timed():
    """Nothing is inlined if the clock is not the processor's time stamps."""
    check_sampled("inlined_sampled", *USDT, at_once=7 if adopting.is_inlined() else 0)


def a_probe_is_one_nop():
    if not library_has_probes():
        raise tap.Skip("configured without probes (Debian: systemtap-sdt-dev)")
    assert library_has_probes() == {name for name, _ in {**BEGUN, **ENDED}}
    semaphores = re.findall(r"Semaphore: (0x\w+)", do("readelf", "-nW", LIBRARY))
    assert semaphores and not any(int(value, 16) for value in semaphores), semaphores


tap.run(probes_of_the_library_count_alike, probes_of_inlined_calls_count_alike,
        probes_of_the_library_count_what_is_not_timed,
        probes_of_inlined_calls_count_what_is_not_timed, a_probe_is_one_nop)
