/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sampling.h: what counting may cost: hot tiny applies, and hot functions inside applies, are timed
 * once in so many calls, as far as that keeps within the budget, and it is said how far off their
 * totals may be. Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_COLLECT_SAMPLING_H
#define FEED_PUBLISHER_COLLECT_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/publisher/record/slot.h"

struct publisher_aggregate;
struct publisher_overhead;
struct publisher_base;
struct publisher_sum;

/* A list of ids. */
struct publisher_ids {
    uint32_t *id;
    size_t count, capacity;
};

/* Makes room for so many in all; false when out of memory. */
bool publisher_ids_reserve(struct publisher_ids *ids, size_t count);
/* Appends; false when out of memory. */
bool publisher_ids_add(struct publisher_ids *ids, uint32_t id);

/* What is known of how much the calls of an apply differ: by the means of stretches that follow one
 * another. Zero at first. */
struct publisher_doubt {
    double mean, timed; /* of the last stretch: of one call, and how many */
    double square;      /* sum of the squared steps from mean to mean, as if of single calls, */
    uint32_t pairs;     /* so many */
    uint32_t stretches; /* in which calls were not timed, */
    double weight;      /* what the variance of one call is to be taken times for them, */
    double most, some;  /* the highest mean of one, and how many calls were timed in all */
};

/* A stretch: of `calls` some were timed, more than none, which took ns. */
void publisher_doubt_add(struct publisher_doubt *doubt, uint64_t calls, uint64_t timed,
                         uint64_t ns);

/* Half the width of an interval that holds the true total in at least 95 of 100 cases. `range`:
 * from the shortest to the longest call, for the time when not much else is known. */
uint64_t publisher_doubt_ns(const struct publisher_doubt *doubt, uint64_t range);

/* What had been counted when `total` was estimated last. Zero at first. */
struct publisher_estimate {
    uint64_t calls, timed, measured, total;
    uint64_t longest_ns; /* call so far; 0: unknown */
    struct publisher_doubt doubt;
    /* How far off the total may be besides: */
    uint64_t stamps_ns;    /* the most that it would have cost to time the calls that were not; */
    uint64_t stalls_ns;    /* what stalled calls might stand for, which are counted once; */
    double waits_ns;       /* how long calls that were not timed waited for a processor, */
    double waits_variance; /* on average */
};

/* Takes the sum of what was counted so far, of which the timed calls took `measured`: what one of
 * them took since the last time is taken for what the others took. A call that is far longer than
 * all before was stalled, and stands for itself alone: not for 127 others. Until `before`, which is
 * asked for the first time, every call was timed. The scan knows what it may cost to time a call of
 * that kind, and how long calls wait for a processor. Gives the time of all calls; without memory
 * for an estimate (NULL) the least that it was. */
uint64_t publisher_estimate_take(struct publisher_estimate *e, const struct publisher_base *before,
                                 const struct publisher_sum *sum, uint64_t measured,
                                 const struct publisher_aggregate *scan, enum publisher_kind kind);
/* How far off that may be; `calls` so far, and from the shortest to the longest of them. What came
 * after the last timed call is not in it yet. `most_ns`: what it may cost to time a call. */
uint64_t publisher_estimate_error(const struct publisher_estimate *e, uint64_t calls,
                                  uint64_t range, uint64_t most_ns);
/* Puts calls that came after the last timed one into it, at a reset. Gives their time. */
uint64_t publisher_estimate_close(struct publisher_estimate *e, uint64_t calls);

/* Of an apply or a function. */
struct publisher_sampling {
    uint8_t hot;    /* of many short calls, in this tick: the highest rate that suits it; or 0 */
    uint8_t rate;   /* one of 1 << rate of those calls that come one by one is timed */
    uint8_t passes; /* one of 1 << passes of all comes so, when last seen hot */
};

/* Applies, or functions. */
struct publisher_hot {
    double least_ns; /* those of shorter calls than that may be sampled; 0: none */
    uint64_t least_calls; /* of so many of them from one look to the next */
    uint64_t most_ns; /* what it may cost to time a call */
    struct publisher_ids now, before;
};
enum { PUBLISHER_HOT_KINDS = PUBLISHER_CALLS + 1 };

struct publisher_sampler {
    double limit; /* own time per run time; 0: every call is timed, whatever it costs */
    unsigned rate;   /* one of 1 << rate of their calls is timed */
    unsigned calm;   /* ticks in which it was cheap, in a row */
    struct publisher_hot hot[PUBLISHER_HOT_KINDS];
    double seen_ns; /* the most that calls may have cost, until the last tick, */
    uint64_t seen_at;
    uint32_t seen_tick;
    struct shared_schedstat seen_turns;
    uint64_t seen_untimed, seen_spared; /* calls that were not timed, until then */
};

void publisher_sampler_release(struct publisher_sampler *budget);

/* An apply or function that is timed, and moved: so many calls more, of which some were timed;
 * all took `ns`. Gives how many came one by one: where calls of a function are not timed, its
 * program may count those of its applies many at once, which costs nothing. That is exact when
 * `rate` is 0, which it becomes then. */
uint64_t publisher_sampler_see(struct publisher_sampler *budget, enum publisher_kind kind,
                               struct publisher_sampling *sampling, uint32_t id, uint64_t calls,
                               uint64_t timed, uint64_t ns);

/* Once a tick, after publisher_overhead_tick(). */
void publisher_sampler_tick(struct publisher_aggregate *scan, const struct publisher_overhead *cost,
                            uint64_t now_ns);
/* Nobody watches: every call is timed again. */
void publisher_sampler_rest(struct publisher_aggregate *scan);

#endif
