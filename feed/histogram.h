/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * histogram.h: how long the calls of each op took: buckets, 4 an octave, of one thread. They lag
 * behind their slots by one call: a slot's `last` is not in them yet.
 */
#ifndef FEED_HISTOGRAM_H
#define FEED_HISTOGRAM_H

#include "slot.h"

enum {
    FEED_COUNTED = (PROFTOP_BUCKET_END - PROFTOP_BUCKET_LEAST) * 4 + 1, /* the last: above all */
    FEED_UNTOLD = (4 - PROFTOP_BUCKET_LEAST) * 4, /* those below 2^4: told of as the first above */
    FEED_BUCKETS = FEED_COUNTED - FEED_UNTOLD,    /* that viewers are told of */
    FEED_OPS_SHIFT = 8,
    FEED_OPS = 1 << FEED_OPS_SHIFT, /* ops that have a place at once */
};

/* What a slot counts in that has no buckets of its own, for want of memory. Nobody reads it. */
extern uint32_t feed_no_buckets[FEED_COUNTED];

/* FEED_COUNTED buckets of an op, made if need be, of durations in ticks or, `given`, in ns. NULL
 * when out of memory. For the thread of the block. */
uint32_t *feed_histogram_make(struct feed_block *block, bool given, uint32_t op);

/* The same if it was made, else NULL. For any thread. */
const uint32_t *feed_histogram_find(const struct feed_block *block, bool given, uint32_t op);

/* Takes it. NULL: nothing. */
void feed_histograms_free(struct feed_histograms *histograms);

#endif
