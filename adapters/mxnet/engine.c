/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * engine.c: begin and end of each operator that MXNet's threaded engines run, and their queue.
 *
 * An operator begins in ThreadedEngine::ExecuteOprBlock() and ends in OnCompleteStatic(), as for
 * MXNet's own profiler. Most operators end before ExecuteOprBlock() returns, on the same thread:
 * for these a frame on that function's stack is enough. An asynchronous operator ends later,
 * perhaps on another thread: its frame becomes an entry in the list of pending frames.
 *
 * One row counts each run once. Rows inside a run (push.c, node.c) count themselves. If one row of
 * the same op lies inside, it counts the run. If other rows lie inside, the run counts with the
 * time that they leave. The first such run of an op has no time, since it was not expected. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "adapters/mxnet/hooks.h"

/* -------------------------------------------------------------------------------------- pending
 * Operators that have left the thread that began them. There are few. */
struct pending {
    struct pending *next;
    const void *block;
    uint64_t stamp; /* of the begin; or of the end, if it came first */
    int is_over;
    struct row *row;
};
enum { PENDING_MOST = 4096 }; /* further operators are not counted */
static struct pending *pending;
static unsigned n_pending;
pthread_mutex_t pending_lock = PTHREAD_MUTEX_INITIALIZER;

/* Removes and returns the entry of a block in this state. The lock must be held. */
static struct pending *take_pending(const void *block, int is_over)
{
    for (struct pending **at = &pending; *at; at = &(*at)->next)
        if ((*at)->block == block && (*at)->is_over == is_over) {
            struct pending *found = *at;
            *at = found->next;
            n_pending--;
            return found;
        }
    return NULL;
}

/* Drops all entries. The hooks come or go, so their other side goes unnoticed. */
void pending_forget(void)
{
    pthread_mutex_lock(&pending_lock);
    while (pending) {
        struct pending *next = pending->next;
        free(pending);
        pending = next;
    }
    n_pending = 0;
    pthread_mutex_unlock(&pending_lock);
}

static void count(struct row *row, uint64_t stamps)
{
    struct proftop *feed = mxnet_feed();
    if (row && feed && row_is_current(row))
        proftop_record(feed, row_apply(row, ROW_GIVEN), clock_stamps_to_ns(stamps));
}

/* Takes the begin or the end of an operator that leaves its thread. Counts the operator when both
 * are known. */
static void pair(const void *block, struct row *row, uint64_t stamp, int is_over)
{
    pthread_mutex_lock(&pending_lock);
    struct pending *other = take_pending(block, !is_over);
    if (!other && n_pending < PENDING_MOST && (other = calloc(1, sizeof *other))) {
        n_pending++;
        *other = (struct pending){pending, block, stamp, is_over, row};
        pending = other;
        other = NULL;
    }
    pthread_mutex_unlock(&pending_lock);
    if (!other)
        return;
    uint64_t begin = is_over ? other->stamp : stamp, end = is_over ? stamp : other->stamp;
    struct row *counted = is_over ? other->row : row;
    count(counted, end > begin ? end - begin : 0);
    free(other);
}

/* ----------------------------------------------------------------------------------------- queue
 * Each thread keeps two sums: the stamps at which operators became ready, and the stamps at which
 * they started. The difference is their waiting time, so no operator needs an entry. An operator
 * that was ready before the hooks were installed must not count at its start. So READY_MARK says
 * that it was counted when it became ready, and BEGUN_MARK that it began in the hook. Both are
 * bytes of the block between two members that its compiler left unused. Count and sum of a thread
 * must be read together. */
enum { READY_MARK = 29, BEGUN_MARK = 30 };
static unsigned char mark = 1;

void queue_ready(char *block)
{
    struct thread *thread = thread_get();
    if (!thread)
        return;
    block[READY_MARK] = (char)mark;
    tally_add(&thread->ready, clock_stamp());
}

/* True if the operator was counted when it became ready. */
static int queue_knows(unsigned char *block)
{
    int known = block[READY_MARK] == mark;
    block[READY_MARK] = 0;
    return known;
}

/* --------------------------------------------------------------------------------------- frames */

void key_from_block(struct row_key *key, const char *block)
{
    const char *operator_ = layout_pointer(block, layout->block_operator);
    const int *device = (const int *)(const void *)(block + layout->block_device);
    key->function = function_kept(operator_);
    key->device_type = device[0];
    key->device_id = device[1];
    key->lane = *(const int *)(const void *)(operator_ + layout->operator_lane);
}

static struct row *row_of_block(const char *block)
{
    char room[1024];
    struct text name =
        string_at(layout_pointer(block, layout->block_operator), layout->operator_name);
    struct row_key key = {.op = text_stripped(name, room, sizeof room),
                          .kind = PROFTOP_IMPERATIVE};
    key_from_block(&key, block);
    if (key.function >= FUNCTIONS_FIXED)
        key.kind = PROFTOP_SYMBOLIC;
    return row_of(&key);
}

void frame_begin(struct frame *frame, char *block)
{
    struct thread *thread = thread_get();
    *frame = (struct frame){.block = block, .begun = PROFTOP_NONE};
    frame->feed = mxnet_feed();
    if (!thread) {
        frame->ended = 1;
        return;
    }
    frame->outer = thread->frame;
    thread->frame = frame;
    frame->queued = (uint8_t)queue_knows((unsigned char *)block);
    block[BEGUN_MARK] = (char)mark;
    frame->row = frame->feed ? row_of_block(block) : NULL;
    int holds = frame->row ? frame->row->op->holds : HOLDS_OTHERS;
    frame->sums = holds == HOLDS_OTHERS;
    if (holds == HOLDS_NOTHING) {
        frame->begun = row_apply(frame->row, ROW_TIMED);
        frame->token = proftop_begin(frame->feed, frame->begun);
        frame_starts(thread, frame, stamp_of(frame->token));
    } else if (holds == HOLDS_OTHERS) {
        frame_starts(thread, frame, clock_stamp());
    }
}

/* Cancels a begin: the row is counted in another way. */
static void frame_forget(struct frame *frame)
{
    if (frame->begun != PROFTOP_NONE)
        proftop_fail(frame->feed, frame->begun, frame->token);
    frame->begun = PROFTOP_NONE;
}

/* Counts a run without a time. */
static void count_untimed(struct row *row)
{
    struct proftop *feed = mxnet_feed();
    struct proftop_token token = {PROFTOP_UNTIMED, 0};
    if (feed && row_is_current(row))
        proftop_end(feed, row_apply(row, ROW_TIMED), token);
}

/* Counts the run, unless a row of the same op inside counts it. Other rows inside leave the run its
 * own time. */
static void frame_count(struct frame *frame, uint64_t now)
{
    struct row *row = frame->row;
    if (frame->rows_inside == 0 && frame->begun != PROFTOP_NONE) {
        proftop_end(frame->feed, frame->begun, frame->token);
        return;
    }
    frame_forget(frame);
    if (!row || (frame->rows_inside == 1 && frame->within == row->op->plain))
        return;
    if (frame->start == 0 || (frame->rows_inside > 0 && !frame->sums)) {
        row->op->holds = HOLDS_OTHERS; /* from now on */
        count_untimed(row);
        return;
    }
    uint64_t stamps = now - frame->start;
    count(row, stamps > frame->inside ? stamps - frame->inside : 0);
}

/* Removes the frame from its thread. Later runs of the thread are not inside it. */
static void frame_pop(struct frame *frame, uint64_t now)
{
    struct frame *outer = frame->outer;
    thread_now->frame = outer;
    frame->ended = 1;
    if (frame->start == 0)
        frame_starts(thread_now, frame, now);
    if (!outer)
        return;
    outer->inside += now - frame->start;
    outer->rows_inside += frame->rows_inside > 0 ? frame->rows_inside : 1;
    outer->within = frame->rows_inside == 1 ? frame->within
                    : frame->row            ? frame->row->op->plain
                                            : NULL;
}

/* Called when ExecuteOprBlock() returns. */
void frame_leave(struct frame *frame)
{
    if (frame->ended)
        return;
    frame_forget(frame);
    frame_pop(frame, clock_stamp());
    if (frame->row)
        frame->row->op->holds = HOLDS_OTHERS;
    pair(frame->block, frame->row, frame->start, 0);
}

/* Counts the current run of this frame as this row. */
void frame_set_row(struct frame *frame, struct row *row)
{
    if (frame->ended)
        return;
    frame_forget(frame);
    if (frame->start == 0)
        frame_starts(thread_now, frame, clock_stamp());
    frame->row = row;
}

/* Called when OnCompleteStatic() is called. */
void frame_complete(const void *block)
{
    struct frame *frame = thread_now ? thread_now->frame : NULL;
    if (!frame || frame->block != block) {
        if (((const unsigned char *)block)[BEGUN_MARK] == mark)
            pair(block, NULL, clock_stamp(), 1);
        return;
    }
    /* A run that is counted by begin and end, or by a row inside, needs no clock here. */
    int counted = frame->begun != PROFTOP_NONE || frame->rows_inside > 0;
    int needs = frame->outer || frame->start == 0 || frame->sums || !counted;
    uint64_t now = needs ? clock_stamp() : frame->start;
    frame_count(frame, now);
    frame_pop(frame, now);
}

/* Adds count and sum of one thread, read together. */
static void tally_read(struct tally *tally, uint64_t *count, uint64_t *sum)
{
    uint64_t now, then, stamps;
    int tries = 0;
    do {
        now = atomic_load_explicit(&tally->count, memory_order_acquire);
        stamps = atomic_load_explicit(&tally->sum, memory_order_acquire);
        then = atomic_load_explicit(&tally->begun, memory_order_relaxed);
    } while (now != then && ++tries < 10000);
    *count += now;
    *sum += stamps;
}

struct sums {
    uint64_t ready, ready_sum, started, started_sum;
};

static struct sums sum_up(void)
{
    struct sums sums = {0, 0, 0, 0};
    /* The started ones come first: each operator was ready before it was started. */
    for (struct thread *thread = thread_first(); thread; thread = thread->next)
        tally_read(&thread->started, &sums.started, &sums.started_sum);
    for (struct thread *thread = thread_first(); thread; thread = thread->next)
        tally_read(&thread->ready, &sums.ready, &sums.ready_sum);
    return sums;
}

/* The sums when the hooks were last installed, or when this process was forked. */
static struct sums base;

void queue_begin(void)
{
    mark = mark == 255 ? 1 : mark + 1;
    base = sum_up();
}

struct queue_state queue_state(void)
{
    struct sums sums = sum_up();
    struct queue_state state = {sums.ready - base.ready, sums.started - base.started, 0};
    uint64_t waiting = state.ready > state.started ? state.ready - state.started : 0;
    state.wait_stamps = sums.started_sum - base.started_sum + waiting * clock_stamp() -
                        (sums.ready_sum - base.ready_sum);
    return state;
}

/* ---------------------------------------------------------------------------------------- hooks */

void (*execute_1_original)(void *, struct by_value_32, char *);
void execute_1(void *self, struct by_value_32 context, char *block)
{
    __attribute__((cleanup(frame_leave))) struct frame frame;
    frame_begin(&frame, block);
    execute_1_original(self, context, block);
}

void (*execute_2_original)(void *, struct by_value_32, char *, struct by_value_24,
                           struct by_value_24);
void execute_2(void *self, struct by_value_32 context, char *block, struct by_value_24 on_start,
               struct by_value_24 on_complete)
{
    __attribute__((cleanup(frame_leave))) struct frame frame;
    frame_begin(&frame, block);
    execute_2_original(self, context, block, on_start, on_complete);
}

void (*complete_original)(void *, void *, const void *);
void complete(void *engine, void *block, const void *error)
{
    frame_complete(block);
    complete_original(engine, block, error);
}

void (*ready_pooled_original)(void *, char *, _Bool);
void ready_pooled(void *self, char *block, _Bool pusher)
{
    queue_ready(block);
    ready_pooled_original(self, block, pusher);
}

void (*ready_per_device_original)(void *, char *, _Bool);
void ready_per_device(void *self, char *block, _Bool pusher)
{
    queue_ready(block);
    ready_per_device_original(self, block, pusher);
}
