/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * clock.h: the monotonic clock, as the tests read it.
 */
#ifndef TESTS_FEED_CLOCK_H
#define TESTS_FEED_CLOCK_H

#include <stdint.h>
#include <time.h>

#define TEST_SECOND_NS UINT64_C(1000000000)
#define TEST_MS_NS     UINT64_C(1000000)
#define TEST_MONTH_NS  (30 * 24 * 3600 * TEST_SECOND_NS)

static inline uint64_t test_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * TEST_SECOND_NS + (uint64_t)now.tv_nsec;
}

#endif
