/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * slot.h: what one thread has counted of one apply or function, and the block that holds all slots
 * of a thread. A slot has one writer, its thread; the feed's thread reads it without a lock. What
 * inlined code has to know of both stands in proftop_inline.h.
 */
#ifndef FEED_PUBLISHER_RECORD_SLOT_H
#define FEED_PUBLISHER_RECORD_SLOT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/protocol/limits.h"
#include "feed/publisher/collect/run_queue.h"
#include "feed/publisher/no_inline_api.h"

enum {
    PUBLISHER_CHUNK = 1 << PROFTOP_CHUNK_SHIFT, /* slots that are mapped at once */
    PUBLISHER_CHUNK_SHIFT = PROFTOP_CHUNK_SHIFT,
    PUBLISHER_READ_TRIES = 100, /* then the reader keeps what it knew */
    PUBLISHER_RATE_MAX = 16,    /* the fewest that are timed: one of 1 << 16 calls */
    PUBLISHER_BUCKET_END = 42,  /* longer durations, in octaves, are in the last bucket */
    PUBLISHER_NEAR = (PROFTOP_BUCKET_END - PROFTOP_BUCKET_LEAST) * 4, /* buckets of each op */
    PUBLISHER_COUNTED =
        (PUBLISHER_BUCKET_END - PROFTOP_BUCKET_LEAST) * 4 + 1, /* all; the last: above all */
    PUBLISHER_FAR = PUBLISHER_COUNTED - PUBLISHER_NEAR,
    PUBLISHER_NESTED = 64, /* of the applies that are open on a thread, those that are told */
};
_Static_assert(PROFTOP_APPLIES == WIRE_APPLIES_MAX, "inlined code knows all applies");

/* The tables of slots in a block. */
enum publisher_kind {
    PUBLISHER_APPLIES,
    PUBLISHER_CALLS, /* of functions */
    PUBLISHER_VM,    /* of functions: time in the virtual machine */
    PUBLISHER_KINDS
};

enum { PUBLISHER_KNOWN_CALLS = 1, PUBLISHER_KNOWN_NS = 2 };

_Static_assert(sizeof(struct proftop_slot) == 64, "a slot is one cache line");
_Static_assert(offsetof(struct proftop_slot, kind) == PROFTOP_SLOT_STATE, "one load finds it");

/* A consistent copy of a slot. */
struct publisher_count {
    uint64_t calls, total, min, max, timed, last; /* min, max, last: if timed is not 0 */
    bool stale;                                   /* these three are of the time before a reset */
    uint64_t aux;
    uint32_t sequence;
    uint8_t kind;
};

struct publisher_histograms;

/* What the feed's thread has seen of a chunk of slots: by their sequences it knows which moved. Of
 * the timed call that it saw last, which is in no bucket yet, the bucket where it will be, plus 1;
 * 0: the slot has none. */
struct publisher_seen {
    uint32_t sequence[PUBLISHER_CHUNK];
    uint8_t last_plus_1[PUBLISHER_CHUNK];
};

/* The applies that enclose what a thread began last, outermost first, by proftop_now() of each. Its
 * thread writes it, seldom: only where it begins something inside another apply than before. */
struct publisher_nest {
    uint32_t changes; /* odd while it is written */
    uint32_t depth;
    uint64_t open[PUBLISHER_NESTED];
};

/* Who has a block. Its own thread alone changes that without the lock of all feeds: when it ends,
 * from PUBLISHER_BUSY to PUBLISHER_IDLE; an orphan it frees. */
enum publisher_use {
    PUBLISHER_IDLE,  /* no thread: the next one that needs a block takes it */
    PUBLISHER_BUSY,  /* a living thread writes here */
    PUBLISHER_ORPHAN /* the same, and the feed is closed: its thread frees it */
};

/* All slots of one thread of one feed. Blocks of threads that ended are used again, so memory
 * follows the largest number of threads at one time. */
struct publisher_block {
    struct proftop_block front;  /* what inlined code knows */
    struct publisher_block *next_own; /* next block of the same thread, of another feed; its own */
    struct publisher_block *next;     /* next block of the feed */
    _Atomic int use;                  /* enum publisher_use */
    bool ticks;                  /* PROFTOP_TIMED slots count ticks, else ns */
    _Atomic uint32_t thread;     /* serial number of the thread, from 1; differs after reuse */
    _Atomic uint32_t defined;    /* id of its row of definitions plus 1, or 0 */
    uint64_t invalid, misuse;
    uint32_t moved; /* tick in which some apply of it moved last; the reader's own, as: */
    struct publisher_schedstat_seen turns; /* of its thread */
    struct publisher_nest nest;
    struct publisher_thread_objects *own;    /* its scopes and open runs (objects.h), or NULL */
    struct publisher_histograms *histograms; /* of this thread (histogram.h) */
    struct proftop_slot *calls[WIRE_FUNCTIONS_MAX / PUBLISHER_CHUNK];
    struct proftop_slot *vm[WIRE_FUNCTIONS_MAX / PUBLISHER_CHUNK];
    struct publisher_seen
        *seen[WIRE_APPLIES_MAX / PUBLISHER_CHUNK]; /* the reader's own (aggregate.c) */
};

/* Fresh pages straight from the kernel: zero; untouched ones cost nothing. NULL: no memory. */
void *publisher_map(size_t size);
void publisher_unmap(void *memory, size_t size);

/* Maps a block. NULL when out of memory. */
struct publisher_block *publisher_block_new(uint64_t on);
/* Takes it: unmaps it and its chunks. */
void publisher_block_free(struct publisher_block *block);

/* How many chunks there may be of a kind. */
static inline uint32_t publisher_block_places(enum publisher_kind kind)
{
    return (kind == PUBLISHER_APPLIES ? WIRE_APPLIES_MAX : WIRE_FUNCTIONS_MAX) / PUBLISHER_CHUNK;
}

/* The place of chunk `at` of a kind; NULL if there is no such place. */
static inline struct proftop_slot **publisher_block_place(struct publisher_block *block,
                                                          enum publisher_kind kind, uint32_t at)
{
    if (at >= publisher_block_places(kind))
        return NULL;
    if (kind == PUBLISHER_APPLIES)
        return &block->front.applies[at];
    return kind == PUBLISHER_CALLS ? &block->calls[at] : &block->vm[at];
}

/* The slot of an id, mapped if need be. NULL when out of memory. Writer's side. */
struct proftop_slot *publisher_block_slot(struct publisher_block *block, enum publisher_kind kind,
                                          uint32_t id);

/* What a begin asks for in place of the slot's kind; NULL: nothing, since functions are not timed
 * by inlined code. */
static inline uint8_t *publisher_block_ready(struct publisher_block *block,
                                             enum publisher_kind kind, uint32_t id)
{
    return kind == PUBLISHER_APPLIES ? &block->front.ready[id] : NULL;
}

/* What the source said of cumulative values: they change without a call. */
static inline bool publisher_count_is_settled(const struct publisher_count *count, uint32_t again)
{
    if ((count->kind & PROFTOP_KIND_SOURCE) != PROFTOP_SET + 1)
        return count->sequence == (uint32_t)count->calls;
    return count->sequence % 2 == 0 && again == count->sequence;
}

/* Reads a slot. False if its writer is at it. */
static inline bool publisher_slot_try(const struct proftop_slot *slot,
                                      struct publisher_count *count)
{
    count->sequence = __atomic_load_n(&slot->sequence, __ATOMIC_ACQUIRE);
    count->kind = __atomic_load_n(&slot->kind, __ATOMIC_ACQUIRE);
    count->calls = __atomic_load_n(&slot->calls, __ATOMIC_ACQUIRE);
    if (!publisher_count_is_settled(count, count->sequence)) /* before the rest is read in vain */
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
    return publisher_count_is_settled(count, __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED));
}

/* The same, again and again. False if its writer was at it each time. */
bool publisher_slot_read(const struct proftop_slot *slot, struct publisher_count *count);

/* What the thread of a block runs now, and when it began, in units of the block's own clock, which
 * was read as `clock` before: never later than that. False: nothing. */
bool publisher_block_now(const struct publisher_block *block, uint64_t clock, uint32_t *apply,
                         uint64_t *since);

/* Something begins inside the apply `outer` (proftop_now(); 0: inside none). By the block's thread.
 */
void publisher_block_nest(struct publisher_block *block, uint64_t outer);

/* Lists the applies that the thread of a block has open, outermost first. Gives how many. Those
 * beyond PUBLISHER_NESTED are missing, but the innermost never is. */
uint32_t publisher_block_open(const struct publisher_block *block,
                              uint64_t open[PUBLISHER_NESTED + 1]);

/* How long an apply has been open by the block's own clock, which was read as `clock`: never longer
 * than it takes in the end if it ends after that. */
uint64_t publisher_open_for(uint64_t open, uint64_t clock);

/* Values that other threads read or write. What the public headers declare is not of an atomic
 * type, since C++ has none of C's; what the library keeps to itself is. */
static inline uint64_t publisher_load_shared(const uint64_t *value)
{
    return __atomic_load_n(value, __ATOMIC_RELAXED);
}

static inline uint64_t publisher_load_atomic(const _Atomic uint64_t *value)
{
    return atomic_load_explicit(value, memory_order_relaxed);
}

static inline void publisher_store_shared(uint64_t *value, uint64_t to)
{
    __atomic_store_n(value, to, __ATOMIC_RELEASE);
}

static inline void publisher_store_atomic(_Atomic uint64_t *value, uint64_t to)
{
    atomic_store_explicit(value, to, memory_order_release);
}

#define publisher_load(value)                                                                      \
    _Generic((value),                                                                              \
        _Atomic uint64_t *: publisher_load_atomic,                                                 \
        const _Atomic uint64_t *: publisher_load_atomic,                                           \
        default: publisher_load_shared)(value)
#define publisher_store(value, to)                                                                 \
    _Generic((value),                                                                              \
        _Atomic uint64_t *: publisher_store_atomic,                                                \
        default: publisher_store_shared)(value, to)

/* Adds to a counter that has one writer: no locked instruction. */
static inline void publisher_increment(uint64_t *counter)
{
    publisher_store(counter, publisher_load(counter) + 1);
}

/* Adds to one that has several. */
static inline void publisher_count_one(uint64_t *counter)
{
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static inline uint8_t publisher_slot_kind(const struct proftop_slot *slot)
{
    return __atomic_load_n(&slot->kind, __ATOMIC_RELAXED);
}

/* enum proftop_source plus 1, or 0. */
static inline uint32_t publisher_source(uint8_t kind)
{
    return kind & PROFTOP_KIND_SOURCE;
}

/* Whether it is left out: nothing is counted in it. */
static inline bool publisher_slot_is_out(const struct proftop_slot *slot)
{
    return publisher_slot_kind(slot) >> PROFTOP_KIND_SHIFT == PROFTOP_RATE_NEVER;
}

/* Sets its kind, and `ready` of publisher_block_ready(). Where the two differ for a moment, an end
 * looks at the slot again. */
static inline void publisher_slot_put_kind(struct proftop_slot *slot, uint8_t *ready, uint32_t kind)
{
    __atomic_store_n(&slot->kind, (uint8_t)kind, __ATOMIC_RELEASE);
    if (ready != NULL)
        __atomic_store_n(ready, (uint8_t)(kind == PROFTOP_TIMED + 1), __ATOMIC_RELEASE);
}

/* Of 1 << k calls one is timed. Under the feed's lock, for slots that were touched. */
static inline void publisher_slot_set_rate(struct proftop_slot *slot, uint8_t *ready, unsigned k)
{
    uint8_t source = publisher_slot_kind(slot) & PROFTOP_KIND_SOURCE;
    if (source == PROFTOP_TIMED + 1 && k <= PUBLISHER_RATE_MAX && !publisher_slot_is_out(slot))
        publisher_slot_put_kind(slot, ready, source | k << PROFTOP_KIND_SHIFT);
}

/* From the next call on, its extremes are of what comes. By the feed's thread, at a reset. */
static inline void publisher_slot_reset(struct proftop_slot *slot)
{
    uint32_t source = publisher_source(publisher_slot_kind(slot));
    if (source == PROFTOP_TIMED + 1 || source == PROFTOP_GIVEN + 1)
        __atomic_store_n(&slot->stale, 1, __ATOMIC_RELEASE);
}

/* Whether the next call is one of those that are timed; as proftop_is_turn(). */
static inline bool publisher_slot_is_turn(const struct proftop_slot *slot)
{
    return proftop_is_turn(publisher_load(&slot->calls), publisher_slot_kind(slot));
}

/* The same of a function. */
static inline bool publisher_slot_is_call_turn(const struct proftop_slot *slot)
{
    return proftop_is_call_turn(publisher_load(&slot->calls), publisher_slot_kind(slot));
}

/* Leaves it out, or counts in it again, each call timed. Under the feed's lock. */
static inline void publisher_slot_choose(struct proftop_slot *slot, uint8_t *ready, bool counts)
{
    uint8_t source = publisher_slot_kind(slot) & PROFTOP_KIND_SOURCE;
    uint8_t rate = counts ? 0 : PROFTOP_RATE_NEVER;
    if (counts == publisher_slot_is_out(slot))
        publisher_slot_put_kind(slot, ready, source | rate << PROFTOP_KIND_SHIFT);
}

/* First touch of a slot. `aux`: address of its buckets, or 0. */
static inline void publisher_slot_touch(struct proftop_slot *slot, uint8_t *ready, uint32_t source,
                                        uint64_t aux)
{
    publisher_store(&slot->min, source == PROFTOP_SET ? 0 : UINT64_MAX);
    publisher_store(&slot->aux, aux);
    __atomic_store_n(&slot->cold, PROFTOP_COLD_FIRST, __ATOMIC_RELAXED);
    publisher_slot_put_kind(slot, ready, source + 1);
}

/* How long the calls of an op took, as one thread counted them. Those that were timed lag behind
 * their slots by one call: a slot's `last` is not in them yet. */
struct publisher_buckets {
    uint32_t near[PUBLISHER_NEAR]; /* those that inlined code knows */
    uint32_t *far;                 /* PUBLISHER_FAR more, once a duration is so long; else NULL */
};

/* The bucket of any duration. */
static inline uint64_t publisher_bucket(uint64_t duration)
{
    const uint64_t least = UINT64_C(1) << PROFTOP_BUCKET_LEAST;
    const uint64_t end = UINT64_C(1) << PUBLISHER_BUCKET_END;
    return proftop_quarter(duration < least ? least : duration < end ? duration : end) -
           PROFTOP_QUARTER_LEAST;
}

static inline void publisher_buckets_add(struct publisher_buckets *buckets, uint64_t duration)
{
    uint64_t at = publisher_bucket(duration);
    uint32_t *far = at < PUBLISHER_NEAR ? NULL : __atomic_load_n(&buckets->far, __ATOMIC_RELAXED);
    if (at < PUBLISHER_NEAR)
        proftop_add32(&buckets->near[at], 1);
    else if (far != NULL)
        proftop_add32(&far[at - PUBLISHER_NEAR], 1);
}

/* Of a bucket below PUBLISHER_COUNTED. For any thread. */
static inline uint32_t publisher_buckets_count(const struct publisher_buckets *buckets, uint32_t at)
{
    if (at < PUBLISHER_NEAR)
        return __atomic_load_n(&buckets->near[at], __ATOMIC_RELAXED);
    const uint32_t *far = __atomic_load_n(&buckets->far, __ATOMIC_ACQUIRE);
    return far == NULL ? 0 : __atomic_load_n(&far[at - PUBLISHER_NEAR], __ATOMIC_RELAXED);
}

static inline bool publisher_slot_is_given(const struct proftop_slot *slot)
{
    return publisher_source(publisher_slot_kind(slot)) == PROFTOP_GIVEN + 1;
}

/* Whether calls cannot be counted without a look at the bucket of each: see proftop_count(). */
static inline bool publisher_slot_is_far(const struct proftop_slot *slot)
{
    return !publisher_slot_is_given(slot) && (!proftop_has_bucket(publisher_load(&slot->min)) ||
                                              !proftop_has_bucket(publisher_load(&slot->max)));
}

/* One timed call of any duration. */
static inline void publisher_slot_add(struct proftop_slot *slot, uint64_t duration, bool buckets)
{
    uint64_t calls = publisher_load(&slot->calls) + 1;
    publisher_store(&slot->calls, calls);
    if (buckets && publisher_slot_is_given(slot))
        publisher_buckets_add((struct publisher_buckets *)(uintptr_t)slot->aux, duration);
    else if (buckets && slot->cold != PROFTOP_COLD_FIRST)
        publisher_buckets_add((struct publisher_buckets *)(uintptr_t)slot->aux, slot->last);
    if (__atomic_load_n(&slot->stale, __ATOMIC_RELAXED)) {
        publisher_store(&slot->min, UINT64_MAX);
        publisher_store(&slot->max, 0);
        __atomic_store_n(&slot->stale, 0, __ATOMIC_RELEASE);
    }
    publisher_store(&slot->total, publisher_load(&slot->total) + duration);
    publisher_store(&slot->last, duration);
    if (duration < publisher_load(&slot->min))
        publisher_store(&slot->min, duration);
    if (duration > publisher_load(&slot->max))
        publisher_store(&slot->max, duration);
    uint8_t cold = publisher_slot_is_far(slot) ? PROFTOP_COLD_FAR : 0;
    if (slot->cold != cold)
        __atomic_store_n(&slot->cold, cold, __ATOMIC_RELEASE);
    __atomic_store_n(&slot->sequence, (uint32_t)calls, __ATOMIC_RELEASE);
}

/* The same where no more is to be done than to add: of a slot without buckets, and a call that was
 * neither its shortest nor its longest. False: it is otherwise, and nothing was added. */
static inline bool publisher_slot_add_plainly(struct proftop_slot *slot, uint64_t duration)
{
    uint64_t min = publisher_load(&slot->min);
    if (!proftop_is_plain(slot, PROFTOP_TIMED) || duration - min > publisher_load(&slot->max) - min)
        return false;
    proftop_add64(&slot->calls, 1);
    proftop_add64(&slot->total, duration);
    publisher_store(&slot->last, duration);
    proftop_add32(&slot->sequence, 1);
    return true;
}

/* One call whose time is not known. */
static inline void publisher_slot_add_untimed(struct proftop_slot *slot)
{
    uint64_t calls = publisher_load(&slot->calls) + 1;
    publisher_store(&slot->calls, calls);
    publisher_increment(&slot->untimed);
    __atomic_store_n(&slot->sequence, (uint32_t)calls, __ATOMIC_RELEASE);
}

#endif
