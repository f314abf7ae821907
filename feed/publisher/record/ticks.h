/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ticks.h: the clock of timed intervals. It counts ticks, which the feed's thread makes nanoseconds
 * of: the processor's time stamps where they can be relied on, else ns of CLOCK_MONOTONIC.
 */
#ifndef FEED_TICKS_H
#define FEED_TICKS_H

#include <stdbool.h>
#include <stdint.h>

#include "feed/publisher/no_inline_api.h"
#include "feed/publisher/record/clock.h"

enum {
    FEED_TICKS_SHIFT = 40,
    FEED_TICKS_PPM = 1000,      /* a clock that is further off is not believed */
    FEED_TICKS_FIRST_MS = 10,   /* the factor is measured over so long at least */
    FEED_TICKS_CHECK_MS = 10000, /* and checked this often */
};

/* Tokens of intervals that are measured in ns have this bit, so that a feed that changed its clock
 * meanwhile knows them. No clock gets there. */
#define FEED_TICKS_NS (UINT64_C(1) << 63)

/* An instant in both clocks. */
struct feed_instant {
    uint64_t tick, ns;
};

/* How a feed makes ns of ticks. The factor is set once: no sum of ticks ever becomes less ns. */
struct feed_ticks {
    bool tsc;                   /* else a tick is a nanosecond */
    struct feed_instant opened; /* when the feed was opened */
    struct feed_instant checked;
    uint64_t factor; /* ns a tick, times 1 << FEED_TICKS_SHIFT; 0: not measured yet */
};

/* Whether the time stamps are fit for use: the processor says that they are steady, the kernel
 * itself uses them, and the environment does not forbid it with PROFTOP_CLOCK=monotonic. */
bool feed_ticks_usable(void);

/* Begins to measure. */
void feed_ticks_init(struct feed_ticks *ticks, bool tsc);

/* Before the first conversion: ends the measurement, if need be after a nap. For the feed's
 * thread. */
void feed_ticks_settle(struct feed_ticks *ticks);

/* Both clocks, as close together as can be read. */
struct feed_instant feed_ticks_instant(void);

/* Whether the two clocks agree on how long it is since the last check, or it is too early to tell.
 */
bool feed_ticks_agree(struct feed_ticks *ticks, struct feed_instant now);

static inline uint64_t feed_ticks_ns(const struct feed_ticks *ticks, uint64_t duration)
{
    if (!ticks->tsc)
        return duration;
    return (uint64_t)((unsigned __int128)duration * ticks->factor >> FEED_TICKS_SHIFT);
}

/* The factor as programs are told it; 0: it does not fit. */
static inline uint32_t feed_ticks_told(const struct feed_ticks *ticks)
{
    uint64_t told = ticks->factor >> (FEED_TICKS_SHIFT - PROFTOP_TICK_SHIFT);
    return told <= UINT32_MAX ? (uint32_t)told : 0;
}

/* An instant of the slots' clock as one of the monotonic clock. */
static inline uint64_t feed_ticks_instant_ns(const struct feed_ticks *ticks, uint64_t tick)
{
    if (!ticks->tsc)
        return tick;
    if (tick < ticks->opened.tick)
        return ticks->opened.ns - feed_ticks_ns(ticks, ticks->opened.tick - tick);
    return ticks->opened.ns + feed_ticks_ns(ticks, tick - ticks->opened.tick);
}

#if defined(__x86_64__)
static inline uint64_t feed_ticks_stamp(void)
{
    return __builtin_ia32_rdtsc();
}
#else
static inline uint64_t feed_ticks_stamp(void)
{
    return 0; /* never used: feed_ticks_usable() is false */
}
#endif

#endif
