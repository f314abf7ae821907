/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sampling.h: limits the overhead of counting. Hot tiny applies, and hot functions inside applies,
 * have one in several calls timed, as far as the sampling budget requires, and their totals are
 * sent with an error. Used by the feed's thread alone.
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

/* Grows the list to hold `count` ids in all. Returns false if out of memory. */
bool publisher_ids_reserve(struct publisher_ids *ids, size_t count);
/* Appends an id. Returns false if out of memory. */
bool publisher_ids_add(struct publisher_ids *ids, uint32_t id);

/* Estimates how much the calls of an apply differ, from the mean durations of successive stretches.
 * Zero at first. */
struct publisher_doubt {
    double mean, timed; /* of the last stretch: mean of a call, and number of timed calls */
    double square;      /* sum of the squared differences between successive means, scaled to single
                         * calls, */
    uint32_t pairs;     /* number of these differences */
    uint32_t stretches; /* stretches with untimed calls; */
    double weight;      /* factor from the variance of one call to the variance of their estimated
                         * totals, */
    double most, some;  /* their highest mean, and their number of timed calls */
};

/* Adds a stretch of `calls` calls. Some of them, more than none, were timed and took ns
 * together. */
void publisher_doubt_add(struct publisher_doubt *doubt, uint64_t calls, uint64_t timed,
                         uint64_t ns);

/* Returns half the width of an interval that contains the true total in at least 95 of 100 cases.
 * `range`: from the shortest to the longest call; used while little else is known. */
uint64_t publisher_doubt_ns(const struct publisher_doubt *doubt, uint64_t range);

/* Counts at the last estimate of `total`. Zero at first. */
struct publisher_estimate {
    uint64_t calls, timed, measured, total;
    uint64_t longest_ns; /* longest call so far; 0: unknown */
    struct publisher_doubt doubt;
    /* Other errors of the total: */
    uint64_t stamps_ns;    /* the most that timing the untimed calls would have cost; */
    uint64_t stalls_ns;    /* time that stalled calls would stand for, which are counted once; */
    double waits_ns;       /* expected wait of the untimed calls for a processor, */
    double waits_variance; /* and its variance */
};

/* Updates the estimate from the sum of all counts; the timed calls took `measured` together. The
 * new timed calls stand for the new untimed ones. A call that is far longer than all before it was
 * stalled, and stands for itself alone, not for 127 others. At the first call `before` gives the
 * counts until then, when every call was timed. The aggregate knows the overhead of timing a call
 * of that kind, and how long calls wait for a processor. Returns the time of all calls; without
 * memory for an estimate (e NULL) the least possible time. */
uint64_t publisher_estimate_take(struct publisher_estimate *e, const struct publisher_base *before,
                                 const struct publisher_sum *sum, uint64_t measured,
                                 const struct publisher_aggregate *scan, enum publisher_kind kind);
/* Returns the error of the estimate; `calls` so far, and `range` from the shortest to the longest
 * of them. Calls after the last timed one are not in the estimate yet; the error includes them.
 * `most_ns`: the largest overhead of timing a call. */
uint64_t publisher_estimate_error(const struct publisher_estimate *e, uint64_t calls,
                                  uint64_t range, uint64_t most_ns);
/* At a reset, adds the calls after the last timed one to the estimate. Returns their time. */
uint64_t publisher_estimate_close(struct publisher_estimate *e, uint64_t calls);

/* Sampling of an apply or a function. Rates are powers of 2: one in 1 << rate. */
struct publisher_sampling {
    uint8_t hot;    /* had many short calls in this tick: the highest suitable rate; otherwise 0 */
    uint8_t rate;   /* one in 1 << rate of the calls that arrive one by one is timed */
    uint8_t passes; /* one in 1 << passes of all calls arrives one by one, when last seen hot */
};

/* Hot applies, or hot functions. */
struct publisher_hot {
    double least_ns;      /* calls shorter than that may be sampled; 0: none */
    uint64_t least_calls; /* fewest calls between two looks at a row for it to be hot */
    uint64_t most_ns;     /* largest overhead of timing a call */
    struct publisher_ids now, before;
};
enum { PUBLISHER_HOT_KINDS = PUBLISHER_CALLS + 1 };

struct publisher_sampler {
    double limit;  /* overhead per run time; 0: every call is timed, whatever the overhead */
    unsigned rate; /* one in 1 << rate of the calls is timed */
    unsigned calm; /* successive ticks of low overhead */
    struct publisher_hot hot[PUBLISHER_HOT_KINDS];
    double seen_ns; /* at the last tick: the largest possible overhead of calls, */
    uint64_t seen_at;
    uint32_t seen_tick;
    struct shared_schedstat seen_turns;
    uint64_t seen_untimed, seen_spared; /* likewise: calls that were not timed */
};

void publisher_sampler_release(struct publisher_sampler *budget);

/* Reports a timed apply or function whose counts changed: by `calls` calls, `timed` of them timed,
 * all of them taking `ns`. Returns how many of the calls arrived one by one: in untimed calls of a
 * function, the program may count the calls of its applies in bulk, which costs nothing. The result
 * is exact while the row's rate is 0; the rate falls to 0 where calls come in bulk. */
uint64_t publisher_sampler_see(struct publisher_sampler *budget, enum publisher_kind kind,
                               struct publisher_sampling *sampling, uint32_t id, uint64_t calls,
                               uint64_t timed, uint64_t ns);

/* Call it once a tick, after publisher_overhead_tick(). */
void publisher_sampler_tick(struct publisher_aggregate *scan, const struct publisher_overhead *cost,
                            uint64_t now_ns);
/* No viewer watches: every call is timed again. */
void publisher_sampler_idle(struct publisher_aggregate *scan);

#endif
