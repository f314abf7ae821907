/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * stop.c: stops a thread by ptrace.
 *
 * All work begins and ends where PTRACE_INTERRUPT stops a thread: on its way out of the kernel,
 * before signals are handled. Only there does the kernel still restart a system call that the first
 * stop interrupted, once the registers are restored: see inject_registers_resume(). A called
 * function returns to an instruction that enters the kernel, and PTRACE_SYSCALL reports that entry.
 * No signal is needed, as for a breakpoint or a fault, so the handlers of the process do not
 * matter. */
#include "config.h"

#include "adapters/inject/stop.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "adapters/inject/may.h"
#include "adapters/inject/symbol.h"

enum {
    KERNEL_MS = 1000,            /* for work that the kernel does at once */
    CALL_MS = 2000,              /* for a function on a busy machine */
    WAIT_MS = 100,               /* for a function that waits in the kernel */
    BY_SYSCALL = SIGTRAP | 0x80, /* with PTRACE_O_TRACESYSGOOD */
    MS = 1000000,
    TICK_US = 20000,
};

/* Signals that an instruction of the thread itself raises. save() blocks all signals but these. If
 * these were blocked, the kernel would drop the job's handler, and a fault would kill the job. */
#define BIT(signal) (UINT64_C(1) << ((signal) - 1))
static const uint64_t faults = BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGILL) | BIT(SIGFPE) |
                               BIT(SIGTRAP) | BIT(SIGSYS);

uint64_t inject_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Waits for the next stop. A timer interrupts the wait, so that deadlines are checked. False: no
 * stop in time (`*status` 0), or the thread is gone. */
static bool next_stop(struct inject_stop *stop, int *status)
{
    for (;;) {
        *status = 0;
        pid_t got = waitpid(stop->thread, status, __WALL);
        if (got == stop->thread)
            return stop->stands = WIFSTOPPED(*status);
        if (errno != EINTR)
            return false;
        if (inject_now() >= stop->deadline_ns)
            return false;
    }
}

static bool is_interrupted(int status)
{
    return status >> 16 == PTRACE_EVENT_STOP;
}

/* SIGSTOP: no mask can block it. */
static bool is_halt(int status)
{
    return status >> 16 == 0 && WSTOPSIG(status) == SIGSTOP;
}

static bool go_on(struct inject_stop *stop, int how, int signal)
{
    stop->stands = false;
    return ptrace(how, stop->thread, NULL, (void *)(intptr_t)signal) == 0;
}

/* Lets the thread run until the requested PTRACE_INTERRUPT stops it. Ignores reports of system
 * calls. Passes signals on unless the thread `is_ours`: then all signals are blocked except those
 * that the injected call itself raises, and these are dropped. */
static bool to_interrupt(struct inject_stop *stop, bool is_ours, int *status)
{
    while (next_stop(stop, status)) {
        if (is_interrupted(*status))
            return true;
        const bool signals = *status >> 16 == 0 && WSTOPSIG(*status) != BY_SYSCALL && !is_ours;
        if (is_ours && is_halt(*status))
            stop->halted = true;
        /* Any other stop makes the kernel forget the requested interrupt. */
        ptrace(PTRACE_INTERRUPT, stop->thread, NULL, NULL);
        if (!go_on(stop, PTRACE_CONT, signals ? WSTOPSIG(*status) : 0))
            return false;
    }
    return false;
}

static void allow(struct inject_stop *stop, unsigned ms)
{
    stop->deadline_ns = inject_now() + (uint64_t)ms * MS;
}

static bool save(struct inject_stop *stop)
{
    const uint64_t quiet = ~faults;
    void *size = (void *)sizeof stop->mask;
    return inject_registers_read(stop->thread, &stop->saved) &&
           inject_vectors_read(stop->thread, &stop->vectors) &&
           ptrace(PTRACE_GETSIGMASK, stop->thread, size, &stop->mask) == 0 &&
           ptrace(PTRACE_SETSIGMASK, stop->thread, size, &quiet) == 0;
}

static void tick(int signal)
{
    (void)signal;
}

bool inject_stop_clock(void)
{
    const struct sigaction action = {.sa_handler = tick}; /* system calls are not restarted */
    const struct itimerval often = {{0, TICK_US}, {0, TICK_US}};
    return sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &often, NULL) == 0;
}

bool inject_stop_begin(struct inject_stop *stop, pid_t thread, uint64_t gate, unsigned ms,
                       char *why, size_t capacity)
{
    int status = 0;
    *stop = (struct inject_stop){.thread = thread, .gate = gate, .settled = true};
    if (ptrace(PTRACE_SEIZE, thread, NULL, (void *)(uintptr_t)PTRACE_O_TRACESYSGOOD) != 0) {
        snprintf(why, capacity, "process %d cannot be stopped: %s", (int)thread, strerror(errno));
        return false;
    }
    allow(stop, ms);
    bool stands = ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) == 0 &&
                  to_interrupt(stop, false, &status);
    stop->began_ns = inject_now();
    if (stands && WSTOPSIG(status) == SIGTRAP && save(stop))
        return true;
    if (stands && WSTOPSIG(status) != SIGTRAP)
        snprintf(why, capacity, "process %d is stopped by a signal; kill -CONT %d lets it go on",
                 (int)thread, (int)thread);
    else if (stands)
        snprintf(why, capacity, "the registers of process %d cannot be kept: %s", (int)thread,
                 strerror(errno));
    else
        snprintf(why, capacity, "process %d did not stop within %u ms: its main thread is inside "
                 "the kernel, where nothing reaches it; try again", (int)thread, ms);
    ptrace(PTRACE_DETACH, thread, NULL, NULL);
    return false;
}

/* Lets the thread run until it enters the kernel by the gate. False: it did not and is stopped
 * somewhere else, or it is gone.
 *
 * A function that is cut off may leave a lock held for ever. So it gets all the time that it may
 * need to be scheduled. It gets less time while it waits in the kernel: then another thread holds
 * the lock, or this thread held it when it was stopped, and would wait for ever. */
static bool to_gate(struct inject_stop *stop, struct inject_registers *registers)
{
    int status = 0;
    bool waits = false;
    stop->settled = false;
    allow(stop, CALL_MS);
    while (go_on(stop, PTRACE_SYSCALL, 0) && next_stop(stop, &status)) {
        if (is_halt(status)) {
            stop->halted = true;
            continue;
        }
        if (WSTOPSIG(status) != BY_SYSCALL && !is_interrupted(status))
            break; /* a fault, which is dropped */
        if (!inject_registers_read(stop->thread, registers))
            break;
        if (WSTOPSIG(status) == BY_SYSCALL && inject_registers_at(registers, stop->gate)) {
            stop->at_gate = true;
            return true;
        }
        if (WSTOPSIG(status) == BY_SYSCALL) {
            waits = !waits; /* entry, then exit of a system call */
            allow(stop, waits ? WAIT_MS : CALL_MS);
        }
    }
    if (status == 0) {
        ptrace(PTRACE_INTERRUPT, stop->thread, NULL, NULL);
        allow(stop, KERNEL_MS);
        to_interrupt(stop, true, &status);
    }
    stop->settled = stop->stands;
    return false;
}

/* Runs a system call at the gate, and leaves the kernel again. */
static bool through_gate(struct inject_stop *stop, struct inject_registers *registers, int number,
                         const uint64_t args[INJECT_ARGS])
{
    int status;
    stop->at_gate = false;
    return inject_registers_make(stop->thread, registers, number, args) &&
           go_on(stop, PTRACE_SYSCALL, 0) && next_stop(stop, &status) &&
           inject_registers_read(stop->thread, registers);
}

static const uint64_t nothing[INJECT_ARGS];

bool inject_stop_call(struct inject_stop *stop, uint64_t function,
                      const uint64_t args[INJECT_ARGS], uint64_t *result)
{
    struct inject_registers registers;
    allow(stop, KERNEL_MS);
    if (stop->at_gate && !(inject_registers_read(stop->thread, &registers) &&
                           through_gate(stop, &registers, SYS_getpid, nothing)))
        return false;
    registers = stop->saved;
    uint64_t at = inject_registers_call(&registers, function, args, stop->gate);
    if (at && !inject_memory_write(stop->thread, at, &stop->gate, sizeof stop->gate))
        return false;
    if (!inject_registers_write(stop->thread, &registers) || !to_gate(stop, &registers))
        return false;
    *result = inject_registers_returned(&registers);
    return true;
}

bool inject_stop_enter(struct inject_stop *stop, int number, const uint64_t args[INJECT_ARGS],
                       uint64_t *result)
{
    struct inject_registers registers = stop->saved;
    if (stop->at_gate && !inject_registers_read(stop->thread, &registers))
        return false;
    if (!stop->at_gate) {
        inject_registers_enter(&registers, stop->gate);
        if (!inject_registers_write(stop->thread, &registers) || !to_gate(stop, &registers))
            return false;
    }
    allow(stop, KERNEL_MS);
    if (!through_gate(stop, &registers, number, args))
        return false;
    *result = inject_registers_result(&registers);
    return true;
}

/* Brings the thread to a point where it can be released, however long that takes: a thread that
 * waits in the kernel for a lock or a page returns some day, and would then continue with the wrong
 * registers. */
static void settle(struct inject_stop *stop)
{
    struct inject_registers registers;
    int status;
    stop->deadline_ns = UINT64_MAX;
    if (stop->at_gate && inject_registers_read(stop->thread, &registers))
        inject_registers_make(stop->thread, &registers, SYS_getpid, nothing);
    ptrace(PTRACE_INTERRUPT, stop->thread, NULL, NULL);
    if (stop->stands)
        go_on(stop, PTRACE_CONT, 0);
    stop->settled = to_interrupt(stop, true, &status);
}

static bool restore(struct inject_stop *stop)
{
    void *size = (void *)sizeof stop->mask;
    inject_registers_resume(stop->thread, &stop->saved);
    const bool vectors = inject_vectors_write(stop->thread, &stop->vectors);
    const bool registers = inject_registers_write(stop->thread, &stop->saved);
    const bool mask = ptrace(PTRACE_SETSIGMASK, stop->thread, size, &stop->mask) == 0;
    return vectors && registers && mask;
}

bool inject_stop_end(struct inject_stop *stop)
{
    if (!stop->settled)
        settle(stop);
    /* The later of SIGSTOP and SIGCONT wins. */
    const bool halts = stop->halted && !inject_is_pending(stop->thread, SIGCONT);
    const bool restored = stop->settled && restore(stop);
    ptrace(PTRACE_DETACH, stop->thread, NULL, NULL);
    if (halts)
        kill(stop->thread, SIGSTOP); /* the main thread's id is the process's id */
    stop->stood_ns = inject_now() - stop->began_ns;
    return restored;
}
