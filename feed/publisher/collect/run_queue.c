/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * run_queue.c: adds up the scheduler turns of threads that count something.
 */
#include "config.h"

#include "feed/publisher/collect/run_queue.h"

enum {
    LATELY = 20,  /* ticks */
    THREADS = 16, /* read in each tick; if there are more, in each second tick, and so on */
};

static bool moved_lately(const struct publisher_block *block, uint32_t tick)
{
    return block->moved != 0 && tick - block->moved <= LATELY;
}

/* True if a thread ran applies lately. If none did, the program may count function calls alone. */
static bool any_moved(const struct publisher_block *block, uint32_t tick)
{
    while (block != NULL && !moved_lately(block, tick))
        block = block->next;
    return block != NULL;
}

/* Returns the kernel's id of a block's thread; 0: unknown. */
static uint64_t thread_of(const struct publisher_core *core, const struct publisher_block *block)
{
    const uint32_t defined = atomic_load_explicit(&block->defined, memory_order_acquire);
    if (defined == 0)
        return 0;
    return ((const struct publisher_thread_row *)publisher_definitions_row(
                &core->definitions, PUBLISHER_DEF_THREAD, defined - 1))
        ->tid;
}

/* A call that runs for V ns waits for a processor V * turns / ran times. If the standard deviation
 * of waits equals their mean, their mean square is twice the square of the mean. */
void publisher_run_queue_learn(struct publisher_run_queue *queue,
                               const struct shared_schedstat *more)
{
    const double keep = 0.8; /* the last second has most of the weight */
    queue->sum.ran_ns += more->ran_ns;
    queue->sum.waited_ns += more->waited_ns;
    queue->sum.turns += more->turns;
    queue->ran = keep * queue->ran + (double)more->ran_ns;
    queue->waits = keep * queue->waits + (double)more->waited_ns;
    queue->turns = keep * queue->turns + (double)more->turns;
    const double turns = queue->turns < 1 ? 1 : queue->turns;
    queue->waited = queue->ran > 0 ? queue->waits / queue->ran : 0;
    queue->square = 2 * queue->waits * queue->waited / turns;
}

/* A counter that falls belongs to another thread, which got the id of an ended one. */
static bool is_same(const struct publisher_schedstat_seen *was,
                    const struct publisher_schedstat_seen *now)
{
    return was->tid == now->tid && now->turns.ran_ns >= was->turns.ran_ns &&
           now->turns.waited_ns >= was->turns.waited_ns && now->turns.turns >= was->turns.turns;
}

void publisher_run_queue_tick(struct publisher_run_queue *queue, struct publisher_core *core,
                              uint32_t tick)
{
    struct shared_schedstat more = {0};
    if (tick % (1 + queue->read / THREADS) != 0)
        return;
    queue->read = 0;
    struct publisher_block *block = atomic_load_explicit(&core->blocks, memory_order_acquire);
    const bool all = !any_moved(block, tick);
    for (; block != NULL; block = block->next) {
        const uint64_t tid = all || moved_lately(block, tick) ? thread_of(core, block) : 0;
        struct publisher_schedstat_seen now = {.tid = tid}, *was = &block->turns;
        if (tid == 0 || !shared_schedstat_read(0, tid, &now.turns))
            now = (struct publisher_schedstat_seen){0};
        else if (is_same(was, &now)) {
            more.ran_ns += now.turns.ran_ns - was->turns.ran_ns;
            more.waited_ns += now.turns.waited_ns - was->turns.waited_ns;
            more.turns += now.turns.turns - was->turns.turns;
        }
        queue->read += tid != 0;
        *was = now;
    }
    publisher_run_queue_learn(queue, &more);
}
