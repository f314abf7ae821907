/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * clock.h: stamps for durations. Where the processor's time stamps can be used, a stamp takes a
 * third of the time of clock_gettime(). */
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

/* True if stamps are the processor's. Set by clock_start(). */
extern int clock_is_processor;

static inline uint64_t clock_stamp(void)
{
#if defined(__x86_64__)
    return clock_is_processor ? __builtin_ia32_rdtsc() : clock_monotonic();
#else
    return clock_monotonic();
#endif
}

/* Chooses the clock. A later call takes a new reference for the processor's clock. */
void clock_start(void);

/* Nanoseconds between two stamps. The error is at most 0.1 % from 1 ms after clock_start() on, and
 * the resolution of the two clocks before. Any thread may call it. */
uint64_t clock_stamps_to_ns(uint64_t interval);

/* Reads both clocks and corrects the rate for clock_ns(). Called ten times a second. */
void clock_renew(void);

#endif
