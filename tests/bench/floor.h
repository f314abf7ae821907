/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * floor.h: two reads of the feed's clock: the least that any timing takes.
 */
#ifndef FLOOR_H
#define FLOOR_H

#include "bench.h"

/* Keeps the compiler from dropping the value, or moving its computation out of the loop. */
static inline void floor_keep(uint64_t value)
{
    __asm__ volatile("" : : "r"(value) : "memory");
}

static inline void floor_system(int events)
{
    for (int i = 0; i < events; i++) {
        uint64_t start_ns = bench_wall_ns();
        floor_keep(bench_wall_ns() - start_ns);
    }
}

#if defined(__x86_64__)
static inline uint64_t floor_stamp(void)
{
    return __builtin_ia32_rdtsc();
}
#else
#define floor_stamp bench_wall_ns
#endif

static inline void floor_stamps(int events)
{
    for (int i = 0; i < events; i++) {
        uint64_t start = floor_stamp();
        floor_keep(floor_stamp() - start);
    }
}

#endif
