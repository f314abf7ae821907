/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * run_queue.h: how long the program's threads waited for a processor, by the kernel's count. Used
 * by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_COLLECT_RUN_QUEUE_H
#define FEED_PUBLISHER_COLLECT_RUN_QUEUE_H

#include <stdint.h>

#include "feed/publisher/record/core.h"

struct publisher_run_queue {
    struct shared_schedstat sum; /* of threads while they were counting */
    double ran, waits, turns;    /* the same, with the past decayed */
    double waited, square;       /* recent mean wait for each ns that calls ran, and its variance */
    uint32_t read;               /* threads read in the last reading tick */
};

/* Reads the turns of threads since the last call, and adds them. The values stay unknown where the
 * kernel provides none. Many threads are not read in each tick. */
void publisher_run_queue_tick(struct publisher_run_queue *queue, struct publisher_core *core,
                              uint32_t tick);

/* Adds the turns of several threads since the last call. */
void publisher_run_queue_learn(struct publisher_run_queue *queue,
                               const struct shared_schedstat *more);

#endif
