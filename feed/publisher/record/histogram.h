/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * histogram.h: how long the calls of each op took: buckets, 4 an octave, of one thread.
 */
#ifndef FEED_HISTOGRAM_H
#define FEED_HISTOGRAM_H

#include "feed/publisher/record/slot.h"

enum {
    FEED_UNTOLD = (4 - PROFTOP_BUCKET_LEAST) * 4, /* those below 2^4: told of as the first above */
    FEED_BUCKETS = FEED_COUNTED - FEED_UNTOLD,    /* that viewers are told of */
    FEED_OPS_SHIFT = 8,
    FEED_OPS = 1 << FEED_OPS_SHIFT, /* ops that have a place at once */
};

/* The bucket that viewers are told of, of one that is counted in; of a duration in ns. */
static inline uint32_t feed_told(uint32_t counted)
{
    return counted < FEED_UNTOLD ? 0 : counted - FEED_UNTOLD;
}

static inline uint32_t feed_bucket_told(uint64_t ns)
{
    return feed_told((uint32_t)feed_bucket(ns));
}
_Static_assert(FEED_BUCKETS < UINT8_MAX, "a byte holds a bucket that is told of, plus 1");

/* What a slot counts in that has no buckets of its own, for want of memory. Nobody reads it. */
extern struct feed_buckets feed_no_buckets;

/* The buckets of an op, made if need be, of durations in ticks or, `given`, in ns. NULL
 * when out of memory. For the thread of the block. */
struct feed_buckets *feed_histogram_make(struct feed_block *block, bool given, uint32_t op);

/* The same if it was made, else NULL. For any thread. */
const struct feed_buckets *feed_histogram_find(const struct feed_block *block, bool given,
                                               uint32_t op);

/* Makes room for durations of FEED_NEAR and beyond, if need be; without memory they are in none.
 * For the thread of the block, before it adds one. */
void feed_histogram_reach(struct feed_block *block, struct feed_buckets *buckets);

/* Takes it. NULL: nothing. */
void feed_histograms_free(struct feed_histograms *histograms);

#endif
