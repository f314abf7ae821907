/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * histogram.h: histograms of the durations of each op's calls on one thread, 4 buckets an octave.
 */
#ifndef FEED_PUBLISHER_RECORD_HISTOGRAM_H
#define FEED_PUBLISHER_RECORD_HISTOGRAM_H

#include "feed/publisher/record/slot.h"

enum {
    PUBLISHER_UNTOLD =
        (4 - PROFTOP_BUCKET_LEAST) * 4, /* buckets below 2^4: sent as part of the first above */
    PUBLISHER_BUCKETS = PUBLISHER_COUNTED - PUBLISHER_UNTOLD, /* buckets sent to viewers */
    PUBLISHER_OPS_SHIFT = 8,
    PUBLISHER_OPS = 1 << PUBLISHER_OPS_SHIFT, /* pointers to ops' buckets allocated at once */
};

/* Returns the sent bucket that includes a counted bucket. */
static inline uint32_t publisher_last_sent(uint32_t counted)
{
    return counted < PUBLISHER_UNTOLD ? 0 : counted - PUBLISHER_UNTOLD;
}

/* Returns the sent bucket of a duration in ns. */
static inline uint32_t publisher_bucket_sent(uint64_t ns)
{
    return publisher_last_sent((uint32_t)publisher_bucket(ns));
}
_Static_assert(PUBLISHER_BUCKETS < UINT8_MAX, "a byte holds a bucket that is told of, plus 1");

/* Dummy buckets for slots whose own buckets could not be allocated. Never read. */
extern struct publisher_buckets publisher_no_buckets;

/* Finds or makes the buckets of an op, for durations in ticks, or in ns if `given`. Returns NULL if
 * out of memory. For the thread of the block. */
struct publisher_buckets *publisher_histogram_make(struct publisher_block *block, bool given,
                                                   uint32_t op);

/* Returns the buckets of an op if they exist, else NULL. For any thread. */
const struct publisher_buckets *publisher_histogram_find(const struct publisher_block *block,
                                                         bool given, uint32_t op);

/* Allocates the buckets from PUBLISHER_NEAR on, if needed. Out of memory, such long durations are
 * counted in no bucket. For the thread of the block, before it adds such a duration. */
void publisher_histogram_reach(struct publisher_block *block, struct publisher_buckets *buckets);

/* Frees the buckets of a thread. Accepts NULL. */
void publisher_histograms_free(struct publisher_histograms *histograms);

#endif
