/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sum.h: what all threads have counted of one apply or function, added up. For the files of
 * aggregate.h.
 */
#ifndef FEED_SUM_H
#define FEED_SUM_H

#include "feed/protocol/columns.h"
#include "feed/publisher/collect/aggregate.h"

/* Sums over threads. Ticks are made ns when all are added: no sum of them becomes less ns. */
struct feed_sum {
    uint64_t calls, timed;
    uint64_t total, ticks;   /* of the timed calls: those counted in ns, those in ticks */
    uint64_t min, max, last; /* ns */
    uint64_t given;          /* of FEED_VM: ns that the program told */
    bool known;              /* touched by some thread */
    bool seen;               /* min, max and last are those of some slot */
    bool torn;               /* a slot could not be read: the row keeps what it had */
};

static inline struct feed_block *feed_sum_first(const struct feed_scan *scan)
{
    return atomic_load_explicit(&scan->core->blocks, memory_order_acquire);
}

static inline struct proftop_slot *feed_sum_slots(struct feed_block *block, enum feed_kind kind,
                                                  uint32_t at)
{
    return __atomic_load_n(feed_block_place(block, kind, at), __ATOMIC_ACQUIRE);
}

static inline uint64_t feed_sum_plus(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

static inline uint64_t feed_sum_ns(const struct feed_scan *scan, const struct feed_sum *sum)
{
    return feed_sum_plus(sum->total, feed_ticks_ns(&scan->core->ticks, sum->ticks));
}

/* Adds what a slot of the block holds. `moved`: it is the last that moved. Gives what its last call
 * took, ns, if one was timed. */
static inline uint64_t feed_sum_add(const struct feed_scan *scan, struct feed_sum *sum,
                                    const struct feed_block *block, const struct feed_count *count,
                                    bool moved)
{
    bool ticks = block->ticks && feed_source(count->kind) == PROFTOP_TIMED + 1;
    sum->known = true;
    sum->calls += count->calls;
    *(ticks ? &sum->ticks : &sum->total) += count->total;
    sum->timed += count->timed;
    uint64_t value[] = {count->min, count->max, count->last};
    for (int i = 0; ticks && i < 3; i++)
        value[i] = feed_ticks_ns(&scan->core->ticks, value[i]);
    if (count->timed == 0 || count->stale)
        return value[2];
    if (!sum->seen || value[0] < sum->min)
        sum->min = value[0];
    if (value[1] > sum->max)
        sum->max = value[1];
    if (!sum->seen || moved)
        sum->last = value[2];
    sum->seen = true;
    return value[2];
}

/* Nobody has counted in it: it was not touched, or has always been left out. */
static inline bool feed_sum_is_silent(const struct proftop_slot *slot)
{
    return feed_slot_kind(slot) == 0 || (feed_slot_is_out(slot) && feed_get(&slot->calls) == 0);
}

/* The wire holds no more: one absurd source shall not spoil a whole frame. */
static inline uint64_t feed_sum_bounded(uint64_t value)
{
    return value < WIRE_VALUE_MAX ? value : WIRE_VALUE_MAX;
}

#endif
