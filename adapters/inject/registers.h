/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * registers.h: everything that depends on the processor: the registers of a stopped thread, and how
 * to set them for a function call or a system call. */
#ifndef INJECT_REGISTERS_H
#define INJECT_REGISTERS_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

#if defined(__x86_64__)
enum { INJECT_MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { INJECT_MACHINE = EM_AARCH64 };
#endif

enum { INJECT_ARGS = 6 };

/* In the kernel's own format. */
struct inject_registers {
    struct user_regs_struct general;
};

/* The instruction that enters the kernel. */
extern const uint8_t inject_gate[];
extern const size_t inject_gate_size;

/* Read and write the registers of a stopped thread. Return false if the thread is gone. */
bool inject_registers_read(pid_t thread, struct inject_registers *registers);
bool inject_registers_write(pid_t thread, const struct inject_registers *registers);

/* The vector and floating point registers: a called function may use any of them. */
struct inject_vectors {
    unsigned kind; /* kind of the kernel's register set; 0: none saved */
    size_t size;
    uint8_t bytes[64 * 1024];
};
bool inject_vectors_read(pid_t thread, struct inject_vectors *vectors);
bool inject_vectors_write(pid_t thread, const struct inject_vectors *vectors);

/* Makes the thread call `function`, which returns to the gate. Returns the address at which to
 * write the return address, or 0 if a register holds it. */
uint64_t inject_registers_call(struct inject_registers *registers, uint64_t function,
                               const uint64_t args[INJECT_ARGS], uint64_t gate);
/* Sends the thread to the gate. */
void inject_registers_enter(struct inject_registers *registers, uint64_t gate);

/* For a thread that enters the kernel: whether it does so by the gate, and the result of the
 * function that returned there. */
bool inject_registers_at(const struct inject_registers *registers, uint64_t gate);
uint64_t inject_registers_returned(const struct inject_registers *registers);
/* Makes the kernel run system call `number` there instead of the requested one. False: the thread
 * is gone. */
bool inject_registers_make(pid_t thread, struct inject_registers *registers, int number,
                           const uint64_t args[INJECT_ARGS]);
/* The result of a system call. */
uint64_t inject_registers_result(const struct inject_registers *registers);
/* Adjusts the registers that a thread continues with. A system call that the first stop
 * interrupted, and that waits for a time span, then waits for the rest of the span only. */
void inject_registers_resume(pid_t thread, struct inject_registers *registers);

#endif
