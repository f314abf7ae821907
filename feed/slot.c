/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * slot.c: memory of thread blocks and their slots, and the reader's side of a slot.
 */
#include "slot.h"

#include <sys/mman.h>

/* Fresh pages straight from the kernel: zero, and untouched ones cost nothing. */
static void *map(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

struct feed_block *feed_block_new(uint64_t feed)
{
    struct feed_block *block = map(sizeof *block);
    if (block != NULL)
        block->feed = feed;
    return block;
}

static uint32_t places(enum feed_kind kind)
{
    return (kind == FEED_APPLIES ? WIRE_APPLIES_MAX : WIRE_FUNCTIONS_MAX) / FEED_CHUNK;
}

_Atomic(struct feed_slot *) *feed_block_place(struct feed_block *block, enum feed_kind kind,
                                              uint32_t at)
{
    if (at >= places(kind))
        return NULL;
    if (kind == FEED_APPLIES)
        return &block->applies[at];
    return kind == FEED_CALLS ? &block->calls[at] : &block->vm[at];
}

void feed_block_free(struct feed_block *block)
{
    for (int kind = 0; kind < FEED_KINDS; kind++)
        for (uint32_t at = 0; at < places(kind); at++) {
            struct feed_slot *chunk = *feed_block_place(block, kind, at);
            if (chunk != NULL)
                munmap(chunk, FEED_CHUNK * sizeof *chunk);
        }
    munmap(block, sizeof *block);
}

struct feed_slot *feed_block_slot(struct feed_block *block, enum feed_kind kind, uint32_t id)
{
    _Atomic(struct feed_slot *) *place = feed_block_place(block, kind, id >> FEED_CHUNK_SHIFT);
    if (place == NULL)
        return NULL;
    struct feed_slot *chunk = atomic_load_explicit(place, memory_order_relaxed);
    if (chunk == NULL) {
        chunk = map(FEED_CHUNK * sizeof *chunk);
        if (chunk == NULL)
            return NULL;
        atomic_store_explicit(place, chunk, memory_order_release);
    }
    return &chunk[id % FEED_CHUNK];
}

static uint64_t seen(const _Atomic uint64_t *value)
{
    return atomic_load_explicit(value, memory_order_acquire);
}

bool feed_slot_read(const struct feed_slot *slot, struct feed_count *count)
{
    for (int tries = 0; tries < FEED_READ_TRIES; tries++) {
        uint32_t before = atomic_load_explicit(&slot->sequence, memory_order_acquire);
        if (before & 1)
            continue;
        count->calls = seen(&slot->calls);
        count->total = seen(&slot->total);
        count->min = seen(&slot->min);
        count->max = seen(&slot->max);
        count->timed = seen(&slot->timed);
        count->last = seen(&slot->last);
        count->flags = atomic_load_explicit(&slot->flags, memory_order_acquire);
        if (atomic_load_explicit(&slot->sequence, memory_order_relaxed) == before)
            return true;
    }
    return false;
}

bool feed_block_now(const struct feed_block *block, uint32_t *apply, uint64_t *since)
{
    for (int tries = 0; tries < FEED_READ_TRIES; tries++) {
        uint32_t before = atomic_load_explicit(&block->now_sequence, memory_order_acquire);
        if (before & 1)
            continue;
        uint32_t open = atomic_load_explicit(&block->now_apply, memory_order_acquire);
        *since = seen(&block->now_since);
        if (atomic_load_explicit(&block->now_sequence, memory_order_relaxed) != before)
            continue;
        *apply = open - 1;
        return open != 0 && *since != seen(&block->ended);
    }
    return false;
}
