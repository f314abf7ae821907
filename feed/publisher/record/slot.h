/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * slot.h: slots and blocks. A slot holds the counts of one thread for one apply or function. A
 * block holds all slots of a thread. A slot has one writer, its thread; the feed's thread reads it
 * without a lock. proftop_layout.h has the parts of both that inlined code uses.
 */
#ifndef FEED_PUBLISHER_RECORD_SLOT_H
#define FEED_PUBLISHER_RECORD_SLOT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/protocol/limits.h"
#include "feed/publisher/record/no_inline_api.h"
#include "feed/shared/black_box.h"
#include "feed/shared/schedstat.h"

enum {
    PUBLISHER_CHUNK = 1 << PROFTOP_CHUNK_SHIFT, /* slots that are mapped at once */
    PUBLISHER_CHUNK_SHIFT = PROFTOP_CHUNK_SHIFT,
    PUBLISHER_READ_TRIES = 100, /* then the reader keeps the previous values */
    PUBLISHER_RATE_MAX = 16,    /* lowest sampling rate: one of 1 << 16 calls is timed */
    PUBLISHER_BUCKET_END = 42,  /* durations of 2^42 units or more are in the last bucket */
    PUBLISHER_NEAR = (PROFTOP_BUCKET_END - PROFTOP_BUCKET_LEAST) * 4, /* buckets every op has */
    PUBLISHER_COUNTED =
        (PUBLISHER_BUCKET_END - PROFTOP_BUCKET_LEAST) * 4 + 1, /* all buckets; the last is open */
    PUBLISHER_FAR = PUBLISHER_COUNTED - PUBLISHER_NEAR, /* buckets made for a long duration */
    PUBLISHER_NESTED = SHARED_BOX_NESTED, /* enclosing applies that are recorded for a thread */
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
    uint64_t calls, total, min, max, timed, last; /* min, max, last: valid if timed is not 0 */
    bool stale;                                   /* these three are from before a reset */
    uint64_t aux;
    uint32_t sequence;
    uint8_t kind;
};

struct publisher_histograms;
struct publisher_event_ring;

/* The feed's thread's record of a chunk of slots. It compares `sequence` to find the slots that
 * changed. `last_plus_1` is the bucket, plus 1, of the slot's last timed call, which the slot's
 * thread has not counted in its buckets yet; 0: there is no such call. */
struct publisher_seen {
    uint32_t sequence[PUBLISHER_CHUNK];
    uint8_t last_plus_1[PUBLISHER_CHUNK];
};

/* State of a block, changed under the lock of all feeds. One exception: a thread that ends makes
 * its blocks PUBLISHER_IDLE without the lock, and frees those that are orphans. */
enum publisher_use {
    PUBLISHER_IDLE,  /* owned by no thread: the next thread that needs a block takes it */
    PUBLISHER_BUSY,  /* a living thread writes the block */
    PUBLISHER_ORPHAN /* a living thread writes the block, but the feed is closed: it frees it */
};

/* The last values read of a thread. Zero: none. */
struct publisher_schedstat_seen {
    uint64_t tid;
    struct shared_schedstat turns;
};

/* All slots of one thread of one feed. Blocks of ended threads are reused, so memory grows with the
 * largest number of threads at one time. */
struct publisher_block {
    struct proftop_block front;       /* the part that inlined code uses */
    struct publisher_block *next_own; /* list of this thread's blocks; only this thread uses it */
    struct publisher_block *next;     /* next block of the feed */
    _Atomic int use;                  /* enum publisher_use */
    bool ticks;                       /* PROFTOP_TIMED slots count ticks, else ns */
    _Atomic uint32_t thread;  /* serial number of the thread, from 1; another one after reuse */
    _Atomic uint32_t defined; /* id of the thread's row of definitions plus 1, or 0 */
    uint64_t invalid, misuse;
    uint32_t moved; /* tick in which an apply of the block last changed; the reader's own */
    struct publisher_schedstat_seen turns; /* schedstat of its thread; the reader's own */
    struct shared_nest *nest, own_nest;    /* nest: own_nest, or in the black box */
    /* Of the black box (black_box.h): NULL if the feed has none, or no place for this block. */
    struct publisher_black_box *box;
    struct shared_box_thread *kept;
    uint32_t number;                         /* of the block in the box */
    struct publisher_thread_objects *own;    /* the thread's scopes and open runs, or NULL */
    struct publisher_histograms *histograms; /* the thread's buckets, or NULL */
    /* The events of a trace (event_ring.h): `trace` is NULL while the thread writes one. */
    _Atomic(struct publisher_event_ring *) trace;
    _Atomic(struct publisher_event_ring *) ring; /* the same, set under the feed's lock; NULL:
                                                    none */
    uint64_t unkept;                             /* events for which there was no ring */
    struct proftop_slot *calls[WIRE_FUNCTIONS_MAX / PUBLISHER_CHUNK];
    struct proftop_slot *vm[WIRE_FUNCTIONS_MAX / PUBLISHER_CHUNK];
    struct publisher_seen
        *seen[WIRE_APPLIES_MAX / PUBLISHER_CHUNK]; /* the reader's own (aggregate.c) */
};

/* Limit of chunks of a kind. */
static inline uint32_t publisher_block_places(enum publisher_kind kind)
{
    return (kind == PUBLISHER_APPLIES ? WIRE_APPLIES_MAX : WIRE_FUNCTIONS_MAX) / PUBLISHER_CHUNK;
}

/* Returns the place of the pointer to chunk `at` of a kind, or NULL beyond the limit. */
static inline struct proftop_slot **publisher_block_place(struct publisher_block *block,
                                                          enum publisher_kind kind, uint32_t at)
{
    if (at >= publisher_block_places(kind))
        return NULL;
    if (kind == PUBLISHER_APPLIES)
        return &block->front.applies[at];
    return kind == PUBLISHER_CALLS ? &block->calls[at] : &block->vm[at];
}

/* Returns the slot of an id, mapping its chunk if needed. Returns NULL if out of memory. Writer's
 * side. */
struct proftop_slot *publisher_block_slot(struct publisher_block *block, enum publisher_kind kind,
                                          uint32_t id);

/* Returns the `ready` byte that an inlined begin checks instead of the slot's kind. Functions have
 * none (NULL), since inlined code does not time them. */
static inline uint8_t *publisher_block_ready(struct publisher_block *block,
                                             enum publisher_kind kind, uint32_t id)
{
    return kind == PUBLISHER_APPLIES ? &block->front.ready[id] : NULL;
}

/* True if the values read so far are consistent. `again` is a later reading of the sequence.
 * Cumulative values change without a call, so their `sequence` counts writes, odd during one. In
 * other slots it equals the low half of `calls` when no write is under way. */
static inline bool publisher_count_is_settled(const struct publisher_count *count, uint32_t again)
{
    if ((count->kind & PROFTOP_KIND_SOURCE) != PROFTOP_SET + 1)
        return count->sequence == (uint32_t)count->calls;
    return count->sequence % 2 == 0 && again == count->sequence;
}

/* Reads a slot. Returns false if its writer changes it meanwhile. */
static inline bool publisher_slot_try(const struct proftop_slot *slot,
                                      struct publisher_count *count)
{
    count->sequence = __atomic_load_n(&slot->sequence, __ATOMIC_ACQUIRE);
    count->kind = __atomic_load_n(&slot->kind, __ATOMIC_ACQUIRE);
    count->calls = __atomic_load_n(&slot->calls, __ATOMIC_ACQUIRE);
    if (!publisher_count_is_settled(count, count->sequence)) /* fails early, before the rest */
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

/* Tries publisher_slot_try() up to PUBLISHER_READ_TRIES times. Returns false if all tries fail. */
bool publisher_slot_read(const struct proftop_slot *slot, struct publisher_count *count);

/* Gives the apply that the block's thread runs now, and its begin by the block's clock. `clock` is
 * an earlier reading of that clock; `*since` is never later. Returns false if no apply runs. */
bool publisher_block_now(const struct publisher_block *block, uint64_t clock, uint32_t *apply,
                         uint64_t *since);

/* Updates the list of enclosing applies: something begins inside the apply `outer` (proftop_now();
 * 0: inside none). By the block's thread. */
void publisher_block_nest(struct publisher_block *block, uint64_t outer);

/* Lists the open applies of a block's thread, outermost first. Returns how many. Lists at most
 * PUBLISHER_NESTED enclosing applies, and always the innermost. */
uint32_t publisher_block_open(const struct publisher_block *block,
                              uint64_t open[PUBLISHER_NESTED + 1]);

/* Returns how long an apply has been open at `clock`, a reading of the block's clock. Never more
 * than the apply's final duration if it ends after `clock`. */
uint64_t publisher_open_for(uint64_t open, uint64_t clock);

/* Access to values that several threads share. The public headers use plain types, since C++ lacks
 * the atomic types of C; the library's own types are atomic. */
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

/* Adds 1 to a counter that has one writer: no locked instruction. */
static inline void publisher_increment(uint64_t *counter)
{
    publisher_store(counter, publisher_load(counter) + 1);
}

/* Adds 1 to a counter that has several writers. */
static inline void publisher_count_one(uint64_t *counter)
{
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static inline uint8_t publisher_slot_kind(const struct proftop_slot *slot)
{
    return __atomic_load_n(&slot->kind, __ATOMIC_RELAXED);
}

/* Returns the source of a kind: enum proftop_source plus 1, or 0 if the slot is untouched. */
static inline uint32_t publisher_source(uint8_t kind)
{
    return kind & PROFTOP_KIND_SOURCE;
}

/* True if the slot is left out: no calls are counted in it. */
static inline bool publisher_slot_is_out(const struct proftop_slot *slot)
{
    return publisher_slot_kind(slot) >> PROFTOP_KIND_SHIFT == PROFTOP_RATE_NEVER;
}

/* Sets the slot's kind, and `ready` of publisher_block_ready(). The two may differ for a moment:
 * this is harmless, since the end checks the slot again. */
static inline void publisher_slot_put_kind(struct proftop_slot *slot, uint8_t *ready, uint32_t kind)
{
    __atomic_store_n(&slot->kind, (uint8_t)kind, __ATOMIC_RELEASE);
    if (ready != NULL)
        __atomic_store_n(ready, (uint8_t)(kind == PROFTOP_TIMED + 1), __ATOMIC_RELEASE);
}

/* Sets the sampling rate: one of 1 << k calls is timed. Under the feed's lock, for slots that were
 * touched. */
static inline void publisher_slot_set_rate(struct proftop_slot *slot, uint8_t *ready, unsigned k)
{
    uint8_t source = publisher_slot_kind(slot) & PROFTOP_KIND_SOURCE;
    if (source == PROFTOP_TIMED + 1 && k <= PUBLISHER_RATE_MAX && !publisher_slot_is_out(slot))
        publisher_slot_put_kind(slot, ready, source | k << PROFTOP_KIND_SHIFT);
}

/* Marks the extremes as stale: the next call starts them anew. By the feed's thread, at a reset. */
static inline void publisher_slot_reset(struct proftop_slot *slot)
{
    uint32_t source = publisher_source(publisher_slot_kind(slot));
    if (source == PROFTOP_TIMED + 1 || source == PROFTOP_GIVEN + 1)
        __atomic_store_n(&slot->stale, 1, __ATOMIC_RELEASE);
}

/* True if a trace wants an event of each call. Such a slot is not plain, so that its calls come to
 * the library. */
static inline bool publisher_slot_is_traced(const struct proftop_slot *slot)
{
    return __atomic_load_n(&slot->traced, __ATOMIC_RELAXED) != 0;
}

/* Begins or ends the events of a slot, if it counts single calls. By the feed's thread, or under
 * the feed's lock. */
static inline void publisher_slot_trace(struct proftop_slot *slot, bool on)
{
    uint32_t source = publisher_source(publisher_slot_kind(slot));
    if (source == PROFTOP_TIMED + 1 || source == PROFTOP_GIVEN + 1)
        __atomic_store_n(&slot->traced, on ? 1 : 0, __ATOMIC_RELEASE);
}

/* True if the next call of an apply is to be timed. */
static inline bool publisher_slot_is_turn(const struct proftop_slot *slot)
{
    return proftop_is_turn(publisher_load(&slot->calls), publisher_slot_kind(slot));
}

/* True if the next call of a function is to be timed. */
static inline bool publisher_slot_is_call_turn(const struct proftop_slot *slot)
{
    return proftop_is_call_turn(publisher_load(&slot->calls), publisher_slot_kind(slot));
}

/* Leaves the slot out, or counts in it again and times each call. Under the feed's lock. */
static inline void publisher_slot_choose(struct proftop_slot *slot, uint8_t *ready, bool counts)
{
    uint8_t source = publisher_slot_kind(slot) & PROFTOP_KIND_SOURCE;
    uint8_t rate = counts ? 0 : PROFTOP_RATE_NEVER;
    if (counts == publisher_slot_is_out(slot))
        publisher_slot_put_kind(slot, ready, source | rate << PROFTOP_KIND_SHIFT);
}

/* Initializes a slot at its first touch. `aux` is the address of its buckets, or 0. */
static inline void publisher_slot_touch(struct proftop_slot *slot, uint8_t *ready, uint32_t source,
                                        uint64_t aux)
{
    publisher_store(&slot->min, source == PROFTOP_SET ? 0 : UINT64_MAX);
    publisher_store(&slot->aux, aux);
    __atomic_store_n(&slot->cold, PROFTOP_COLD_FIRST, __ATOMIC_RELAXED);
    publisher_slot_put_kind(slot, ready, source + 1);
}

/* Histogram of the durations of an op's calls on one thread. A timed call is added one call later:
 * a slot's `last` is not in the buckets yet. */
struct publisher_buckets {
    uint32_t near[PUBLISHER_NEAR]; /* buckets that inlined code uses */
    uint32_t *far;                 /* PUBLISHER_FAR more; NULL until a duration is so long */
};

/* Returns the bucket of any duration. */
static inline uint64_t publisher_bucket(uint64_t duration)
{
    const uint64_t least = UINT64_C(1) << PROFTOP_BUCKET_LEAST;
    const uint64_t end = UINT64_C(1) << PUBLISHER_BUCKET_END;
    return proftop_quarter(duration < least ? least
                           : duration < end ? duration
                                            : end) -
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

/* Returns the count of bucket `at`, below PUBLISHER_COUNTED. For any thread. */
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

/* True if an extreme is outside of the near buckets. proftop_count() checks only new extremes for a
 * near bucket, so it must not count in this slot. */
static inline bool publisher_slot_is_far(const struct proftop_slot *slot)
{
    return !publisher_slot_is_given(slot) && (!proftop_has_bucket(publisher_load(&slot->min)) ||
                                              !proftop_has_bucket(publisher_load(&slot->max)));
}

/* Adds one timed call of any duration. */
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

/* Fast path of publisher_slot_add(): for a plain slot without buckets, and a call that is neither
 * the shortest nor the longest. Returns false, and adds nothing, in other cases. */
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

/* Adds one call of unknown duration. */
static inline void publisher_slot_add_untimed(struct proftop_slot *slot)
{
    uint64_t calls = publisher_load(&slot->calls) + 1;
    publisher_store(&slot->calls, calls);
    publisher_increment(&slot->untimed);
    __atomic_store_n(&slot->sequence, (uint32_t)calls, __ATOMIC_RELEASE);
}

#endif
