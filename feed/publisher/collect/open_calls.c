/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * open_calls.c: lists the applies that are open on any thread, and how long they have been open. A
 * call is counted when it ends; the calls inside it are counted before that. So the open time is
 * sent beside the counts: otherwise the time of a call would be less than the sum of its parts.
 */
#include "config.h"

#include "feed/publisher/collect/open_calls.h"

#include <stdlib.h>
#include <string.h>

static int by_apply(const void *a, const void *b)
{
    const struct publisher_open *x = a, *y = b;
    return (x->apply > y->apply) - (x->apply < y->apply);
}

/* Returns false if out of memory. */
static bool add(struct publisher_aggregate *aggregate, uint64_t began,
                const struct publisher_block *block, uint32_t apply)
{
    if (aggregate->opens == aggregate->open_room) {
        const size_t room = aggregate->open_room * 2 + 64;
        struct publisher_open *grown = realloc(aggregate->open, room * sizeof *grown);
        if (grown == NULL)
            return false;
        aggregate->open = grown;
        aggregate->open_room = room;
    }
    aggregate->open[aggregate->opens++] = (struct publisher_open){began, block, apply};
    return true;
}

/* Keeps one entry for each apply whose row says that it is open. */
static void keep_reported(struct publisher_aggregate *aggregate)
{
    size_t kept = 0;
    for (size_t i = 0; i < aggregate->opens; i++) {
        const uint32_t apply = aggregate->open[i].apply;
        const struct publisher_row *row = publisher_aggregate_apply(aggregate, apply);
        if (row != NULL && row->is_open && (kept == 0 || aggregate->open[kept - 1].apply != apply))
            aggregate->open[kept++] = (struct publisher_open){.apply = apply};
    }
    aggregate->opens = kept;
}

void publisher_aggregate_list_open(struct publisher_aggregate *aggregate)
{
    struct publisher_block *block =
        atomic_load_explicit(&aggregate->core->blocks, memory_order_acquire);
    uint64_t open[PUBLISHER_NESTED + 1];
    bool fits = true;
    keep_reported(aggregate);
    for (; block != NULL && fits; block = block->next) {
        if (atomic_load_explicit(&block->defined, memory_order_acquire) == 0)
            continue;
        const uint32_t n = publisher_block_open(block, open);
        for (uint32_t i = 0; i < n && fits; i++)
            fits = add(aggregate, open[i], block, open[i] % PROFTOP_APPLIES);
    }
    if (aggregate->opens != 0)
        qsort(aggregate->open, aggregate->opens, sizeof *aggregate->open, by_apply);
}

size_t publisher_aggregate_open_from(const struct publisher_aggregate *aggregate, uint32_t apply)
{
    size_t from = 0, end = aggregate->opens;
    while (from < end) {
        const size_t middle = from + (end - from) / 2;
        if (aggregate->open[middle].apply < apply)
            from = middle + 1;
        else
            end = middle;
    }
    return from;
}

static bool is_open(const struct publisher_open *which)
{
    uint64_t open[PUBLISHER_NESTED + 1];
    uint32_t n = publisher_block_open(which->block, open);
    while (n > 0 && open[n - 1] != which->began)
        n--;
    return n > 0;
}

uint64_t publisher_aggregate_open_ns(const struct publisher_aggregate *aggregate, uint32_t apply,
                                     struct publisher_instant now,
                                     struct publisher_open_count *count)
{
    uint64_t ticks = 0, ns = 0;
    *count = (struct publisher_open_count){0};
    for (size_t i = publisher_aggregate_open_from(aggregate, apply);
         i < aggregate->opens && aggregate->open[i].apply == apply; i++) {
        const struct publisher_open *which = &aggregate->open[i];
        const bool reported = which->began == 0, still = !reported && is_open(which);
        count->open += still;
        count->ended += !still && !reported;
        if (!still)
            continue;
        const bool stamps = which->block->ticks;
        *(stamps ? &ticks : &ns) += publisher_open_for(which->began, stamps ? now.tick : now.ns);
    }
    return ns + publisher_ticks_ns(&aggregate->core->ticks, ticks);
}
