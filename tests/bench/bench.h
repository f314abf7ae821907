/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bench.h: measures and prints in the same way for every benchmark: interleaved rounds, medians,
 * one table.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BENCH_ROUNDS = 11 };
#define BENCH_FOLDER "/tmp/proftop-bench-XXXXXX" /* for mkdtemp(), which makes the name unique */

/* CPU time of this thread in ns. The work of other processes is not included. */
static inline uint64_t bench_cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t bench_wall_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static inline double bench_median(double *value, size_t n)
{
    qsort(value, n, sizeof value[0], bench_compare);
    return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}

/* Prints one row of the table: name, figure with its unit, ratio (0: none), target. */
static inline void bench_row(const char *what, double value, const char *unit, double ratio,
                             const char *target)
{
    char figure[32], times[16] = "";

    snprintf(figure, sizeof figure, "%.*f %s", value < 10 ? 2 : value < 1000 ? 1 : 0, value, unit);
    if (ratio > 0)
        snprintf(times, sizeof times, "%.3f x", ratio);
    printf("%-58s %14s %9s   %s\n", what, figure, times, target);
}

#endif
