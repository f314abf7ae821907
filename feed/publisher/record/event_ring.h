/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * event_ring.h: the events of a trace, from the threads of the program to the feed's thread. Each
 * thread has a ring of its own while a trace runs. A full ring drops the newest event and counts
 * it: no thread waits, and none allocates. Without a trace nothing here runs.
 */
#ifndef FEED_PUBLISHER_RECORD_EVENT_RING_H
#define FEED_PUBLISHER_RECORD_EVENT_RING_H

#include "feed/publisher/record/core.h"

enum {
    PUBLISHER_RING_LEAST = 1 << 10, /* places of a ring, */
    PUBLISHER_RING_MOST = 1 << 18,
    PUBLISHER_RINGS_BYTES = 64 << 20, /* and bytes of all rings of a feed, at most */
    PUBLISHER_RING_PART = 16,         /* a later ring takes one in so many of the bytes left */
};
_Static_assert(WIRE_THREADS_MAX < 1 << 24, "an event holds the number of any thread");

/* Kinds of events. `value` is a duration, except for counters. */
enum publisher_traced_kind {
    PUBLISHER_TRACED_APPLY, /* timed by the block's clock */
    PUBLISHER_TRACED_GIVEN, /* of an apply: the program gave the duration, in ns */
    PUBLISHER_TRACED_CALL,  /* of a function */
    PUBLISHER_TRACED_VALUE, /* of a counter or pool: the bits of its value */
};

struct publisher_traced {
    uint64_t at; /* its end, or the update, by the block's clock; without PUBLISHER_TICKS_NS */
    uint64_t value;
    uint32_t id;
    uint32_t kind : 8;
    uint32_t thread_plus_1 : 24; /* definition of its thread; 0: none. A block may pass to another
                                    thread before its events are read */
};

/* One writer, the thread of the block; one reader, the feed's thread. */
struct publisher_event_ring {
    _Atomic uint64_t made, taken; /* events ever written, and read */
    _Atomic uint64_t dropped;     /* events that found the ring full */
    uint64_t seen_dropped;        /* the reader's own */
    uint32_t places;
    struct publisher_traced event[];
};

/* Size of a ring in bytes. */
size_t publisher_event_ring_bytes(uint32_t places);

/* Returns the ring of a block, or NULL. By the feed's thread, or under the feed's lock. */
static inline struct publisher_event_ring *publisher_block_ring(const struct publisher_block *block)
{
    return atomic_load_explicit(&block->ring, memory_order_acquire);
}

/* Maps the ring of a block while a trace runs and the memory of rings lasts; else does nothing.
 * Under the feed's lock. */
void publisher_event_ring_give(struct publisher_core *core, struct publisher_block *block);

/* Takes the ring from a block and frees it. Returns false if the thread is writing to it: try
 * again. Under the feed's lock, by the feed's thread. */
bool publisher_event_ring_take(struct publisher_block *block);

/* Unmaps a ring. NULL: does nothing. */
void publisher_event_ring_free(struct publisher_event_ring *ring);

/* Adds an event to the ring of the calling thread's block. Without a ring, counts it as unkept. */
void publisher_event_add(struct publisher_block *block, enum publisher_traced_kind kind,
                         uint32_t id, uint64_t at, uint64_t value);

#endif
