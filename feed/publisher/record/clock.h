/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * clock.h: reads the system's clocks. ticks.h has a faster clock for timed intervals.
 */
#ifndef FEED_PUBLISHER_RECORD_CLOCK_H
#define FEED_PUBLISHER_RECORD_CLOCK_H

#include <stdint.h>
#include <time.h>

#define PUBLISHER_SECOND_NS UINT64_C(1000000000)
#define PUBLISHER_MS_NS     UINT64_C(1000000)

/* Longer intervals are taken as errors. */
#define PUBLISHER_ABSURD_NS (UINT64_C(30) * 24 * 3600 * PUBLISHER_SECOND_NS)

static inline uint64_t publisher_clock_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * PUBLISHER_SECOND_NS + (uint64_t)now.tv_nsec;
}

static inline uint64_t publisher_clock_ns(void)
{
    return publisher_clock_of(CLOCK_MONOTONIC);
}

static inline uint64_t publisher_clock_wall_ns(void)
{
    return publisher_clock_of(CLOCK_REALTIME);
}

#endif
