/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * two_clocks.h: the least cost of timing a call, to compare with the overhead that a feed reports.
 */
#ifndef TESTS_FEED_TWO_CLOCKS_H
#define TESTS_FEED_TWO_CLOCKS_H

#include <stdbool.h>

#include "../bench/floor.h"

/* Time of two reads of a feed's clock in ns: the minimum over some loops. */
static inline double two_clocks_ns(bool ticks)
{
    enum { LOOPS = 20, EVENTS = 1000 };
    double least = 1e9;
    for (int i = 0; i < LOOPS; i++) {
        const uint64_t began_ns = bench_wall_ns();
        if (ticks)
            floor_stamps(EVENTS);
        else
            floor_system(EVENTS);
        const double each = (double)(bench_wall_ns() - began_ns) / EVENTS;
        least = each < least ? each : least;
    }
    return least;
}

#endif
