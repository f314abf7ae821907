/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * clock.h: the clocks of the system. Timed intervals have a faster one where there is one: ticks.h.
 */
#ifndef FEED_CLOCK_H
#define FEED_CLOCK_H

#include <stdint.h>
#include <time.h>

#define FEED_SECOND_NS UINT64_C(1000000000)
#define FEED_MS_NS     UINT64_C(1000000)

/* Longer intervals are not believed. */
#define FEED_ABSURD_NS (UINT64_C(30) * 24 * 3600 * FEED_SECOND_NS)

static inline uint64_t feed_clock_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * FEED_SECOND_NS + (uint64_t)now.tv_nsec;
}

static inline uint64_t feed_clock_ns(void)
{
    return feed_clock_of(CLOCK_MONOTONIC);
}

static inline uint64_t feed_clock_wall_ns(void)
{
    return feed_clock_of(CLOCK_REALTIME);
}

#endif
