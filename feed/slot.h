/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * slot.h: what one thread has counted of one apply or function, and the block that holds all slots
 * of a thread. A slot has one writer, its thread; the feed's thread reads it without a lock.
 */
#ifndef FEED_SLOT_H
#define FEED_SLOT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "limit.h"

enum {
    FEED_CHUNK = 1024, /* slots that are mapped at once */
    FEED_CHUNK_SHIFT = 10,
    FEED_READ_TRIES = 100, /* then the reader keeps what it knew */
    FEED_STAMP_TICKS = 4,  /* a stamp counts 0.4 s; it wraps after 77 days */
};

/* The tables of slots in a block. */
enum feed_kind {
    FEED_APPLIES,
    FEED_CALLS, /* of functions */
    FEED_VM,    /* of functions: time in the virtual machine */
    FEED_KINDS
};

/* flags: the low byte is enum proftop_source plus 1, 0 for a slot that nobody touched; above it a
 * stamp of the last call, by which the reader tells whose call was the last of all threads. */
#define FEED_FLAG_SOURCE UINT32_C(0xff)
#define FEED_FLAG_STAMP  UINT32_C(0xffffff00)

enum { FEED_KNOWN_CALLS = 1, FEED_KNOWN_NS = 2 };

struct feed_slot {
    _Atomic uint64_t calls;
    _Atomic uint64_t total;    /* ns of the timed calls */
    _Atomic uint64_t min, max; /* of a PROFTOP_SET row: calls and ns before its source fell */
    _Atomic uint64_t timed;
    _Atomic uint64_t aux;  /* apply: place of the histogram; function: a call is open since, or 0 */
    _Atomic uint64_t last; /* of a PROFTOP_SET row: FEED_KNOWN_ bits */
    _Atomic uint32_t sequence; /* odd while the slot is being written */
    _Atomic uint32_t flags;
};
_Static_assert(sizeof(struct feed_slot) == 64, "a slot is one cache line");

/* A consistent copy of a slot. */
struct feed_count {
    uint64_t calls, total, min, max, timed, last;
    uint32_t flags;
};

/* All slots of one thread of one feed. Blocks of threads that ended are used again, so memory
 * follows the largest number of threads at one time. */
struct feed_block {
    uint64_t feed;               /* serial number of the feed */
    struct feed_block *next_own; /* next block of the same thread, of another feed; its own */
    struct feed_block *next;     /* next block of the feed */
    bool busy;                   /* a living thread writes here; under the lock of all feeds */
    bool orphan;                 /* the feed is closed, its thread frees it; same lock */
    _Atomic uint32_t thread;     /* serial number of the thread, from 1; differs after reuse */
    _Atomic uint32_t defined;    /* id of its row of definitions plus 1, or 0 */
    _Atomic uint32_t now_sequence;
    _Atomic uint32_t now_apply; /* plus 1; 0: none */
    _Atomic uint64_t now_since;
    _Atomic uint64_t ended; /* begin of an interval that ended out of order or elsewhere */
    _Atomic uint64_t dropped, invalid, misuse;
    _Atomic(struct feed_slot *) applies[WIRE_APPLIES_MAX / FEED_CHUNK];
    _Atomic(struct feed_slot *) calls[WIRE_FUNCTIONS_MAX / FEED_CHUNK];
    _Atomic(struct feed_slot *) vm[WIRE_FUNCTIONS_MAX / FEED_CHUNK];
};

/* Maps a block. NULL when out of memory. */
struct feed_block *feed_block_new(uint64_t feed);
/* Takes it: unmaps it and its chunks. */
void feed_block_free(struct feed_block *block);

/* The place of chunk `at` of a kind; NULL if there is no such place. */
_Atomic(struct feed_slot *) *feed_block_place(struct feed_block *block, enum feed_kind kind,
                                              uint32_t at);

/* The slot of an id, mapped if need be. NULL when out of memory. Writer's side. */
struct feed_slot *feed_block_slot(struct feed_block *block, enum feed_kind kind, uint32_t id);

/* Reads a slot. False if its writer was at it each time. */
bool feed_slot_read(const struct feed_slot *slot, struct feed_count *count);

/* What the thread of a block runs now. False: nothing, or it can't be read now. */
bool feed_block_now(const struct feed_block *block, uint32_t *apply, uint64_t *since);

/* Adds to a counter that has one writer: no locked instruction. */
static inline void feed_bump(_Atomic uint64_t *counter)
{
    uint64_t was = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, was + 1, memory_order_relaxed);
}

static inline uint64_t feed_get(const _Atomic uint64_t *value)
{
    return atomic_load_explicit(value, memory_order_relaxed);
}

static inline void feed_put(_Atomic uint64_t *value, uint64_t to)
{
    atomic_store_explicit(value, to, memory_order_release);
}

/* Opens a slot for writing. A thread that died inside leaves it odd: that is mended here. */
static inline uint32_t feed_slot_open(struct feed_slot *slot)
{
    uint32_t odd = atomic_load_explicit(&slot->sequence, memory_order_relaxed) | 1;
    atomic_store_explicit(&slot->sequence, odd, memory_order_relaxed);
    return odd;
}

static inline void feed_slot_close(struct feed_slot *slot, uint32_t odd)
{
    atomic_store_explicit(&slot->sequence, odd + 1, memory_order_release);
}

/* One timed call of `ns`; `stamp` as in flags. */
static inline void feed_slot_add(struct feed_slot *slot, uint64_t ns, uint32_t stamp)
{
    uint64_t timed = feed_get(&slot->timed);
    uint32_t flags = atomic_load_explicit(&slot->flags, memory_order_relaxed) & FEED_FLAG_SOURCE;
    uint32_t odd = feed_slot_open(slot);
    feed_put(&slot->calls, feed_get(&slot->calls) + 1);
    feed_put(&slot->total, feed_get(&slot->total) + ns);
    feed_put(&slot->timed, timed + 1);
    feed_put(&slot->last, ns);
    if (timed == 0 || ns < feed_get(&slot->min))
        feed_put(&slot->min, ns);
    if (ns > feed_get(&slot->max))
        feed_put(&slot->max, ns);
    atomic_store_explicit(&slot->flags, flags | stamp, memory_order_release);
    feed_slot_close(slot, odd);
}

/* One call whose time is not known. */
static inline void feed_slot_add_untimed(struct feed_slot *slot)
{
    uint32_t odd = feed_slot_open(slot);
    feed_put(&slot->calls, feed_get(&slot->calls) + 1);
    feed_slot_close(slot, odd);
}

/* Says what the thread runs now: apply plus 1, or 0. */
static inline void feed_block_set_now(struct feed_block *block, uint32_t apply, uint64_t since)
{
    uint32_t odd = atomic_load_explicit(&block->now_sequence, memory_order_relaxed) | 1;
    atomic_store_explicit(&block->now_sequence, odd, memory_order_relaxed);
    atomic_store_explicit(&block->now_apply, apply, memory_order_release);
    atomic_store_explicit(&block->now_since, since, memory_order_release);
    atomic_store_explicit(&block->now_sequence, odd + 1, memory_order_release);
}

#endif
