/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ticks.c: chooses the clock of a feed, and measures how many nanoseconds a tick takes.
 */
#include "config.h"

#include "feed/publisher/record/ticks.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

enum { READINGS = 16 };

static bool is_steady(void)
{
#if defined(__x86_64__)
    const unsigned power_management = 0x80000007, invariant = 1u << 8;
    unsigned a, b, c, d;
    return __get_cpuid(power_management, &a, &b, &c, &d) && (d & invariant) != 0;
#else
    return false;
#endif
}

/* True if the kernel itself uses the time stamps. It monitors its own clock, and abandons time
 * stamps that are wrong. */
static bool is_kernels(void)
{
    static const char path[] = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    char name[8] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t size = read(fd, name, sizeof name - 1);
    close(fd);
    return size == 4 && memcmp(name, "tsc\n", 4) == 0;
}

bool publisher_ticks_usable(void)
{
    const char *setting = secure_getenv("PROFTOP_CLOCK");
    if (setting != NULL && strcmp(setting, "monotonic") == 0)
        return false;
    return is_steady() && is_kernels();
}

/* Takes the tightest of several brackets: interruptions widen the others. */
struct publisher_instant publisher_ticks_instant(void)
{
    struct publisher_instant best = {0, 0};
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < READINGS; i++) {
        uint64_t before = publisher_ticks_stamp(), ns = publisher_clock_ns(),
                 after = publisher_ticks_stamp();
        if (after - before < least) {
            least = after - before;
            best = (struct publisher_instant){.tick = before + least / 2, .ns = ns};
        }
    }
    return best;
}

void publisher_ticks_init(struct publisher_ticks *ticks, bool tsc)
{
    *ticks = (struct publisher_ticks){.tsc = tsc};
    if (tsc)
        ticks->opened = publisher_ticks_instant();
}

/* Returns the ns a tick between two instants, scaled as in struct publisher_ticks; 0 if a clock did
 * not advance, or the factor is too large. */
static uint64_t factor_of(struct publisher_instant from, struct publisher_instant to)
{
    if (to.tick <= from.tick || to.ns <= from.ns)
        return 0;
    const double ns = (double)(to.ns - from.ns) * (double)(UINT64_C(1) << PUBLISHER_TICKS_SHIFT);
    const double factor = ns / (double)(to.tick - from.tick), largest = 4.6e18;
    return factor < largest ? (uint64_t)factor : 0;
}

void publisher_ticks_settle(struct publisher_ticks *ticks)
{
    const uint64_t least_ns = PUBLISHER_TICKS_FIRST_MS * PUBLISHER_MS_NS;
    if (!ticks->tsc || ticks->factor != 0)
        return;
    uint64_t since = publisher_clock_ns() - ticks->opened.ns;
    if (since < least_ns) {
        struct timespec nap = {.tv_nsec = (long)(least_ns - since)};
        nanosleep(&nap, NULL);
    }
    ticks->checked = publisher_ticks_instant();
    ticks->factor = factor_of(ticks->opened, ticks->checked);
    if (ticks->factor == 0)
        ticks->factor = UINT64_C(1) << PUBLISHER_TICKS_SHIFT; /* the next check decides */
}

bool publisher_ticks_agree(struct publisher_ticks *ticks, struct publisher_instant now)
{
    if (!ticks->tsc || ticks->factor == 0)
        return true;
    uint64_t real = now.ns - ticks->checked.ns;
    if (real < PUBLISHER_TICKS_CHECK_MS * PUBLISHER_MS_NS)
        return true;
    if (now.tick <= ticks->checked.tick)
        return false;
    uint64_t ours = publisher_ticks_ns(ticks, now.tick - ticks->checked.tick);
    uint64_t off = ours > real ? ours - real : real - ours;
    ticks->checked = now;
    return off <= real / 1000000 * PUBLISHER_TICKS_PPM;
}
