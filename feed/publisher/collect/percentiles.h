/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * percentiles.h: how long the calls of each op took, over all threads, in buckets of the wire. Used
 * by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_COLLECT_PERCENTILES_H
#define FEED_PUBLISHER_COLLECT_PERCENTILES_H

#include "feed/publisher/collect/aggregate.h"
#include "feed/publisher/record/histogram.h"

enum {
    PUBLISHER_PERCENTILE_TICKS = 10, /* counted and sent in one of so many ticks */
    PUBLISHER_PERCENTILE_ROLL =
        6, /* each time, 1/6 of the unchanged ops too: all within 64 ticks */
};

/* One op. */
struct publisher_share {
    uint64_t timed; /* calls that ought to be in the buckets */
    bool due;
    uint64_t count[PUBLISHER_BUCKETS];
    uint64_t base_timed, base[PUBLISHER_BUCKETS]; /* at the last reset */
};

/* Zero at first. */
struct publisher_percentiles {
    struct publisher_share **op; /* by id; NULL: no thread has buckets of it */
    uint32_t ops;           /* room */
    uint32_t rounds;        /* how often it was begun to count; of the last time: */
    uint32_t counted;       /* the ops, */
    uint32_t next, end;     /* and the piece of the count that is next, of so many */
    bool based;             /* there was a reset */
    uint32_t prepared; /* the op that is next */
    uint8_t bucket[PUBLISHER_COUNTED]; /* of ticks to that of ns that is told of */
    bool mapped;
};

void publisher_percentiles_release(struct publisher_percentiles *p);

/* Adds up the buckets of all threads for the ops below `ops`, as of now. What changed, and whose
 * turn it is, is due. */
void publisher_percentiles_count(struct publisher_percentiles *p,
                                 const struct publisher_aggregate *scan, uint32_t ops);

/* Does a small part of that. False: it has to be called again, and meanwhile nothing can be told of
 * any op; else all is as of a count that was the `round`-th to begin, or a later one. */
bool publisher_percentiles_reach(struct publisher_percentiles *p,
                                 const struct publisher_aggregate *scan, uint32_t ops,
                                 uint32_t round);

/* Makes room for some of the ops below `ops` that have buckets, for others the next time. */
void publisher_percentiles_prepare(struct publisher_percentiles *p,
                                   const struct publisher_aggregate *scan, uint32_t ops);

/* Whether there was memory for all ops that have been timed, when they were counted last. */
bool publisher_percentiles_are_whole(const struct publisher_percentiles *p,
                                     const struct publisher_aggregate *scan);

/* From here on, only what is counted beyond the last count, which is whole, is told. */
void publisher_percentiles_reset(struct publisher_percentiles *p);

/* Whether the buckets tell of the calls that were timed: not if memory was short, or a counter has
 * gone round. */
bool publisher_share_encodes(const struct publisher_share *share);

#endif
