/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * two_clocks.h: what nobody who takes a time can do without, as a measure of what a feed says that
 * taking one costs.
 */
#ifndef TESTS_FEED_TWO_CLOCKS_H
#define TESTS_FEED_TWO_CLOCKS_H

#include <stdbool.h>

#include "../bench/floor.h"

/* What it takes to read the clock of a feed twice, ns: the least of some loops. */
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
