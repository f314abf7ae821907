/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ticks.h: the clock of timed intervals. It counts ticks: the processor's time stamps where they
 * are reliable, else ns of CLOCK_MONOTONIC. The feed's thread converts ticks to nanoseconds.
 */
#ifndef FEED_PUBLISHER_RECORD_TICKS_H
#define FEED_PUBLISHER_RECORD_TICKS_H

#include <stdbool.h>
#include <stdint.h>

#include "feed/publisher/record/no_inline_api.h"
#include "feed/publisher/record/clock.h"

enum {
    PUBLISHER_TICKS_SHIFT = 40,
    PUBLISHER_TICKS_PPM = 1000,       /* largest error at a check, in parts per million */
    PUBLISHER_TICKS_FIRST_MS = 10,    /* least time over which the factor is measured */
    PUBLISHER_TICKS_CHECK_MS = 10000, /* least time between two checks */
};

/* Bit in the start of intervals that are measured in ns. A feed that changed its clock meanwhile
 * recognizes them by it. No clock reaches this value. */
#define PUBLISHER_TICKS_NS (UINT64_C(1) << 63)

/* An instant in both clocks. */
struct publisher_instant {
    uint64_t tick, ns;
};

/* Converts ticks to ns. The factor is set once, so a converted sum of ticks never decreases. */
struct publisher_ticks {
    bool tsc;                         /* else a tick is a nanosecond */
    struct publisher_instant opened;  /* when the feed was opened; zero unless `tsc` */
    struct publisher_instant checked; /* when the clocks were last compared */
    uint64_t factor; /* ns a tick, times 1 << PUBLISHER_TICKS_SHIFT; 0: not measured yet */
};

/* True if time stamps are reliable: the processor says that they are invariant, the kernel itself
 * uses them, and PROFTOP_CLOCK is not "monotonic". */
bool publisher_ticks_usable(void);

/* Begins the measurement of the factor. */
void publisher_ticks_init(struct publisher_ticks *ticks, bool tsc);

/* Ends the measurement. Sleeps if it has not lasted PUBLISHER_TICKS_FIRST_MS. Call it before the
 * first conversion, in the feed's thread. */
void publisher_ticks_settle(struct publisher_ticks *ticks);

/* Reads both clocks, as close together as possible. */
struct publisher_instant publisher_ticks_instant(void);

/* Returns false if the two clocks disagree on the time since the last check, and true if they agree
 * or it is too early for a check. */
bool publisher_ticks_agree(struct publisher_ticks *ticks, struct publisher_instant now);

static inline uint64_t publisher_ticks_ns(const struct publisher_ticks *ticks, uint64_t duration)
{
    if (!ticks->tsc)
        return duration;
    return (uint64_t)((unsigned __int128)duration * ticks->factor >> PUBLISHER_TICKS_SHIFT);
}

/* Returns the factor in the format of proftop_front.tick_ns; 0 if it does not fit. */
static inline uint32_t publisher_ticks_front_factor(const struct publisher_ticks *ticks)
{
    uint64_t factor = ticks->factor >> (PUBLISHER_TICKS_SHIFT - PROFTOP_TICK_SHIFT);
    return factor <= UINT32_MAX ? (uint32_t)factor : 0;
}

/* Converts an instant of the slots' clock to the monotonic clock. */
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
