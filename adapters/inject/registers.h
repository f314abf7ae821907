/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * registers.h: all that depends on the processor: the registers of a stopped thread, how a function
 * is called and how a system call is made by setting them.
 */
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

/* Kept as the kernel gives them. */
struct inject_registers {
    struct user_regs_struct general;
};

/* The instruction that enters the kernel. */
extern const uint8_t inject_gate[];
extern const size_t inject_gate_size;

/* Of a thread that is stopped. False: it is gone. */
bool inject_registers_read(pid_t thread, struct inject_registers *registers);
bool inject_registers_write(pid_t thread, const struct inject_registers *registers);

/* The vector and floating point registers: a function that is called may use any of them. */
struct inject_vectors {
    unsigned kind; /* of the kernel's sets; 0: none are kept */
    size_t size;
    uint8_t bytes[64 * 1024];
};
bool inject_vectors_read(pid_t thread, struct inject_vectors *vectors);
bool inject_vectors_write(pid_t thread, const struct inject_vectors *vectors);

/* Makes the thread call `function`, which returns to the gate. Gives where to write the return
 * address, or 0 where a register holds it. */
uint64_t inject_registers_call(struct inject_registers *registers, uint64_t function,
                               const uint64_t args[INJECT_ARGS], uint64_t gate);
/* Makes it go to the gate. */
void inject_registers_enter(struct inject_registers *registers, uint64_t gate);

/* At the entry into the kernel: whether that is by the gate; what the function that returned there
 * gave. */
bool inject_registers_at(const struct inject_registers *registers, uint64_t gate);
uint64_t inject_registers_returned(const struct inject_registers *registers);
/* There, makes the kernel do this, whatever the registers asked for. False: the thread is gone. */
bool inject_registers_make(pid_t thread, struct inject_registers *registers, int number,
                           const uint64_t args[INJECT_ARGS]);
/* After a system call: what it gave. */
uint64_t inject_registers_result(const struct inject_registers *registers);
/* Of the registers that a thread is to be left with: a system call that the first stop interrupted,
 * and that was to take so long, is to take the rest of that, not as long again. */
void inject_registers_resume(pid_t thread, struct inject_registers *registers);

#endif
