/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * rows.c: keeps the rows of applies and functions: allocates, resets and lists them.
 */
#include "config.h"

#include "feed/publisher/collect/rows.h"

#include <stdlib.h>
#include <string.h>

/* Compiled for size: not run for each row. */
#define RARE __attribute__((cold, noinline))

RARE bool publisher_aggregate_init(struct publisher_aggregate *aggregate,
                                   struct publisher_core *core)
{
    memset(aggregate, 0, sizeof *aggregate);
    aggregate->core = core;
    aggregate->tick = 1; /* 0 means "not dirty" in waits_since */
    aggregate->sum = calloc(PUBLISHER_CHUNK, sizeof *aggregate->sum);
    aggregate->moved = calloc(PUBLISHER_CHUNK, sizeof *aggregate->moved);
    if (aggregate->sum != NULL && aggregate->moved != NULL)
        return true;
    publisher_aggregate_release(aggregate);
    return false;
}

RARE void publisher_aggregate_release(struct publisher_aggregate *aggregate)
{
    for (size_t at = 0; at < WIRE_APPLIES_MAX / PUBLISHER_CHUNK; at++)
        if (aggregate->applies[at] != NULL) {
            free(aggregate->applies[at]->estimate);
            free(aggregate->applies[at]->base);
            free(aggregate->applies[at]);
        }
    for (size_t at = 0; at < WIRE_FUNCTIONS_MAX / PUBLISHER_CHUNK; at++) {
        for (uint32_t i = 0; aggregate->functions[at] != NULL && i < PUBLISHER_CHUNK; i++)
            free(aggregate->functions[at][i].estimate);
        free(aggregate->functions[at]);
    }
    free(aggregate->sum);
    free(aggregate->moved);
    free(aggregate->timed);
    free(aggregate->open);
    publisher_sampling_release(&aggregate->budget);
    memset(aggregate, 0, sizeof *aggregate);
}

RARE void publisher_aggregate_ops(struct publisher_aggregate *aggregate, uint32_t ops)
{
    if (ops <= aggregate->ops)
        return;
    uint64_t *grown = realloc(aggregate->timed, (ops + 64) * sizeof *grown);
    if (grown == NULL)
        return;
    memset(grown + aggregate->ops, 0, (ops + 64 - aggregate->ops) * sizeof *grown);
    aggregate->timed = grown;
    aggregate->ops = ops + 64;
}

struct publisher_row *publisher_aggregate_apply(const struct publisher_aggregate *aggregate,
                                                uint32_t id)
{
    struct publisher_rows *chunk = aggregate->applies[id >> PUBLISHER_CHUNK_SHIFT];
    bool known = chunk != NULL && publisher_bit(&chunk->known, id % PUBLISHER_CHUNK);
    return known ? &chunk->row[id % PUBLISHER_CHUNK] : NULL;
}

struct publisher_call_row *publisher_aggregate_function(const struct publisher_aggregate *aggregate,
                                                        uint32_t id)
{
    struct publisher_call_row *chunk = aggregate->functions[id >> PUBLISHER_CHUNK_SHIFT];
    return chunk == NULL ? NULL : &chunk[id % PUBLISHER_CHUNK];
}

/* --------------------------------------------------------------------------------------- reset */

static bool make_bases(struct publisher_aggregate *aggregate)
{
    for (size_t at = 0; at < WIRE_APPLIES_MAX / PUBLISHER_CHUNK; at++) {
        struct publisher_rows *rows = aggregate->applies[at];
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

static void reset_slots(const struct publisher_aggregate *aggregate, uint32_t at)
{
    for (struct publisher_block *block = publisher_sum_first(aggregate->core); block != NULL;
         block = block->next) {
        struct proftop_slot *slot = publisher_sum_slots(block, PUBLISHER_APPLIES, at);
        for (uint32_t i = 0; slot != NULL && i < PUBLISHER_CHUNK; i++)
            publisher_slot_reset(&slot[i]);
    }
}

bool publisher_aggregate_reset(struct publisher_aggregate *aggregate)
{
    if (aggregate->misses || !make_bases(aggregate))
        return false;
    for (uint32_t at = 0; at < WIRE_APPLIES_MAX / PUBLISHER_CHUNK; at++) {
        struct publisher_rows *rows = aggregate->applies[at];
        if (rows == NULL)
            continue;
        reset_slots(aggregate, at);
        memset(&rows->waits, 0, sizeof rows->waits);
        memset(&rows->extremes, 0, sizeof rows->extremes);
        aggregate->waiting[at] = 0;
        for (uint32_t i = 0; i < PUBLISHER_CHUNK; i++)
            if (publisher_bit(&rows->known, i))
                reset_row(&rows->row[i], &rows->base[i],
                          rows->estimate == NULL ? NULL : &rows->estimate[i]);
    }
    for (size_t at = 0; at < WIRE_FUNCTIONS_MAX / PUBLISHER_CHUNK; at++)
        for (uint32_t i = 0; aggregate->functions[at] != NULL && i < PUBLISHER_CHUNK; i++)
            reset_call_row(&aggregate->functions[at][i]);
    aggregate->calls = 0;
    return true;
}

/* ---------------------------------------------------------------------------------- dirty rows */

uint32_t publisher_aggregate_dirty_rows(const struct publisher_aggregate *aggregate, uint32_t at,
                                        uint32_t count, uint32_t id[PUBLISHER_CHUNK])
{
    const struct publisher_rows *rows = aggregate->waiting[at] == 0 ? NULL : aggregate->applies[at];
    uint32_t n = 0;
    for (uint32_t word = 0; rows != NULL && word * 64 < publisher_rows_in(at, count); word++)
        for (uint64_t bits = rows->waits.word[word]; bits != 0; bits &= bits - 1)
            id[n++] = at * PUBLISHER_CHUNK + word * 64 + (uint32_t)__builtin_ctzll(bits);
    return n;
}

void publisher_aggregate_mark_sent(struct publisher_aggregate *aggregate, const uint32_t *id,
                                   size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const uint32_t at = id[k] >> PUBLISHER_CHUNK_SHIFT, word = id[k] % PUBLISHER_CHUNK / 64;
        const uint64_t others = ~(UINT64_C(1) << id[k] % 64);
        struct publisher_rows *rows = aggregate->applies[at];
        if (rows->waits.word[word] & ~others)
            aggregate->waiting[at]--;
        rows->waits.word[word] &= others;
        rows->extremes.word[word] &= others;
    }
}

/* ---------------------------------------------------- tables, allocated before they are needed */

enum {
    PREPARED_MAX = 256, /* tables allocated in one tick while no viewer watches */
};

/* Allocates zeroed memory and writes to it, so that its pages are resident. Without page alignment,
 * since most tables are a little larger than a page. */
static void *zeroed(size_t size)
{
    void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
    if (memory != NULL)
        memset(memory, 0, size);
    return memory;
}

struct publisher_seen *publisher_seen_of(struct publisher_block *block, uint32_t at)
{
    if (block->seen[at] == NULL)
        block->seen[at] = zeroed(sizeof *block->seen[at]);
    return block->seen[at];
}

struct publisher_rows *publisher_rows_new(void)
{
    return zeroed(sizeof(struct publisher_rows));
}

/* Allocates the missing tables of a chunk that a thread has. Returns how many tables were
 * missing. */
static uint32_t prepare(struct publisher_aggregate *aggregate, struct publisher_block *block,
                        uint32_t at)
{
    const bool seen = block->seen[at] != NULL, rows = aggregate->applies[at] != NULL;
    if (!seen)
        publisher_seen_of(block, at);
    if (!rows)
        aggregate->applies[at] = publisher_rows_new();
    return !seen + !rows;
}

void publisher_aggregate_prefetch(struct publisher_aggregate *aggregate, uint32_t count)
{
    struct publisher_block *first =
        atomic_load_explicit(&aggregate->core->blocks, memory_order_acquire);
    uint32_t made = 0;
    for (uint32_t at = 0; at * PUBLISHER_CHUNK < count && made < PREPARED_MAX; at++)
        for (struct publisher_block *block = first; block != NULL; block = block->next)
            if (__atomic_load_n(publisher_block_place(block, PUBLISHER_APPLIES, at),
                                __ATOMIC_ACQUIRE))
                made += prepare(aggregate, block, at);
}
