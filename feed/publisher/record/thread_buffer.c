/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * thread_buffer.c: maps blocks, gives them to threads, takes them back when the threads end, and
 * frees blocks that no thread can touch any more.
 */
#include "config.h"

#include "feed/publisher/record/black_box.h"
#include "feed/publisher/record/event_ring.h"
#include "feed/publisher/record/histogram.h"
#include "feed/publisher/record/lock.h"
#include "feed/publisher/record/objects.h"
#include "feed/publisher/record/pages.h"
#include "feed/publisher/record/thread_buffer.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------- blocks */

struct publisher_block *publisher_block_new(uint64_t on)
{
    struct publisher_block *block = publisher_map(sizeof *block);
    if (block == NULL)
        return NULL;
    block->front.on = on;
    block->nest = &block->own_nest;
    return block;
}

void publisher_block_keep(struct publisher_block *block, struct publisher_black_box *box)
{
    const uint64_t on = block->front.on;
    block->kept = box == NULL ? NULL : publisher_black_box_add(box, block, &block->number);
    if (block->kept == NULL)
        return;
    block->front.on = on;
    block->box = box;
    block->nest = &block->kept->nest;
    block->kept->ticks = block->ticks;
}

void publisher_block_forget(struct publisher_block *block)
{
    if (block->box == NULL)
        return;
    if (!block->box->forgotten)
        publisher_black_box_forget(block->box);
    block->nest = &block->own_nest;
    block->kept = NULL;
}

/* Chunks that lie in the black box go with it. */
static void free_chunk(const struct publisher_block *block, struct proftop_slot *chunk)
{
    if (!publisher_black_box_has(block->box, chunk))
        publisher_unmap(chunk, PUBLISHER_CHUNK * sizeof *chunk);
}

void publisher_block_free(struct publisher_block *block)
{
    for (int kind = 0; kind < PUBLISHER_KINDS; kind++)
        for (uint32_t at = 0; at < publisher_block_places(kind); at++) {
            struct proftop_slot *chunk = *publisher_block_place(block, kind, at);
            free_chunk(block, chunk);
            if (kind == PUBLISHER_APPLIES && chunk != NULL)
                free(block->seen[at]);
        }
    publisher_thread_objects_free(block->own);
    publisher_histograms_free(block->histograms);
    publisher_event_ring_free(publisher_block_ring(block));
    struct publisher_black_box *box = block->box;
    publisher_black_box_drop(box, block);
    publisher_unmap(block, sizeof *block);
    publisher_black_box_release(box);
}

/* ------------------------------------------------------------------------- blocks of a thread */

/* The thread's own list, not shared with other threads. No feed has the number UINT64_MAX. */
_Thread_local struct publisher_thread_slot publisher_thread_slot = {.on = UINT64_MAX};

/* One key for the process, since keys are few. Its destructor runs when a thread ends. */
static pthread_key_t key;
static bool have_key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

/* Function to call when this thread ends, or NULL. */
static _Thread_local void (*at_end)(void) __attribute__((tls_model("initial-exec")));

/* Removes a block from the calling thread's list. */
static void unlink_own(struct publisher_block *block)
{
    struct publisher_block **at = &publisher_thread_slot.all;
    while (*at != NULL && *at != block)
        at = &(*at)->next_own;
    if (*at != NULL)
        *at = block->next_own;
    if (publisher_thread_slot.block == block)
        publisher_thread_slot.on = UINT64_MAX;
}

/* Gives back the blocks of a thread that ends. Destructors of other keys may run after this one and
 * count: inlined code uses its cached block without asking the library. So this waits for the last
 * round of destructors but one; in the last round, ThreadSanitizer frees its state of the thread.
 * Giving back takes no lock: a fork holds all our locks while other atfork handlers run, and these
 * may wait for this thread (MXNet's do). */
static void thread_ends(void *again)
{
    enum { ROUNDS = PTHREAD_DESTRUCTOR_ITERATIONS - 1 };
    static _Thread_local int rounds __attribute__((tls_model("initial-exec")));
    if (++rounds < ROUNDS && pthread_setspecific(key, again) == 0)
        return;
    if (at_end != NULL) {
        pthread_mutex_lock(&publisher_all_lock);
        at_end();
        pthread_mutex_unlock(&publisher_all_lock);
    }
    while (publisher_thread_slot.all != NULL) {
        struct publisher_block *block = publisher_thread_slot.all;
        unlink_own(block);
        publisher_store(&block->front.now, 0);
        block->front.begun = 0;
        int was = atomic_exchange_explicit(&block->use, PUBLISHER_IDLE, memory_order_acq_rel);
        if (was == PUBLISHER_ORPHAN)
            publisher_block_free(block);
    }
}

static int use_of(const struct publisher_block *block)
{
    return atomic_load_explicit(&block->use, memory_order_acquire);
}

static void make_key(void)
{
    have_key = pthread_key_create(&key, thread_ends) == 0;
}

void publisher_thread_at_end(void (*ends)(void))
{
    if (at_end != NULL)
        return;
    at_end = ends;
    pthread_once(&key_once, make_key);
    if (have_key)
        pthread_setspecific(key, &publisher_thread_slot);
}

/* Frees the calling thread's blocks of closed feeds. Only this thread used them, and it is here. */
static void free_orphans(void)
{
    struct publisher_block *block = publisher_thread_slot.all;
    while (block != NULL) {
        struct publisher_block *next = block->next_own;
        if (use_of(block) == PUBLISHER_ORPHAN) {
            unlink_own(block);
            publisher_block_free(block);
        }
        block = next;
    }
}

/* Says which thread writes the block: the id of its definition plus 1, or 0. */
static void belongs_to(struct publisher_block *block, uint32_t defined)
{
    atomic_store_explicit(&block->defined, defined, memory_order_release);
    if (block->kept != NULL)
        __atomic_store_n(&block->kept->defined, defined, __ATOMIC_RELEASE);
}

void publisher_thread_define(struct publisher_core *core, struct publisher_block *block,
                             const char *name)
{
    char own[17] = "";
    if (name == NULL && pthread_getname_np(pthread_self(), own, sizeof own) == 0)
        name = own;
    uint32_t defined = atomic_load_explicit(&block->defined, memory_order_relaxed);
    if (defined != 0) {
        const struct publisher_thread_row *was =
            publisher_definitions_row(&core->definitions, PUBLISHER_DEF_THREAD, defined - 1);
        bool same =
            was->name.size == strlen(name) && memcmp(was->name.data, name, was->name.size) == 0;
        if (same)
            return;
    }
    struct publisher_thread_row *row =
        publisher_definitions_add(&core->definitions, PUBLISHER_DEF_THREAD);
    if (row == NULL || !publisher_definitions_text(&core->definitions, name, &row->name)) {
        belongs_to(block, 0);
        return;
    }
    row->tid = (uint64_t)syscall(SYS_gettid);
    uint32_t id = publisher_definitions_commit(&core->definitions, PUBLISHER_DEF_THREAD);
    belongs_to(block, id + 1);
}

/* Returns an idle block with the feed's current number, and so its clock, or a new one. Returns
 * NULL if out of memory. Under both locks. */
static struct publisher_block *idle_block(struct publisher_core *core, uint64_t on)
{
    struct publisher_block *first = atomic_load_explicit(&core->blocks, memory_order_relaxed);
    for (struct publisher_block *block = first; block != NULL; block = block->next)
        if (use_of(block) == PUBLISHER_IDLE && block->front.on == on)
            return block;
    struct publisher_block *block = publisher_block_new(on);
    if (block == NULL)
        return NULL;
    block->ticks = on % 2 != 0;
    publisher_block_keep(block, core->box);
    block->next = first;
    atomic_store_explicit(&core->blocks, block, memory_order_release);
    return block;
}

static struct publisher_block *take_block(struct proftop *feed, uint64_t on)
{
    struct publisher_core *core = feed->core;
    if (core == NULL || publisher_on(feed) != on)
        return NULL;
    struct publisher_block *block = idle_block(core, on);
    if (block == NULL) {
        publisher_count_one(&feed->lost[PUBLISHER_LOST_CALLS]);
        return NULL;
    }
    atomic_store_explicit(&block->use, PUBLISHER_BUSY, memory_order_relaxed);
    atomic_store_explicit(&block->thread, ++core->threads, memory_order_relaxed);
    belongs_to(block, 0);
    publisher_thread_define(core, block, NULL);
    publisher_event_ring_give(core, block);
    block->next_own = publisher_thread_slot.all;
    publisher_thread_slot.all = block;
    if (have_key)
        pthread_setspecific(key, block);
    return block;
}

struct publisher_block *publisher_thread_known(const struct proftop *feed)
{
    uint64_t on = publisher_on(feed);
    struct publisher_block *block = on == 0 ? NULL : publisher_thread_slot.all;
    while (block != NULL && block->front.on != on)
        block = block->next_own;
    return block;
}

struct publisher_block *publisher_thread_find(struct proftop *feed)
{
    uint64_t on = publisher_on(feed);
    if (on == 0)
        return NULL;
    struct publisher_block *block = publisher_thread_known(feed);
    if (block == NULL) {
        pthread_once(&key_once, make_key);
        pthread_mutex_lock(&publisher_all_lock);
        free_orphans();
        pthread_mutex_lock(&feed->lock);
        block = take_block(feed, on);
        pthread_mutex_unlock(&feed->lock);
        pthread_mutex_unlock(&publisher_all_lock);
    }
    if (block != NULL)
        publisher_thread_slot = (struct publisher_thread_slot){
            .on = on, .block = block, .all = publisher_thread_slot.all};
    return block;
}

static bool is_mine(const struct publisher_block *block)
{
    const struct publisher_block *own = publisher_thread_slot.all;
    while (own != NULL && own != block)
        own = own->next_own;
    return own != NULL;
}

void publisher_threads_drop(struct publisher_core *core)
{
    struct publisher_block *block = atomic_load_explicit(&core->blocks, memory_order_relaxed);
    while (block != NULL) {
        struct publisher_block *next = block->next;
        bool mine = is_mine(block);
        if (mine)
            unlink_own(block);
        int busy = PUBLISHER_BUSY;
        if (mine || block == core->set ||
            !atomic_compare_exchange_strong_explicit(&block->use, &busy, PUBLISHER_ORPHAN,
                                                     memory_order_acq_rel, memory_order_acquire))
            publisher_block_free(block);
        block = next;
    }
    atomic_store_explicit(&core->blocks, NULL, memory_order_relaxed);
}
