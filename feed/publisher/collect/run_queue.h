/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * run_queue.h: how long the program's threads waited for a processor that something else had, as
 * the kernel counts it. Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_COLLECT_RUN_QUEUE_H
#define FEED_PUBLISHER_COLLECT_RUN_QUEUE_H

#include <stdint.h>

#include "feed/shared/schedstat.h"

struct publisher_core;

/* What was read of a thread last. Zero: nothing. */
struct publisher_schedstat_seen {
    uint64_t tid;
    struct shared_schedstat turns;
};

struct publisher_run_queue {
    struct shared_schedstat sum; /* of threads that counted something lately, while they did */
    double ran, waits, turns; /* the same lately: of the past ever less */
    double waited, square; /* mean wait for each ns that calls ran lately, and its variance */
    uint32_t read; /* in this tick */
};

/* Reads what threads did since the last time, and learns it. Nothing is known where the kernel does
 * not tell. Of many threads not in each tick. */
void publisher_run_queue_tick(struct publisher_run_queue *queue, struct publisher_core *core,
                              uint32_t tick);

/* Adds what several threads did since the last time. */
void publisher_run_queue_learn(struct publisher_run_queue *queue,
                               const struct shared_schedstat *more);

#endif
