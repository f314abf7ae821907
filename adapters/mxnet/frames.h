/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * frames.h: the state of each thread, and the operator that it runs.
 */
#ifndef PROFTOP_MXNET_FRAMES_H
#define PROFTOP_MXNET_FRAMES_H

#include "adapters/mxnet/clock.h"
#include "adapters/mxnet/rows.h"

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

enum { CACHE = 1024, API_ROWS = 64, API_DEPTH = 16, CUSTOM_DEPTH = 8 };

struct thread {
    /* The innermost operator that this thread runs, or NULL. */
    struct frame *frame;
    /* Function and node to which the operators that this thread pushes belong. */
    unsigned function;
    int in_push; /* inside PushSync(), which may call PushAsync() */
    const char *attributes;
    void *const *inputs, *const *outputs; /* vectors of NDArray pointers */
    /* The queue: numbers of operators that became ready on this thread and that this thread
     * started, and the sums of their stamps. Other threads read them. */
    struct tally {
        _Atomic uint64_t begun, sum, count; /* begun differs from count only during a change */
    } ready, started;
    struct api_call {
        struct proftop_token token;
        proftop_id apply; /* PROFTOP_NONE: the call is not counted */
    } api[API_DEPTH];
    unsigned api_depth, api_attached; /* open calls; hooks_attached when they began */
    /* Custom operators whose Python code this thread runs. */
    struct custom_call {
        struct proftop_token token;
        proftop_id apply;
        unsigned feeds; /* number of the feed of `apply` */
        struct text name;
    } custom[CUSTOM_DEPTH];
    unsigned custom_depth;
    unsigned feeds; /* number of the feed of the caches */
    struct {
        uint64_t hash;
        struct row *row;
    } cache[CACHE];
    struct {
        const char *name; /* a constant of MXNet, so its address is its key */
        struct row *row;
    } api_rows[API_ROWS];
    struct thread *next; /* list of all threads */
    _Atomic int taken;
};

/* The calling thread's state, or NULL if out of memory. */
struct thread *thread_state(void);
extern __thread struct thread *thread_now __attribute__((tls_model("initial-exec")));
static inline struct thread *thread_get(void)
{
    return thread_now ? thread_now : thread_state();
}
struct thread *thread_first(void); /* all threads, including ended ones */

/* The custom operator whose Python code this thread runs; empty: none. */
static inline struct text thread_custom(const struct thread *thread)
{
    unsigned depth = thread->custom_depth;
    return depth > 0 && depth <= CUSTOM_DEPTH ? thread->custom[depth - 1].name
                                              : (struct text){"", 0};
}

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
