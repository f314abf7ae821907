/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * count.c: the calls of proftop.h that count: begin and end, given durations, cumulative values.
 */
#include "config.h"

#include "clock.h"
#include "threads.h"

enum { LARGEST_BITS = 62 }; /* of a value on the wire */

/* The slot of an id if this thread has touched it before, and it is of this source; else NULL. */
static inline struct feed_slot *known_slot(_Atomic(struct feed_slot *) *places, uint32_t max,
                                           uint32_t id, uint32_t source)
{
    if (id >= max)
        return NULL;
    struct feed_slot *chunk =
        atomic_load_explicit(&places[id >> FEED_CHUNK_SHIFT], memory_order_relaxed);
    if (chunk == NULL)
        return NULL;
    struct feed_slot *slot = &chunk[id % FEED_CHUNK];
    uint32_t flags = atomic_load_explicit(&slot->flags, memory_order_relaxed);
    return (flags & FEED_FLAG_SOURCE) == source + 1 ? slot : NULL;
}

/* Whether the id is defined, with this source. Under the lock. */
static bool is_defined(struct feed_core *core, enum feed_kind kind, uint32_t id, uint32_t source)
{
    enum feed_table table = kind == FEED_APPLIES ? FEED_T_APPLY : FEED_T_FUNCTION;
    if (id >= feed_book_count(&core->book, table))
        return false;
    if (kind == FEED_VM)
        return true;
    if (kind == FEED_CALLS)
        return ((struct feed_function_row *)feed_book_row(&core->book, table, id))->source ==
               source;
    return ((struct feed_apply_row *)feed_book_row(&core->book, table, id))->source == source;
}

/* First touch of a slot by a thread. NULL: misuse or no memory, counted. */
static struct feed_slot *touch(struct proftop *feed, struct feed_block *block, enum feed_kind kind,
                               uint32_t id, uint32_t source)
{
    pthread_mutex_lock(&feed->lock);
    bool on = feed->core != NULL;
    bool defined = on && is_defined(feed->core, kind, id, source);
    pthread_mutex_unlock(&feed->lock);
    if (!defined) {
        if (on)
            feed_bump(&block->misuse);
        return NULL;
    }
    struct feed_slot *slot = feed_block_slot(block, kind, id);
    if (slot == NULL) {
        feed_bump(&block->dropped);
        return NULL;
    }
    atomic_store_explicit(&slot->flags, source + 1, memory_order_release);
    return slot;
}

static inline struct feed_slot *apply_slot(struct proftop *feed, struct feed_block *block,
                                           uint32_t id, uint32_t source)
{
    struct feed_slot *slot = known_slot(block->applies, WIRE_APPLIES_MAX, id, source);
    return slot != NULL ? slot : touch(feed, block, FEED_APPLIES, id, source);
}

static inline struct feed_slot *call_slot(struct proftop *feed, struct feed_block *block,
                                          uint32_t id)
{
    struct feed_slot *slot = known_slot(block->calls, WIRE_FUNCTIONS_MAX, id, PROFTOP_TIMED);
    return slot != NULL ? slot : touch(feed, block, FEED_CALLS, id, PROFTOP_TIMED);
}

/* Adds one call that took `ns`, or counts why its time is not added. */
static inline void add(struct proftop *feed, struct feed_block *block, struct feed_slot *slot,
                       uint64_t ns)
{
    if (ns <= FEED_ABSURD_NS) {
        feed_slot_add(slot, ns, atomic_load_explicit(&feed->stamp, memory_order_relaxed));
        return;
    }
    feed_slot_add_untimed(slot);
    feed_bump(&block->invalid);
}

/* The calling thread's block while events are counted, else NULL. */
static inline struct feed_block *counting_block(struct proftop *feed)
{
    return feed != NULL && feed_counts(feed) ? feed_thread_block(feed) : NULL;
}

/* The block of another thread of the feed, or NULL. Under the feed's lock. */
static struct feed_block *other_block(struct feed_core *core, uint32_t thread)
{
    if (core == NULL)
        return NULL;
    struct feed_block *block = atomic_load_explicit(&core->blocks, memory_order_relaxed);
    while (block != NULL && atomic_load_explicit(&block->thread, memory_order_relaxed) != thread)
        block = block->next;
    return block;
}

/* An interval ended on another thread than its own, or before one that it encloses: what is shown
 * of its thread is put right as far as that can be done without waiting. */
static void leave_elsewhere(struct proftop *feed, struct feed_block *block,
                            struct proftop_token token, bool call, uint32_t id)
{
    if (token.thread == atomic_load_explicit(&block->thread, memory_order_relaxed)) {
        feed_put(&block->ended, token.start);
        return;
    }
    if (pthread_mutex_trylock(&feed->lock) != 0)
        return;
    struct feed_block *other = other_block(feed->core, token.thread);
    if (other != NULL && !call)
        feed_put(&other->ended, token.start);
    struct feed_slot *slot = other != NULL && call
                                 ? known_slot(other->calls, WIRE_FUNCTIONS_MAX, id, PROFTOP_TIMED)
                                 : NULL;
    uint64_t expected = token.start;
    if (slot != NULL)
        atomic_compare_exchange_strong(&slot->aux, &expected, token.outer_since);
    pthread_mutex_unlock(&feed->lock);
}

/* What ran before the apply runs on, unless it has ended meanwhile. */
static inline void leave(struct proftop *feed, struct feed_block *block, uint32_t apply,
                         struct proftop_token token)
{
    bool innermost = feed_get(&block->now_since) == token.start &&
                     atomic_load_explicit(&block->now_apply, memory_order_relaxed) == apply + 1 &&
                     atomic_load_explicit(&block->thread, memory_order_relaxed) == token.thread;
    if (!innermost) {
        leave_elsewhere(feed, block, token, false, apply);
        return;
    }
    bool outer = token.outer != 0 && token.outer_since != feed_get(&block->ended);
    feed_block_set_now(block, outer ? token.outer : 0, outer ? token.outer_since : 0);
}

/* The call that encloses this one is open again, unless it has ended meanwhile. */
static inline void leave_call(struct proftop *feed, struct feed_block *block,
                              struct feed_slot *slot, uint32_t function,
                              struct proftop_token token)
{
    bool innermost = feed_get(&slot->aux) == token.start &&
                     atomic_load_explicit(&block->thread, memory_order_relaxed) == token.thread;
    if (!innermost)
        leave_elsewhere(feed, block, token, true, function);
    else
        feed_put(&slot->aux, token.outer_since == feed_get(&block->ended) ? 0 : token.outer_since);
}

struct proftop_token proftop_begin(struct proftop *feed, proftop_id apply)
{
    struct proftop_token token = {0};
    struct feed_block *block = counting_block(feed);
    if (block == NULL || apply_slot(feed, block, apply, PROFTOP_TIMED) == NULL)
        return token;
    token.outer = atomic_load_explicit(&block->now_apply, memory_order_relaxed);
    token.outer_since = feed_get(&block->now_since);
    token.thread = atomic_load_explicit(&block->thread, memory_order_relaxed);
    token.start = feed_clock_ns();
    feed_block_set_now(block, apply + 1, token.start);
    return token;
}

/* Ends what began with `token`: a call of a function or else of an apply. The caller knows which,
 * and the test of `call` is not to be paid for: hence always_inline. */
__attribute__((always_inline)) static inline void
finish(struct proftop *feed, bool call, uint32_t id, struct proftop_token token, bool counted)
{
    if (token.start == 0)
        return;
    uint64_t stop = feed_clock_ns();
    struct feed_block *block = feed_thread_block(feed);
    if (block == NULL)
        return;
    struct feed_slot *slot =
        call ? call_slot(feed, block, id) : apply_slot(feed, block, id, PROFTOP_TIMED);
    if (counted && slot != NULL && feed_counts(feed))
        add(feed, block, slot, stop - token.start);
    if (!call)
        leave(feed, block, id, token);
    else if (slot != NULL)
        leave_call(feed, block, slot, id, token);
}

void proftop_end(struct proftop *feed, proftop_id apply, struct proftop_token token)
{
    finish(feed, false, apply, token, true);
}

void proftop_fail(struct proftop *feed, proftop_id apply, struct proftop_token token)
{
    finish(feed, false, apply, token, false);
}

void proftop_record(struct proftop *feed, proftop_id apply, uint64_t ns)
{
    struct feed_block *block = counting_block(feed);
    if (block == NULL)
        return;
    struct feed_slot *slot = apply_slot(feed, block, apply, PROFTOP_GIVEN);
    if (slot == NULL)
        return;
    if (ns == PROFTOP_UNKNOWN)
        feed_slot_add_untimed(slot);
    else
        add(feed, block, slot, ns);
}

/* ----------------------------------------------------------------------------- functions */

struct proftop_token proftop_call_begin(struct proftop *feed, proftop_id function)
{
    struct proftop_token token = {0};
    struct feed_block *block = counting_block(feed);
    struct feed_slot *slot = block == NULL ? NULL : call_slot(feed, block, function);
    if (slot == NULL)
        return token;
    token.outer_since = feed_get(&slot->aux);
    token.thread = atomic_load_explicit(&block->thread, memory_order_relaxed);
    token.start = feed_clock_ns();
    feed_put(&slot->aux, token.start);
    return token;
}

void proftop_call_end(struct proftop *feed, proftop_id function, struct proftop_token token)
{
    finish(feed, true, function, token, true);
}

void proftop_call_fail(struct proftop *feed, proftop_id function, struct proftop_token token)
{
    finish(feed, true, function, token, false);
}

void proftop_vm(struct proftop *feed, proftop_id function, uint64_t ns)
{
    struct feed_block *block = counting_block(feed);
    if (block == NULL)
        return;
    struct feed_slot *slot = known_slot(block->vm, WIRE_FUNCTIONS_MAX, function, PROFTOP_TIMED);
    if (slot == NULL)
        slot = touch(feed, block, FEED_VM, function, PROFTOP_TIMED);
    if (slot == NULL)
        return;
    if (ns <= FEED_ABSURD_NS)
        add(feed, block, slot, ns);
    else
        feed_bump(&block->invalid);
}

/* ------------------------------------------------------------------ cumulative values, by others
 */

/* The block of all cumulative values: it belongs to no thread. Under the lock. */
static struct feed_block *set_block(struct feed_core *core, uint64_t serial)
{
    struct feed_block *block = atomic_load_explicit(&core->set, memory_order_relaxed);
    if (block != NULL)
        return block;
    block = feed_block_new(serial);
    if (block == NULL)
        return NULL;
    block->busy = true;
    block->next = atomic_load_explicit(&core->blocks, memory_order_relaxed);
    atomic_store_explicit(&core->blocks, block, memory_order_release);
    atomic_store_explicit(&core->set, block, memory_order_release);
    return block;
}

/* Values in the slot are what the source said plus what it had before it fell. */
static void set_slot(struct proftop *feed, struct feed_slot *slot, uint64_t calls, uint64_t ns)
{
    uint64_t known = (calls == PROFTOP_UNKNOWN ? 0 : FEED_KNOWN_CALLS) |
                     (ns == PROFTOP_UNKNOWN ? 0 : FEED_KNOWN_NS) | feed_get(&slot->last);
    uint64_t was_calls = feed_get(&slot->calls), was_ns = feed_get(&slot->total);
    uint64_t base_calls = feed_get(&slot->min), base_ns = feed_get(&slot->max);
    if (calls == PROFTOP_UNKNOWN)
        calls = was_calls - base_calls;
    if (ns == PROFTOP_UNKNOWN)
        ns = was_ns - base_ns;
    if (!feed_counts(feed)) {
        /* What the source adds meanwhile is left out, now and later. */
        base_calls = was_calls - calls;
        base_ns = was_ns - ns;
    } else if (calls < was_calls - base_calls || ns < was_ns - base_ns) {
        feed_count_one(&feed->restarts);
        base_calls = was_calls;
        base_ns = was_ns;
    }
    uint32_t odd = feed_slot_open(slot);
    feed_put(&slot->calls, base_calls + calls);
    feed_put(&slot->total, base_ns + ns);
    feed_put(&slot->min, base_calls);
    feed_put(&slot->max, base_ns);
    feed_put(&slot->last, known);
    atomic_store_explicit(&slot->flags, PROFTOP_SET + 1, memory_order_release);
    feed_slot_close(slot, odd);
}

static bool too_large(uint64_t value)
{
    return value != PROFTOP_UNKNOWN && value >> LARGEST_BITS != 0;
}

/* Under the lock. */
static void set_row(struct proftop *feed, enum feed_kind kind, uint32_t id, uint64_t calls,
                    uint64_t ns)
{
    if (feed->core == NULL)
        return;
    if (!is_defined(feed->core, kind, id, PROFTOP_SET)) {
        feed_count_one(&feed->misuse);
        return;
    }
    if (too_large(calls) || too_large(ns)) {
        feed_count_one(&feed->invalid);
        return;
    }
    uint64_t serial = atomic_load_explicit(&feed->serial, memory_order_relaxed);
    struct feed_block *block = set_block(feed->core, serial);
    struct feed_slot *slot = block == NULL ? NULL : feed_block_slot(block, kind, id);
    if (slot == NULL)
        feed_count_one(&feed->dropped);
    else
        set_slot(feed, slot, calls, ns);
}

static bool is_off(const struct proftop *feed)
{
    return feed == NULL || atomic_load_explicit(&feed->serial, memory_order_acquire) == 0;
}

void proftop_set(struct proftop *feed, proftop_id apply, uint64_t calls, uint64_t ns)
{
    if (is_off(feed))
        return;
    pthread_mutex_lock(&feed->lock);
    if (calls == PROFTOP_UNKNOWN || ns == PROFTOP_UNKNOWN)
        feed_count_one(&feed->misuse);
    else
        set_row(feed, FEED_APPLIES, apply, calls, ns);
    pthread_mutex_unlock(&feed->lock);
}

void proftop_call_set(struct proftop *feed, proftop_id function, uint64_t calls, uint64_t ns)
{
    if (is_off(feed))
        return;
    pthread_mutex_lock(&feed->lock);
    set_row(feed, FEED_CALLS, function, calls, ns);
    pthread_mutex_unlock(&feed->lock);
}
