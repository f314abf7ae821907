/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hot_least.h: minimal programs that do the work measured by bench_hot.c, as a floor.
 */
#ifndef HOT_LEAST_H
#define HOT_LEAST_H

#include "floor.h"

#include <proftop.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { APPLIES = 16384, EVENTS = 4 * APPLIES, ALLOC_EVERY = 64 };

struct setting {
    struct proftop *feed;
    struct proftop *off;
    const proftop_id *timed; /* APPLIES of them, in random order */
    proftop_id given;
    proftop_id memory; /* a scope of a pool: two counters */
    bool stamps; /* the feed's clock is time stamps */
};

/* One apply in the minimal counting program: a cache line of its own. */
struct line {
    uint64_t calls, total;
    uint32_t longer[12];
};
static struct line lines[2 * APPLIES] __attribute__((aligned(64)));

static inline void add_to(struct line *to, uint64_t ns)
{
    __atomic_store_n(&to->calls, to->calls + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&to->total, to->total + ns, __ATOMIC_RELEASE);
}

/* The least that counts a duration: check the switch, find the line, add the count, the sum and a
 * bucket. */
static void least_record_loop(const struct setting *setting)
{
    static uint64_t on = 1;

    for (int i = 0; i < EVENTS; i++) {
        if (__builtin_expect(__atomic_load_n(&on, __ATOMIC_RELAXED) == 0, 0))
            continue;
        struct line *to = &lines[setting->given % (2 * APPLIES)];
        add_to(to, (uint64_t)i);
        uint32_t *longer = &to->longer[(63 - __builtin_clzll((uint64_t)i | 1)) / 6];
        __atomic_store_n(longer, *longer + 1, __ATOMIC_RELEASE);
        floor_keep(0);
    }
}

/* `n` independent instructions. Two stamps may hide some of them. */
#if defined(__x86_64__)
#define AS_MANY(n) __asm__ volatile(".rept " #n "\n\tlea 1(%%rsp), %%rax\n\t.endr" : : : "rax")
#else
#define AS_MANY(n) (void)0
#endif

/* The least time for the number of instructions that a pair has (tests/adopt/instructions.py). The
 * number includes those of the two clock reads. */
#define LEAST(name, between, behind)                                                               \
    static void name(const struct setting *setting)                                                \
    {                                                                                              \
        if (!setting->stamps)                                                                      \
            floor_system(EVENTS);                                                                  \
        for (int i = setting->stamps ? 0 : EVENTS; i < EVENTS; i++) {                              \
            uint64_t start = floor_stamp();                                                        \
            AS_MANY(between);                                                                      \
            floor_keep(floor_stamp() - start);                                                     \
            AS_MANY(behind);                                                                       \
        }                                                                                          \
    }
LEAST(least_inlined_loop, 16, 34)
LEAST(least_library_loop, 30, 49)

/* The least that counts memory for all threads: bytes and number of events, of a scope and of its
 * pool. */
static void least_move(uint64_t bytes)
{
    static _Atomic uint64_t memory[2][8] __attribute__((aligned(64)));
    for (int i = 0; i < 2; i++) {
        atomic_fetch_add_explicit(&memory[i][0], bytes, memory_order_acq_rel);
        atomic_fetch_add_explicit(&memory[i][1], 1, memory_order_acq_rel);
    }
}

/* The same instructions as a pair, and memory as in memory_loop(). */
static void least_memory_loop(const struct setting *setting)
{
    for (int i = 0; i < EVENTS; i++) {
        if (i % ALLOC_EVERY == 0)
            least_move(4096);
        uint64_t start = setting->stamps ? floor_stamp() : bench_wall_ns();
        AS_MANY(16);
        floor_keep((setting->stamps ? floor_stamp() : bench_wall_ns()) - start);
        AS_MANY(34);
        if (i % ALLOC_EVERY == ALLOC_EVERY / 2)
            least_move(-UINT64_C(4096));
    }
}

/* The least that times many applies: two clock reads and one prefetched line each. The second one
 * adds the instructions of a pair. */
#define LEAST_RANDOM(name, between, behind)                                                        \
    static void name(const struct setting *setting)                                                \
    {                                                                                              \
        for (int i = 0; i < EVENTS; i++) {                                                         \
            struct line *to = &lines[setting->timed[i % APPLIES] % (2 * APPLIES)];                 \
            __builtin_prefetch(to);                                                                \
            uint64_t start = setting->stamps ? floor_stamp() : bench_wall_ns();                    \
            AS_MANY(between);                                                                      \
            add_to(to, (setting->stamps ? floor_stamp() : bench_wall_ns()) - start);               \
            AS_MANY(behind);                                                                       \
        }                                                                                          \
    }
LEAST_RANDOM(least_random_loop, 0, 0)
LEAST_RANDOM(least_random_pair_loop, 16, 24)

static void empty_loop(const struct setting *setting)
{
    (void)setting;
    for (int i = 0; i < EVENTS; i++)
        __asm__ volatile("" : : : "memory");
}

__attribute__((noinline, cold)) static void wake(void)
{
    __asm__ volatile("");
}

/* The least that can be switched on later: the begin and the end each check a flag. */
static void least_off_loop(const struct setting *setting)
{
    static uint64_t on;

    (void)setting;
    for (int i = 0; i < EVENTS; i++) {
        if (__atomic_load_n(&on, __ATOMIC_RELAXED) != 0)
            wake();
        if (__atomic_load_n(&on, __ATOMIC_RELAXED) != 0)
            wake();
    }
}

#endif
