/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * reading.h: reads counters and spans of a feed, for the tests of the publisher.
 */
#ifndef TESTS_FEED_READING_H
#define TESTS_FEED_READING_H

#include <math.h>

#include "feed/publisher/collect/read_objects.h"
#include "feed/publisher/record/objects.h"
#include "proftop_objects.h"

static inline struct publisher_counter_view objects_counter(struct proftop *feed, uint32_t id)
{
    struct publisher_counter_view view;
    const struct publisher_counter *counter = publisher_counter_at(feed->core->objects, id);
    ck_assert_ptr_nonnull(counter);
    publisher_counter_read(counter, &view);
    return view;
}

static inline struct publisher_span_view objects_span(struct proftop *feed, uint32_t id)
{
    struct publisher_span_view view;
    struct publisher_span *span = publisher_span_at(feed->core->objects, id);
    ck_assert_ptr_nonnull(span);
    publisher_span_read(span, &view);
    return view;
}

/* Time since which a span is open, or PROFTOP_UNKNOWN. */
static inline uint64_t objects_open(struct proftop *feed, uint32_t id)
{
    uint64_t open[64];
    ck_assert_uint_lt(id, 64);
    publisher_runs_open(feed->core->objects, 64, open);
    return open[id];
}

/* Number of invalid uses, all threads together. */
static inline uint64_t objects_invalid(struct proftop *feed)
{
    uint64_t sum = publisher_load(&feed->invalid);
    for (struct publisher_block *block = feed->core->blocks; block != NULL; block = block->next)
        sum += publisher_load(&block->invalid);
    return sum;
}

static inline uint64_t objects_misuse(struct proftop *feed)
{
    uint64_t sum = publisher_load(&feed->misuse);
    for (struct publisher_block *block = feed->core->blocks; block != NULL; block = block->next)
        sum += publisher_load(&block->misuse);
    return sum;
}

#endif
