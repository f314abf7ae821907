/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * clock.h: stamps for what libproftop is told as a duration. They cost a third of a call of
 * clock_gettime() where the processor's time stamps can be used.
 */
#ifndef PROFTOP_MXNET_CLOCK_H
#define PROFTOP_MXNET_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_monotonic(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Set by clock_start(): whether stamps are those of the processor. */
extern int clock_is_processor;

static inline uint64_t clock_stamp(void)
{
    return clock_is_processor ? __builtin_ia32_rdtsc() : clock_monotonic();
}

/* Decides which clock to use. Again: takes a new reference for the processor's. */
void clock_start(void);

/* Nanoseconds of an interval between two stamps. Within 0.1 % from 1 ms after clock_start() on;
 * before that within the resolution of the two clocks. On any thread. */
uint64_t clock_ns(uint64_t interval);

/* Takes a look at both clocks, so that clock_ns() is right. Ten times a second. */
void clock_renew(void);

#endif
