/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * memory.h: bytes that ops of PyTorch allocate and free on the CPU.
 *
 * PyTorch's own profiler has one place for a reporter of memory, which it needs itself. So the
 * calls by which PyTorch's allocator tells that reporter are replaced, in the slots of libc10.so.
 */
#ifndef PROFTOP_TORCH_MEMORY_H
#define PROFTOP_TORCH_MEMORY_H

/* Counts from now on. `keeps`: also what is freed, and what is allocated now, which takes a table
 * of all allocations; else what ops allocate, while ops are counted. Returns NULL, or a static
 * message. One caller at a time. */
const char *memory_attach(int keeps);
/* Puts everything back. */
void memory_detach(void);
/* Hold the locks of this file during a fork. */
void memory_lock(void);
void memory_unlock(void);

#endif
