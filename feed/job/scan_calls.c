/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * scan_calls.c: from the slots of all threads to one row per function.
 */
#include "config.h"

#include "sum.h"

#include <stdlib.h>
#include <string.h>

struct feed_call_row *feed_scan_function(const struct feed_scan *scan, uint32_t id)
{
    struct feed_call_row *chunk = scan->functions[id >> FEED_CHUNK_SHIFT];
    return chunk == NULL ? NULL : &chunk[id % FEED_CHUNK];
}

static void read_slot(const struct feed_scan *scan, struct feed_sum *sum, enum feed_kind kind,
                      const struct feed_block *block, const struct proftop_slot *slot)
{
    struct feed_count count;
    if (feed_sum_is_silent(slot))
        return;
    if (feed_slot_read(slot, &count)) {
        feed_sum_add(scan, sum, block, &count, false);
        if (kind == FEED_VM)
            *(block->ticks ? &sum->ticks : &sum->total) += count.aux;
    } else {
        sum->torn = true;
    }
}

/* Sums n slots of chunk `at` over all threads. False: no thread has that chunk. */
static bool sum_chunk(struct feed_scan *scan, enum feed_kind kind, uint32_t at, uint32_t n)
{
    bool any = false;
    for (struct feed_block *block = feed_sum_first(scan); block != NULL; block = block->next) {
        const struct proftop_slot *slot = feed_sum_slots(block, kind, at);
        if (slot == NULL)
            continue;
        if (!any)
            memset(scan->sum, 0, n * sizeof *scan->sum);
        any = true;
        for (uint32_t i = 0; i < n; i++)
            read_slot(scan, &scan->sum[i], kind, block, &slot[i]);
    }
    return any;
}

/* Since when a call of the function is open, the longest of all threads, or PROFTOP_UNKNOWN. */
static uint64_t open_since(const struct feed_scan *scan, uint32_t id)
{
    uint64_t since = PROFTOP_UNKNOWN;
    for (struct feed_block *block = feed_sum_first(scan); block != NULL; block = block->next) {
        const struct proftop_slot *chunk =
            feed_sum_slots(block, FEED_CALLS, id >> FEED_CHUNK_SHIFT);
        uint64_t open = chunk == NULL ? 0 : feed_get(&chunk[id % FEED_CHUNK].aux);
        if (open == 0 || open == feed_get(&block->front.ended))
            continue;
        open =
            block->ticks ? feed_ticks_instant_ns(&scan->core->ticks, open) : open & ~FEED_TICKS_NS;
        if (open < since)
            since = open;
    }
    return since;
}

static uint64_t unless_zero(uint64_t value, uint64_t shift)
{
    return value == 0 ? PROFTOP_UNKNOWN : value - shift;
}

/* What the source of a function lets be known of its calls. */
static void take_calls(struct feed_scan *scan, uint32_t id, uint32_t source,
                       const struct feed_sum *sum, struct feed_call_row *row)
{
    bool timed = source == PROFTOP_TIMED;
    uint64_t known = 0;
    struct feed_block *set = atomic_load_explicit(&scan->core->set, memory_order_acquire);
    if (source == PROFTOP_SET && set != NULL) {
        const struct proftop_slot *chunk = feed_sum_slots(set, FEED_CALLS, id >> FEED_CHUNK_SHIFT);
        known = chunk == NULL ? 0 : feed_get(&chunk[id % FEED_CHUNK].last);
    }
    bool has_calls = timed || (known & FEED_KNOWN_CALLS), has_ns = timed || (known & FEED_KNOWN_NS);
    uint64_t calls = feed_sum_bounded(sum->calls) - row->base_calls;
    if (timed && row->calls != PROFTOP_UNKNOWN && calls > row->calls)
        scan->events[FEED_E_CALL] += calls - row->calls;
    row->calls = has_calls ? calls : PROFTOP_UNKNOWN;
    row->ns = has_ns ? feed_sum_bounded(feed_sum_ns(scan, sum)) - row->base_ns : PROFTOP_UNKNOWN;
    row->open = timed ? open_since(scan, id) : PROFTOP_UNKNOWN;
}

/* Values of one function as they are now; `row` holds those of the last scan. */
static void read_function(struct feed_scan *scan, uint32_t id, const struct feed_sum *calls,
                          struct feed_call_row *row)
{
    const struct feed_function_row *def = feed_book_row(&scan->core->book, FEED_T_FUNCTION, id);
    if (!calls->torn)
        take_calls(scan, id, calls->calls == 0 ? def->told : def->source, calls, row);
    for (int part = 0; part < FEED_PARTS; part++)
        row->part[part] = unless_zero(feed_get(&def->part[part]), 1);
    row->compile_open = unless_zero(feed_get(&def->compile_since), 0);
}

static bool is_same(const struct feed_call_row *a, const struct feed_call_row *b)
{
    return a->calls == b->calls && a->ns == b->ns && a->vm == b->vm && a->open == b->open &&
           memcmp(a->part, b->part, sizeof a->part) == 0 && a->compile_open == b->compile_open;
}

static void scan_chunk(struct feed_scan *scan, uint32_t at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct feed_call_row *row = &scan->functions[at][i];
        struct feed_call_row was = *row;
        read_function(scan, at * FEED_CHUNK + i, &scan->sum[i], row);
        bool turn = i % FEED_ROLL == scan->tick % FEED_ROLL;
        if (row->waits_since == 0 && (turn || !is_same(row, &was)))
            row->waits_since = scan->tick;
    }
}

/* Time in the virtual machine, known once it was given. */
static void scan_vm(struct feed_scan *scan, uint32_t at, uint32_t n)
{
    if (!sum_chunk(scan, FEED_VM, at, n))
        return;
    for (uint32_t i = 0; i < n; i++) {
        struct feed_call_row *row = &scan->functions[at][i];
        const struct feed_sum *sum = &scan->sum[i];
        uint64_t vm = feed_sum_bounded(feed_sum_ns(scan, sum)) - row->base_vm;
        if (sum->torn || !sum->known || vm == row->vm)
            continue;
        row->vm = vm;
        if (row->waits_since == 0)
            row->waits_since = scan->tick;
    }
}

static struct feed_call_row *new_rows(void)
{
    struct feed_call_row *rows = calloc(FEED_CHUNK, sizeof *rows);
    for (uint32_t i = 0; rows != NULL && i < FEED_CHUNK; i++)
        rows[i].vm = PROFTOP_UNKNOWN;
    return rows;
}

void feed_scan_calls(struct feed_scan *scan, uint32_t at, uint32_t count)
{
    const uint32_t n = feed_rows_in(at, count);
    feed_ticks_settle(&scan->core->ticks);
    if (scan->functions[at] == NULL)
        scan->functions[at] = new_rows();
    scan->misses |= scan->functions[at] == NULL;
    if (scan->functions[at] == NULL)
        return;
    if (!sum_chunk(scan, FEED_CALLS, at, n))
        memset(scan->sum, 0, n * sizeof *scan->sum);
    scan_chunk(scan, at, n);
    scan_vm(scan, at, n);
}

void feed_scan_functions(struct feed_scan *scan, uint32_t count)
{
    for (uint32_t at = 0; at * FEED_CHUNK < count; at++)
        feed_scan_calls(scan, at, count);
}
