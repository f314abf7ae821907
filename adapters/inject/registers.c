/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * registers.c: registers and calls on x86-64 and aarch64. */
#include "config.h"

#include "adapters/inject/registers.h"

#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#if defined(__aarch64__)
#include <linux/futex.h>
#include <time.h>
#endif

static bool read_set(pid_t thread, unsigned kind, void *to, size_t *size)
{
    struct iovec piece = {to, *size};
    if (ptrace(PTRACE_GETREGSET, thread, (void *)(uintptr_t)kind, &piece) != 0)
        return false;
    *size = piece.iov_len;
    return true;
}

static bool write_set(pid_t thread, unsigned kind, const void *from, size_t size)
{
    struct iovec piece = {(void *)(uintptr_t)from, size};
    return ptrace(PTRACE_SETREGSET, thread, (void *)(uintptr_t)kind, &piece) == 0;
}

bool inject_registers_read(pid_t thread, struct inject_registers *registers)
{
    size_t size = sizeof registers->general;
    return read_set(thread, NT_PRSTATUS, &registers->general, &size) &&
           size == sizeof registers->general;
}

bool inject_registers_write(pid_t thread, const struct inject_registers *registers)
{
    return write_set(thread, NT_PRSTATUS, &registers->general, sizeof registers->general);
}

/* Sets of vector registers, the largest first. A processor without the first set has the next
 * one. */
#if defined(__x86_64__)
static const unsigned vector_sets[] = {NT_X86_XSTATE, NT_PRFPREG};
#else
static const unsigned vector_sets[] = {NT_ARM_SVE, NT_PRFPREG};
#endif

bool inject_vectors_read(pid_t thread, struct inject_vectors *vectors)
{
    for (unsigned i = 0; i < sizeof vector_sets / sizeof vector_sets[0]; i++) {
        vectors->kind = vector_sets[i];
        vectors->size = sizeof vectors->bytes;
        /* A set that fills the buffer may be truncated. */
        if (read_set(thread, vectors->kind, vectors->bytes, &vectors->size) &&
            vectors->size > 0 && vectors->size < sizeof vectors->bytes)
            return true;
    }
    vectors->kind = 0;
    return false;
}

bool inject_vectors_write(pid_t thread, const struct inject_vectors *vectors)
{
    return vectors->kind == 0 ||
           write_set(thread, vectors->kind, vectors->bytes, vectors->size);
}

/* The ABI lets a thread use memory below its stack pointer (red zone): stay below it. */
enum { BELOW_STACK = 512, STACK_ALIGNMENT = 16 };

#if defined(__x86_64__)

const uint8_t inject_gate[] = {0x0f, 0x05}; /* syscall */
const size_t inject_gate_size = sizeof inject_gate;

uint64_t inject_registers_call(struct inject_registers *registers, uint64_t function,
                               const uint64_t args[INJECT_ARGS], uint64_t gate)
{
    struct user_regs_struct *to = &registers->general;
    (void)gate;
    to->rsp = ((to->rsp - BELOW_STACK) & ~(uint64_t)(STACK_ALIGNMENT - 1)) - sizeof(uint64_t);
    to->rdi = args[0], to->rsi = args[1], to->rdx = args[2];
    to->rcx = args[3], to->r8 = args[4], to->r9 = args[5];
    to->rax = 0;
    to->orig_rax = UINT64_MAX;      /* no interrupted system call that the kernel might restart */
    to->eflags &= ~(uint64_t)0x400; /* functions expect the direction flag clear */
    to->rip = function;
    return to->rsp;
}

void inject_registers_enter(struct inject_registers *registers, uint64_t gate)
{
    registers->general.rax = SYS_getpid;
    registers->general.orig_rax = UINT64_MAX;
    registers->general.rip = gate;
}

bool inject_registers_at(const struct inject_registers *registers, uint64_t gate)
{
    return registers->general.rip == gate + sizeof inject_gate;
}

/* The kernel took the function's result for the number of a system call. */
uint64_t inject_registers_returned(const struct inject_registers *registers)
{
    return registers->general.orig_rax;
}

bool inject_registers_make(pid_t thread, struct inject_registers *registers, int number,
                           const uint64_t args[INJECT_ARGS])
{
    struct user_regs_struct *to = &registers->general;
    to->rdi = args[0], to->rsi = args[1], to->rdx = args[2];
    to->r10 = args[3], to->r8 = args[4], to->r9 = args[5];
    to->orig_rax = (uint64_t)number;
    return inject_registers_write(thread, registers);
}

uint64_t inject_registers_result(const struct inject_registers *registers)
{
    return registers->general.rax;
}

/* The kernel reads the registers only after the last stop, and handles the restart then. */
void inject_registers_resume(pid_t thread, struct inject_registers *registers)
{
    (void)thread;
    (void)registers;
}

#elif defined(__aarch64__)

enum { LINK = 30, NUMBER = 8 };

const uint8_t inject_gate[] = {0x01, 0x00, 0x00, 0xd4}; /* svc #0 */
const size_t inject_gate_size = sizeof inject_gate;

/* Type of the last branch, for the check of its target (BTI). Cleared, since neither the function
 * nor the gate need be valid targets. */
static const uint64_t branch_type = 0xc00;

static void set_args(struct inject_registers *registers, const uint64_t args[INJECT_ARGS])
{
    for (unsigned i = 0; i < INJECT_ARGS; i++)
        registers->general.regs[i] = args[i];
}

uint64_t inject_registers_call(struct inject_registers *registers, uint64_t function,
                               const uint64_t args[INJECT_ARGS], uint64_t gate)
{
    struct user_regs_struct *to = &registers->general;
    set_args(registers, args);
    to->sp = (to->sp - BELOW_STACK) & ~(uint64_t)(STACK_ALIGNMENT - 1);
    to->regs[LINK] = gate;
    to->pstate &= ~branch_type;
    to->pc = function;
    return 0;
}

void inject_registers_enter(struct inject_registers *registers, uint64_t gate)
{
    registers->general.regs[NUMBER] = SYS_getpid;
    registers->general.pstate &= ~branch_type;
    registers->general.pc = gate;
}

bool inject_registers_at(const struct inject_registers *registers, uint64_t gate)
{
    return registers->general.pc == gate + sizeof inject_gate;
}

uint64_t inject_registers_returned(const struct inject_registers *registers)
{
    return registers->general.regs[0];
}

bool inject_registers_make(pid_t thread, struct inject_registers *registers, int number,
                           const uint64_t args[INJECT_ARGS])
{
    set_args(registers, args);
    return inject_registers_write(thread, registers) &&
           write_set(thread, NT_ARM_SYSTEM_CALL, &number, sizeof number);
}

uint64_t inject_registers_result(const struct inject_registers *registers)
{
    return registers->general.regs[0];
}

/* True if the thread is about to make a system call that waits for a time span, not until a point
 * in time. */
static bool waits_for_span(pid_t thread, const struct user_regs_struct *at)
{
    const uint64_t number = at->regs[NUMBER], how = at->regs[1], span = at->regs[3];
    long next = ptrace(PTRACE_PEEKTEXT, thread, (void *)(uintptr_t)at->pc, NULL);
    return memcmp(&next, inject_gate, sizeof inject_gate) == 0 &&
           (number == SYS_nanosleep ||
            (number == SYS_clock_nanosleep && (how & TIMER_ABSTIME) == 0) ||
            (number == SYS_futex && (how & FUTEX_CMD_MASK) == FUTEX_WAIT && span != 0));
}

/* This kernel sets the thread back before the call when it stops, and keeps the remaining time. It
 * would write the restart into the registers of a thread that stops at once, but other registers
 * were written since. For a thread that was stopped just before it made such a call, which is one
 * instruction, this is wrong; the two cases cannot be distinguished. */
void inject_registers_resume(pid_t thread, struct inject_registers *registers)
{
    if (waits_for_span(thread, &registers->general))
        registers->general.regs[NUMBER] = SYS_restart_syscall;
}

#endif
