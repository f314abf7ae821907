/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * memory.c: scopes and memory of proftop_objects.h. Each allocation changes the value by one atomic
 * operation, and raises the peak to its result. So no peak is missed.
 */
#include "config.h"

#include "feed/protocol/columns.h"
#include "feed/publisher/record/lock.h"
#include "feed/publisher/record/objects.h"
#include "feed/publisher/record/thread_objects.h"
#include "proftop_objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------- scopes */

/* Writes the full name of a scope inside another. `out` has space for both names plus two bytes. */
static void join(char *out, const char *around, const char *name)
{
    size_t size = strlen(name);
    if (strcmp(around, PUBLISHER_NO_SCOPE) == 0)
        around = "";
    bool colon = size == 0 || name[size - 1] != ':';
    sprintf(out, "%s%s%s", around, name, colon ? ":" : "");
}

/* Returns the full name of a scope, kept as long as the feed's objects. Returns NULL, counted as
 * lost, if out of memory or if the table is full. Under the feed's lock. */
static const char *keep_scope(struct publisher_core *core, const char *around, const char *name)
{
    char *full = malloc(strlen(around) + strlen(name) + 2);
    if (full == NULL) {
        publisher_count_lost(core, PUBLISHER_LOST_OBJECTS);
        return NULL;
    }
    join(full, around, name);
    uint32_t id = publisher_define_scope(core, full);
    free(full);
    return id == PROFTOP_NONE ? NULL : core->objects->scope[id];
}

const char *proftop_scope_push(struct proftop *feed, const char *name, int append)
{
    struct publisher_block *block;
    struct publisher_thread_objects *own = publisher_thread_objects_first(feed, &block);
    struct publisher_core *core = own == NULL ? NULL : publisher_lock(feed);
    if (core == NULL)
        return PUBLISHER_NO_SCOPE;
    const char *around = append ? publisher_thread_scope(own) : "";
    const char *full =
        keep_scope(core, around, name == NULL || name[0] == 0 ? PUBLISHER_NO_SCOPE : name);
    publisher_unlock(core);
    if (full == NULL)
        full = publisher_thread_scope(own);
    if (own->deep < PUBLISHER_SCOPES_DEEP)
        own->scope[own->deep] = full;
    else
        publisher_count_one(&feed->lost[PUBLISHER_LOST_SCOPES]);
    own->deep++;
    return publisher_thread_scope(own);
}

void proftop_scope_pop(struct proftop *feed)
{
    struct publisher_block *block;
    struct publisher_thread_objects *own = publisher_thread_objects_first(feed, &block);
    if (own == NULL)
        return;
    if (own->deep == 0)
        publisher_increment(&block->misuse);
    else
        own->deep--;
}

const char *proftop_scope(struct proftop *feed)
{
    struct publisher_block *block;
    const struct publisher_thread_objects *own = publisher_thread_objects_first(feed, &block);
    return own == NULL ? PUBLISHER_NO_SCOPE : publisher_thread_scope(own);
}

/* -------------------------------------------------------------------------------------- memory */

proftop_id proftop_memory(struct proftop *feed, const char *device, const char *pool,
                          const char *scope)
{
    struct publisher_block *block;
    struct publisher_thread_objects *own = publisher_thread_objects_first(feed, &block);
    struct publisher_core *core = own == NULL ? NULL : publisher_lock(feed);
    if (core == NULL)
        return PROFTOP_NONE;
    struct publisher_object_key key = {PUBLISHER_MEMORY, device, pool, scope};
    if (scope == NULL)
        key.scope = publisher_thread_scope(own);
    else if (scope[0] != 0)
        key.scope = keep_scope(core, "", scope);
    uint32_t id = PROFTOP_NONE;
    if (device == NULL || device[0] == 0)
        publisher_count_misuse(core);
    else if (key.scope != NULL)
        id = publisher_define_counter(core, &key, "bytes");
    publisher_unlock(core);
    return id;
}

static struct publisher_counter *find(struct proftop *feed, uint32_t id,
                                      struct publisher_counter **pool)
{
    struct publisher_block *block;
    struct publisher_thread_objects *own = publisher_thread_objects(feed, &block);
    if (own == NULL)
        return NULL;
    struct publisher_counter *memory = publisher_counter_at(own->objects, id);
    if (memory == NULL || memory->kind != PUBLISHER_MEMORY) {
        publisher_increment(&block->misuse);
        return NULL;
    }
    *pool = memory->pool_plus_1 == 0 ? NULL
                                     : publisher_counter_at(own->objects, memory->pool_plus_1 - 1);
    return memory;
}

/* Adds the bytes of the whole pool of a row to a trace. */
__attribute__((cold, noinline)) static void trace(struct proftop *feed, uint32_t id,
                                                  const struct publisher_counter *row,
                                                  const struct publisher_counter *pool)
{
    publisher_event_add_value(feed, pool == NULL ? id : row->pool_plus_1 - 1,
                              publisher_load(&(pool == NULL ? row : pool)->value));
}

/* Adds bytes to a pool or scope. Raises the peak even while the collection is paused, since a true
 * peak needs all allocations. */
static void alloc(struct publisher_counter *memory, uint64_t bytes, bool counts)
{
    publisher_update_begin(&memory->turn);
    uint64_t was = atomic_fetch_add_explicit(&memory->value, bytes, memory_order_acq_rel);
    publisher_raise(&memory->max, was + bytes);
    if (counts)
        publisher_counter_count(memory, (double)(was + bytes), was + bytes);
    atomic_store_explicit(&memory->known, true, memory_order_release);
    publisher_update_end(&memory->turn);
}

/* Subtracts bytes, down to 0. Returns how many bytes it subtracted. */
static uint64_t release(struct publisher_counter *memory, uint64_t bytes, bool counts)
{
    publisher_update_begin(&memory->turn);
    uint64_t was = atomic_load_explicit(&memory->value, memory_order_relaxed), left;
    do
        left = was < bytes ? 0 : was - bytes;
    while (!atomic_compare_exchange_weak_explicit(&memory->value, &was, left, memory_order_acq_rel,
                                                  memory_order_relaxed));
    if (counts)
        publisher_counter_count(memory, (double)left, left);
    atomic_store_explicit(&memory->known, true, memory_order_release);
    publisher_update_end(&memory->turn);
    return was - left;
}

static bool fits(const struct publisher_counter *memory, uint64_t bytes)
{
    return bytes <= WIRE_VALUE_MAX && publisher_load(&memory->value) <= WIRE_VALUE_MAX - bytes;
}

void proftop_memory_alloc(struct proftop *feed, proftop_id memory, uint64_t bytes)
{
    struct publisher_counter *pool, *row = find(feed, memory, &pool);
    if (row == NULL)
        return;
    /* Check both: a scope has more bytes than its pool if its bytes are freed without the scope. */
    if (!fits(row, bytes) || (pool != NULL && !fits(pool, bytes))) {
        publisher_count_one(&feed->invalid);
        return;
    }
    bool counts = publisher_counts_memory(feed);
    alloc(row, bytes, counts);
    if (pool != NULL)
        alloc(pool, bytes, counts);
    else
        atomic_fetch_add_explicit(&row->outside, bytes, memory_order_relaxed);
    if (publisher_traces_values(feed))
        trace(feed, memory, row, pool);
}

void proftop_memory_free(struct proftop *feed, proftop_id memory, uint64_t bytes)
{
    struct publisher_counter *pool, *row = find(feed, memory, &pool);
    if (row == NULL)
        return;
    struct publisher_counter *whole = pool != NULL ? pool : row;
    bool counts = publisher_counts_memory(feed);
    uint64_t scoped = pool != NULL ? release(row, bytes, counts) : 0;
    uint64_t freed = release(whole, bytes, counts);
    if (freed != scoped) /* includes a free through a scope that has fewer bytes */
        atomic_fetch_sub_explicit(&whole->outside, freed - scoped, memory_order_relaxed);
    if (freed != bytes || (pool != NULL && scoped != bytes))
        publisher_count_one(&feed->invalid);
    if (publisher_traces_values(feed))
        trace(feed, memory, row, pool);
}

void proftop_memory_limit(struct proftop *feed, proftop_id memory, uint64_t bytes)
{
    struct publisher_counter *pool, *row = find(feed, memory, &pool);
    if (row == NULL)
        return;
    publisher_update_begin(&row->turn);
    uint64_t kept = bytes < WIRE_VALUE_MAX ? bytes : WIRE_VALUE_MAX;
    uint64_t limit = bytes == PROFTOP_UNKNOWN ? 0 : kept + 1;
    atomic_store_explicit(&row->limit, limit, memory_order_release);
    atomic_store_explicit(&row->known, true, memory_order_release);
    publisher_update_end(&row->turn);
}
