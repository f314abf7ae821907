/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * percentiles.h: durations of the calls of each op, over all threads, in buckets of the wire. Used
 * by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_COLLECT_PERCENTILES_H
#define FEED_PUBLISHER_COLLECT_PERCENTILES_H

#include "feed/publisher/collect/rows.h"
#include "feed/publisher/record/histogram.h"

enum {
    PUBLISHER_PERCENTILE_TICKS = 10, /* ticks between two counts, which are sent */
    PUBLISHER_PERCENTILE_ROLL =
        6, /* each count also sends one in 6 of the unchanged ops: all within 64 ticks */
};

/* The buckets of one op. */
struct publisher_share {
    uint64_t timed; /* calls that should be in the buckets */
    bool due;
    uint64_t count[PUBLISHER_BUCKETS];
    uint64_t base_timed, base[PUBLISHER_BUCKETS]; /* at the last reset */
};

/* A bucket of ticks overlaps up to three buckets of ns: `bucket` and those behind it. */
struct publisher_overlap {
    uint8_t bucket;
    uint16_t
        part[2]; /* of its calls, the part in `bucket`; of the rest, the part in the next one */
};

/* Zero at first. */
struct publisher_percentiles {
    struct publisher_share **op;       /* by id; NULL: no thread has buckets of the op */
    uint32_t ops;                      /* capacity */
    uint32_t rounds;                   /* counts begun so far; of the last one: */
    uint32_t counted;                  /* its ops, */
    uint32_t next, end;                /* and its next piece, of `end` pieces */
    bool based;                        /* there was a reset */
    uint32_t prepared;                 /* next op to prepare */
    struct publisher_overlap overlap[PUBLISHER_COUNTED]; /* by bucket of ticks */
    bool mapped;
};

void publisher_percentiles_release(struct publisher_percentiles *p);

/* Adds up the buckets of all threads for the ops below `ops`, as of now. Marks changed ops as
 * dirty, and the ops whose turn it is to be repeated. */
void publisher_percentiles_count(struct publisher_percentiles *p,
                                 const struct publisher_aggregate *aggregate, uint32_t ops);

/* Does a small part of such a count. Returns false if it has to be called again; until then no op's
 * buckets are valid. Returns true when they are of the `round`-th count or a later one. */
bool publisher_percentiles_reach(struct publisher_percentiles *p,
                                 const struct publisher_aggregate *aggregate, uint32_t ops,
                                 uint32_t round);

/* Allocates memory for some of the ops below `ops` that have buckets; the next call continues with
 * others. */
void publisher_percentiles_prepare(struct publisher_percentiles *p,
                                   const struct publisher_aggregate *aggregate, uint32_t ops);

/* True if there was memory for all timed ops at the last count. */
bool publisher_percentiles_are_whole(const struct publisher_percentiles *p,
                                     const struct publisher_aggregate *aggregate);

/* Restarts the counts from the last count, which must be complete. */
void publisher_percentiles_reset(struct publisher_percentiles *p);

/* True if the buckets cover the timed calls: they do not if memory was short, or if a counter has
 * wrapped around. */
bool publisher_share_is_whole(const struct publisher_share *share);

#endif
