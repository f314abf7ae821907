/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * percentiles.h: how long the calls of each op took, over all threads, in buckets of the wire. Used
 * by the feed's thread alone.
 */
#ifndef FEED_PERCENTILE_H
#define FEED_PERCENTILE_H

#include "feed/publisher/collect/aggregate.h"
#include "feed/publisher/record/histogram.h"

enum {
    FEED_PERCENTILE_TICKS = 10, /* counted and sent in one of so many ticks */
    FEED_PERCENTILE_ROLL = 6,   /* each time, 1/6 of the unchanged ops too: all within 64 ticks */
};

/* One op. */
struct feed_share {
    uint64_t timed; /* calls that ought to be in the buckets */
    bool due;
    uint64_t count[FEED_BUCKETS];
    uint64_t base_timed, base[FEED_BUCKETS]; /* at the last reset */
};

/* Zero at first. */
struct feed_percentiles {
    struct feed_share **op; /* by id; NULL: no thread has buckets of it */
    uint32_t ops;           /* room */
    uint32_t rounds;        /* how often it was begun to count; of the last time: */
    uint32_t counted;       /* the ops, */
    uint32_t next, end;     /* and the piece of the count that is next, of so many */
    bool based;             /* there was a reset */
    uint32_t prepared; /* the op that is next */
    uint8_t bucket[FEED_COUNTED]; /* of ticks to that of ns that is told of */
    bool mapped;
};

void feed_percentiles_release(struct feed_percentiles *p);

/* Adds up the buckets of all threads for the ops below `ops`, as of now. What changed, and whose
 * turn it is, is due. */
void feed_percentiles_count(struct feed_percentiles *p, const struct feed_scan *scan, uint32_t ops);

/* Does a small part of that. False: it has to be called again, and meanwhile nothing can be told of
 * any op; else all is as of a count that was the `round`-th to begin, or a later one. */
bool feed_percentiles_reach(struct feed_percentiles *p, const struct feed_scan *scan, uint32_t ops,
                            uint32_t round);

/* Makes room for some of the ops below `ops` that have buckets, for others the next time. */
void feed_percentiles_prepare(struct feed_percentiles *p, const struct feed_scan *scan,
                              uint32_t ops);

/* Whether there was memory for all ops that have been timed, when they were counted last. */
bool feed_percentiles_are_whole(const struct feed_percentiles *p, const struct feed_scan *scan);

/* From here on, only what is counted beyond the last count, which is whole, is told. */
void feed_percentiles_reset(struct feed_percentiles *p);

/* Whether the buckets tell of the calls that were timed: not if memory was short, or a counter has
 * gone round. */
bool feed_share_tells(const struct feed_share *share);

#endif
