/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * schedstat.h: how long a thread ran and waited for a processor, from the kernel.
 */
#ifndef FEED_SHARED_SCHEDSTAT_H
#define FEED_SHARED_SCHEDSTAT_H

#include <stdbool.h>
#include <stdint.h>

/* For one thread, since it began; for several, sums. */
struct shared_schedstat {
    uint64_t ran_ns;    /* on a processor */
    uint64_t waited_ns; /* ready to run, without a processor; a wait counts once it is over */
    uint64_t turns;     /* how often it got a processor */
};

/* Reads the figures of a thread of this process (`pid` 0) or another one. A process in a pid
 * namespace without its own /proc has another number in /proc than getpid() returns. False: the
 * kernel does not count, or the thread is gone. */
bool shared_schedstat_read(uint64_t pid, uint64_t tid, struct shared_schedstat *turns);

#endif
