/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * runqueue.c: reads /proc/self/task/TID/schedstat.
 */
#include "config.h"

#include "runqueue.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "core.h"

enum {
    LATELY = 20,   /* ticks */
    THREADS = 16,  /* read in each tick; twice as many in each second one, and so on */
};

bool feed_turns_parse(const char *text, struct feed_turns *turns)
{
    return sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &turns->ran_ns, &turns->waited_ns,
                  &turns->turns) == 3;
}

static bool read_turns(uint64_t tid, struct feed_turns *turns)
{
    char path[64], text[80];
    snprintf(path, sizeof path, "/proc/self/task/%" PRIu64 "/schedstat", tid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[size < 0 ? 0 : size] = '\0';
    return feed_turns_parse(text, turns);
}

static bool moved_lately(const struct feed_block *block, uint32_t tick)
{
    return block->moved != 0 && tick - block->moved <= LATELY;
}

/* Whether a thread ran applies lately. If none did, the program may count calls alone. */
static bool any_moved(const struct feed_block *block, uint32_t tick)
{
    while (block != NULL && !moved_lately(block, tick))
        block = block->next;
    return block != NULL;
}

/* 0: none that is known. */
static uint64_t thread_of(const struct feed_core *core, const struct feed_block *block)
{
    const uint32_t defined = atomic_load_explicit(&block->defined, memory_order_acquire);
    if (defined == 0)
        return 0;
    return ((const struct feed_thread_row *)feed_book_row(&core->book, FEED_T_THREAD, defined - 1))
        ->tid;
}

/* A call that runs for V ns is kept off its processor V * turns / ran times. For waits that differ
 * as much as they are long, the mean square is twice the square of the mean. */
void feed_runqueue_learn(struct feed_runqueue *queue, const struct feed_turns *more)
{
    const double keep = 0.8; /* most of the last second */
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

void feed_runqueue_tick(struct feed_runqueue *queue, struct feed_core *core, uint32_t tick)
{
    struct feed_turns more = {0};
    if (tick % (1 + queue->read / THREADS) != 0)
        return;
    queue->read = 0;
    struct feed_block *block = atomic_load_explicit(&core->blocks, memory_order_acquire);
    const bool all = !any_moved(block, tick);
    for (; block != NULL; block = block->next) {
        const uint64_t tid = all || moved_lately(block, tick) ? thread_of(core, block) : 0;
        struct feed_turns_seen now = {.tid = tid}, *was = &block->turns;
        if (tid == 0 || !read_turns(tid, &now.turns))
            now.tid = 0;
        else if (was->tid == tid && now.turns.ran_ns >= was->turns.ran_ns &&
                 now.turns.waited_ns >= was->turns.waited_ns &&
                 now.turns.turns >= was->turns.turns) { /* less: another thread of that number */
            more.ran_ns += now.turns.ran_ns - was->turns.ran_ns;
            more.waited_ns += now.turns.waited_ns - was->turns.waited_ns;
            more.turns += now.turns.turns - was->turns.turns;
        }
        queue->read += tid != 0;
        *was = now;
    }
    feed_runqueue_learn(queue, &more);
}
