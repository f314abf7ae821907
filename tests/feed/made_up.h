/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * made_up.h: a feed of one thread with generated calls and durations, from fixed seeds.
 */
#ifndef TESTS_FEED_MADE_UP_H
#define TESTS_FEED_MADE_UP_H

#include "tap.h"

#include <string.h>

#include "feed/publisher/record/thread_buffer.h"
#include "feed/publisher/collect/aggregate_calls.h"
#include "feed/publisher/collect/budget.h"
#include "feed/publisher/collect/open_calls.h"
#include "feed/publisher/collect/sampling.h"
#include "feed/publisher/collect/overhead.h"
#include "feed/publisher/collect/aggregate.h"

struct made_up {
    struct proftop handle;
    struct publisher_core *core;
    struct publisher_block *block;
    struct publisher_aggregate *aggregate;
};

static inline void made_up_begin(struct made_up *feed)
{
    memset(feed, 0, sizeof *feed);
    pthread_mutex_init(&feed->handle.lock, NULL);
    feed->core = calloc(1, sizeof *feed->core);
    feed->aggregate = calloc(1, sizeof *feed->aggregate);
    ck_assert(feed->core != NULL && feed->aggregate != NULL);
    feed->core->handle = &feed->handle;
    feed->block = publisher_block_new(1);
    atomic_store(&feed->core->blocks, feed->block);
    ck_assert(publisher_aggregate_init(feed->aggregate, feed->core));
}

static inline void made_up_end(struct made_up *feed)
{
    publisher_aggregate_release(feed->aggregate);
    publisher_block_free(feed->block);
    free(feed->aggregate);
    free(feed->core);
}

/* One tick. Charges the aggregated events at their peak overhead. Ticks are 0.1 s apart. */
static inline void made_up_tick(struct made_up *feed, struct publisher_overhead *cost)
{
    const uint64_t tick_ns = 100000000;
    cost->calls_most_ns = 0;
    for (int i = 0; i < PUBLISHER_EVENTS; i++)
        cost->calls_most_ns += (double)feed->aggregate->events[i] * cost->peak_ns[i];
    publisher_budget_tick(feed->aggregate, cost, feed->aggregate->tick * tick_ns);
}

/* Statistical part of an estimate's error, without the part of the timestamps. */
static inline uint64_t made_up_chance_ns(struct publisher_estimate estimate, uint64_t calls,
                                         uint64_t range)
{
    estimate.stamps_ns = 0;
    return publisher_estimate_error(&estimate, calls, range, 0);
}

/* Uniform in (0, 1), both ends excluded. */
static inline double made_up_uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*seed >> 11) + 0.5) / 9007199254740992.0;
}

#endif
