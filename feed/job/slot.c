/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * slot.c: memory of thread blocks and their slots, and the reader's side of a slot.
 */
#include "slot.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "histogram.h"
#include "object.h"

/* LeakSanitizer, if the program has it, looks into no mapped memory unless it is told to: what only
 * a thread still has, of a feed that was closed meanwhile, it would call lost. */
extern void __lsan_register_root_region(const void *memory, size_t size) __attribute__((weak));
extern void __lsan_unregister_root_region(const void *memory, size_t size) __attribute__((weak));

/* Not run for each call or row: small. */
#define RARE __attribute__((cold))

RARE void *feed_map(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED && __lsan_register_root_region)
        __lsan_register_root_region(memory, size);
    return memory == MAP_FAILED ? NULL : memory;
}

RARE void feed_unmap(void *memory, size_t size)
{
    if (memory == NULL)
        return;
    if (__lsan_unregister_root_region)
        __lsan_unregister_root_region(memory, size);
    munmap(memory, size);
}

RARE struct feed_block *feed_block_new(uint64_t on)
{
    struct feed_block *block = feed_map(sizeof *block);
    if (block != NULL)
        block->front.on = on;
    return block;
}

RARE void feed_block_free(struct feed_block *block)
{
    for (int kind = 0; kind < FEED_KINDS; kind++)
        for (uint32_t at = 0; at < feed_block_places(kind); at++) {
            struct proftop_slot *chunk = *feed_block_place(block, kind, at);
            feed_unmap(chunk, FEED_CHUNK * sizeof *chunk);
            if (kind == FEED_APPLIES && chunk != NULL)
                free(block->seen[at]);
        }
    feed_own_free(block->own);
    feed_histograms_free(block->histograms);
    feed_unmap(block, sizeof *block);
}

RARE struct proftop_slot *feed_block_slot(struct feed_block *block, enum feed_kind kind,
                                          uint32_t id)
{
    struct proftop_slot **place = feed_block_place(block, kind, id >> FEED_CHUNK_SHIFT);
    if (place == NULL)
        return NULL;
    struct proftop_slot *chunk = __atomic_load_n(place, __ATOMIC_RELAXED);
    if (chunk == NULL) {
        chunk = feed_map(FEED_CHUNK * sizeof *chunk);
        if (chunk == NULL)
            return NULL;
        __atomic_store_n(place, chunk, __ATOMIC_RELEASE);
    }
    return &chunk[id % FEED_CHUNK];
}

static uint64_t seen(const uint64_t *value)
{
    return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}

bool feed_slot_read(const struct proftop_slot *slot, struct feed_count *count)
{
    for (int tries = 0; tries < FEED_READ_TRIES; tries++)
        if (feed_slot_try(slot, count))
            return true;
    return false;
}

RARE bool feed_block_now(const struct feed_block *block, uint64_t clock, uint32_t *apply,
                         uint64_t *since)
{
    const uint64_t round = (UINT64_C(1) << 42) - 1, ahead = round / 4;
    uint64_t now = seen(&block->front.now);
    if (now == 0 || now == seen(&block->front.ended))
        return false;
    *apply = now % PROFTOP_APPLIES;
    /* Units of 1024 since then. It lies ahead when the reader was kept off its processor after it
     * read the clock, or the processors' clocks differ: then it began just now. */
    uint64_t ago = ((clock >> 10) - now / PROFTOP_APPLIES) & round;
    *since = ((clock >> 10) - (round - ago < ahead ? 0 : ago)) << 10;
    return true;
}
