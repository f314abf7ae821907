/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * thread_objects.c: finds or makes the objects' data of the calling thread.
 */
#include "config.h"

#include "feed/publisher/record/event_ring.h"
#include "feed/publisher/record/lock.h"
#include "feed/publisher/record/pages.h"
#include "feed/publisher/record/thread_objects.h"

#include <string.h>

static struct publisher_thread_objects *new_own(struct proftop *feed, struct publisher_block *block,
                                                bool first)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return NULL;
    struct publisher_objects *objects = first ? publisher_objects_of(core) : core->objects;
    struct publisher_thread_objects *own = objects == NULL ? NULL : publisher_map(sizeof *own);
    if (own != NULL) {
        atomic_fetch_add_explicit(&objects->references, 1, memory_order_relaxed);
        own->objects = objects;
        own->thread = atomic_load_explicit(&block->thread, memory_order_relaxed);
        block->own = own;
    } else if (first || objects != NULL) {
        publisher_count_lost(core, PUBLISHER_LOST_OBJECTS);
    } else {
        publisher_count_misuse(core); /* the call has an id, but no object was defined */
    }
    publisher_unlock(core);
    return own;
}

/* Clears the scopes and the list of open runs of the previous thread of a reused block. The runs
 * themselves stay, since a thread with their tokens may still stop them. */
static void take_over(struct publisher_thread_objects *own, uint32_t thread)
{
    own->thread = thread;
    own->deep = 0;
    if (own->runner == NULL)
        return;
    pthread_mutex_lock(&own->runner->lock);
    own->runner->top = 0;
    pthread_mutex_unlock(&own->runner->lock);
}

static struct publisher_thread_objects *find_own(struct proftop *feed, struct publisher_block **at,
                                                 bool first)
{
    struct publisher_block *block = publisher_thread_block(feed);
    if (block == NULL)
        return NULL;
    struct publisher_thread_objects *own =
        block->own != NULL ? block->own : new_own(feed, block, first);
    uint32_t thread = atomic_load_explicit(&block->thread, memory_order_relaxed);
    if (own != NULL && own->thread != thread)
        take_over(own, thread);
    *at = block;
    return own;
}

struct publisher_thread_objects *publisher_thread_objects(struct proftop *feed,
                                                          struct publisher_block **block)
{
    return find_own(feed, block, false);
}

struct publisher_thread_objects *publisher_thread_objects_first(struct proftop *feed,
                                                                struct publisher_block **block)
{
    return find_own(feed, block, true);
}

const char *publisher_thread_scope(const struct publisher_thread_objects *own)
{
    uint32_t deep = own->deep < PUBLISHER_SCOPES_DEEP ? own->deep : PUBLISHER_SCOPES_DEEP;
    return deep == 0 ? PUBLISHER_NO_SCOPE : own->scope[deep - 1];
}

const char *publisher_scope_of(const struct proftop *feed)
{
    const struct publisher_block *block = publisher_thread_known(feed);
    const struct publisher_thread_objects *own = block == NULL ? NULL : block->own;
    bool mine =
        own != NULL && own->thread == atomic_load_explicit(&block->thread, memory_order_relaxed);
    const char *scope = mine ? publisher_thread_scope(own) : PUBLISHER_NO_SCOPE;
    return strcmp(scope, PUBLISHER_NO_SCOPE) == 0 ? NULL : scope;
}

__attribute__((cold, noinline)) void publisher_event_add_value(struct proftop *feed,
                                                               uint32_t counter, uint64_t bits)
{
    struct publisher_block *block = publisher_thread_block(feed);
    if (block == NULL)
        return;
    const uint64_t at = block->ticks ? publisher_ticks_stamp() : publisher_clock_ns();
    publisher_event_add(block, PUBLISHER_TRACED_VALUE, counter, at, bits);
}
