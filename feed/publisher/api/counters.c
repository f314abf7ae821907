/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * counters.c: domains and counters of proftop_objects.h. Updates take no lock: each is one atomic
 * operation.
 */
#include "config.h"

#include "feed/publisher/record/lock.h"
#include "feed/publisher/record/objects.h"
#include "feed/publisher/record/thread_objects.h"
#include "proftop_objects.h"

proftop_id proftop_domain(struct proftop *feed, const char *name)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return PROFTOP_NONE;
    uint32_t id = publisher_define_domain(core, name);
    publisher_unlock(core);
    return id;
}

static uint32_t define(struct proftop *feed, enum publisher_object_kind kind, uint32_t domain,
                       const char *name, const char *unit)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return PROFTOP_NONE;
    const char *of = publisher_domain_name(core, domain);
    const struct publisher_object_key key = {.kind = kind, .domain = of, .name = name};
    uint32_t id = of == NULL ? PROFTOP_NONE : publisher_define_counter(core, &key, unit);
    publisher_unlock(core);
    return id;
}

proftop_id proftop_counter(struct proftop *feed, proftop_id domain, const char *name,
                           const char *unit)
{
    return define(feed, PUBLISHER_COUNTER_I64, domain, name, unit);
}

proftop_id proftop_counter_f64(struct proftop *feed, proftop_id domain, const char *name,
                               const char *unit)
{
    return define(feed, PUBLISHER_COUNTER_F64, domain, name, unit);
}

proftop_id proftop_counter_from(struct proftop *feed, proftop_id domain, const char *name,
                                const char *unit, int64_t value)
{
    uint32_t id = define(feed, PUBLISHER_COUNTER_I64, domain, name, unit);
    if (id != PROFTOP_NONE)
        proftop_counter_set(feed, id, value);
    return id;
}

proftop_id proftop_counter_from_f64(struct proftop *feed, proftop_id domain, const char *name,
                                    const char *unit, double value)
{
    uint32_t id = define(feed, PUBLISHER_COUNTER_F64, domain, name, unit);
    if (id != PROFTOP_NONE)
        proftop_counter_set_f64(feed, id, value);
    return id;
}

/* ------------------------------------------------------------------------------------- updates */

/* Returns the counter of an id. Returns NULL if the feed is off, or, counted as misuse, if the id
 * is no counter of this kind. */
static struct publisher_counter *find(struct proftop *feed, uint32_t id,
                                      enum publisher_object_kind kind)
{
    struct publisher_block *block;
    struct publisher_thread_objects *own = publisher_thread_objects(feed, &block);
    if (own == NULL)
        return NULL;
    struct publisher_counter *counter = publisher_counter_at(own->objects, id);
    if (counter != NULL && counter->kind == kind)
        return counter;
    publisher_increment(&block->misuse);
    return NULL;
}

static uint64_t signless(int64_t value)
{
    return (uint64_t)value;
}

static void put(struct proftop *feed, struct publisher_counter *counter, uint32_t id, uint64_t bits,
                double value, uint64_t order)
{
    publisher_update_begin(&counter->turn);
    atomic_store_explicit(&counter->value, bits, memory_order_release);
    atomic_store_explicit(&counter->known, true, memory_order_release);
    if (publisher_counts_calls(feed))
        publisher_counter_count(counter, value, order);
    publisher_update_end(&counter->turn);
    publisher_event_value(feed, id, bits);
}

void proftop_counter_set(struct proftop *feed, proftop_id counter, int64_t value)
{
    struct publisher_counter *row = find(feed, counter, PUBLISHER_COUNTER_I64);
    if (row != NULL)
        put(feed, row, counter, signless(value), (double)value,
            publisher_order_i64(signless(value)));
}

void proftop_counter_set_f64(struct proftop *feed, proftop_id counter, double value)
{
    struct publisher_counter *row = find(feed, counter, PUBLISHER_COUNTER_F64);
    if (row == NULL)
        return;
    if (!__builtin_isfinite(value))
        publisher_count_one(&feed->invalid);
    else
        put(feed, row, counter, publisher_bits(value), value,
            publisher_order_f64(publisher_bits(value)));
}

/* Adds a delta to a value, by kind. Returns false if the sum is out of range. */
typedef bool step_fn(uint64_t was, const void *delta, uint64_t *bits);

static bool step_i64(uint64_t was, const void *delta, uint64_t *bits)
{
    int64_t sum;
    if (__builtin_add_overflow((int64_t)was, *(const int64_t *)delta, &sum))
        return false;
    *bits = signless(sum);
    return true;
}

static bool step_f64(uint64_t was, const void *delta, uint64_t *bits)
{
    double sum = publisher_double(was) + *(const double *)delta;
    *bits = publisher_bits(sum);
    return __builtin_isfinite(sum);
}

/* Adds atomically; `*bits` becomes the new value. Returns false, and changes nothing, if it is out
 * of range. */
static bool move(struct publisher_counter *counter, step_fn *step, const void *delta,
                 uint64_t *bits)
{
    uint64_t was = atomic_load_explicit(&counter->value, memory_order_relaxed);
    do
        if (!step(was, delta, bits))
            return false;
    while (!atomic_compare_exchange_weak_explicit(&counter->value, &was, *bits,
                                                  memory_order_acq_rel, memory_order_relaxed));
    return true;
}

static void add(struct proftop *feed, struct publisher_counter *counter, uint32_t id, step_fn *step,
                const void *delta)
{
    uint64_t bits;
    publisher_update_begin(&counter->turn);
    bool fits = move(counter, step, delta, &bits);
    if (fits)
        atomic_store_explicit(&counter->known, true, memory_order_release);
    if (fits && publisher_counts_calls(feed)) {
        bool whole = counter->kind == PUBLISHER_COUNTER_I64;
        publisher_counter_count(counter, whole ? (double)(int64_t)bits : publisher_double(bits),
                                whole ? publisher_order_i64(bits) : publisher_order_f64(bits));
    }
    publisher_update_end(&counter->turn);
    if (fits)
        publisher_event_value(feed, id, bits);
    else
        publisher_count_one(&feed->invalid);
}

void proftop_counter_add(struct proftop *feed, proftop_id counter, int64_t delta)
{
    struct publisher_counter *row = find(feed, counter, PUBLISHER_COUNTER_I64);
    if (row != NULL)
        add(feed, row, counter, step_i64, &delta);
}

void proftop_counter_add_f64(struct proftop *feed, proftop_id counter, double delta)
{
    struct publisher_counter *row = find(feed, counter, PUBLISHER_COUNTER_F64);
    if (row != NULL)
        add(feed, row, counter, step_f64, &delta);
}
