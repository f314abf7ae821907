/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * slot.h: what one thread has counted of one apply or function, and the block that holds all slots
 * of a thread. A slot has one writer, its thread; the feed's thread reads it without a lock. What
 * inlined code has to know of both stands in proftop_inline.h.
 */
#ifndef FEED_SLOT_H
#define FEED_SLOT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/protocol/limits.h"
#include "feed/publisher/collect/run_queue.h"
#include "feed/publisher/no_inline_api.h"

enum {
    FEED_CHUNK = 1 << PROFTOP_CHUNK_SHIFT, /* slots that are mapped at once */
    FEED_CHUNK_SHIFT = PROFTOP_CHUNK_SHIFT,
    FEED_READ_TRIES = 100, /* then the reader keeps what it knew */
    FEED_RATE_MAX = 16,    /* the fewest that are timed: one of 1 << 16 calls */
    FEED_BUCKET_END = 42,  /* longer durations, in octaves, are in the last bucket */
    FEED_NEAR = (PROFTOP_BUCKET_END - PROFTOP_BUCKET_LEAST) * 4, /* buckets of each op */
    FEED_COUNTED = (FEED_BUCKET_END - PROFTOP_BUCKET_LEAST) * 4 + 1, /* all; the last: above all */
    FEED_FAR = FEED_COUNTED - FEED_NEAR,
    FEED_NESTED = 64, /* of the applies that are open on a thread, those that are told */
};
_Static_assert(PROFTOP_APPLIES == WIRE_APPLIES_MAX, "inlined code knows all applies");

/* The tables of slots in a block. */
enum feed_kind {
    FEED_APPLIES,
    FEED_CALLS, /* of functions */
    FEED_VM,    /* of functions: time in the virtual machine */
    FEED_KINDS
};

enum { FEED_KNOWN_CALLS = 1, FEED_KNOWN_NS = 2 };

_Static_assert(sizeof(struct proftop_slot) == 64, "a slot is one cache line");
_Static_assert(offsetof(struct proftop_slot, kind) == PROFTOP_SLOT_STATE, "one load finds it");

/* A consistent copy of a slot. */
struct feed_count {
    uint64_t calls, total, min, max, timed, last; /* min, max, last: if timed is not 0 */
    bool stale;                                   /* these three are of the time before a reset */
    uint64_t aux;
    uint32_t sequence;
    uint8_t kind;
};

struct feed_histograms;

/* What the feed's thread has seen of a chunk of slots: by their sequences it knows which moved. Of
 * the timed call that it saw last, which is in no bucket yet, the bucket where it will be, plus 1;
 * 0: the slot has none. */
struct feed_seen {
    uint32_t sequence[FEED_CHUNK];
    uint8_t last_plus_1[FEED_CHUNK];
};

/* The applies that enclose what a thread began last, outermost first, by proftop_now() of each. Its
 * thread writes it, seldom: only where it begins something inside another apply than before. */
struct feed_nest {
    uint32_t changes; /* odd while it is written */
    uint32_t depth;
    uint64_t open[FEED_NESTED];
};

/* Who has a block. Its own thread alone changes that without the lock of all feeds: when it ends,
 * from FEED_BUSY to FEED_IDLE; an orphan it frees. */
enum feed_use {
    FEED_IDLE,  /* no thread: the next one that needs a block takes it */
    FEED_BUSY,  /* a living thread writes here */
    FEED_ORPHAN /* the same, and the feed is closed: its thread frees it */
};

/* All slots of one thread of one feed. Blocks of threads that ended are used again, so memory
 * follows the largest number of threads at one time. */
struct feed_block {
    struct proftop_block front;  /* what inlined code knows */
    struct feed_block *next_own; /* next block of the same thread, of another feed; its own */
    struct feed_block *next;     /* next block of the feed */
    _Atomic int use;             /* enum feed_use */
    bool ticks;                  /* PROFTOP_TIMED slots count ticks, else ns */
    _Atomic uint32_t thread;     /* serial number of the thread, from 1; differs after reuse */
    _Atomic uint32_t defined;    /* id of its row of definitions plus 1, or 0 */
    uint64_t invalid, misuse;
    uint32_t moved; /* tick in which some apply of it moved last; the reader's own, as: */
    struct feed_turns_seen turns; /* of its thread */
    struct feed_nest nest;
    struct feed_own *own; /* its scopes and open runs (objects.h), or NULL */
    struct feed_histograms *histograms; /* of this thread (histogram.h) */
    struct proftop_slot *calls[WIRE_FUNCTIONS_MAX / FEED_CHUNK];
    struct proftop_slot *vm[WIRE_FUNCTIONS_MAX / FEED_CHUNK];
    struct feed_seen *seen[WIRE_APPLIES_MAX / FEED_CHUNK]; /* the reader's own (aggregate.c) */
};

/* Fresh pages straight from the kernel: zero; untouched ones cost nothing. NULL: no memory. */
void *feed_map(size_t size);
void feed_unmap(void *memory, size_t size);

/* Maps a block. NULL when out of memory. */
struct feed_block *feed_block_new(uint64_t on);
/* Takes it: unmaps it and its chunks. */
void feed_block_free(struct feed_block *block);

/* How many chunks there may be of a kind. */
static inline uint32_t feed_block_places(enum feed_kind kind)
{
    return (kind == FEED_APPLIES ? WIRE_APPLIES_MAX : WIRE_FUNCTIONS_MAX) / FEED_CHUNK;
}

/* The place of chunk `at` of a kind; NULL if there is no such place. */
static inline struct proftop_slot **feed_block_place(struct feed_block *block, enum feed_kind kind,
                                                     uint32_t at)
{
    if (at >= feed_block_places(kind))
        return NULL;
    if (kind == FEED_APPLIES)
        return &block->front.applies[at];
    return kind == FEED_CALLS ? &block->calls[at] : &block->vm[at];
}

/* The slot of an id, mapped if need be. NULL when out of memory. Writer's side. */
struct proftop_slot *feed_block_slot(struct feed_block *block, enum feed_kind kind, uint32_t id);

/* What a begin asks for in place of the slot's kind; NULL: nothing, since functions are not timed
 * by inlined code. */
static inline uint8_t *feed_block_ready(struct feed_block *block, enum feed_kind kind, uint32_t id)
{
    return kind == FEED_APPLIES ? &block->front.ready[id] : NULL;
}

/* What the source said of cumulative values: they change without a call. */
static inline bool feed_count_is_settled(const struct feed_count *count, uint32_t again)
{
    if ((count->kind & PROFTOP_KIND_SOURCE) != PROFTOP_SET + 1)
        return count->sequence == (uint32_t)count->calls;
    return count->sequence % 2 == 0 && again == count->sequence;
}

/* Reads a slot. False if its writer is at it. */
static inline bool feed_slot_try(const struct proftop_slot *slot, struct feed_count *count)
{
    count->sequence = __atomic_load_n(&slot->sequence, __ATOMIC_ACQUIRE);
    count->kind = __atomic_load_n(&slot->kind, __ATOMIC_ACQUIRE);
    count->calls = __atomic_load_n(&slot->calls, __ATOMIC_ACQUIRE);
    if (!feed_count_is_settled(count, count->sequence)) /* before the rest is read in vain */
        return false;
    count->total = __atomic_load_n(&slot->total, __ATOMIC_ACQUIRE);
    count->min = __atomic_load_n(&slot->min, __ATOMIC_ACQUIRE);
    count->max = __atomic_load_n(&slot->max, __ATOMIC_ACQUIRE);
    count->last = __atomic_load_n(&slot->last, __ATOMIC_ACQUIRE);
    count->stale = __atomic_load_n(&slot->stale, __ATOMIC_ACQUIRE);
    uint64_t untimed = __atomic_load_n(&slot->untimed, __ATOMIC_ACQUIRE);
    count->aux = __atomic_load_n(&slot->aux, __ATOMIC_ACQUIRE);
    count->calls = __atomic_load_n(&slot->calls, __ATOMIC_ACQUIRE);
    count->timed = count->calls - untimed;
    return feed_count_is_settled(count, __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED));
}

/* The same, again and again. False if its writer was at it each time. */
bool feed_slot_read(const struct proftop_slot *slot, struct feed_count *count);

/* What the thread of a block runs now, and when it began, in units of the block's own clock, which
 * was read as `clock` before: never later than that. False: nothing. */
bool feed_block_now(const struct feed_block *block, uint64_t clock, uint32_t *apply,
                    uint64_t *since);

/* Something begins inside the apply `outer` (proftop_now(); 0: inside none). By the block's thread.
 */
void feed_block_nest(struct feed_block *block, uint64_t outer);

/* Lists the applies that the thread of a block has open, outermost first. Gives how many. Those
 * beyond FEED_NESTED are missing, but the innermost never is. */
uint32_t feed_block_open(const struct feed_block *block, uint64_t open[FEED_NESTED + 1]);

/* How long an apply has been open by the block's own clock, which was read as `clock`: never longer
 * than it takes in the end if it ends after that. */
uint64_t feed_open_for(uint64_t open, uint64_t clock);

/* Values that other threads read or write. What the public headers declare is not of an atomic
 * type, since C++ has none of C's; what the library keeps to itself is. */
static inline uint64_t feed_get_shared(const uint64_t *value)
{
    return __atomic_load_n(value, __ATOMIC_RELAXED);
}

static inline uint64_t feed_get_atomic(const _Atomic uint64_t *value)
{
    return atomic_load_explicit(value, memory_order_relaxed);
}

static inline void feed_put_shared(uint64_t *value, uint64_t to)
{
    __atomic_store_n(value, to, __ATOMIC_RELEASE);
}

static inline void feed_put_atomic(_Atomic uint64_t *value, uint64_t to)
{
    atomic_store_explicit(value, to, memory_order_release);
}

#define feed_get(value)                                                                            \
    _Generic((value),                                                                              \
        _Atomic uint64_t *: feed_get_atomic,                                                       \
        const _Atomic uint64_t *: feed_get_atomic,                                                 \
        default: feed_get_shared)(value)
#define feed_put(value, to)                                                                        \
    _Generic((value), _Atomic uint64_t *: feed_put_atomic, default: feed_put_shared)(value, to)

/* Adds to a counter that has one writer: no locked instruction. */
static inline void feed_bump(uint64_t *counter)
{
    feed_put(counter, feed_get(counter) + 1);
}

/* Adds to one that has several. */
static inline void feed_count_one(uint64_t *counter)
{
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static inline uint8_t feed_slot_kind(const struct proftop_slot *slot)
{
    return __atomic_load_n(&slot->kind, __ATOMIC_RELAXED);
}

/* enum proftop_source plus 1, or 0. */
static inline uint32_t feed_source(uint8_t kind)
{
    return kind & PROFTOP_KIND_SOURCE;
}

/* Whether it is left out: nothing is counted in it. */
static inline bool feed_slot_is_out(const struct proftop_slot *slot)
{
    return feed_slot_kind(slot) >> PROFTOP_KIND_SHIFT == PROFTOP_RATE_NEVER;
}

/* Sets its kind, and `ready` of feed_block_ready(). Where the two differ for a moment, an end looks
 * at the slot again. */
static inline void feed_slot_put_kind(struct proftop_slot *slot, uint8_t *ready, uint32_t kind)
{
    __atomic_store_n(&slot->kind, (uint8_t)kind, __ATOMIC_RELEASE);
    if (ready != NULL)
        __atomic_store_n(ready, (uint8_t)(kind == PROFTOP_TIMED + 1), __ATOMIC_RELEASE);
}

/* Of 1 << k calls one is timed. Under the feed's lock, for slots that were touched. */
static inline void feed_slot_set_rate(struct proftop_slot *slot, uint8_t *ready, unsigned k)
{
    uint8_t source = feed_slot_kind(slot) & PROFTOP_KIND_SOURCE;
    if (source == PROFTOP_TIMED + 1 && k <= FEED_RATE_MAX && !feed_slot_is_out(slot))
        feed_slot_put_kind(slot, ready, source | k << PROFTOP_KIND_SHIFT);
}

/* From the next call on, its extremes are of what comes. By the feed's thread, at a reset. */
static inline void feed_slot_reset(struct proftop_slot *slot)
{
    uint32_t source = feed_source(feed_slot_kind(slot));
    if (source == PROFTOP_TIMED + 1 || source == PROFTOP_GIVEN + 1)
        __atomic_store_n(&slot->stale, 1, __ATOMIC_RELEASE);
}

/* Whether the next call is one of those that are timed; as proftop_is_turn(). */
static inline bool feed_slot_is_turn(const struct proftop_slot *slot)
{
    return proftop_is_turn(feed_get(&slot->calls), feed_slot_kind(slot));
}

/* The same of a function. */
static inline bool feed_slot_is_call_turn(const struct proftop_slot *slot)
{
    return proftop_is_call_turn(feed_get(&slot->calls), feed_slot_kind(slot));
}

/* Leaves it out, or counts in it again, each call timed. Under the feed's lock. */
static inline void feed_slot_choose(struct proftop_slot *slot, uint8_t *ready, bool counts)
{
    uint8_t source = feed_slot_kind(slot) & PROFTOP_KIND_SOURCE;
    uint8_t rate = counts ? 0 : PROFTOP_RATE_NEVER;
    if (counts == feed_slot_is_out(slot))
        feed_slot_put_kind(slot, ready, source | rate << PROFTOP_KIND_SHIFT);
}

/* First touch of a slot. `aux`: address of its buckets, or 0. */
static inline void feed_slot_touch(struct proftop_slot *slot, uint8_t *ready, uint32_t source,
                                   uint64_t aux)
{
    feed_put(&slot->min, source == PROFTOP_SET ? 0 : UINT64_MAX);
    feed_put(&slot->aux, aux);
    __atomic_store_n(&slot->cold, PROFTOP_COLD_FIRST, __ATOMIC_RELAXED);
    feed_slot_put_kind(slot, ready, source + 1);
}

/* How long the calls of an op took, as one thread counted them. Those that were timed lag behind
 * their slots by one call: a slot's `last` is not in them yet. */
struct feed_buckets {
    uint32_t near[FEED_NEAR]; /* those that inlined code knows */
    uint32_t *far;            /* FEED_FAR more, once a duration is so long; else NULL */
};

/* The bucket of any duration. */
static inline uint64_t feed_bucket(uint64_t duration)
{
    const uint64_t least = UINT64_C(1) << PROFTOP_BUCKET_LEAST;
    const uint64_t end = UINT64_C(1) << FEED_BUCKET_END;
    return proftop_quarter(duration < least ? least : duration < end ? duration : end) -
           PROFTOP_QUARTER_LEAST;
}

static inline void feed_buckets_add(struct feed_buckets *buckets, uint64_t duration)
{
    uint64_t at = feed_bucket(duration);
    uint32_t *far = at < FEED_NEAR ? NULL : __atomic_load_n(&buckets->far, __ATOMIC_RELAXED);
    if (at < FEED_NEAR)
        proftop_add32(&buckets->near[at], 1);
    else if (far != NULL)
        proftop_add32(&far[at - FEED_NEAR], 1);
}

/* Of a bucket below FEED_COUNTED. For any thread. */
static inline uint32_t feed_buckets_count(const struct feed_buckets *buckets, uint32_t at)
{
    if (at < FEED_NEAR)
        return __atomic_load_n(&buckets->near[at], __ATOMIC_RELAXED);
    const uint32_t *far = __atomic_load_n(&buckets->far, __ATOMIC_ACQUIRE);
    return far == NULL ? 0 : __atomic_load_n(&far[at - FEED_NEAR], __ATOMIC_RELAXED);
}

static inline bool feed_slot_is_given(const struct proftop_slot *slot)
{
    return feed_source(feed_slot_kind(slot)) == PROFTOP_GIVEN + 1;
}

/* Whether calls cannot be counted without a look at the bucket of each: see proftop_count(). */
static inline bool feed_slot_is_far(const struct proftop_slot *slot)
{
    return !feed_slot_is_given(slot) && (!proftop_has_bucket(feed_get(&slot->min)) ||
                                         !proftop_has_bucket(feed_get(&slot->max)));
}

/* One timed call of any duration. */
static inline void feed_slot_add(struct proftop_slot *slot, uint64_t duration, bool buckets)
{
    uint64_t calls = feed_get(&slot->calls) + 1;
    feed_put(&slot->calls, calls);
    if (buckets && feed_slot_is_given(slot))
        feed_buckets_add((struct feed_buckets *)(uintptr_t)slot->aux, duration);
    else if (buckets && slot->cold != PROFTOP_COLD_FIRST)
        feed_buckets_add((struct feed_buckets *)(uintptr_t)slot->aux, slot->last);
    if (__atomic_load_n(&slot->stale, __ATOMIC_RELAXED)) {
        feed_put(&slot->min, UINT64_MAX);
        feed_put(&slot->max, 0);
        __atomic_store_n(&slot->stale, 0, __ATOMIC_RELEASE);
    }
    feed_put(&slot->total, feed_get(&slot->total) + duration);
    feed_put(&slot->last, duration);
    if (duration < feed_get(&slot->min))
        feed_put(&slot->min, duration);
    if (duration > feed_get(&slot->max))
        feed_put(&slot->max, duration);
    uint8_t cold = feed_slot_is_far(slot) ? PROFTOP_COLD_FAR : 0;
    if (slot->cold != cold)
        __atomic_store_n(&slot->cold, cold, __ATOMIC_RELEASE);
    __atomic_store_n(&slot->sequence, (uint32_t)calls, __ATOMIC_RELEASE);
}

/* The same where no more is to be done than to add: of a slot without buckets, and a call that was
 * neither its shortest nor its longest. False: it is otherwise, and nothing was added. */
static inline bool feed_slot_add_plainly(struct proftop_slot *slot, uint64_t duration)
{
    uint64_t min = feed_get(&slot->min);
    if (!proftop_is_plain(slot, PROFTOP_TIMED) || duration - min > feed_get(&slot->max) - min)
        return false;
    proftop_add64(&slot->calls, 1);
    proftop_add64(&slot->total, duration);
    feed_put(&slot->last, duration);
    proftop_add32(&slot->sequence, 1);
    return true;
}

/* One call whose time is not known. */
static inline void feed_slot_add_untimed(struct proftop_slot *slot)
{
    uint64_t calls = feed_get(&slot->calls) + 1;
    feed_put(&slot->calls, calls);
    feed_bump(&slot->untimed);
    __atomic_store_n(&slot->sequence, (uint32_t)calls, __ATOMIC_RELEASE);
}

#endif
