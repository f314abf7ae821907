/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * count.c: the calls of proftop.h that count: begin and end, given durations, cumulative values.
 * The common cases of begin, end and record are inlined (proftop_inline.h).
 */
#include "config.h"
#include "feed/protocol/columns.h"
#include "feed/publisher/record/count_filter.h"
#include "feed/publisher/record/event_ring.h"
#include "feed/publisher/record/histogram.h"
#include "feed/publisher/record/lock.h"
#include "feed/publisher/record/thread_buffer.h"
#include "proftop_adapter.h"

/* No probe for a dummy feed: calls that calibrate the overhead are no events of the program. */
#define PROBE(name, id, feed)                                                                      \
    do                                                                                             \
        if (!publisher_is_dummy(feed))                                                             \
            PROFTOP_PROBE(name, id, feed);                                                         \
    while (0)

/* For functions that do not run for each call. */
#define RARE __attribute__((cold, noinline))

/* Returns the slot of an id if this thread has touched it before and it has this source, else
 * NULL. */
static inline struct proftop_slot *known_slot(struct proftop_slot **places, uint32_t max,
                                              uint32_t id, uint32_t source)
{
    if (id >= max)
        return NULL;
    struct proftop_slot *chunk =
        __atomic_load_n(&places[id >> PUBLISHER_CHUNK_SHIFT], __ATOMIC_ACQUIRE);
    if (chunk == NULL)
        return NULL;
    struct proftop_slot *slot = &chunk[id % PUBLISHER_CHUNK];
    return publisher_source(publisher_slot_kind(slot)) == source + 1 ? slot : NULL;
}

/* True if the id is defined with this source. Sets `*op` to the op of an apply. Under the feed's
 * lock. */
RARE static bool is_defined(struct publisher_core *core, enum publisher_kind kind, uint32_t id,
                            uint32_t source, uint32_t *op)
{
    enum publisher_table table =
        kind == PUBLISHER_APPLIES ? PUBLISHER_DEF_APPLY : PUBLISHER_DEF_FUNCTION;
    if (id >= publisher_definitions_count(&core->definitions, table))
        return false;
    if (kind == PUBLISHER_VM)
        return true;
    if (kind == PUBLISHER_CALLS) {
        const struct publisher_function_row *function =
            publisher_definitions_row(&core->definitions, table, id);
        return function->source == source || function->left_out;
    }
    const struct publisher_apply_row *apply =
        publisher_definitions_row(&core->definitions, table, id);
    *op = apply->op;
    return apply->source == source;
}

/* Returns the address of the buckets for an apply's calls. Out of memory, it is a dummy: the calls
 * count all the same, and the reader detects that the buckets lack them. */
static uint64_t buckets_of(struct publisher_block *block, uint32_t source, uint32_t op)
{
    struct publisher_buckets *buckets =
        publisher_histogram_make(block, source == PROFTOP_GIVEN, op);
    return (uint64_t)(uintptr_t)(buckets == NULL ? &publisher_no_buckets : buckets);
}

/* Initializes a slot at a thread's first touch. Returns NULL if the id is wrong or memory is short,
 * and counts that. */
RARE static struct proftop_slot *touch(struct proftop *feed, struct publisher_block *block,
                                       enum publisher_kind kind, uint32_t id, uint32_t source)
{
    uint32_t op = PUBLISHER_NONE;
    pthread_mutex_lock(&feed->lock);
    bool on = feed->core != NULL;
    bool defined = on && is_defined(feed->core, kind, id, source, &op);
    pthread_mutex_unlock(&feed->lock);
    if (!defined) {
        if (on)
            publisher_increment(&block->misuse);
        return NULL;
    }
    struct proftop_slot *slot = publisher_block_slot(block, kind, id);
    if (slot == NULL) {
        publisher_count_one(&feed->lost[PUBLISHER_LOST_CALLS]);
        return NULL;
    }
    const bool apply = kind == PUBLISHER_APPLIES;
    uint8_t *ready = publisher_block_ready(block, kind, id);
    publisher_slot_touch(slot, ready, source, apply ? buckets_of(block, source, op) : 0);
    /* A later change of the count filter, or a later trace, finds the slot. An earlier one is
     * applied here. */
    pthread_mutex_lock(&feed->lock);
    if (feed->core != NULL)
        publisher_slot_choose(slot, ready, publisher_is_counted(feed->core, kind, id));
    if (feed->core != NULL && kind != PUBLISHER_VM)
        publisher_slot_trace(slot, feed->core->tracing.on);
    pthread_mutex_unlock(&feed->lock);
    return slot;
}

static inline struct proftop_slot *apply_slot(struct proftop *feed, struct publisher_block *block,
                                              uint32_t id, uint32_t source)
{
    struct proftop_slot *slot = known_slot(block->front.applies, WIRE_APPLIES_MAX, id, source);
    return slot != NULL ? slot : touch(feed, block, PUBLISHER_APPLIES, id, source);
}

static inline struct proftop_slot *call_slot(struct proftop *feed, struct publisher_block *block,
                                             uint32_t id)
{
    struct proftop_slot *slot = known_slot(block->calls, WIRE_FUNCTIONS_MAX, id, PROFTOP_TIMED);
    return slot != NULL ? slot : touch(feed, block, PUBLISHER_CALLS, id, PROFTOP_TIMED);
}

/* Adds one call. If the duration is absurd, adds it without time and counts it as invalid. Returns
 * true if a trace wants an event of the call; on the plain path no trace does. */
__attribute__((always_inline)) static inline bool
add(struct publisher_block *block, struct proftop_slot *slot, uint64_t duration, bool buckets)
{
    if (!buckets && publisher_slot_add_plainly(slot, duration))
        return false;
    if (duration <= PUBLISHER_ABSURD_NS) {
        if (buckets && publisher_bucket(duration) >= PUBLISHER_NEAR)
            publisher_histogram_reach(block, (struct publisher_buckets *)(uintptr_t)slot->aux);
        publisher_slot_add(slot, duration, buckets);
        return publisher_slot_is_traced(slot);
    }
    publisher_slot_add_untimed(slot);
    publisher_increment(&block->invalid);
    return false;
}

/* Adds one call, measured by the block's clock, to a slot of PUBLISHER_VM. Such time is in `aux`,
 * separate from given time, which is in ns. */
static inline void add_to_vm(struct proftop_slot *slot, uint64_t duration)
{
    if (slot == NULL || duration > PUBLISHER_ABSURD_NS)
        return;
    uint64_t calls = publisher_load(&slot->calls) + 1;
    publisher_store(&slot->calls, calls);
    publisher_store(&slot->aux, publisher_load(&slot->aux) + duration);
    __atomic_store_n(&slot->sequence, (uint32_t)calls, __ATOMIC_RELEASE);
}

/* Returns the calling thread's block if applies (or calls of functions, if `call`) are counted now;
 * else NULL. */
static inline struct publisher_block *counting_block(struct proftop *feed, bool call)
{
    bool counts = feed != NULL && (call ? publisher_counts_calls(feed) : publisher_counts(feed));
    return counts ? publisher_thread_block(feed) : NULL;
}

/* Reads the block's clock. PUBLISHER_TICKS_NS marks ns. */
static inline uint64_t clock_now(const struct publisher_block *block)
{
    return block->ticks ? publisher_ticks_stamp() & ~PUBLISHER_TICKS_NS
                        : publisher_clock_ns() | PUBLISHER_TICKS_NS;
}

/* Closes an open call on the thread that began it. Searches `block` and the following blocks.
 * Returns false if the call is on no thread the innermost open call of its function. */
static bool close_call(struct publisher_block *block, struct proftop_token token, uint32_t id)
{
    bool closed = false;
    for (; block != NULL && !closed; block = block->next) {
        struct proftop_slot *slot = known_slot(block->calls, WIRE_FUNCTIONS_MAX, id, PROFTOP_TIMED);
        uint64_t expected = token.start;
        closed =
            slot != NULL && __atomic_compare_exchange_n(&slot->aux, &expected, token.outer, false,
                                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    }
    return closed;
}

/* Handles an interval that ends on another thread than it began, or before an interval inside it.
 * Corrects the open applies and calls of the thread that began it, but never waits for the lock.
 * If it cannot close a call there, it stores `ended` in the blocks of all threads. The value
 * matches only on the thread that began the interval. */
RARE static void leave_elsewhere(struct proftop *feed, struct publisher_block *mine,
                                 struct proftop_token token, bool call, uint32_t id)
{
    uint64_t ended = call ? token.start : proftop_now(token.start, id);
    publisher_store(&mine->front.ended, ended);
    if (pthread_mutex_trylock(&feed->lock) != 0)
        return;
    struct publisher_core *core = feed->core;
    struct publisher_block *block =
        core == NULL ? NULL : atomic_load_explicit(&core->blocks, memory_order_relaxed);
    if (call && close_call(block, token, id))
        block = NULL;
    for (; block != NULL; block = block->next)
        publisher_store(&block->front.ended, ended);
    pthread_mutex_unlock(&feed->lock);
}

/* Makes the enclosing apply the innermost again, unless it has ended meanwhile. */
static inline void leave(struct proftop *feed, struct publisher_block *block, uint32_t apply,
                         struct proftop_token token)
{
    bool ended = token.outer == publisher_load(&block->front.ended);
    block->front.begun = 0; /* so a second end with this token does not match */
    if (publisher_load(&block->front.now) != proftop_now(token.start, apply))
        leave_elsewhere(feed, block, token, false, apply);
    else
        publisher_store(&block->front.now, ended ? 0 : token.outer);
}

/* Closes an apply that began inside the call and is still open: its end was lost. Otherwise it
 * would be shown as running until the thread begins another one. */
static inline void forget_lost(struct publisher_block *block, uint64_t call_start)
{
    const uint64_t round = (UINT64_C(1) << 42) - 1; /* units of 1024, as in proftop_now() */
    uint64_t now = publisher_load(&block->front.now);
    uint64_t later = (now / PROFTOP_APPLIES - (call_start >> 10)) & round;
    if (now != 0 && later != 0 && later <= round / 2)
        publisher_store(&block->front.now, 0);
}

/* Makes the enclosing call of the function the open one again, unless it has ended meanwhile. */
static inline void leave_call(struct proftop *feed, struct publisher_block *block,
                              struct proftop_slot *slot, uint32_t function,
                              struct proftop_token token)
{
    uint64_t outer = token.outer == publisher_load(&block->front.ended) ? 0 : token.outer;
    if (publisher_load(&slot->aux) != token.start) {
        leave_elsewhere(feed, block, token, true, function);
        return;
    }
    publisher_store(&slot->aux, outer); /* another thread that ends this call stores the same */
    forget_lost(block, token.start);
}

#if defined(__x86_64__)
static void refresh_cache(struct proftop *feed)
{
    proftop_refresh_cache(feed);
}
#else
static void refresh_cache(struct proftop *feed)
{
    (void)feed;
}
#endif

/* Slow path of proftop_begin(): other clocks, first touches, misuse. Out of line, so that the fast
 * path has no registers to save. */
__attribute__((noinline)) static struct proftop_token begin_any(struct proftop *feed,
                                                                uint32_t apply)
{
    struct proftop_token token = {0};
    struct publisher_block *block = counting_block(feed, false);
    struct proftop_slot *slot =
        block == NULL ? NULL : apply_slot(feed, block, apply, PROFTOP_TIMED);
    if (slot == NULL || publisher_slot_is_out(slot))
        return token;
    PROBE(node__begin, apply, feed);
    if (!publisher_slot_is_turn(slot)) {
        token.start = PROFTOP_UNTIMED;
        return token;
    }
    refresh_cache(feed);
    token.outer = publisher_load(&block->front.now);
    if (token.outer != block->front.within)
        publisher_block_nest(block, token.outer);
    token.start = clock_now(block);
    block->front.begun = token.start;
    block->front.slot = slot;
    block->front.apply = apply;
    publisher_store(&block->front.now, proftop_now(token.start, apply));
    return token;
}

static inline struct proftop_slot *vm_slot(struct proftop *feed, struct publisher_block *block,
                                           uint32_t id)
{
    struct proftop_slot *slot = known_slot(block->vm, WIRE_FUNCTIONS_MAX, id, PROFTOP_GIVEN);
    slot = slot != NULL ? slot : touch(feed, block, PUBLISHER_VM, id, PROFTOP_GIVEN);
    return slot == NULL || publisher_slot_is_out(slot) ? NULL : slot;
}

/* Outcome of a run that ends. */
enum fate { FAILED, COUNTED, COUNTED_IN_VM };

/* Ends a call of a function (`call`) or of an apply. `call` is a constant in each caller:
 * always_inline removes its tests. Leaves `inside` out of its time. Returns its whole duration by
 * the feed's clock; 0: it was not timed. */
__attribute__((always_inline)) static inline uint64_t finish(struct proftop *feed, bool call,
                                                             uint32_t id,
                                                             struct proftop_token token,
                                                             enum fate fate, uint64_t inside)
{
    /* Otherwise gcc 12 stores both words and loads them as one vector, which stalls. */
    PROFTOP_HOLD(token.start);
    PROFTOP_HOLD(token.outer);
    struct publisher_block *block = token.start == 0 ? NULL : publisher_thread_block(feed);
    if (block == NULL)
        return 0;
    bool untimed = token.start == PROFTOP_UNTIMED;
    uint64_t stop = untimed ? 0 : clock_now(block);
    struct proftop_slot *slot =
        call ? call_slot(feed, block, id) : apply_slot(feed, block, id, PROFTOP_TIMED);
    bool counts = call ? publisher_counts_calls(feed) : publisher_counts(feed);
    bool counted = fate != FAILED && counts && slot != NULL && !publisher_slot_is_out(slot);
    if (counted && call)
        PROBE(function__end, id, feed);
    else if (counted)
        PROBE(node__end, id, feed);
    if (counted && untimed)
        publisher_slot_add_untimed(slot);
    else if (counted && add(block, slot, proftop_own(stop - token.start, inside), !call))
        publisher_event_add(block, call ? PUBLISHER_TRACED_CALL : PUBLISHER_TRACED_APPLY, id, stop,
                            stop - token.start);
    if (untimed)
        return 0;
    if (counted && fate == COUNTED_IN_VM)
        add_to_vm(vm_slot(feed, block, id), stop - token.start);
    if (!call)
        leave(feed, block, id, token);
    else if (slot != NULL)
        leave_call(feed, block, slot, id, token);
    return stop - token.start;
}

/* Out of line, so that finish() is compiled once for applies and once for functions. */
__attribute__((noinline)) static void end_any(struct proftop *feed, uint32_t apply,
                                              struct proftop_token token, enum fate fate)
{
    finish(feed, false, apply, token, fate == FAILED ? FAILED : COUNTED, 0);
}

__attribute__((noinline)) static void end_call(struct proftop *feed, uint32_t function,
                                               struct proftop_token token, enum fate fate)
{
    finish(feed, true, function, token, fate, 0);
}

__attribute__((noinline)) static uint64_t end_nested(struct proftop *feed, uint32_t apply,
                                                     struct proftop_token token, uint64_t inside)
{
    return finish(feed, false, apply, token, COUNTED, inside);
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

uint64_t proftop_end_nested(struct proftop *feed, proftop_id apply, struct proftop_token token,
                            uint64_t inside)
{
    uint64_t whole;
    return proftop_try_end_nested(feed, apply, token, inside, &whole)
               ? whole
               : end_nested(feed, apply, token, inside);
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

uint64_t proftop_end_nested(struct proftop *feed, proftop_id apply, struct proftop_token token,
                            uint64_t inside)
{
    return end_nested(feed, apply, token, inside);
}
#endif

uint64_t proftop_interval_ns(struct proftop *feed, uint64_t interval)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return PROFTOP_UNKNOWN;
    const bool ticks = core->tsc;
    const uint32_t factor = __atomic_load_n(&feed->front.tick_ns, __ATOMIC_RELAXED);
    publisher_unlock(core);
    if (!ticks)
        return interval;
    return factor == 0 ? PROFTOP_UNKNOWN
                       : (uint64_t)((unsigned __int128)interval * factor >> PROFTOP_TICK_SHIFT);
}

/* Returns only an existing block. The event itself makes the block, or counts a lack of memory. */
struct proftop_block *proftop_block_of(struct proftop *feed)
{
    struct publisher_block *block = feed == NULL ? NULL : publisher_thread_known(feed);
    return block == NULL || !block->ticks ? NULL : &block->front;
}

void proftop_fail(struct proftop *feed, proftop_id apply, struct proftop_token token)
{
    end_any(feed, apply, token, FAILED);
}

/* Adds a given duration, and an event of it. Apart, so that the usual path saves no registers. */
RARE static void record_traced(struct publisher_block *block, struct proftop_slot *slot,
                               uint32_t apply, uint64_t ns)
{
    if (ns == PROFTOP_UNKNOWN)
        publisher_slot_add_untimed(slot);
    else if (add(block, slot, ns, true))
        publisher_event_add(block, PUBLISHER_TRACED_GIVEN, apply, clock_now(block), ns);
}

void proftop_record(struct proftop *feed, proftop_id apply, uint64_t ns)
{
    struct publisher_block *block = counting_block(feed, false);
    if (block == NULL)
        return;
    struct proftop_slot *slot = apply_slot(feed, block, apply, PROFTOP_GIVEN);
    if (slot == NULL || publisher_slot_is_out(slot))
        return;
    if (proftop_is_plain(slot, PROFTOP_GIVEN) && proftop_count_given(slot, ns))
        return;
    if (publisher_slot_is_traced(slot))
        record_traced(block, slot, apply, ns);
    else if (ns == PROFTOP_UNKNOWN)
        publisher_slot_add_untimed(slot);
    else
        add(block, slot, ns, true);
}

/* ----------------------------------------------------------------------------- functions */

struct proftop_token proftop_call_begin(struct proftop *feed, proftop_id function)
{
    struct proftop_token token = {0};
    struct publisher_block *block = counting_block(feed, true);
    struct proftop_slot *slot = block == NULL ? NULL : call_slot(feed, block, function);
    if (slot == NULL || publisher_slot_is_out(slot))
        return token;
    PROBE(function__begin, function, feed);
    if (!publisher_slot_is_call_turn(slot)) {
        token.start = PROFTOP_UNTIMED;
        token.outer = proftop_call_place(publisher_load(&slot->calls), publisher_slot_kind(slot));
        return token;
    }
    token.outer = publisher_load(&slot->aux);
    token.start = clock_now(block);
    publisher_store(&slot->aux, token.start);
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
    struct publisher_block *block = counting_block(feed, true);
    if (block == NULL)
        return;
    struct proftop_slot *slot = vm_slot(feed, block, function);
    if (slot == NULL)
        return;
    if (ns <= PUBLISHER_ABSURD_NS)
        add(block, slot, ns, false);
    else
        publisher_increment(&block->invalid);
}

/* ------------------------------------------------------------------ cumulative values, by others
 */

/* Finds or makes the block of all cumulative values, which belongs to no thread. Under the feed's
 * lock. */
RARE static struct publisher_block *set_block(struct publisher_core *core, uint64_t on)
{
    struct publisher_block *block = atomic_load_explicit(&core->set, memory_order_relaxed);
    if (block != NULL)
        return block;
    block = publisher_block_new(on);
    if (block == NULL)
        return NULL;
    publisher_block_keep(block, core->box);
    atomic_store_explicit(&block->use, PUBLISHER_BUSY, memory_order_relaxed);
    block->next = atomic_load_explicit(&core->blocks, memory_order_relaxed);
    atomic_store_explicit(&core->blocks, block, memory_order_release);
    atomic_store_explicit(&core->set, block, memory_order_release);
    return block;
}

/* Stores cumulative values. If the source restarts, its values fall: the slot then holds the
 * source's values plus the last values before the fall, the bases (`min`: calls, `max`: ns). */
RARE static void set_slot(struct proftop *feed, struct proftop_slot *slot, uint64_t calls,
                          uint64_t ns, bool counts)
{
    uint64_t known = (calls == PROFTOP_UNKNOWN ? 0 : PUBLISHER_KNOWN_CALLS) |
                     (ns == PROFTOP_UNKNOWN ? 0 : PUBLISHER_KNOWN_NS) | publisher_load(&slot->last);
    uint64_t was_calls = publisher_load(&slot->calls), was_ns = publisher_load(&slot->total);
    uint64_t base_calls = publisher_load(&slot->min), base_ns = publisher_load(&slot->max);
    if (calls == PROFTOP_UNKNOWN)
        calls = was_calls - base_calls;
    if (ns == PROFTOP_UNKNOWN)
        ns = was_ns - base_ns;
    if (!counts) {
        /* Adjust the bases: values added while nothing is counted are left out for good. */
        base_calls = was_calls - calls;
        base_ns = was_ns - ns;
    } else if (calls < was_calls - base_calls || ns < was_ns - base_ns) {
        publisher_count_one(&feed->restarts);
        base_calls = was_calls;
        base_ns = was_ns;
    }
    uint32_t odd = __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED) | 1;
    __atomic_store_n(&slot->sequence, odd, __ATOMIC_RELAXED);
    publisher_store(&slot->calls, base_calls + calls);
    publisher_store(&slot->total, base_ns + ns);
    publisher_store(&slot->min, base_calls);
    publisher_store(&slot->max, base_ns);
    publisher_store(&slot->last, known);
    publisher_store(&slot->untimed, base_calls + calls);
    __atomic_store_n(&slot->kind, PROFTOP_SET + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&slot->sequence, odd + 1, __ATOMIC_RELEASE);
}

static bool too_large(uint64_t value)
{
    return value != PROFTOP_UNKNOWN && value > WIRE_VALUE_MAX;
}

/* Sets the cumulative values of a row. Under the feed's lock. */
RARE static void set_row(struct proftop *feed, enum publisher_kind kind, uint32_t id,
                         uint64_t calls, uint64_t ns)
{
    uint32_t op;
    if (feed->core == NULL)
        return;
    if (!is_defined(feed->core, kind, id, PROFTOP_SET, &op)) {
        publisher_count_one(&feed->misuse);
        return;
    }
    if (too_large(calls) || too_large(ns)) {
        publisher_count_one(&feed->invalid);
        return;
    }
    struct publisher_block *block = set_block(feed->core, publisher_on(feed));
    bool counts =
        (kind == PUBLISHER_APPLIES ? publisher_counts(feed) : publisher_counts_calls(feed)) &&
        publisher_is_counted(feed->core, kind, id);
    struct proftop_slot *slot = block == NULL ? NULL : publisher_block_slot(block, kind, id);
    if (slot == NULL)
        publisher_count_one(&feed->lost[PUBLISHER_LOST_CALLS]);
    else {
        feed->core->sets += counts;
        set_slot(feed, slot, calls, ns, counts);
    }
}

static bool is_off(const struct proftop *feed)
{
    return feed == NULL || publisher_on(feed) == 0;
}

RARE void proftop_set(struct proftop *feed, proftop_id apply, uint64_t calls, uint64_t ns)
{
    if (is_off(feed))
        return;
    pthread_mutex_lock(&feed->lock);
    if (calls == PROFTOP_UNKNOWN || ns == PROFTOP_UNKNOWN)
        publisher_count_one(&feed->misuse);
    else
        set_row(feed, PUBLISHER_APPLIES, apply, calls, ns);
    pthread_mutex_unlock(&feed->lock);
}

RARE void proftop_call_set(struct proftop *feed, proftop_id function, uint64_t calls, uint64_t ns)
{
    if (is_off(feed))
        return;
    pthread_mutex_lock(&feed->lock);
    set_row(feed, PUBLISHER_CALLS, function, calls, ns);
    pthread_mutex_unlock(&feed->lock);
}
