/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * frames.h: the operators that a thread runs.
 */
#ifndef PROFTOP_MXNET_FRAMES_H
#define PROFTOP_MXNET_FRAMES_H

#include "adapters/mxnet/clock.h"
#include "adapters/mxnet/rows.h"
#include "adapters/mxnet/state.h"

/* One run of an operator of the engine, on the stack of the thread that runs it. */
struct frame {
    struct frame *outer;
    const void *block;
    struct row *row;          /* NULL: the run is not counted */
    const struct op *within;  /* op of the last row counted inside */
    uint64_t start;           /* stamp; 0 until the first row inside begins */
    uint64_t inside;          /* stamps of the rows inside, if summed */
    uint32_t rows_inside;     /* number of rows inside */
    uint8_t sums;             /* sum the time of the rows inside */
    uint8_t queued;           /* its start is not yet counted for the queue */
    uint8_t ended;            /* OnCompleteStatic() was called */
    proftop_id begun;         /* apply whose `token` is open, or PROFTOP_NONE */
    struct proftop *feed;
    struct proftop_token token;
};

/* Reading the clock is a third of the cost of a hook, so the stamp of proftop_begin() is reused. */
static inline uint64_t stamp_of(struct proftop_token token)
{
    int is_stamp = clock_is_processor && token.start > PROFTOP_UNTIMED && token.start >> 63 == 0;
    return is_stamp ? token.start : clock_stamp();
}

/* Called by one thread only; other threads may read meanwhile. */
static inline void tally_add(struct tally *tally, uint64_t stamp)
{
    uint64_t count = atomic_load_explicit(&tally->count, memory_order_relaxed) + 1;
    uint64_t sum = atomic_load_explicit(&tally->sum, memory_order_relaxed) + stamp;
    atomic_store_explicit(&tally->begun, count, memory_order_relaxed);
    atomic_store_explicit(&tally->sum, sum, memory_order_release);
    atomic_store_explicit(&tally->count, count, memory_order_release);
}

/* Counts the start of an operator that was counted when it became ready. */
static inline void queue_started(struct thread *thread, uint64_t stamp)
{
    tally_add(&thread->started, stamp);
}

/* Sets the start of a frame's operator: it began at this stamp, or before. */
static inline void frame_starts(struct thread *thread, struct frame *frame, uint64_t stamp)
{
    frame->start = stamp;
    if (frame->queued)
        queue_started(thread, stamp);
    frame->queued = 0;
}

/* A row that is counted by begin and end on this thread. */
struct leaf {
    struct proftop *feed;
    struct row *row;
    proftop_id apply;
    struct proftop_token token;
    uint64_t start; /* stamp if the frame needs it; else 0 */
};
static inline void leaf_begin(struct leaf *leaf, struct row *row)
{
    struct frame *frame = thread_now ? thread_now->frame : NULL;
    leaf->feed = row && row_is_current(row) ? mxnet_feed() : NULL;
    leaf->row = row;
    if (!leaf->feed)
        return;
    leaf->apply = row_apply(row, ROW_TIMED);
    leaf->token = proftop_begin(leaf->feed, leaf->apply);
    leaf->start = frame && (frame->sums || frame->start == 0) ? stamp_of(leaf->token) : 0;
    if (frame && frame->start == 0)
        frame_starts(thread_now, frame, leaf->start);
}
static inline void leaf_end(struct leaf *leaf)
{
    struct frame *frame = thread_now ? thread_now->frame : NULL;
    if (!leaf->feed)
        return;
    proftop_end(leaf->feed, leaf->apply, leaf->token);
    leaf->feed = NULL;
    if (!frame)
        return;
    if (frame->sums && leaf->start)
        frame->inside += clock_stamp() - leaf->start;
    frame->rows_inside++;
    frame->within = leaf->row->op->plain;
}
/* For __attribute__((cleanup)): a C++ exception passed through. */
static inline void leaf_drop(struct leaf *leaf)
{
    if (leaf->feed)
        proftop_fail(leaf->feed, leaf->apply, leaf->token);
}

#endif
