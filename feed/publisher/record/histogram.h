/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * histogram.h: how long the calls of each op took: buckets, 4 an octave, of one thread.
 */
#ifndef FEED_PUBLISHER_RECORD_HISTOGRAM_H
#define FEED_PUBLISHER_RECORD_HISTOGRAM_H

#include "feed/publisher/record/slot.h"

enum {
    PUBLISHER_UNTOLD =
        (4 - PROFTOP_BUCKET_LEAST) * 4, /* those below 2^4: told of as the first above */
    PUBLISHER_BUCKETS = PUBLISHER_COUNTED - PUBLISHER_UNTOLD, /* that viewers are told of */
    PUBLISHER_OPS_SHIFT = 8,
    PUBLISHER_OPS = 1 << PUBLISHER_OPS_SHIFT, /* ops that have a place at once */
};

/* The bucket that viewers are told of, of one that is counted in; of a duration in ns. */
static inline uint32_t publisher_last_sent(uint32_t counted)
{
    return counted < PUBLISHER_UNTOLD ? 0 : counted - PUBLISHER_UNTOLD;
}

static inline uint32_t publisher_bucket_told(uint64_t ns)
{
    return publisher_last_sent((uint32_t)publisher_bucket(ns));
}
_Static_assert(PUBLISHER_BUCKETS < UINT8_MAX, "a byte holds a bucket that is told of, plus 1");

/* What a slot counts in that has no buckets of its own, for want of memory. Nobody reads it. */
extern struct publisher_buckets publisher_no_buckets;

/* The buckets of an op, made if need be, of durations in ticks or, `given`, in ns. NULL
 * when out of memory. For the thread of the block. */
struct publisher_buckets *publisher_histogram_make(struct publisher_block *block, bool given,
                                                   uint32_t op);

/* The same if it was made, else NULL. For any thread. */
const struct publisher_buckets *publisher_histogram_find(const struct publisher_block *block,
                                                         bool given, uint32_t op);

/* Makes room for durations of PUBLISHER_NEAR and beyond, if need be; without memory they are in
 * none. For the thread of the block, before it adds one. */
void publisher_histogram_reach(struct publisher_block *block, struct publisher_buckets *buckets);

/* Takes it. NULL: nothing. */
void publisher_histograms_free(struct publisher_histograms *histograms);

#endif
