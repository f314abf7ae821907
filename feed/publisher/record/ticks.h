/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ticks.h: the clock of timed intervals. It counts ticks, which the feed's thread makes nanoseconds
 * of: the processor's time stamps where they can be relied on, else ns of CLOCK_MONOTONIC.
 */
#ifndef FEED_PUBLISHER_RECORD_TICKS_H
#define FEED_PUBLISHER_RECORD_TICKS_H

#include <stdbool.h>
#include <stdint.h>

#include "feed/publisher/no_inline_api.h"
#include "feed/publisher/record/clock.h"

enum {
    PUBLISHER_TICKS_SHIFT = 40,
    PUBLISHER_TICKS_PPM = 1000,       /* a clock that is further off is not believed */
    PUBLISHER_TICKS_FIRST_MS = 10,    /* the factor is measured over so long at least */
    PUBLISHER_TICKS_CHECK_MS = 10000, /* and checked this often */
};

/* Tokens of intervals that are measured in ns have this bit, so that a feed that changed its clock
 * meanwhile knows them. No clock gets there. */
#define PUBLISHER_TICKS_NS (UINT64_C(1) << 63)

/* An instant in both clocks. */
struct publisher_instant {
    uint64_t tick, ns;
};

/* How a feed makes ns of ticks. The factor is set once: no sum of ticks ever becomes less ns. */
struct publisher_ticks {
    bool tsc;                   /* else a tick is a nanosecond */
    struct publisher_instant opened; /* when the feed was opened */
    struct publisher_instant checked;
    uint64_t factor; /* ns a tick, times 1 << PUBLISHER_TICKS_SHIFT; 0: not measured yet */
};

/* Whether the time stamps are fit for use: the processor says that they are steady, the kernel
 * itself uses them, and the environment does not forbid it with PROFTOP_CLOCK=monotonic. */
bool publisher_ticks_usable(void);

/* Begins to measure. */
void publisher_ticks_init(struct publisher_ticks *ticks, bool tsc);

/* Before the first conversion: ends the measurement, if need be after a nap. For the feed's
 * thread. */
void publisher_ticks_settle(struct publisher_ticks *ticks);

/* Both clocks, as close together as can be read. */
struct publisher_instant publisher_ticks_instant(void);

/* Whether the two clocks agree on how long it is since the last check, or it is too early to tell.
 */
bool publisher_ticks_agree(struct publisher_ticks *ticks, struct publisher_instant now);

static inline uint64_t publisher_ticks_ns(const struct publisher_ticks *ticks, uint64_t duration)
{
    if (!ticks->tsc)
        return duration;
    return (uint64_t)((unsigned __int128)duration * ticks->factor >> PUBLISHER_TICKS_SHIFT);
}

/* The factor as programs are told it; 0: it does not fit. */
static inline uint32_t publisher_ticks_told(const struct publisher_ticks *ticks)
{
    uint64_t told = ticks->factor >> (PUBLISHER_TICKS_SHIFT - PROFTOP_TICK_SHIFT);
    return told <= UINT32_MAX ? (uint32_t)told : 0;
}

/* An instant of the slots' clock as one of the monotonic clock. */
static inline uint64_t publisher_ticks_instant_ns(const struct publisher_ticks *ticks,
                                                  uint64_t tick)
{
    if (!ticks->tsc)
        return tick;
    if (tick < ticks->opened.tick)
        return ticks->opened.ns - publisher_ticks_ns(ticks, ticks->opened.tick - tick);
    return ticks->opened.ns + publisher_ticks_ns(ticks, tick - ticks->opened.tick);
}

#if defined(__x86_64__)
static inline uint64_t publisher_ticks_stamp(void)
{
    return __builtin_ia32_rdtsc();
}
#else
static inline uint64_t publisher_ticks_stamp(void)
{
    return 0; /* never used: publisher_ticks_usable() is false */
}
#endif

#endif
