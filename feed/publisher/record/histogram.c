/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * histogram.c: memory of the buckets of one thread: taken in regions, given back as a whole.
 */
#include "feed/publisher/record/histogram.h"

enum { REGION = 64 * 1024 };

struct region {
    struct region *next;
    uint8_t bytes[REGION - sizeof(struct region *)];
};

struct feed_histograms {
    struct region *region; /* the one that is being filled; before it, the full ones */
    size_t used;           /* bytes of it */
    /* FEED_OPS pointers each; [1]: given */
    struct feed_buckets **place[2][WIRE_OPS_MAX >> FEED_OPS_SHIFT];
};

struct feed_buckets feed_no_buckets;

/* Zeroed bytes that live as long as the block. */
static void *take(struct feed_histograms *h, size_t size)
{
    if (h->region == NULL || h->used + size > sizeof h->region->bytes) {
        struct region *region = feed_map(sizeof *region);
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

struct feed_buckets *feed_histogram_make(struct feed_block *block, bool given, uint32_t op)
{
    struct feed_histograms *h = block->histograms;
    if (op >= WIRE_OPS_MAX)
        return NULL;
    if (h == NULL) {
        h = feed_map(sizeof *h);
        if (h == NULL)
            return NULL;
        __atomic_store_n(&block->histograms, h, __ATOMIC_RELEASE);
    }
    struct feed_buckets ***place = &h->place[given][op >> FEED_OPS_SHIFT], **ops = *place;
    if (ops == NULL) {
        ops = take(h, FEED_OPS * sizeof *ops);
        if (ops == NULL)
            return NULL;
        __atomic_store_n(place, ops, __ATOMIC_RELEASE);
    }
    struct feed_buckets **at = &ops[op % FEED_OPS], *buckets = *at;
    if (buckets == NULL) {
        buckets = take(h, sizeof *buckets);
        if (buckets != NULL) { /* the kernel shall give the pages now, not amid a call */
            __atomic_store_n(&buckets->near[0], 0, __ATOMIC_RELAXED);
            __atomic_store_n(&buckets->far, NULL, __ATOMIC_RELAXED);
        }
        __atomic_store_n(at, buckets, __ATOMIC_RELEASE);
    }
    return buckets;
}

void feed_histogram_reach(struct feed_block *block, struct feed_buckets *buckets)
{
    if (buckets != &feed_no_buckets && buckets->far == NULL)
        __atomic_store_n(&buckets->far, take(block->histograms, FEED_FAR * sizeof(uint32_t)),
                         __ATOMIC_RELEASE);
}

const struct feed_buckets *feed_histogram_find(const struct feed_block *block, bool given,
                                               uint32_t op)
{
    const struct feed_histograms *h = __atomic_load_n(&block->histograms, __ATOMIC_ACQUIRE);
    if (h == NULL)
        return NULL;
    struct feed_buckets **ops =
        __atomic_load_n(&h->place[given][op >> FEED_OPS_SHIFT], __ATOMIC_ACQUIRE);
    return ops == NULL ? NULL : __atomic_load_n(&ops[op % FEED_OPS], __ATOMIC_ACQUIRE);
}

void feed_histograms_free(struct feed_histograms *histograms)
{
    if (histograms == NULL)
        return;
    while (histograms->region != NULL) {
        struct region *region = histograms->region;
        histograms->region = region->next;
        feed_unmap(region, sizeof *region);
    }
    feed_unmap(histograms, sizeof *histograms);
}
