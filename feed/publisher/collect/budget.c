/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * budget.c: chooses the sampling rates of rows once a tick.
 */
#include "config.h"

#include "feed/publisher/collect/budget.h"

enum {
    HOT_CALLS = 100, /* in a tick; with fewer there is little overhead to save */
    RATE_LEAST = 3,  /* at lower rates mispredicted branches lose half of the gain */
    CALLS_MORE = 4,  /* added to the rate of functions: in a timed call all inner calls are timed,
                      * too */
    CALM_TICKS = 10, /* of low overhead, before more is timed again */
};

static struct publisher_sampling *sampling_of(const struct publisher_aggregate *aggregate,
                                              enum publisher_kind kind, uint32_t id)
{
    if (kind == PUBLISHER_CALLS)
        return &publisher_aggregate_function(aggregate, id)->sampling;
    struct publisher_row *row = publisher_aggregate_apply(aggregate, id);
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
static bool begins_inside(const struct publisher_aggregate *aggregate, enum publisher_kind kind,
                          uint32_t id)
{
    if (kind != PUBLISHER_APPLIES)
        return false;
    const struct publisher_call_row *row =
        publisher_aggregate_function(aggregate, publisher_aggregate_function_of(aggregate, id));
    return row != NULL && row->sampling.hot != 0 && row->sampling.rate == 0;
}

/* Settles the sampling of a row that is hot, or of a row that no longer is. */
static void settle(struct publisher_aggregate *aggregate, enum publisher_kind kind, uint32_t id,
                   bool hot)
{
    struct publisher_sampling *sampling = sampling_of(aggregate, kind, id);
    if (sampling == NULL || (sampling->hot != 0) != hot)
        return;
    const unsigned rate = begins_inside(aggregate, kind, id) ? 0 : aggregate->budget.rate;
    sampling->rate = (uint8_t)rate_for(sampling, kind, rate);
    if (!hot)
        sampling->passes = 0;
    sampling->hot = 0;
    set_rate(aggregate->core, kind, id, sampling->rate);
}

static void spread_kind(struct publisher_aggregate *aggregate, enum publisher_kind kind)
{
    struct publisher_hot *hot = &aggregate->budget.hot[kind];
    for (size_t i = 0; i < hot->before.count; i++)
        settle(aggregate, kind, hot->before.id[i], false);
    for (size_t i = 0; i < hot->now.count; i++)
        settle(aggregate, kind, hot->now.id[i], true);
    struct publisher_ids was = hot->before;
    hot->before = hot->now;
    hot->now = was;
    hot->now.count = 0;
}

static void spread(struct publisher_aggregate *aggregate)
{
    const struct publisher_hot *hot = aggregate->budget.hot;
    size_t any = 0;
    for (int kind = 0; kind < PUBLISHER_HOT_KINDS; kind++)
        any += hot[kind].now.count + hot[kind].before.count;
    if (any == 0)
        return;
    pthread_mutex_lock(&aggregate->core->handle->lock);
    for (int kind = 0; kind < PUBLISHER_HOT_KINDS; kind++)
        spread_kind(aggregate, kind);
    pthread_mutex_unlock(&aggregate->core->handle->lock);
}

/* The rate rises at once. It falls only if twice the present overhead would be low; before every
 * call is timed again, only if the overhead of that would be low. */
static void choose(struct publisher_budget *b, double fraction, double all_timed)
{
    bool cheap = b->rate > RATE_LEAST ? fraction < b->limit / 2 : all_timed < b->limit;
    b->calm = cheap && b->rate > 0 ? b->calm + 1 : 0;
    const size_t hot = b->hot[PUBLISHER_APPLIES].now.count + b->hot[PUBLISHER_CALLS].now.count;
    if (fraction > b->limit && hot > 0 && b->rate < PUBLISHER_SAMPLING_RATE_MAX)
        b->rate = b->rate < RATE_LEAST ? RATE_LEAST : b->rate + 1;
    else if (b->calm >= CALM_TICKS) {
        b->rate = b->rate > RATE_LEAST ? b->rate - 1 : 0;
        b->calm = 0;
    }
}

/* The sampling budget is an upper bound, so decisions use the largest possible overhead of calls. A
 * call that stays within the budget by itself, even so, is timed. A function inside an apply may
 * use only half of the budget: the other half is for the applies inside the function. */
void publisher_budget_tick(struct publisher_aggregate *aggregate,
                           const struct publisher_overhead *cost, uint64_t now_ns)
{
    struct publisher_budget *b = &aggregate->budget;
    const double timed_ns = cost->peak_ns[PUBLISHER_EVENT_TIMED],
                 call_ns = cost->peak_ns[PUBLISHER_EVENT_CALL];
    b->hot[PUBLISHER_APPLIES].most_ns = publisher_whole(timed_ns);
    b->hot[PUBLISHER_CALLS].most_ns = publisher_whole(call_ns);
    /* Within a round some rows are not summed yet. */
    if (b->limit <= 0 || !cost->priced || !publisher_aggregate_is_round(aggregate))
        return;
    bool begun = b->seen_at != 0 && now_ns > b->seen_at;
    if (begun) {
        double run = publisher_overhead_worked_ns(aggregate, now_ns - b->seen_at, b->seen_tick,
                                                  &b->seen_turns);
        double paid = cost->calls_most_ns - b->seen_ns;
        double all = paid + publisher_real(aggregate->untimed - b->seen_untimed) * timed_ns +
                     publisher_real(aggregate->spared - b->seen_spared) * call_ns;
        choose(b, paid / run, all / run);
    }
    /* Functions are looked at in each tick, applies once in a round. */
    b->hot[PUBLISHER_CALLS].least_calls = HOT_CALLS;
    b->hot[PUBLISHER_APPLIES].least_calls =
        HOT_CALLS * (aggregate->parts > 1 ? aggregate->parts : 1);
    b->hot[PUBLISHER_APPLIES].least_ns = timed_ns / b->limit;
    b->hot[PUBLISHER_CALLS].least_ns = call_ns / (b->limit / 2);
    b->seen_at = now_ns;
    b->seen_tick = aggregate->tick;
    b->seen_turns = aggregate->runqueue.sum;
    b->seen_ns = cost->calls_most_ns;
    b->seen_untimed = aggregate->untimed;
    b->seen_spared = aggregate->spared;
    spread(aggregate);
}

void publisher_budget_idle(struct publisher_aggregate *aggregate)
{
    struct publisher_budget *b = &aggregate->budget;
    b->rate = b->calm = 0;
    b->seen_at = 0;
    spread(aggregate);
}
