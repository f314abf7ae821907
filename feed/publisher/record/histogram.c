/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * histogram.c: allocates the buckets of one thread in regions, and frees all of them together.
 */
#include "feed/publisher/record/histogram.h"

#include "feed/publisher/record/pages.h"

enum { REGION = 64 * 1024 };

struct region {
    struct region *next;
    uint8_t bytes[REGION - sizeof(struct region *)];
};

struct publisher_histograms {
    struct region *region; /* the region being filled; the full ones follow in its list */
    size_t used;           /* bytes used of that region */
    /* Arrays of PUBLISHER_OPS pointers. [0]: durations in ticks; [1]: given, in ns. */
    struct publisher_buckets **place[2][WIRE_OPS_MAX >> PUBLISHER_OPS_SHIFT];
};

struct publisher_buckets publisher_no_buckets;

/* Allocates zeroed bytes that live as long as the block. Returns NULL if out of memory. */
static void *take(struct publisher_histograms *h, size_t size)
{
    if (h->region == NULL || h->used + size > sizeof h->region->bytes) {
        struct region *region = publisher_map(sizeof *region);
        if (region == NULL)
            return NULL;
        region->next = h->region;
        h->region = region;
        h->used = 0;
    }
    void *memory = h->region->bytes + h->used;
    h->used += (size + 7) / 8 * 8;
    return memory;
}

struct publisher_buckets *publisher_histogram_make(struct publisher_block *block, bool given,
                                                   uint32_t op)
{
    struct publisher_histograms *h = block->histograms;
    if (op >= WIRE_OPS_MAX)
        return NULL;
    if (h == NULL) {
        h = publisher_map(sizeof *h);
        if (h == NULL)
            return NULL;
        __atomic_store_n(&block->histograms, h, __ATOMIC_RELEASE);
    }
    struct publisher_buckets ***place = &h->place[given][op >> PUBLISHER_OPS_SHIFT], **ops = *place;
    if (ops == NULL) {
        ops = take(h, PUBLISHER_OPS * sizeof *ops);
        if (ops == NULL)
            return NULL;
        __atomic_store_n(place, ops, __ATOMIC_RELEASE);
    }
    struct publisher_buckets **at = &ops[op % PUBLISHER_OPS], *buckets = *at;
    if (buckets == NULL) {
        buckets = take(h, sizeof *buckets);
        if (buckets != NULL) { /* prefault the pages, so that no call pays for it */
            __atomic_store_n(&buckets->near[0], 0, __ATOMIC_RELAXED);
            __atomic_store_n(&buckets->far, NULL, __ATOMIC_RELAXED);
        }
        __atomic_store_n(at, buckets, __ATOMIC_RELEASE);
    }
    return buckets;
}

void publisher_histogram_reach(struct publisher_block *block, struct publisher_buckets *buckets)
{
    if (buckets != &publisher_no_buckets && buckets->far == NULL)
        __atomic_store_n(&buckets->far, take(block->histograms, PUBLISHER_FAR * sizeof(uint32_t)),
                         __ATOMIC_RELEASE);
}

const struct publisher_buckets *publisher_histogram_find(const struct publisher_block *block,
                                                         bool given, uint32_t op)
{
    const struct publisher_histograms *h = __atomic_load_n(&block->histograms, __ATOMIC_ACQUIRE);
    if (h == NULL)
        return NULL;
    struct publisher_buckets **ops =
        __atomic_load_n(&h->place[given][op >> PUBLISHER_OPS_SHIFT], __ATOMIC_ACQUIRE);
    return ops == NULL ? NULL : __atomic_load_n(&ops[op % PUBLISHER_OPS], __ATOMIC_ACQUIRE);
}

void publisher_histograms_free(struct publisher_histograms *histograms)
{
    if (histograms == NULL)
        return;
    while (histograms->region != NULL) {
        struct region *region = histograms->region;
        histograms->region = region->next;
        publisher_unmap(region, sizeof *region);
    }
    publisher_unmap(histograms, sizeof *histograms);
}
