/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * percentiles.c: adds the buckets of all threads, and the last duration of each slot, which is not
 * in its bucket yet. Takes that duration from the aggregation, since reading all slots again would
 * cost as much as the aggregation.
 */
#include "config.h"

#include "feed/publisher/collect/percentiles.h"
#include "feed/publisher/collect/sum.h"

#include <stdlib.h>
#include <string.h>

enum {
    PREPARED_MAX = 512, /* ops looked at in one tick */
    PIECES = 64,        /* of a count, done in one call */
    CHUNKS = WIRE_APPLIES_MAX / PUBLISHER_CHUNK,
};

void publisher_percentiles_release(struct publisher_percentiles *p)
{
    for (uint32_t op = 0; op < p->ops; op++)
        free(p->op[op]);
    free(p->op);
    memset(p, 0, sizeof *p);
}

static bool make_room(struct publisher_percentiles *p, uint32_t ops)
{
    if (ops <= p->ops)
        return true;
    struct publisher_share **grown = realloc(p->op, (ops + 64) * sizeof(struct publisher_share *));
    if (grown == NULL)
        return false;
    memset(grown + p->ops, 0, (ops + 64 - p->ops) * sizeof(struct publisher_share *));
    p->op = grown;
    p->ops = ops + 64;
    return true;
}

/* Returns the shortest duration of a bucket; the first bucket also holds all shorter ones. */
static uint64_t low_end(uint32_t bucket)
{
    return (UINT64_C(4) + bucket % 4) << (PROFTOP_BUCKET_LEAST + bucket / 4) >> 2;
}

/* Returns the part of the interval that lies below `end`. */
static uint16_t part_below(uint64_t from, uint64_t to, uint64_t end)
{
    if (end >= to || from >= to)
        return UINT16_MAX;
    return end <= from ? 0 : (uint16_t)((double)(end - from) / (double)(to - from) * UINT16_MAX);
}

/* A bucket of ticks overlaps several buckets of ns; its calls are shared among them by their
 * widths. If all went to one bucket, long calls would seem longer, and medians shorter, by up to a
 * tenth. */
static void map_buckets(struct publisher_percentiles *p, const struct publisher_ticks *ticks)
{
    p->mapped = true;
    for (uint32_t i = 0; i < PUBLISHER_COUNTED; i++) {
        struct publisher_overlap *overlap = &p->overlap[i];
        const uint64_t from = publisher_ticks_ns(ticks, low_end(i));
        const uint64_t to = publisher_ticks_ns(ticks, low_end(i + 1));
        const uint64_t counted = publisher_bucket(from);
        overlap->bucket = (uint8_t)publisher_last_sent((uint32_t)counted);
        overlap->part[0] = overlap->part[1] = UINT16_MAX;
        if (counted < PUBLISHER_UNTOLD || counted + 3 > PUBLISHER_COUNTED)
            continue;
        const uint64_t next = low_end((uint32_t)counted + 1),
                       second = low_end((uint32_t)counted + 2);
        overlap->part[0] = part_below(from, to, next);
        overlap->part[1] = part_below(next, to, second);
    }
}

static __attribute__((cold, noinline)) struct publisher_share *
make_share(struct publisher_percentiles *p, uint32_t op)
{
    p->op[op] = malloc(sizeof *p->op[op]);
    if (p->op[op] != NULL) /* written to, so that its pages are resident */
        memset(p->op[op], 0, sizeof *p->op[op]);
    return p->op[op];
}

static inline struct publisher_share *share_of(struct publisher_percentiles *p, uint32_t op)
{
    if (op >= p->ops)
        return NULL;
    return p->op[op] != NULL ? p->op[op] : make_share(p, op);
}

/* Returns a part of a count. `luck`, below 2^16, decides on fractions, so that they are right on
 * the average of all buckets. The result and the rest never fall as the count grows. */
static uint64_t part_of(uint64_t count, uint16_t part, uint32_t luck)
{
    return part == UINT16_MAX ? count : (count * part + luck) / UINT16_MAX;
}

static void add_overlap(struct publisher_share *share, const struct publisher_overlap *overlap,
                        uint64_t count, uint32_t luck)
{
    const uint64_t first = part_of(count, overlap->part[0], luck);
    const uint64_t second = part_of(count - first, overlap->part[1], luck);
    share->count[overlap->bucket] += first;
    if (first < count)
        share->count[overlap->bucket + 1] += second;
    if (first + second < count)
        share->count[overlap->bucket + 2] += count - first - second;
}

static void add_buckets(struct publisher_share *share, const struct publisher_percentiles *p,
                        const struct publisher_block *block, bool given, uint32_t op)
{
    const struct publisher_buckets *buckets = publisher_histogram_find(block, given, op);
    bool ticks = block->ticks && !given;
    for (uint32_t i = 0; buckets != NULL && i < PUBLISHER_COUNTED; i++) {
        const uint64_t count = publisher_buckets_count(buckets, i);
        /* Multiples of an odd number that is about 2^16 times the golden ratio spread evenly. */
        if (ticks && count > 0)
            add_overlap(share, &p->overlap[i], count, (i + op * 7) * 40503 % UINT16_MAX);
        else
            share->count[publisher_last_sent(i)] += count;
    }
}

/* Counts the buckets of one op, over all threads. Reads first how many calls should be in them:
 * calls made meanwhile are surplus, and none is missing. */
static void count_op(struct publisher_percentiles *p, const struct publisher_aggregate *aggregate,
                     uint32_t op)
{
    uint64_t timed = op < aggregate->ops ? aggregate->timed[op] : 0;
    struct publisher_share *share = timed != 0 ? share_of(p, op) : p->op[op];
    if (share == NULL)
        return;
    timed -= share->base_timed < timed ? share->base_timed : timed;
    share->due |= share->timed != timed ||
                  op % PUBLISHER_PERCENTILE_ROLL == p->rounds % PUBLISHER_PERCENTILE_ROLL;
    share->timed = timed;
    memset(share->count, 0, sizeof share->count);
    for (struct publisher_block *block = publisher_sum_first(aggregate->core); block != NULL;
         block = block->next) {
        add_buckets(share, p, block, false, op);
        add_buckets(share, p, block, true, op);
    }
}

/* Adds the last duration of each slot of a chunk, which is in no bucket yet. */
static void count_last(struct publisher_percentiles *p, const struct publisher_aggregate *aggregate,
                       uint32_t at)
{
    const struct publisher_rows *rows = aggregate->applies[at];
    struct publisher_block *block = rows == NULL ? NULL : publisher_sum_first(aggregate->core);
    for (; block != NULL; block = block->next) {
        const struct publisher_seen *seen = block->seen[at];
        for (uint32_t i = 0; seen != NULL && i < PUBLISHER_CHUNK; i++) {
            const uint32_t op = rows->op_plus_1[i] - 1;
            const bool timed = seen->last_plus_1[i] != 0 && op < p->counted;
            if (timed && p->op[op] != NULL)
                p->op[op]->count[seen->last_plus_1[i] - 1]++;
        }
    }
}

/* Bounded at 0: a last duration may have been counted in a neighbouring bucket. */
static void leave_out_base(struct publisher_share *share)
{
    for (uint32_t i = 0; share != NULL && i < PUBLISHER_BUCKETS; i++)
        share->count[i] -= share->base[i] < share->count[i] ? share->base[i] : share->count[i];
}

bool publisher_percentiles_are_whole(const struct publisher_percentiles *p,
                                     const struct publisher_aggregate *aggregate)
{
    for (uint32_t op = 0; op < aggregate->ops; op++)
        if (aggregate->timed[op] != 0 && (op >= p->counted || p->op[op] == NULL))
            return false;
    return true;
}

void publisher_percentiles_reset(struct publisher_percentiles *p)
{
    p->based = true;
    for (uint32_t op = 0; op < p->ops; op++) {
        struct publisher_share *share = p->op[op];
        for (uint32_t i = 0; share != NULL && i < PUBLISHER_BUCKETS; i++)
            share->base[i] += share->count[i];
        if (share != NULL)
            share->base_timed += share->timed;
    }
}

/* A count has a piece for each op, one for each chunk of applies, and after a reset another one for
 * each op. */
static void begin(struct publisher_percentiles *p, const struct publisher_aggregate *aggregate,
                  uint32_t ops)
{
    if (!p->mapped)
        map_buckets(p, &aggregate->core->ticks);
    p->rounds++;
    p->counted = make_room(p, ops) ? ops : 0;
    p->next = 0;
    p->end = p->counted + CHUNKS + (p->based ? p->counted : 0);
}

static void go_on(struct publisher_percentiles *p, const struct publisher_aggregate *aggregate,
                  uint32_t pieces)
{
    for (; pieces > 0 && p->next < p->end; pieces--) {
        const uint32_t piece = p->next++;
        if (piece < p->counted)
            count_op(p, aggregate, piece);
        else if (piece < p->counted + CHUNKS)
            count_last(p, aggregate, piece - p->counted);
        else
            leave_out_base(p->op[piece - p->counted - CHUNKS]);
    }
}

void publisher_percentiles_count(struct publisher_percentiles *p,
                                 const struct publisher_aggregate *aggregate, uint32_t ops)
{
    begin(p, aggregate, ops);
    go_on(p, aggregate, UINT32_MAX);
}

/* Ends a count that was begun before it begins another: otherwise frequent requests would delay the
 * other requests for ever. */
bool publisher_percentiles_reach(struct publisher_percentiles *p,
                                 const struct publisher_aggregate *aggregate, uint32_t ops,
                                 uint32_t round)
{
    if (p->next == p->end && p->rounds < round)
        begin(p, aggregate, ops);
    go_on(p, aggregate, PIECES);
    return p->next == p->end && p->rounds >= round;
}

bool publisher_share_is_whole(const struct publisher_share *share)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < PUBLISHER_BUCKETS; i++)
        sum += share->count[i];
    return sum != 0 && sum >= share->timed - share->timed / 100;
}

void publisher_percentiles_prepare(struct publisher_percentiles *p,
                                   const struct publisher_aggregate *aggregate, uint32_t ops)
{
    if (!make_room(p, ops))
        return;
    for (uint32_t i = 0; i < PREPARED_MAX && i < ops; i++) {
        uint32_t op = p->prepared++ % ops;
        for (struct publisher_block *block = publisher_sum_first(aggregate->core); block != NULL;
             block = block->next)
            if (publisher_histogram_find(block, false, op) ||
                publisher_histogram_find(block, true, op))
                share_of(p, op);
    }
}
