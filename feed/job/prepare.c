/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * prepare.c: the tables of a scan, made when it wants them or, better, before.
 */
#include "config.h"

#include "scan.h"

#include <stdlib.h>
#include <string.h>

enum {
    PREPARED_MAX = 256, /* tables made in one tick before somebody watches */
};

/* Written to, so that it is the process's from here on. Next to each other, since most are a little
 * more than a page. */
static void *zeroed(size_t size)
{
    void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
    if (memory != NULL)
        memset(memory, 0, size);
    return memory;
}

struct feed_seen *feed_seen_of(struct feed_block *block, uint32_t at)
{
    if (block->seen[at] == NULL)
        block->seen[at] = zeroed(sizeof *block->seen[at]);
    return block->seen[at];
}

struct feed_rows *feed_rows_new(void)
{
    return zeroed(sizeof(struct feed_rows));
}

/* Makes what is missing for a chunk that a thread has; gives how many tables that were. */
static uint32_t prepare(struct feed_scan *scan, struct feed_block *block, uint32_t at)
{
    const bool seen = block->seen[at] != NULL, rows = scan->applies[at] != NULL;
    if (!seen)
        feed_seen_of(block, at);
    if (!rows)
        scan->applies[at] = feed_rows_new();
    return !seen + !rows;
}

void feed_scan_prepare(struct feed_scan *scan, uint32_t count)
{
    struct feed_block *first = atomic_load_explicit(&scan->core->blocks, memory_order_acquire);
    uint32_t made = 0;
    for (uint32_t at = 0; at * FEED_CHUNK < count && made < PREPARED_MAX; at++)
        for (struct feed_block *block = first; block != NULL; block = block->next)
            if (__atomic_load_n(feed_block_place(block, FEED_APPLIES, at), __ATOMIC_ACQUIRE))
                made += prepare(scan, block, at);
}
