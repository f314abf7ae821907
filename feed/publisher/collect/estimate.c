/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * estimate.c: estimates totals and their errors.
 */
#include "config.h"

#include "feed/publisher/collect/estimate.h"

enum {
    PAIRS_LEAST = 6, /* differences of means, before their variance is used */
    FAR_LONGER = 16,
};

/* Half an error bar in standard deviations. More than 1.96: sums of few calls are not normally
 * distributed. */
#define BAR 2.33

/* ------------------------------------------------------------------------------------ doubt */

void publisher_doubt_add(struct publisher_doubt *doubt, uint64_t calls, uint64_t timed, uint64_t ns)
{
    double m = publisher_real(timed), mean = publisher_real(ns) / m;
    if (doubt->timed > 0) {
        double step = mean - doubt->mean;
        doubt->square += step * step / (1 / m + 1 / doubt->timed);
        doubt->pairs++;
    }
    doubt->mean = mean;
    doubt->timed = m;
    if (calls > timed) {
        doubt->weight += publisher_real(calls) * publisher_real(calls - timed) / m;
        doubt->stretches++;
        doubt->most = mean > doubt->most ? mean : doubt->most;
        doubt->some += m;
    }
}

/* Bounds the variance of calls by their shortest, longest and approximate mean duration: (longest -
 * mean) * (mean - shortest) by Bhatia and Davis (Am. Math. Monthly 107, 2000), and at most as if
 * half of the calls were longest. Calls that were not seen among n may be 3 in n, and as long as
 * the longest. */
static double most_variance(const struct publisher_doubt *doubt, double range)
{
    const double half = range / 2, mean = doubt->most + 3 * range / doubt->some;
    const double by_mean = range * mean, by_half = half * half;
    return by_mean < by_half ? by_mean : by_half;
}

uint64_t publisher_doubt_ns(const struct publisher_doubt *doubt, uint64_t range)
{
    const double z = BAR;
    double factor = z, square;
    if (doubt->stretches == 0)
        return 0;
    square = most_variance(doubt, publisher_real(range));
    if (doubt->pairs >= PAIRS_LEAST) {
        /* Successive differences share a mean, so they are worth two thirds of as many independent
         * ones. The factor is Student's quantile for that many degrees of freedom, by its
         * series. */
        double free = doubt->pairs / 1.5;
        square = doubt->square / doubt->pairs;
        factor = z * (1 + (z * z + 1) / (4 * free) +
                      (5 * z * z * z * z + 16 * z * z + 3) / (96 * free * free));
    }
    return publisher_whole(factor * __builtin_sqrt(square * doubt->weight) + doubt->stretches);
}

/* Returns the mean of the timed calls, which took ns together. Leaves out the longest call if it
 * was stalled, that is, far longer than any before. */
static double usual_ns(struct publisher_estimate *e, uint64_t longest_ns, uint64_t timed,
                       uint64_t ns)
{
    const bool stalled = e->longest_ns != 0 && longest_ns / FAR_LONGER > e->longest_ns;
    e->longest_ns = longest_ns > e->longest_ns ? longest_ns : e->longest_ns;
    if (!stalled || timed < 2 || ns < longest_ns)
        return publisher_real(ns) / publisher_real(timed);
    return publisher_real(ns - longest_ns) / publisher_real(timed - 1);
}

/* Adds a stretch with some timed calls. */
static void add_stretch(struct publisher_estimate *e, uint64_t calls, uint64_t timed, uint64_t ns,
                        uint64_t longest_ns, const struct publisher_estimate_errors *errors)
{
    const double others = publisher_real(calls - timed),
                 mean = publisher_real(ns) / publisher_real(timed);
    const double usual = usual_ns(e, longest_ns, timed, ns);
    /* If a timed call waited in one of two stretches, the other stretch, with the lower mean, tells
     * better how long calls run. */
    const double runs =
        others * (e->doubt.timed > 0 && e->doubt.mean < usual ? e->doubt.mean : usual);
    publisher_doubt_add(&e->doubt, calls, timed, ns);
    e->total = publisher_sum_plus(e->total, ns + publisher_whole(others * usual));
    e->stalls_ns += publisher_whole(others * (mean - usual));
    e->stamps_ns += (calls - timed) * errors->stamp_ns;
    e->waits_ns += runs * errors->waited;
    e->waits_variance += runs * errors->square;
}

uint64_t publisher_estimate_take(struct publisher_estimate *e, const struct publisher_base *before,
                                 const struct publisher_sum *sum, uint64_t measured,
                                 const struct publisher_estimate_errors *errors)
{
    if (e == NULL)
        return before->total > measured ? before->total : measured;
    if (e->calls == 0 && before->timed != 0)
        *e = (struct publisher_estimate){.calls = before->calls,
                                         .timed = before->timed,
                                         .measured = before->total,
                                         .total = before->total};
    uint64_t timed = sum->timed - e->timed;
    if (timed != 0) {
        add_stretch(e, sum->calls - e->calls, timed, measured - e->measured, sum->max, errors);
        e->calls = sum->calls;
        e->timed = sum->timed;
        e->measured = measured;
    }
    return e->total;
}

/* Returns the time of the calls after the last timed one. */
static uint64_t late_ns(const struct publisher_estimate *e, uint64_t calls)
{
    return publisher_whole(publisher_real(calls - e->calls) * e->doubt.mean);
}

/* How much of the overhead of its time stamps a call's time contains depends on the code around the
 * stamps, and that code is different around untimed calls. So an estimate may differ from the sum
 * of fully timed calls by the whole overhead of timing them, in one direction, however many calls
 * there are. */
uint64_t publisher_estimate_error(const struct publisher_estimate *e, uint64_t calls,
                                  uint64_t range, uint64_t most_ns)
{
    const uint64_t stamps_ns = e->stamps_ns + (calls - e->calls) * most_ns;
    const double waits_ns = e->waits_ns + BAR * __builtin_sqrt(e->waits_variance);
    return publisher_doubt_ns(&e->doubt, range) + late_ns(e, calls) + stamps_ns + e->stalls_ns +
           publisher_whole(waits_ns);
}

uint64_t publisher_estimate_close(struct publisher_estimate *e, uint64_t calls)
{
    const uint64_t late = late_ns(e, calls);
    e->total = publisher_sum_plus(e->total, late);
    e->calls = calls;
    e->stamps_ns = e->stalls_ns = 0;
    e->waits_ns = e->waits_variance = 0;
    e->longest_ns = 0;
    e->doubt.weight = e->doubt.stretches = 0;
    return late;
}
