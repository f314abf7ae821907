/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sum.h: sums the counts of all threads for one apply or function.
 */
#ifndef FEED_PUBLISHER_COLLECT_SUM_H
#define FEED_PUBLISHER_COLLECT_SUM_H

#include "feed/protocol/columns.h"
#include "feed/publisher/record/core.h"

/* Sums over threads. Ticks are converted to ns only after the addition, so that the sum in ns never
 * falls. */
struct publisher_sum {
    uint64_t calls, timed;
    uint64_t total, ticks;   /* time of the timed calls: counted in ns, and in ticks */
    uint64_t min, max, last; /* ns */
    uint64_t given;          /* of PUBLISHER_VM: ns that the program reported */
    bool known;              /* touched by some thread */
    bool seen;               /* min, max and last come from some slot */
    bool torn;               /* a slot could not be read: the row keeps its values */
};

/* Counts at the last reset. `total` is as estimated then, and includes the time until then of open
 * calls. */
struct publisher_base {
    uint64_t calls, total, timed;
};

static inline struct publisher_block *publisher_sum_first(const struct publisher_core *core)
{
    return atomic_load_explicit(&core->blocks, memory_order_acquire);
}

static inline struct proftop_slot *publisher_sum_slots(struct publisher_block *block,
                                                       enum publisher_kind kind, uint32_t at)
{
    return __atomic_load_n(publisher_block_place(block, kind, at), __ATOMIC_ACQUIRE);
}

/* Converts without the code that handles values from 2^63 on: counts and times are below 2^62. */
static inline double publisher_real(uint64_t whole)
{
    return (double)(int64_t)whole;
}

static inline uint64_t publisher_whole(double real)
{
    const double largest = 4.6e18;
    return (uint64_t)(int64_t)(real < largest ? real : largest);
}

static inline uint64_t publisher_sum_plus(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

static inline uint64_t publisher_sum_ns(const struct publisher_core *core,
                                        const struct publisher_sum *sum)
{
    return publisher_sum_plus(sum->total, publisher_ticks_ns(&core->ticks, sum->ticks));
}

/* Adds a slot of the block. `moved`: the slot is the last that changed. Returns the time of the
 * slot's last call, ns, if a call was timed. */
static inline uint64_t publisher_sum_add(const struct publisher_core *core,
                                         struct publisher_sum *sum,
                                         const struct publisher_block *block,
                                         const struct publisher_count *count, bool moved)
{
    bool ticks = block->ticks && publisher_source(count->kind) == PROFTOP_TIMED + 1;
    sum->known = true;
    sum->calls += count->calls;
    *(ticks ? &sum->ticks : &sum->total) += count->total;
    sum->timed += count->timed;
    uint64_t value[] = {count->min, count->max, count->last};
    for (int i = 0; ticks && i < 3; i++)
        value[i] = publisher_ticks_ns(&core->ticks, value[i]);
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

/* True if the slot has no counts: it was not touched, or its apply has always been filtered out. */
static inline bool publisher_sum_is_silent(const struct proftop_slot *slot)
{
    return publisher_slot_kind(slot) == 0 ||
           (publisher_slot_is_out(slot) && publisher_load(&slot->calls) == 0);
}

/* Bounds a value by the wire's maximum: one absurd value must not spoil a whole frame. */
static inline uint64_t publisher_sum_bounded(uint64_t value)
{
    return value < WIRE_VALUE_MAX ? value : WIRE_VALUE_MAX;
}

#endif
