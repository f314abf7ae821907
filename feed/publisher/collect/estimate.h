/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * estimate.h: estimates the time of calls of which only some were timed, and the error of that.
 */
#ifndef FEED_PUBLISHER_COLLECT_ESTIMATE_H
#define FEED_PUBLISHER_COLLECT_ESTIMATE_H

#include <stdint.h>

#include "feed/publisher/collect/sum.h"

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

/* What may be wrong with the measured times. */
struct publisher_estimate_errors {
    uint64_t stamp_ns;     /* the largest overhead of timing a call; */
    double waited, square; /* the mean wait for a processor for each ns that calls run, and its
                            * variance */
};

/* Updates the estimate from the sum of all counts; the timed calls took `measured` together. The
 * new timed calls stand for the new untimed ones. A call that is far longer than all before it was
 * stalled, and stands for itself alone, not for 127 others. At the first call `before` gives the
 * counts until then, when every call was timed. Returns the time of all calls; without memory
 * for an estimate (e NULL) the least possible time. */
uint64_t publisher_estimate_take(struct publisher_estimate *e, const struct publisher_base *before,
                                 const struct publisher_sum *sum, uint64_t measured,
                                 const struct publisher_estimate_errors *errors);
/* Returns the error of the estimate; `calls` so far, and `range` from the shortest to the longest
 * of them. Calls after the last timed one are not in the estimate yet; the error includes them.
 * `most_ns`: the largest overhead of timing a call. */
uint64_t publisher_estimate_error(const struct publisher_estimate *e, uint64_t calls,
                                  uint64_t range, uint64_t most_ns);
/* At a reset, adds the calls after the last timed one to the estimate. Returns their time. */
uint64_t publisher_estimate_close(struct publisher_estimate *e, uint64_t calls);

#endif
