/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * run_queue.h: how long the program's threads waited for a processor that something else had, as
 * the kernel counts it. Used by the feed's thread alone.
 */
#ifndef FEED_RUNQUEUE_H
#define FEED_RUNQUEUE_H

#include <stdint.h>

#include "feed/shared/schedstat.h"

struct feed_core;

/* What was read of a thread last. Zero: nothing. */
struct feed_turns_seen {
    uint64_t tid;
    struct feed_turns turns;
};

struct feed_runqueue {
    struct feed_turns sum; /* of threads that counted something lately, while they did */
    double ran, waits, turns; /* the same lately: of the past ever less */
    double waited, square; /* mean wait for each ns that calls ran lately, and its variance */
    uint32_t read; /* in this tick */
};

/* Reads what threads did since the last time, and learns it. Nothing is known where the kernel does
 * not tell. Of many threads not in each tick. */
void feed_runqueue_tick(struct feed_runqueue *queue, struct feed_core *core, uint32_t tick);

/* Adds what several threads did since the last time. */
void feed_runqueue_learn(struct feed_runqueue *queue, const struct feed_turns *more);

#endif
