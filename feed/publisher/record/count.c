/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * count.c: the calls of proftop.h that count: begin and end, given durations, cumulative values.
 */
#include "config.h"

#include "feed/protocol/columns.h"
#include "feed/publisher/record/histogram.h"
#include "feed/publisher/record/thread_buffer.h"

/* What is run to measure its price is no event of the program. */
#define PROBE(name, id, feed)                                                                      \
    do                                                                                             \
        if (!feed_is_sample(feed))                                                                 \
            PROFTOP_PROBE(name, id, feed);                                                         \
    while (0)

/* What is not run for each call. */
#define RARE __attribute__((cold, noinline))

/* The slot of an id if this thread has touched it before, and it is of this source; else NULL. */
static inline struct proftop_slot *known_slot(struct proftop_slot **places, uint32_t max,
                                              uint32_t id, uint32_t source)
{
    if (id >= max)
        return NULL;
    struct proftop_slot *chunk = __atomic_load_n(&places[id >> FEED_CHUNK_SHIFT], __ATOMIC_ACQUIRE);
    if (chunk == NULL)
        return NULL;
    struct proftop_slot *slot = &chunk[id % FEED_CHUNK];
    return feed_source(feed_slot_kind(slot)) == source + 1 ? slot : NULL;
}

/* Whether the id is defined, with this source; `op` becomes that of an apply. Under the lock. */
RARE static bool is_defined(struct feed_core *core, enum feed_kind kind, uint32_t id,
                            uint32_t source, uint32_t *op)
{
    enum feed_table table = kind == FEED_APPLIES ? FEED_T_APPLY : FEED_T_FUNCTION;
    if (id >= feed_book_count(&core->book, table))
        return false;
    if (kind == FEED_VM)
        return true;
    if (kind == FEED_CALLS) {
        const struct feed_function_row *function = feed_book_row(&core->book, table, id);
        return function->source == source || function->left_out;
    }
    const struct feed_apply_row *apply = feed_book_row(&core->book, table, id);
    *op = apply->op;
    return apply->source == source;
}

/* Address of the buckets that the calls of an apply are counted in. Without memory for them the
 * calls count all the same; that the buckets do not tell of them, the reader finds out. */
static uint64_t buckets_of(struct feed_block *block, uint32_t source, uint32_t op)
{
    struct feed_buckets *buckets = feed_histogram_make(block, source == PROFTOP_GIVEN, op);
    return (uint64_t)(uintptr_t)(buckets == NULL ? &feed_no_buckets : buckets);
}

/* First touch of a slot by a thread. NULL: misuse or no memory, counted. */
RARE static struct proftop_slot *touch(struct proftop *feed, struct feed_block *block,
                                       enum feed_kind kind, uint32_t id, uint32_t source)
{
    uint32_t op = FEED_NONE;
    pthread_mutex_lock(&feed->lock);
    bool on = feed->core != NULL;
    bool defined = on && is_defined(feed->core, kind, id, source, &op);
    pthread_mutex_unlock(&feed->lock);
    if (!defined) {
        if (on)
            feed_bump(&block->misuse);
        return NULL;
    }
    struct proftop_slot *slot = feed_block_slot(block, kind, id);
    if (slot == NULL) {
        feed_count_one(&feed->lost[FEED_LOST_CALLS]);
        return NULL;
    }
    const bool apply = kind == FEED_APPLIES;
    uint8_t *ready = feed_block_ready(block, kind, id);
    feed_slot_touch(slot, ready, source, apply ? buckets_of(block, source, op) : 0);
    /* Whoever changes the choice from here on finds the slot. */
    pthread_mutex_lock(&feed->lock);
    if (feed->core != NULL)
        feed_slot_choose(slot, ready, feed_is_wanted(feed->core, kind, id));
    pthread_mutex_unlock(&feed->lock);
    return slot;
}

static inline struct proftop_slot *apply_slot(struct proftop *feed, struct feed_block *block,
                                              uint32_t id, uint32_t source)
{
    struct proftop_slot *slot = known_slot(block->front.applies, WIRE_APPLIES_MAX, id, source);
    return slot != NULL ? slot : touch(feed, block, FEED_APPLIES, id, source);
}

static inline struct proftop_slot *call_slot(struct proftop *feed, struct feed_block *block,
                                             uint32_t id)
{
    struct proftop_slot *slot = known_slot(block->calls, WIRE_FUNCTIONS_MAX, id, PROFTOP_TIMED);
    return slot != NULL ? slot : touch(feed, block, FEED_CALLS, id, PROFTOP_TIMED);
}

/* Adds one call, or counts why its time is not added. */
static inline void add(struct feed_block *block, struct proftop_slot *slot, uint64_t duration,
                       bool buckets)
{
    if (!buckets && feed_slot_add_plainly(slot, duration))
        return;
    if (duration <= FEED_ABSURD_NS) {
        if (buckets && feed_bucket(duration) >= FEED_NEAR)
            feed_histogram_reach(block, (struct feed_buckets *)(uintptr_t)slot->aux);
        feed_slot_add(slot, duration, buckets);
        return;
    }
    feed_slot_add_untimed(slot);
    feed_bump(&block->invalid);
}

/* The same to a slot of FEED_VM, by the block's clock: such time is apart from what was given. */
static inline void add_to_vm(struct proftop_slot *slot, uint64_t duration)
{
    if (slot == NULL || duration > FEED_ABSURD_NS)
        return;
    uint64_t calls = feed_get(&slot->calls) + 1;
    feed_put(&slot->calls, calls);
    feed_put(&slot->aux, feed_get(&slot->aux) + duration);
    __atomic_store_n(&slot->sequence, (uint32_t)calls, __ATOMIC_RELEASE);
}

/* The calling thread's block while applies, or calls of functions, are counted; else NULL. */
static inline struct feed_block *counting_block(struct proftop *feed, bool call)
{
    bool counts = feed != NULL && (call ? feed_counts_calls(feed) : feed_counts(feed));
    return counts ? feed_thread_block(feed) : NULL;
}

/* What the block's intervals begin and end with. */
static inline uint64_t clock_now(const struct feed_block *block)
{
    return block->ticks ? feed_ticks_stamp() & ~FEED_TICKS_NS : feed_clock_ns() | FEED_TICKS_NS;
}

/* Takes an open call off the thread that it was begun on. False: it is on none, innermost. */
static bool close_call(struct feed_block *block, struct proftop_token token, uint32_t id)
{
    bool closed = false;
    for (; block != NULL && !closed; block = block->next) {
        struct proftop_slot *slot =
            known_slot(block->calls, WIRE_FUNCTIONS_MAX, id, PROFTOP_TIMED);
        uint64_t expected = token.start;
        closed = slot != NULL &&
                 __atomic_compare_exchange_n(&slot->aux, &expected, token.outer, false,
                                             __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    }
    return closed;
}

/* An interval ended on another thread than its own, or before one that it encloses: what is shown
 * of its thread is put right as far as that can be done without waiting. `ended` goes to all
 * threads: those that did not begin it take no notice. */
RARE static void leave_elsewhere(struct proftop *feed, struct feed_block *mine,
                                 struct proftop_token token, bool call, uint32_t id)
{
    uint64_t ended = call ? token.start : proftop_now(token.start, id);
    feed_put(&mine->front.ended, ended);
    if (pthread_mutex_trylock(&feed->lock) != 0)
        return;
    struct feed_core *core = feed->core;
    struct feed_block *block =
        core == NULL ? NULL : atomic_load_explicit(&core->blocks, memory_order_relaxed);
    if (call && close_call(block, token, id))
        block = NULL;
    for (; block != NULL; block = block->next)
        feed_put(&block->front.ended, ended);
    pthread_mutex_unlock(&feed->lock);
}

/* What ran before the apply runs on, unless it has ended meanwhile. */
static inline void leave(struct proftop *feed, struct feed_block *block, uint32_t apply,
                         struct proftop_token token)
{
    bool ended = token.outer == feed_get(&block->front.ended);
    block->front.begun = 0; /* what a token that ends once more shall not find */
    if (feed_get(&block->front.now) != proftop_now(token.start, apply))
        leave_elsewhere(feed, block, token, false, apply);
    else
        feed_put(&block->front.now, ended ? 0 : token.outer);
}

/* What is left open of the applies that were begun in a call is over with it: their ends were lost,
 * and would be missed for as long as the thread begins nothing else. */
static inline void forget_lost(struct feed_block *block, uint64_t call_start)
{
    const uint64_t round = (UINT64_C(1) << 42) - 1; /* units of 1024, as in proftop_now() */
    uint64_t now = feed_get(&block->front.now);
    uint64_t later = (now / PROFTOP_APPLIES - (call_start >> 10)) & round;
    if (now != 0 && later != 0 && later <= round / 2)
        feed_put(&block->front.now, 0);
}

/* The call that encloses this one is open again, unless it has ended meanwhile. */
static inline void leave_call(struct proftop *feed, struct feed_block *block,
                              struct proftop_slot *slot, uint32_t function,
                              struct proftop_token token)
{
    uint64_t outer = token.outer == feed_get(&block->front.ended) ? 0 : token.outer;
    if (feed_get(&slot->aux) != token.start) {
        leave_elsewhere(feed, block, token, true, function);
        return;
    }
    feed_put(&slot->aux, outer); /* whoever else ends this very call puts the same there */
    forget_lost(block, token.start);
}

#if defined(__x86_64__)
static void meet(struct proftop *feed)
{
    proftop_meet(feed);
}
#else
static void meet(struct proftop *feed)
{
    (void)feed;
}
#endif

/* Every case that is not inlined: other clocks, first touches, misuse. Out of line, so that the
 * usual way has no registers to save. */
__attribute__((noinline)) static struct proftop_token begin_any(struct proftop *feed,
                                                                uint32_t apply)
{
    struct proftop_token token = {0};
    struct feed_block *block = counting_block(feed, false);
    struct proftop_slot *slot =
        block == NULL ? NULL : apply_slot(feed, block, apply, PROFTOP_TIMED);
    if (slot == NULL || feed_slot_is_out(slot))
        return token;
    PROBE(node__begin, apply, feed);
    if (!feed_slot_is_turn(slot)) {
        token.start = PROFTOP_UNTIMED;
        return token;
    }
    meet(feed);
    token.outer = feed_get(&block->front.now);
    if (token.outer != block->front.within)
        feed_block_nest(block, token.outer);
    token.start = clock_now(block);
    block->front.begun = token.start;
    block->front.slot = slot;
    block->front.apply = apply;
    feed_put(&block->front.now, proftop_now(token.start, apply));
    return token;
}

static inline struct proftop_slot *vm_slot(struct proftop *feed, struct feed_block *block,
                                           uint32_t id)
{
    struct proftop_slot *slot = known_slot(block->vm, WIRE_FUNCTIONS_MAX, id, PROFTOP_GIVEN);
    slot = slot != NULL ? slot : touch(feed, block, FEED_VM, id, PROFTOP_GIVEN);
    return slot == NULL || feed_slot_is_out(slot) ? NULL : slot;
}

/* What became of a run that ends. */
enum fate { FAILED, COUNTED, COUNTED_IN_VM };

/* Ends what began with `token`: a call of a function or else of an apply. The caller knows which,
 * and the test of `call` is not to be paid for: hence always_inline. */
__attribute__((always_inline)) static inline void
finish(struct proftop *feed, bool call, uint32_t id, struct proftop_token token, enum fate fate)
{
    /* Or gcc 12 stores both words, loads them as one vector, and waits for the two stores. */
    PROFTOP_HOLD(token.start);
    PROFTOP_HOLD(token.outer);
    struct feed_block *block = token.start == 0 ? NULL : feed_thread_block(feed);
    if (block == NULL)
        return;
    bool untimed = token.start == PROFTOP_UNTIMED;
    uint64_t stop = untimed ? 0 : clock_now(block);
    struct proftop_slot *slot =
        call ? call_slot(feed, block, id) : apply_slot(feed, block, id, PROFTOP_TIMED);
    bool counts = call ? feed_counts_calls(feed) : feed_counts(feed);
    bool counted = fate != FAILED && counts && slot != NULL && !feed_slot_is_out(slot);
    if (counted && call)
        PROBE(function__end, id, feed);
    else if (counted)
        PROBE(node__end, id, feed);
    if (counted && untimed)
        feed_slot_add_untimed(slot);
    else if (counted)
        add(block, slot, stop - token.start, !call);
    if (untimed)
        return;
    if (counted && fate == COUNTED_IN_VM)
        add_to_vm(vm_slot(feed, block, id), stop - token.start);
    if (!call)
        leave(feed, block, id, token);
    else if (slot != NULL)
        leave_call(feed, block, slot, id, token);
}

/* Out of line, so that each is there once. */
__attribute__((noinline)) static void end_any(struct proftop *feed, uint32_t apply,
                                              struct proftop_token token, enum fate fate)
{
    finish(feed, false, apply, token, fate == FAILED ? FAILED : COUNTED);
}

__attribute__((noinline)) static void end_call(struct proftop *feed, uint32_t function,
                                               struct proftop_token token, enum fate fate)
{
    finish(feed, true, function, token, fate);
}

#if defined(__x86_64__)
struct proftop_token proftop_begin(struct proftop *feed, proftop_id apply)
{
    struct proftop_token token;
    return proftop_try_begin(feed, apply, &token) ? token : begin_any(feed, apply);
}

void proftop_end(struct proftop *feed, proftop_id apply, struct proftop_token token)
{
    if (!proftop_try_end(feed, apply, token))
        end_any(feed, apply, token, COUNTED);
}
#else
struct proftop_token proftop_begin(struct proftop *feed, proftop_id apply)
{
    return begin_any(feed, apply);
}

void proftop_end(struct proftop *feed, proftop_id apply, struct proftop_token token)
{
    end_any(feed, apply, token, COUNTED);
}
#endif

/* Only one that is there: the event itself makes it, or counts that there was no memory for it. */
struct proftop_block *proftop_block_of(struct proftop *feed)
{
    struct feed_block *block = feed == NULL ? NULL : feed_thread_known(feed);
    return block == NULL || !block->ticks ? NULL : &block->front;
}

void proftop_fail(struct proftop *feed, proftop_id apply, struct proftop_token token)
{
    end_any(feed, apply, token, FAILED);
}

void proftop_record(struct proftop *feed, proftop_id apply, uint64_t ns)
{
    struct feed_block *block = counting_block(feed, false);
    if (block == NULL)
        return;
    struct proftop_slot *slot = apply_slot(feed, block, apply, PROFTOP_GIVEN);
    if (slot == NULL || feed_slot_is_out(slot))
        return;
    if (proftop_is_plain(slot, PROFTOP_GIVEN) && proftop_count_given(slot, ns))
        return;
    if (ns == PROFTOP_UNKNOWN)
        feed_slot_add_untimed(slot);
    else
        add(block, slot, ns, true);
}

/* ----------------------------------------------------------------------------- functions */

struct proftop_token proftop_call_begin(struct proftop *feed, proftop_id function)
{
    struct proftop_token token = {0};
    struct feed_block *block = counting_block(feed, true);
    struct proftop_slot *slot = block == NULL ? NULL : call_slot(feed, block, function);
    if (slot == NULL || feed_slot_is_out(slot))
        return token;
    PROBE(function__begin, function, feed);
    if (!feed_slot_is_call_turn(slot)) {
        token.start = PROFTOP_UNTIMED;
        token.outer = proftop_call_place(feed_get(&slot->calls), feed_slot_kind(slot));
        return token;
    }
    token.outer = feed_get(&slot->aux);
    token.start = clock_now(block);
    feed_put(&slot->aux, token.start);
    return token;
}

void proftop_call_end(struct proftop *feed, proftop_id function, struct proftop_token token)
{
    end_call(feed, function, token, COUNTED);
}

void proftop_call_end_in_vm(struct proftop *feed, proftop_id function, struct proftop_token token)
{
    end_call(feed, function, token, COUNTED_IN_VM);
}

void proftop_call_fail(struct proftop *feed, proftop_id function, struct proftop_token token)
{
    end_call(feed, function, token, FAILED);
}

void proftop_vm(struct proftop *feed, proftop_id function, uint64_t ns)
{
    struct feed_block *block = counting_block(feed, true);
    if (block == NULL)
        return;
    struct proftop_slot *slot = vm_slot(feed, block, function);
    if (slot == NULL)
        return;
    if (ns <= FEED_ABSURD_NS)
        add(block, slot, ns, false);
    else
        feed_bump(&block->invalid);
}

/* ------------------------------------------------------------------ cumulative values, by others
 */

/* The block of all cumulative values: it belongs to no thread. Under the lock. */
RARE static struct feed_block *set_block(struct feed_core *core, uint64_t on)
{
    struct feed_block *block = atomic_load_explicit(&core->set, memory_order_relaxed);
    if (block != NULL)
        return block;
    block = feed_block_new(on);
    if (block == NULL)
        return NULL;
    atomic_store_explicit(&block->use, FEED_BUSY, memory_order_relaxed);
    block->next = atomic_load_explicit(&core->blocks, memory_order_relaxed);
    atomic_store_explicit(&core->blocks, block, memory_order_release);
    atomic_store_explicit(&core->set, block, memory_order_release);
    return block;
}

/* Values in the slot are what the source said plus what it had before it fell. */
RARE static void set_slot(struct proftop *feed, struct proftop_slot *slot, uint64_t calls,
                          uint64_t ns, bool counts)
{
    uint64_t known = (calls == PROFTOP_UNKNOWN ? 0 : FEED_KNOWN_CALLS) |
                     (ns == PROFTOP_UNKNOWN ? 0 : FEED_KNOWN_NS) | feed_get(&slot->last);
    uint64_t was_calls = feed_get(&slot->calls), was_ns = feed_get(&slot->total);
    uint64_t base_calls = feed_get(&slot->min), base_ns = feed_get(&slot->max);
    if (calls == PROFTOP_UNKNOWN)
        calls = was_calls - base_calls;
    if (ns == PROFTOP_UNKNOWN)
        ns = was_ns - base_ns;
    if (!counts) {
        /* What the source adds meanwhile is left out, now and later. */
        base_calls = was_calls - calls;
        base_ns = was_ns - ns;
    } else if (calls < was_calls - base_calls || ns < was_ns - base_ns) {
        feed_count_one(&feed->restarts);
        base_calls = was_calls;
        base_ns = was_ns;
    }
    uint32_t odd = __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED) | 1;
    __atomic_store_n(&slot->sequence, odd, __ATOMIC_RELAXED);
    feed_put(&slot->calls, base_calls + calls);
    feed_put(&slot->total, base_ns + ns);
    feed_put(&slot->min, base_calls);
    feed_put(&slot->max, base_ns);
    feed_put(&slot->last, known);
    feed_put(&slot->untimed, base_calls + calls);
    __atomic_store_n(&slot->kind, PROFTOP_SET + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&slot->sequence, odd + 1, __ATOMIC_RELEASE);
}

static bool too_large(uint64_t value)
{
    return value != PROFTOP_UNKNOWN && value > WIRE_VALUE_MAX;
}

/* Under the lock. */
RARE static void set_row(struct proftop *feed, enum feed_kind kind, uint32_t id, uint64_t calls,
                         uint64_t ns)
{
    uint32_t op;
    if (feed->core == NULL)
        return;
    if (!is_defined(feed->core, kind, id, PROFTOP_SET, &op)) {
        feed_count_one(&feed->misuse);
        return;
    }
    if (too_large(calls) || too_large(ns)) {
        feed_count_one(&feed->invalid);
        return;
    }
    struct feed_block *block = set_block(feed->core, feed_on(feed));
    bool counts = (kind == FEED_APPLIES ? feed_counts(feed) : feed_counts_calls(feed)) &&
                  feed_is_wanted(feed->core, kind, id);
    struct proftop_slot *slot = block == NULL ? NULL : feed_block_slot(block, kind, id);
    if (slot == NULL)
        feed_count_one(&feed->lost[FEED_LOST_CALLS]);
    else {
        feed->core->sets += counts;
        set_slot(feed, slot, calls, ns, counts);
    }
}

static bool is_off(const struct proftop *feed)
{
    return feed == NULL || feed_on(feed) == 0;
}

RARE void proftop_set(struct proftop *feed, proftop_id apply, uint64_t calls, uint64_t ns)
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

RARE void proftop_call_set(struct proftop *feed, proftop_id function, uint64_t calls, uint64_t ns)
{
    if (is_off(feed))
        return;
    pthread_mutex_lock(&feed->lock);
    set_row(feed, FEED_CALLS, function, calls, ns);
    pthread_mutex_unlock(&feed->lock);
}
