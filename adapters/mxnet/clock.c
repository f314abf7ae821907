/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * clock.c: measures the rate of the processor's time stamps against the system's clock. */
#include <stdatomic.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "adapters/mxnet/clock.h"

enum { SHIFT = 32, FIRST_NS = 1000000 };

int clock_is_processor;
static uint64_t first_stamp, first_ns;
/* ns per stamp, times 2^32; 0: too little time has passed. */
static _Atomic uint64_t rate;

#if defined(__x86_64__)
/* True if the kernel itself uses this processor's time stamps, and the user has not excluded
 * them. */
static int processor_is_right(void)
{
    static const char path[] = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    unsigned a, b, c, d;
    char name[8] = "";
    const char *setting = getenv("PROFTOP_CLOCK");
    if (setting && strcmp(setting, "monotonic") == 0)
        return 0;
    if (!__get_cpuid(0x80000007, &a, &b, &c, &d) || !(d & 1u << 8))
        return 0;
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    if (!fgets(name, sizeof name, file))
        name[0] = '\0';
    fclose(file);
    return strcmp(name, "tsc\n") == 0;
}
#else
static int processor_is_right(void)
{
    return 0;
}
#endif

void clock_start(void)
{
    clock_is_processor = processor_is_right();
    first_ns = clock_monotonic();
    first_stamp = clock_stamp();
    atomic_store(&rate, 0);
}

void clock_renew(void)
{
    uint64_t ns = clock_monotonic() - first_ns, stamps = clock_stamp() - first_stamp;
    if (clock_is_processor && ns >= FIRST_NS && stamps != 0)
        atomic_store(&rate, (uint64_t)((long double)ns / (long double)stamps * 4294967296.0L));
}

uint64_t clock_stamps_to_ns(uint64_t interval)
{
    if (!clock_is_processor)
        return interval;
    uint64_t now = atomic_load_explicit(&rate, memory_order_relaxed);
    if (now == 0) {
        clock_renew();
        now = atomic_load_explicit(&rate, memory_order_relaxed);
    }
    if (now == 0) {
        uint64_t stamps = clock_stamp() - first_stamp;
        return stamps == 0 ? 0
                           : (uint64_t)((long double)interval *
                                        (long double)(clock_monotonic() - first_ns) /
                                        (long double)stamps);
    }
    return (uint64_t)(((unsigned __int128)interval * now) >> SHIFT);
}
