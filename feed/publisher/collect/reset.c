/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * reset.c: restarts the sums of an aggregation.
 */
#include "config.h"

#include "feed/publisher/collect/sum.h"

#include <stdlib.h>
#include <string.h>

static bool make_bases(struct publisher_aggregate *scan)
{
    for (size_t at = 0; at < WIRE_APPLIES_MAX / PUBLISHER_CHUNK; at++) {
        struct publisher_rows *rows = scan->applies[at];
        if (rows != NULL && rows->base == NULL)
            rows->base = calloc(PUBLISHER_CHUNK, sizeof *rows->base);
        if (rows != NULL && rows->base == NULL)
            return false;
    }
    return true;
}

static void reset_row(struct publisher_row *row, struct publisher_base *base,
                      struct publisher_estimate *e)
{
    base->calls += row->calls;
    base->total += row->total + (row->timed == row->calls ? row->open : 0);
    base->timed += row->timed;
    row->calls = row->total = row->timed = row->open = 0;
    row->last = row->min = row->max = PROFTOP_UNKNOWN;
    if (e != NULL && e->calls != 0) /* the total is an estimate */
        base->total += publisher_estimate_close(e, base->calls);
}

static void reset_call_row(struct publisher_call_row *row)
{
    uint64_t *value[] = {&row->calls, &row->ns, &row->vm, &row->timed};
    uint64_t *base[] = {&row->base_calls, &row->base_ns, &row->base_vm, &row->base_timed};
    for (size_t i = 0; i < sizeof value / sizeof value[0]; i++) {
        if (*value[i] == PROFTOP_UNKNOWN)
            continue;
        *base[i] += *value[i];
        *value[i] = 0;
    }
    if (row->estimate == NULL)
        return;
    const uint64_t late = publisher_estimate_close(row->estimate, row->base_calls);
    row->base_ns += late;
    row->base_vm += (uint64_t)((double)late * row->in_vm);
}

static void reset_slots(const struct publisher_aggregate *scan, uint32_t at)
{
    for (struct publisher_block *block = publisher_sum_first(scan); block != NULL;
         block = block->next) {
        struct proftop_slot *slot = publisher_sum_slots(block, PUBLISHER_APPLIES, at);
        for (uint32_t i = 0; slot != NULL && i < PUBLISHER_CHUNK; i++)
            publisher_slot_reset(&slot[i]);
    }
}

bool publisher_aggregate_reset(struct publisher_aggregate *scan)
{
    if (scan->misses || !make_bases(scan))
        return false;
    for (uint32_t at = 0; at < WIRE_APPLIES_MAX / PUBLISHER_CHUNK; at++) {
        struct publisher_rows *rows = scan->applies[at];
        if (rows == NULL)
            continue;
        reset_slots(scan, at);
        memset(&rows->waits, 0, sizeof rows->waits);
        memset(&rows->extremes, 0, sizeof rows->extremes);
        scan->waiting[at] = 0;
        for (uint32_t i = 0; i < PUBLISHER_CHUNK; i++)
            if (publisher_bit(&rows->known, i))
                reset_row(&rows->row[i], &rows->base[i],
                          rows->estimate == NULL ? NULL : &rows->estimate[i]);
    }
    for (size_t at = 0; at < WIRE_FUNCTIONS_MAX / PUBLISHER_CHUNK; at++)
        for (uint32_t i = 0; scan->functions[at] != NULL && i < PUBLISHER_CHUNK; i++)
            reset_call_row(&scan->functions[at][i]);
    scan->calls = 0;
    return true;
}
