/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * read_objects.c: reads counters and spans, for frames, for reports, and for the reset after them.
 * Used by the feed's thread alone.
 */
#include "config.h"

#include "feed/publisher/collect/read_objects.h"

/* Keeps functions with several callers from being inlined into them. */
#define THERE_ONCE __attribute__((noinline))

static uint64_t seen(const _Atomic uint64_t *value)
{
    return atomic_load_explicit(value, memory_order_acquire);
}

/* ------------------------------------------------------------------------------------- counters */

static uint64_t bits_of_order_f64(uint64_t order)
{
    return order >> 63 ? order & ~(UINT64_C(1) << 63) : ~order;
}

THERE_ONCE static uint64_t order_of(const struct publisher_counter *counter, uint64_t bits)
{
    if (counter->kind == PUBLISHER_MEMORY)
        return bits;
    return counter->kind == PUBLISHER_COUNTER_I64 ? publisher_order_i64(bits)
                                                  : publisher_order_f64(bits);
}

THERE_ONCE static uint64_t bits_of(const struct publisher_counter *counter, uint64_t order)
{
    if (counter->kind == PUBLISHER_MEMORY)
        return order;
    return counter->kind == PUBLISHER_COUNTER_I64 ? publisher_order_i64(order)
                                                  : bits_of_order_f64(order);
}

/* If no extreme was stored since the reset, uses the value, which certainly occurred: an update
 * during the reset may have stored its extremes too early. The peak of memory is never below its
 * value. */
static void read_extremes(const struct publisher_counter *counter,
                          struct publisher_counter_view *view)
{
    uint64_t min = seen(&counter->min), max = seen(&counter->max);
    uint64_t value = order_of(counter, view->value);
    min = min == 0 ? value : ~min;
    if (max == 0 || (counter->kind == PUBLISHER_MEMORY && max < value))
        max = value;
    view->min = bits_of(counter, min < max ? min : max);
    view->max = bits_of(counter, min < max ? max : min);
}

THERE_ONCE static double number(const struct publisher_counter *counter, uint64_t bits)
{
    if (counter->kind == PUBLISHER_COUNTER_F64)
        return publisher_double(bits);
    return counter->kind == PUBLISHER_COUNTER_I64 ? (double)(int64_t)bits : (double)bits;
}

/* Bounds the mean by the extremes, even if some update in the sum is not counted yet. */
THERE_ONCE static void set_mean(const struct publisher_counter *counter,
                                struct publisher_counter_view *view, uint64_t updates, double sum)
{
    const double min = number(counter, view->min), max = number(counter, view->max);
    double mean = updates == 0 ? 0 : sum / (double)updates * PUBLISHER_SUM_UNIT;
    if (updates != 0 && mean < min)
        mean = min;
    if (updates != 0 && mean > max)
        mean = max;
    view->updates = updates;
    view->mean = mean;
}

/* Reads the updates first: while updates go on, the sum may include some that are not counted
 * yet. */
static void read_once(const struct publisher_counter *counter, struct publisher_counter_view *view)
{
    uint64_t updates = publisher_counter_updates(counter) - counter->base_updates;
    view->known = atomic_load_explicit(&counter->known, memory_order_acquire);
    view->value = seen(&counter->value);
    view->limit = seen(&counter->limit) - 1; /* PROFTOP_UNKNOWN: none */
    read_extremes(counter, view);
    double sum = counter->kept_sum + publisher_double(seen(&counter->side[0].sum)) +
                 publisher_double(seen(&counter->side[1].sum));
    set_mean(counter, view, updates, sum);
}

void publisher_counter_read(const struct publisher_counter *counter,
                            struct publisher_counter_view *view)
{
    bool whole = false;
    for (int tries = 0; tries < PUBLISHER_READ_TRIES && !whole; tries++) {
        uint32_t ended = atomic_load_explicit(&counter->turn.ended, memory_order_acquire);
        read_once(counter, view);
        whole = atomic_load_explicit(&counter->turn.begun, memory_order_relaxed) == ended;
    }
}

/* A reset discards the sum so far as a whole. Subtracting it from a sum since the start would lose
 * small later values beside large earlier ones. */
static void take_side(struct publisher_counter *counter, struct publisher_counter_side *side)
{
    side->taken = seen(&side->updates);
    counter->kept_sum += publisher_double(
        atomic_exchange_explicit(&side->sum, publisher_bits(0), memory_order_acq_rel));
}

/* Takes the sum together with exactly the updates that it includes. Updates go on meanwhile, but
 * each thread adds at most its current one to the side that is taken. Most of these end within a
 * few tries. If one stalls for longer, its value is taken now, and its count later. */
static void take_sum(struct publisher_counter *counter)
{
    const uint32_t was = atomic_load_explicit(&counter->now, memory_order_relaxed);
    bool whole = false;
    take_side(counter, &counter->side[!was]);
    atomic_store_explicit(&counter->now, !was, memory_order_seq_cst);
    for (int tries = 0; tries < PUBLISHER_READ_TRIES && !whole; tries++) {
        uint32_t ended = atomic_load_explicit(&counter->turn.ended, memory_order_acquire);
        take_side(counter, &counter->side[was]);
        whole = atomic_load_explicit(&counter->turn.begun, memory_order_relaxed) == ended;
    }
}

void publisher_counter_note(struct publisher_counter *counter)
{
    struct publisher_counter_view *noted = &counter->noted;
    take_sum(counter);
    publisher_counter_read(counter, noted);
    counter->noted_updates = counter->side[0].taken + counter->side[1].taken;
    set_mean(counter, noted, counter->noted_updates - counter->base_updates, counter->kept_sum);
}

void publisher_counter_reset(struct publisher_counter *counter)
{
    bool memory = counter->kind == PUBLISHER_MEMORY;
    atomic_store_explicit(&counter->min, 0, memory_order_release);
    /* In this order: an allocation meanwhile raises the maximum again, or is in the value. */
    atomic_exchange_explicit(&counter->max, 0, memory_order_seq_cst);
    if (memory)
        publisher_raise(&counter->max, seen(&counter->value));
    counter->base_updates = counter->noted_updates;
    counter->kept_sum = 0;
}

/* ---------------------------------------------------------------------------------------- spans */

/* Makes the shortest and longest duration include the last one, whatever a concurrent reset or an
 * ending run does. Stores them, since a viewer accepts no range that is narrower than before. */
static void hold_last(struct publisher_span *span, struct publisher_span_view *view)
{
    publisher_lower(&span->min, view->last);
    publisher_raise(&span->max, view->last);
    view->min = seen(&span->min);
    view->max = seen(&span->max);
    /* A reset, or a run that is being counted, may have left a beginning without an end. */
    if (view->until < view->first) {
        view->first = PROFTOP_UNKNOWN;
        view->until = 0;
    }
}

void publisher_span_read(struct publisher_span *span, struct publisher_span_view *view)
{
    bool whole = false;
    for (int tries = 0; tries < PUBLISHER_READ_TRIES && !whole; tries++) {
        uint32_t ended = atomic_load_explicit(&span->turn.ended, memory_order_acquire);
        /* Calls first: their times are in the sums by then, even if an update is in progress. */
        view->calls = seen(&span->calls) - span->base_calls;
        view->self = seen(&span->self) - span->base_self;
        view->total = seen(&span->total) - span->base_total;
        view->min = seen(&span->min);
        view->max = seen(&span->max);
        view->last = seen(&span->last);
        view->first = seen(&span->first);
        view->until = seen(&span->until);
        whole = atomic_load_explicit(&span->turn.begun, memory_order_relaxed) == ended;
    }
    /* A run may have ended while the reset took its note: its total is before the note, and its
     * self time after it. */
    if (view->self > view->total)
        view->self = view->total;
    if (view->calls != 0)
        hold_last(span, view);
    else
        *view = (struct publisher_span_view){.min = PROFTOP_UNKNOWN,
                                             .max = PROFTOP_UNKNOWN,
                                             .last = PROFTOP_UNKNOWN,
                                             .first = PROFTOP_UNKNOWN,
                                             .until = PROFTOP_UNKNOWN};
}

void publisher_span_thread_read(const struct publisher_span_thread *by, uint64_t *calls,
                                uint64_t *total)
{
    *calls = seen(&by->calls) - by->base_calls;
    *total = seen(&by->total) - by->base_total;
}

void publisher_span_note(struct publisher_span *span)
{
    for (int i = 0; i <= PUBLISHER_SPAN_THREADS; i++) {
        span->thread[i].noted_calls = seen(&span->thread[i].calls);
        span->thread[i].noted_total = seen(&span->thread[i].total);
    }
    publisher_span_read(span, &span->noted);
}

void publisher_span_reset(struct publisher_span *span)
{
    /* The reverse order of an ending run, so that no run that ends meanwhile leaves a beginning
     * without an end. If a run has ended since the note, both are lost. */
    atomic_store_explicit(&span->max, 0, memory_order_release);
    atomic_store_explicit(&span->min, PROFTOP_UNKNOWN, memory_order_release);
    atomic_store_explicit(&span->until, 0, memory_order_release);
    atomic_store_explicit(&span->first, PROFTOP_UNKNOWN, memory_order_release);
    span->base_calls += span->noted.calls;
    span->base_total += span->noted.total;
    span->base_self += span->noted.self;
    for (int i = 0; i <= PUBLISHER_SPAN_THREADS; i++) {
        span->thread[i].base_calls = span->thread[i].noted_calls;
        span->thread[i].base_total = span->thread[i].noted_total;
    }
    if (span->frames == NULL)
        return;
    pthread_mutex_lock(&span->frames->lock);
    span->frames->ended = 0;
    pthread_mutex_unlock(&span->frames->lock);
}

static void look_at_runner(struct publisher_runner *runner, uint32_t n, uint64_t *open)
{
    uint32_t used = atomic_load_explicit(&runner->used, memory_order_acquire);
    for (uint32_t place = 1; place <= used; place++) {
        struct publisher_run *run = publisher_run_at(runner, place);
        uint64_t begin = seen(&run->start);
        if (begin == 0)
            continue;
        uint32_t span = atomic_load_explicit(&run->span, memory_order_acquire);
        bool same = seen(&run->start) == begin; /* no other run has taken the place */
        if (same && span < n && begin < open[span])
            open[span] = begin;
    }
}

void publisher_runs_open(struct publisher_objects *objects, uint32_t n, uint64_t *open)
{
    uint32_t runners = atomic_load_explicit(&objects->runners, memory_order_acquire);
    for (uint32_t i = 0; i < n; i++)
        open[i] = PROFTOP_UNKNOWN;
    for (uint32_t i = 0; i < runners; i++)
        look_at_runner(atomic_load_explicit(&objects->runner[i], memory_order_acquire), n, open);
}

uint32_t publisher_frames_slowest(struct publisher_span *span, uint64_t longest,
                                  struct publisher_frame_pass *slowest, uint32_t most)
{
    struct publisher_frames *frames = span->frames;
    uint32_t found = 0;
    if (frames == NULL)
        return 0;
    pthread_mutex_lock(&frames->lock);
    uint64_t kept = frames->ended < PUBLISHER_FRAMES_KEPT ? frames->ended : PUBLISHER_FRAMES_KEPT;
    for (uint64_t i = 0; i < kept; i++) {
        if (frames->pass[i].ns > longest)
            continue;
        uint32_t at = found < most ? found++ : most;
        for (; at > 0 && slowest[at - 1].ns < frames->pass[i].ns; at--)
            if (at < most)
                slowest[at] = slowest[at - 1];
        if (at < most)
            slowest[at] = frames->pass[i];
    }
    pthread_mutex_unlock(&frames->lock);
    return found;
}

/* ---------------------------------------------------------------------------------- all objects */

static void each(struct publisher_objects *objects,
                 void (*counter)(struct publisher_counter *counter),
                 void (*span)(struct publisher_span *span))
{
    uint32_t counters = atomic_load_explicit(&objects->counters, memory_order_acquire);
    uint32_t spans = atomic_load_explicit(&objects->spans, memory_order_acquire);
    for (uint32_t id = 0; id < counters; id++)
        counter(publisher_counter_at(objects, id));
    for (uint32_t id = 0; id < spans; id++)
        span(publisher_span_at(objects, id));
}

void publisher_objects_note(struct publisher_objects *objects)
{
    each(objects, publisher_counter_note, publisher_span_note);
}

void publisher_objects_reset(struct publisher_objects *objects)
{
    each(objects, publisher_counter_reset, publisher_span_reset);
}
