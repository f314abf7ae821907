/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * slot.c: maps the slots of a block, and reads slots and the open applies of a thread.
 */
#include "feed/publisher/record/slot.h"

#include "feed/publisher/record/black_box.h"
#include "feed/publisher/record/pages.h"

/* For functions that do not run for each call or row: compiled for size. */
#define RARE __attribute__((cold))

RARE struct proftop_slot *publisher_block_slot(struct publisher_block *block,
                                               enum publisher_kind kind, uint32_t id)
{
    struct proftop_slot **place = publisher_block_place(block, kind, id >> PUBLISHER_CHUNK_SHIFT);
    if (place == NULL)
        return NULL;
    struct proftop_slot *chunk = __atomic_load_n(place, __ATOMIC_RELAXED);
    if (chunk == NULL) {
        if (block->kept != NULL)
            chunk = publisher_black_box_take(block->box, SHARED_BOX_SLOTS + kind, block->number,
                                             id >> PUBLISHER_CHUNK_SHIFT,
                                             PUBLISHER_CHUNK * sizeof *chunk);
        if (chunk == NULL)
            chunk = publisher_map(PUBLISHER_CHUNK * sizeof *chunk);
        if (chunk == NULL)
            return NULL;
        __atomic_store_n(place, chunk, __ATOMIC_RELEASE);
    }
    return &chunk[id % PUBLISHER_CHUNK];
}

static uint64_t seen(const uint64_t *value)
{
    return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}

bool publisher_slot_read(const struct proftop_slot *slot, struct publisher_count *count)
{
    for (int tries = 0; tries < PUBLISHER_READ_TRIES; tries++)
        if (publisher_slot_try(slot, count))
            return true;
    return false;
}

RARE bool publisher_block_now(const struct publisher_block *block, uint64_t clock, uint32_t *apply,
                              uint64_t *since)
{
    const uint64_t round = (UINT64_C(1) << 42) - 1, ahead = round / 4;
    uint64_t now = seen(&block->front.now);
    if (now == 0 || now == seen(&block->front.ended))
        return false;
    *apply = now % PROFTOP_APPLIES;
    /* Units of 1024 since the begin. The begin may be later than `clock`, if the reader was
     * preempted after it read the clock, or if the processors' clocks differ: 0 units then. */
    uint64_t ago = ((clock >> 10) - now / PROFTOP_APPLIES) & round;
    *since = ((clock >> 10) - (round - ago < ahead ? 0 : ago)) << 10;
    return true;
}

RARE void publisher_block_nest(struct publisher_block *block, uint64_t outer)
{
    struct shared_nest *nest = block->nest;
    uint32_t changes = nest->changes, depth = nest->depth, at = depth;
    while (at > 0 && nest->open[at - 1] != outer)
        at--;
    /* The store of each new word releases the odd number of changes. So a reader that sees a new
     * word also sees that number. A fence would do too, but ThreadSanitizer supports none. */
    __atomic_store_n(&nest->changes, changes + 1, __ATOMIC_RELAXED);
    if (at == 0 && outer != 0 && depth < PUBLISHER_NESTED)
        __atomic_store_n(&nest->open[depth++], outer, __ATOMIC_RELEASE);
    else if (at != 0 || outer == 0) /* the applies inside `outer` have ended */
        depth = at;
    __atomic_store_n(&nest->depth, depth, __ATOMIC_RELEASE);
    __atomic_store_n(&nest->changes, changes + 2, __ATOMIC_RELEASE);
    block->front.within = outer;
}

/* Reads the list and `now` once. Returns false if the thread changed the list meanwhile. */
static bool read_nest(const struct publisher_block *block, uint64_t open[PUBLISHER_NESTED],
                      uint32_t *depth, uint64_t *now)
{
    const struct shared_nest *nest = block->nest;
    const uint32_t changes = __atomic_load_n(&nest->changes, __ATOMIC_ACQUIRE);
    *now = seen(&block->front.now);
    *depth = __atomic_load_n(&nest->depth, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < *depth; i++)
        open[i] = seen(&nest->open[i]);
    return changes % 2 == 0 && __atomic_load_n(&nest->changes, __ATOMIC_RELAXED) == changes;
}

/* `now`, the innermost apply, is in the list if an apply inside it has begun and ended. The entries
 * after it have then ended too. */
RARE uint32_t publisher_block_open(const struct publisher_block *block,
                                   uint64_t open[PUBLISHER_NESTED + 1])
{
    uint32_t depth = 0, n = 0;
    uint64_t now = 0, ended;
    int tries = 0;
    while (!read_nest(block, open, &depth, &now))
        if (tries++ == PUBLISHER_READ_TRIES)
            return 0;
    if (now == 0)
        return 0;
    for (uint32_t at = 0; at < depth; at++)
        if (open[at] == now)
            depth = at;
    open[depth++] = now;
    ended = seen(&block->front.ended);
    for (uint32_t at = 0; at < depth; at++)
        if (open[at] != ended)
            open[n++] = open[at];
    return n;
}

/* `open` has the begin rounded down to 1024 units; the begin is up to 1023 units later. */
uint64_t publisher_open_for(uint64_t open, uint64_t clock)
{
    const uint64_t round = (UINT64_C(1) << 42) - 1, ahead = round / 4;
    const uint64_t ago = ((clock >> 10) - open / PROFTOP_APPLIES) & round;
    const uint64_t most = (ago << 10) + clock % 1024;
    return round - ago < ahead || most < 1023 ? 0 : most - 1023;
}
