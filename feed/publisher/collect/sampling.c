/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sampling.c: decides which applies and functions are sampled, and estimates the errors of their
 * totals.
 */
#include "config.h"

#include "feed/publisher/collect/sampling.h"

#include <stdlib.h>
#include <string.h>

#include "feed/publisher/collect/overhead.h"
#include "feed/publisher/collect/sum.h"
#include "feed/publisher/settings.h"

enum {
    HOT_CALLS = 100, /* in a tick; with fewer there is little overhead to save */
    TIMED_PART = 10, /* at least least_calls / TIMED_PART calls are timed */
    HOT_MAX = 4096,  /* of a kind, sampled at once */
    RATE_LEAST = 3,  /* at lower rates mispredicted branches lose half of the gain */
    RATE_MAX = 7,
    CALLS_MORE = 4,  /* added to the rate of functions: in a timed call all inner calls are timed,
                      * too */
    CALM_TICKS = 10, /* of low overhead, before more is timed again */
    PAIRS_LEAST = 6, /* differences of means, before their variance is used */
    FAR_LONGER = 16,
};

/* Half an error bar in standard deviations. More than 1.96: sums of few calls are not normally
 * distributed. */
#define BAR 2.33

/* Converts without the code that handles values from 2^63 on: counts and times are below 2^62. */
static double real(uint64_t whole)
{
    return (double)(int64_t)whole;
}

static uint64_t whole(double real)
{
    const double largest = 4.6e18;
    return (uint64_t)(int64_t)(real < largest ? real : largest);
}

/* ------------------------------------------------------------------------------------ doubt */

void publisher_doubt_add(struct publisher_doubt *doubt, uint64_t calls, uint64_t timed, uint64_t ns)
{
    double m = real(timed), mean = real(ns) / m;
    if (doubt->timed > 0) {
        double step = mean - doubt->mean;
        doubt->square += step * step / (1 / m + 1 / doubt->timed);
        doubt->pairs++;
    }
    doubt->mean = mean;
    doubt->timed = m;
    if (calls > timed) {
        doubt->weight += real(calls) * real(calls - timed) / m;
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
    square = most_variance(doubt, real(range));
    if (doubt->pairs >= PAIRS_LEAST) {
        /* Successive differences share a mean, so they are worth two thirds of as many independent
         * ones. The factor is Student's quantile for that many degrees of freedom, by its
         * series. */
        double free = doubt->pairs / 1.5;
        square = doubt->square / doubt->pairs;
        factor = z * (1 + (z * z + 1) / (4 * free) +
                      (5 * z * z * z * z + 16 * z * z + 3) / (96 * free * free));
    }
    return whole(factor * __builtin_sqrt(square * doubt->weight) + doubt->stretches);
}

/* Returns the mean of the timed calls, which took ns together. Leaves out the longest call if it
 * was stalled, that is, far longer than any before. */
static double usual_ns(struct publisher_estimate *e, uint64_t longest_ns, uint64_t timed,
                       uint64_t ns)
{
    const bool stalled = e->longest_ns != 0 && longest_ns / FAR_LONGER > e->longest_ns;
    e->longest_ns = longest_ns > e->longest_ns ? longest_ns : e->longest_ns;
    if (!stalled || timed < 2 || ns < longest_ns)
        return real(ns) / real(timed);
    return real(ns - longest_ns) / real(timed - 1);
}

/* Adds a stretch with some timed calls. */
static void add_stretch(struct publisher_estimate *e, uint64_t calls, uint64_t timed, uint64_t ns,
                        uint64_t longest_ns, const struct publisher_aggregate *scan,
                        enum publisher_kind kind)
{
    const double others = real(calls - timed), mean = real(ns) / real(timed);
    const double usual = usual_ns(e, longest_ns, timed, ns);
    /* If a timed call waited in one of two stretches, the other stretch, with the lower mean, tells
     * better how long calls run. */
    const double runs = others * (e->doubt.timed > 0 && e->doubt.mean < usual ? e->doubt.mean
                                                                              : usual);
    publisher_doubt_add(&e->doubt, calls, timed, ns);
    e->total = publisher_sum_plus(e->total, ns + whole(others * usual));
    e->stalls_ns += whole(others * (mean - usual));
    e->stamps_ns += (calls - timed) * scan->budget.hot[kind].most_ns;
    e->waits_ns += runs * scan->runqueue.waited;
    e->waits_variance += runs * scan->runqueue.square;
}

uint64_t publisher_estimate_take(struct publisher_estimate *e, const struct publisher_base *before,
                                 const struct publisher_sum *sum, uint64_t measured,
                                 const struct publisher_aggregate *scan, enum publisher_kind kind)
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
        add_stretch(e, sum->calls - e->calls, timed, measured - e->measured, sum->max, scan, kind);
        e->calls = sum->calls;
        e->timed = sum->timed;
        e->measured = measured;
    }
    return e->total;
}

/* Returns the time of the calls after the last timed one. */
static uint64_t late_ns(const struct publisher_estimate *e, uint64_t calls)
{
    return whole(real(calls - e->calls) * e->doubt.mean);
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
           whole(waits_ns);
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

/* -------------------------------------------------------------------------- sampling budget */

bool publisher_ids_reserve(struct publisher_ids *ids, size_t count)
{
    size_t capacity = ids->capacity == 0 ? 1024 : ids->capacity;
    while (capacity < count)
        capacity *= 2;
    if (capacity == ids->capacity)
        return true;
    uint32_t *grown = realloc(ids->id, capacity * sizeof *grown);
    if (grown == NULL)
        return false;
    ids->id = grown;
    ids->capacity = capacity;
    return true;
}

bool publisher_ids_add(struct publisher_ids *ids, uint32_t id)
{
    if (ids->count == ids->capacity && !publisher_ids_reserve(ids, ids->count + 1))
        return false;
    ids->id[ids->count++] = id;
    return true;
}

void publisher_sampler_release(struct publisher_sampler *budget)
{
    for (int kind = 0; kind < PUBLISHER_HOT_KINDS; kind++) {
        free(budget->hot[kind].now.id);
        free(budget->hot[kind].before.id);
    }
}

/* Returns the highest rate that leaves at least `least` of `calls`. Above 0 for hot rows with their
 * least_calls / TIMED_PART. */
static uint8_t rate_to(uint64_t calls, uint64_t least)
{
    uint8_t rate = 0;
    for (; rate < RATE_MAX && least << (rate + 1) <= calls; rate++)
        ;
    return rate;
}

/* Estimates from the timed calls how many of `calls` arrived one by one. */
static uint64_t came_of(const struct publisher_sampling *sampling, uint64_t calls, uint64_t timed)
{
    const uint64_t came = timed << sampling->rate;
    return sampling->rate != 0 && came > calls - calls / 4 ? calls : came;
}

uint64_t publisher_sampler_see(struct publisher_sampler *budget, enum publisher_kind kind,
                               struct publisher_sampling *sampling, uint32_t id, uint64_t calls,
                               uint64_t timed, uint64_t ns)
{
    struct publisher_hot *hot = &budget->hot[kind];
    /* Hysteresis: a sampled row must clearly differ from a hot one before its sampling ends. */
    const unsigned leave = (sampling->rate | sampling->passes) != 0 ? 2 : 1;
    const uint64_t came = came_of(sampling, calls, timed);
    bool is_hot = calls >= hot->least_calls / leave &&
                  real(ns) < hot->least_ns * leave * real(calls);
    if (!is_hot || sampling->hot || hot->now.count >= HOT_MAX || !publisher_ids_add(&hot->now, id))
        return came;
    sampling->hot = rate_to(calls, hot->least_calls / TIMED_PART);
    sampling->passes = rate_to(calls, came - came / 4);
    return came;
}

static struct publisher_sampling *sampling_of(const struct publisher_aggregate *scan,
                                              enum publisher_kind kind, uint32_t id)
{
    if (kind == PUBLISHER_CALLS)
        return &publisher_aggregate_function(scan, id)->sampling;
    struct publisher_row *row = publisher_aggregate_apply(scan, id);
    return row == NULL ? NULL : &row->sampling;
}

/* Sets the rate of a row in the slots of all threads. Under the feed's lock. */
static void set_rate(struct publisher_core *core, enum publisher_kind kind, uint32_t id,
                     unsigned rate)
{
    struct publisher_block *block = atomic_load_explicit(&core->blocks, memory_order_acquire);
    for (; block != NULL; block = block->next) {
        struct proftop_slot **place =
            publisher_block_place(block, kind, id >> PUBLISHER_CHUNK_SHIFT);
        struct proftop_slot *chunk = __atomic_load_n(place, __ATOMIC_ACQUIRE);
        struct proftop_slot *slot = chunk == NULL ? NULL : &chunk[id % PUBLISHER_CHUNK];
        if (slot != NULL && publisher_slot_kind(slot) >> PROFTOP_KIND_SHIFT != rate)
            publisher_slot_set_rate(slot, publisher_block_ready(block, kind, id), rate);
    }
}

/* Lowers the rate where only some calls arrive one by one: these are then timed more often. */
static unsigned rate_for(const struct publisher_sampling *sampling, enum publisher_kind kind,
                         unsigned rate)
{
    rate += rate != 0 && kind == PUBLISHER_CALLS ? CALLS_MORE : 0;
    rate = rate < sampling->hot ? rate : sampling->hot;
    return rate > sampling->passes ? rate - sampling->passes : 0;
}

/* True if the apply is in a function whose sampling begins in this tick. Functions are settled
 * after applies, and the number of the apply's calls that arrive one by one is known only after the
 * next tick. Sampling the apply now would time one in rate times rate calls. */
static bool begins_inside(const struct publisher_aggregate *scan, enum publisher_kind kind,
                          uint32_t id)
{
    if (kind != PUBLISHER_APPLIES)
        return false;
    const struct publisher_call_row *row =
        publisher_aggregate_function(scan, publisher_aggregate_function_of(scan, id));
    return row != NULL && row->sampling.hot != 0 && row->sampling.rate == 0;
}

/* Settles the sampling of a row that is hot, or of a row that no longer is. */
static void settle(struct publisher_aggregate *scan, enum publisher_kind kind, uint32_t id,
                   bool hot)
{
    struct publisher_sampling *sampling = sampling_of(scan, kind, id);
    if (sampling == NULL || (sampling->hot != 0) != hot)
        return;
    const unsigned rate = begins_inside(scan, kind, id) ? 0 : scan->budget.rate;
    sampling->rate = (uint8_t)rate_for(sampling, kind, rate);
    if (!hot)
        sampling->passes = 0;
    sampling->hot = 0;
    set_rate(scan->core, kind, id, sampling->rate);
}

static void spread_kind(struct publisher_aggregate *scan, enum publisher_kind kind)
{
    struct publisher_hot *hot = &scan->budget.hot[kind];
    for (size_t i = 0; i < hot->before.count; i++)
        settle(scan, kind, hot->before.id[i], false);
    for (size_t i = 0; i < hot->now.count; i++)
        settle(scan, kind, hot->now.id[i], true);
    struct publisher_ids was = hot->before;
    hot->before = hot->now;
    hot->now = was;
    hot->now.count = 0;
}

static void spread(struct publisher_aggregate *scan)
{
    const struct publisher_hot *hot = scan->budget.hot;
    size_t any = 0;
    for (int kind = 0; kind < PUBLISHER_HOT_KINDS; kind++)
        any += hot[kind].now.count + hot[kind].before.count;
    if (any == 0)
        return;
    pthread_mutex_lock(&scan->core->handle->lock);
    for (int kind = 0; kind < PUBLISHER_HOT_KINDS; kind++)
        spread_kind(scan, kind);
    pthread_mutex_unlock(&scan->core->handle->lock);
}

/* The rate rises at once. It falls only if twice the present overhead would be low; before every
 * call is timed again, only if the overhead of that would be low. */
static void choose(struct publisher_sampler *b, double fraction, double all_timed)
{
    bool cheap = b->rate > RATE_LEAST ? fraction < b->limit / 2 : all_timed < b->limit;
    b->calm = cheap && b->rate > 0 ? b->calm + 1 : 0;
    const size_t hot = b->hot[PUBLISHER_APPLIES].now.count + b->hot[PUBLISHER_CALLS].now.count;
    if (fraction > b->limit && hot > 0 && b->rate < RATE_MAX)
        b->rate = b->rate < RATE_LEAST ? RATE_LEAST : b->rate + 1;
    else if (b->calm >= CALM_TICKS) {
        b->rate = b->rate > RATE_LEAST ? b->rate - 1 : 0;
        b->calm = 0;
    }
}

/* The sampling budget is an upper bound, so decisions use the largest possible overhead of calls. A
 * call that stays within the budget by itself, even so, is timed. A function inside an apply may
 * use only half of the budget: the other half is for the applies inside the function. */
void publisher_sampler_tick(struct publisher_aggregate *scan, const struct publisher_overhead *cost,
                            uint64_t now_ns)
{
    struct publisher_sampler *b = &scan->budget;
    const double timed_ns = cost->peak_ns[PUBLISHER_EVENT_TIMED],
                 call_ns = cost->peak_ns[PUBLISHER_EVENT_CALL];
    b->hot[PUBLISHER_APPLIES].most_ns = whole(timed_ns);
    b->hot[PUBLISHER_CALLS].most_ns = whole(call_ns);
    /* Within a round some rows are not summed yet. */
    if (b->limit <= 0 || !cost->priced || !publisher_aggregate_is_round(scan))
        return;
    bool begun = b->seen_at != 0 && now_ns > b->seen_at;
    if (begun) {
        double run =
            publisher_overhead_worked_ns(scan, now_ns - b->seen_at, b->seen_tick, &b->seen_turns);
        double paid = cost->calls_most_ns - b->seen_ns;
        double all = paid + real(scan->untimed - b->seen_untimed) * timed_ns +
                     real(scan->spared - b->seen_spared) * call_ns;
        choose(b, paid / run, all / run);
    }
    /* Functions are looked at in each tick, applies once in a round. */
    b->hot[PUBLISHER_CALLS].least_calls = HOT_CALLS;
    b->hot[PUBLISHER_APPLIES].least_calls = HOT_CALLS * (scan->parts > 1 ? scan->parts : 1);
    b->hot[PUBLISHER_APPLIES].least_ns = timed_ns / b->limit;
    b->hot[PUBLISHER_CALLS].least_ns = call_ns / (b->limit / 2);
    b->seen_at = now_ns;
    b->seen_tick = scan->tick;
    b->seen_turns = scan->runqueue.sum;
    b->seen_ns = cost->calls_most_ns;
    b->seen_untimed = scan->untimed;
    b->seen_spared = scan->spared;
    spread(scan);
}

void publisher_sampler_idle(struct publisher_aggregate *scan)
{
    struct publisher_sampler *b = &scan->budget;
    b->rate = b->calm = 0;
    b->seen_at = 0;
    spread(scan);
}
