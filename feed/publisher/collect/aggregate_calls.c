/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * aggregate_calls.c: sums the slots of all threads to one row per function.
 */
#include "config.h"

#include "feed/publisher/collect/aggregate_calls.h"

#include <stdlib.h>
#include <string.h>

static void read_slot(const struct publisher_aggregate *aggregate, struct publisher_sum *sum,
                      enum publisher_kind kind, const struct publisher_block *block,
                      const struct proftop_slot *slot)
{
    struct publisher_count count;
    if (publisher_sum_is_silent(slot))
        return;
    if (publisher_slot_read(slot, &count)) {
        publisher_sum_add(aggregate->core, sum, block, &count, false);
        if (kind == PUBLISHER_VM) {
            *(block->ticks ? &sum->ticks : &sum->total) += count.aux;
            sum->given += count.total;
        }
    } else {
        sum->torn = true;
    }
}

/* Sums n slots of chunk `at` over all threads. Returns false if no thread has that chunk. */
static bool sum_chunk(struct publisher_aggregate *aggregate, enum publisher_kind kind, uint32_t at,
                      uint32_t n)
{
    bool any = false;
    for (struct publisher_block *block = publisher_sum_first(aggregate->core); block != NULL;
         block = block->next) {
        const struct proftop_slot *slot = publisher_sum_slots(block, kind, at);
        if (slot == NULL)
            continue;
        if (!any)
            memset(aggregate->sum, 0, n * sizeof *aggregate->sum);
        any = true;
        for (uint32_t i = 0; i < n; i++)
            read_slot(aggregate, &aggregate->sum[i], kind, block, &slot[i]);
    }
    return any;
}

/* Returns the start of the longest open call of the function over all threads, or
 * PROFTOP_UNKNOWN. */
static uint64_t open_since(const struct publisher_aggregate *aggregate, uint32_t id)
{
    uint64_t since = PROFTOP_UNKNOWN;
    for (struct publisher_block *block = publisher_sum_first(aggregate->core); block != NULL;
         block = block->next) {
        const struct proftop_slot *chunk =
            publisher_sum_slots(block, PUBLISHER_CALLS, id >> PUBLISHER_CHUNK_SHIFT);
        uint64_t open = chunk == NULL ? 0 : publisher_load(&chunk[id % PUBLISHER_CHUNK].aux);
        if (open == 0 || open == publisher_load(&block->front.ended))
            continue;
        open = block->ticks ? publisher_ticks_instant_ns(&aggregate->core->ticks, open)
                            : open & ~PUBLISHER_TICKS_NS;
        if (open < since)
            since = open;
    }
    return since;
}

static uint64_t unless_zero(uint64_t value, uint64_t shift)
{
    return value == 0 ? PROFTOP_UNKNOWN : value - shift;
}

/* Returns the time of all calls, estimated from the timed ones. */
static uint64_t estimated(const struct publisher_aggregate *aggregate,
                          const struct publisher_sum *sum, struct publisher_call_row *row,
                          uint64_t measured)
{
    if (row->calls == PROFTOP_UNKNOWN)
        row->calls = row->timed = row->ns = 0;
    const struct publisher_base before = {.calls = row->calls + row->base_calls,
                                          .total = row->ns + row->base_ns,
                                          .timed = row->timed + row->base_timed};
    if (row->estimate == NULL)
        row->estimate = calloc(1, sizeof *row->estimate);
    const struct publisher_estimate_errors errors =
        publisher_aggregate_errors(aggregate, PUBLISHER_CALLS);
    const uint64_t ns = publisher_estimate_take(row->estimate, &before, sum, measured, &errors);
    row->half = row->estimate == NULL
                    ? row->ns
                    : publisher_estimate_error(row->estimate, sum->calls, sum->max - sum->min,
                                               aggregate->budget.hot[PUBLISHER_CALLS].most_ns);
    return ns;
}

/* Counts the new calls for the overhead, and reports the calls of functions inside applies to the
 * sampler, which may leave some of them untimed. */
static void see(struct publisher_aggregate *aggregate, uint32_t id,
                const struct publisher_call_row *was, struct publisher_call_row *row, bool inside)
{
    const uint64_t calls = row->calls - was->calls, timed = row->timed - was->timed;
    if (was->calls == PROFTOP_UNKNOWN || calls == 0)
        return;
    aggregate->events[PUBLISHER_EVENT_CALL] += timed;
    aggregate->events[PUBLISHER_EVENT_UNTIMED] += calls - timed;
    aggregate->spared += calls - timed;
    aggregate->always += inside ? 0 : timed;
    if (inside)
        publisher_sampling_see(&aggregate->budget, PUBLISHER_CALLS, &row->sampling, id, calls,
                               timed, row->ns - was->ns);
}

/* Returns which values the program has set for the calls of a function: PUBLISHER_KNOWN_ flags. */
static uint64_t known_of(const struct publisher_aggregate *aggregate, uint32_t id)
{
    struct publisher_block *set = atomic_load_explicit(&aggregate->core->set, memory_order_acquire);
    const struct proftop_slot *chunk =
        set == NULL ? NULL : publisher_sum_slots(set, PUBLISHER_CALLS, id >> PUBLISHER_CHUNK_SHIFT);
    return chunk == NULL ? 0 : publisher_load(&chunk[id % PUBLISHER_CHUNK].last);
}

/* Sets the values of a function's calls, as far as its source provides them. */
static void take_calls(struct publisher_aggregate *aggregate, uint32_t id, uint32_t source,
                       const struct publisher_sum *sum, const struct publisher_call_row *was,
                       struct publisher_call_row *row, bool inside)
{
    const bool timed = source == PROFTOP_TIMED;
    const uint64_t known = timed                   ? PUBLISHER_KNOWN_CALLS | PUBLISHER_KNOWN_NS
                           : source == PROFTOP_SET ? known_of(aggregate, id)
                                                   : 0;
    uint64_t ns = publisher_sum_ns(aggregate->core, sum);
    if (timed && sum->timed != sum->calls)
        ns = estimated(aggregate, sum, row, ns);
    row->calls = row->timed = row->ns = PROFTOP_UNKNOWN;
    if (known & PUBLISHER_KNOWN_CALLS)
        row->calls = row->timed = publisher_sum_bounded(sum->calls) - row->base_calls;
    if (known & PUBLISHER_KNOWN_NS)
        row->ns = publisher_sum_bounded(ns) - row->base_ns;
    row->open = timed ? open_since(aggregate, id) : PROFTOP_UNKNOWN;
    if (!timed)
        return;
    row->timed = sum->timed - row->base_timed;
    see(aggregate, id, was, row, inside);
}

/* Reads the present values of one function; `row` and `was` hold the values of the previous
 * aggregation. */
static void read_function(struct publisher_aggregate *aggregate, uint32_t id,
                          const struct publisher_sum *calls, const struct publisher_call_row *was,
                          struct publisher_call_row *row)
{
    const struct publisher_function_row *def =
        publisher_definitions_row(&aggregate->core->definitions, PUBLISHER_DEF_FUNCTION, id);
    const uint32_t source = calls->calls == 0 ? def->sent_source : def->source;
    if (!calls->torn)
        take_calls(aggregate, id, source, calls, was, row, def->parent_plus_1 != 0);
    for (int part = 0; part < PUBLISHER_PARTS; part++)
        row->part[part] = unless_zero(publisher_load(&def->part[part]), 1);
    row->compile_open = unless_zero(publisher_load(&def->compile_since), 0);
}

static bool is_same(const struct publisher_call_row *a, const struct publisher_call_row *b)
{
    return a->calls == b->calls && a->ns == b->ns && a->vm == b->vm && a->open == b->open &&
           memcmp(a->part, b->part, sizeof a->part) == 0 && a->compile_open == b->compile_open;
}

static void scan_chunk(struct publisher_aggregate *aggregate, uint32_t at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct publisher_call_row *row = &aggregate->functions[at][i];
        struct publisher_call_row was = *row;
        read_function(aggregate, at * PUBLISHER_CHUNK + i, &aggregate->sum[i], &was, row);
        bool turn = i % WIRE_ROLL == aggregate->tick % WIRE_ROLL;
        if (row->waits_since == 0 && (turn || !is_same(row, &was)))
            row->waits_since = aggregate->tick;
    }
}

/* Returns the virtual-machine time of the untimed calls. A call that counts as virtual-machine time
 * does so for its whole duration. Such calls are assumed to have the same share in the time of all
 * calls as in the time of timed calls. For other calls the program reports the virtual-machine time
 * of each. `inside` is from the timed calls. */
static uint64_t spared_vm(struct publisher_call_row *row, uint64_t inside)
{
    const struct publisher_estimate *e = row->estimate;
    if (e == NULL || e->measured == 0)
        return 0;
    row->in_vm = inside < e->measured ? (double)inside / (double)e->measured : 1;
    return (uint64_t)((double)(e->total - e->measured) * row->in_vm);
}

/* Reads the virtual-machine time, which is known once the program has reported it. */
static void scan_vm(struct publisher_aggregate *aggregate, uint32_t at, uint32_t n)
{
    if (!sum_chunk(aggregate, PUBLISHER_VM, at, n))
        return;
    for (uint32_t i = 0; i < n; i++) {
        struct publisher_call_row *row = &aggregate->functions[at][i];
        const struct publisher_sum *sum = &aggregate->sum[i];
        const bool known = row->vm != PROFTOP_UNKNOWN;
        const uint64_t before = row->base_vm + (known ? row->vm : 0);
        uint64_t vm = publisher_sum_ns(aggregate->core, sum);
        vm = publisher_sum_bounded(vm + spared_vm(row, vm - sum->given));
        if (sum->torn || !sum->known || vm < before || (known && vm == before))
            continue;
        row->vm = vm - row->base_vm;
        if (row->waits_since == 0)
            row->waits_since = aggregate->tick;
    }
}

static struct publisher_call_row *new_rows(void)
{
    struct publisher_call_row *rows = calloc(PUBLISHER_CHUNK, sizeof *rows);
    for (uint32_t i = 0; rows != NULL && i < PUBLISHER_CHUNK; i++)
        rows[i].vm = PROFTOP_UNKNOWN;
    return rows;
}

void publisher_aggregate_calls(struct publisher_aggregate *aggregate, uint32_t at, uint32_t count)
{
    const uint32_t n = publisher_rows_in(at, count);
    publisher_ticks_settle(&aggregate->core->ticks);
    if (aggregate->functions[at] == NULL)
        aggregate->functions[at] = new_rows();
    aggregate->misses |= aggregate->functions[at] == NULL;
    if (aggregate->functions[at] == NULL)
        return;
    if (!sum_chunk(aggregate, PUBLISHER_CALLS, at, n))
        memset(aggregate->sum, 0, n * sizeof *aggregate->sum);
    scan_chunk(aggregate, at, n);
    scan_vm(aggregate, at, n);
}

void publisher_aggregate_functions(struct publisher_aggregate *aggregate, uint32_t count)
{
    for (uint32_t at = 0; at * PUBLISHER_CHUNK < count; at++)
        publisher_aggregate_calls(aggregate, at, count);
}
