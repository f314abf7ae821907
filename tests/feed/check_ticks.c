/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_ticks.c: conversion of ticks to ns; a faulty clock is detected and given up.
 */
#include "tap.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "feed/publisher/record/core.h"
#include "feed/publisher/record/ticks.h"
#include "process.h"

#define SECOND UINT64_C(1000000000)

START_TEST(without_time_stamps_a_tick_is_a_nanosecond)
{
    struct publisher_ticks ticks;
    publisher_ticks_init(&ticks, false);
    publisher_ticks_settle(&ticks);
    ck_assert_uint_eq(publisher_ticks_ns(&ticks, UINT64_C(1) << 62), UINT64_C(1) << 62);
    ck_assert_uint_eq(publisher_ticks_instant_ns(&ticks, 12345), 12345);
    ck_assert(publisher_ticks_agree(&ticks, (struct publisher_instant){1, 100 * SECOND}));
}
END_TEST

START_TEST(the_environment_may_forbid_them)
{
    setenv("PROFTOP_CLOCK", "monotonic", 1);
    ck_assert(!publisher_ticks_usable());
}
END_TEST

/* Replaces the kernel's file by one of the test, via the linker. */
static const char *clock_source;

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    int mode = (flags & O_CREAT) != 0 ? va_arg(list, int) : 0;
    va_end(list);
    bool ours = clock_source != NULL && strstr(path, "/current_clocksource") != NULL;
    return __real_open(ours ? clock_source : path, flags, mode);
}

/* A clock that the kernel has given up is not used, whatever the processor reports. */
static const struct {
    const char *name; /* NULL: there is no such file */
    bool usable;
} sources[] = {
    {"tsc\n", true},      {"kvm-clock\n", false}, {"hpet\n", false}, {"tsc-early\n", false},
    {"acpi_pm\n", false}, {"xen\n", false},       {"tsc", false},    {"", false},
    {NULL, false}};

static void write_source(const char *path, const char *name)
{
    FILE *file = fopen(path, "we");
    ck_assert_ptr_nonnull(file);
    fputs(name, file);
    fclose(file);
}

START_TEST(the_kernels_clock_has_the_word)
{
    char folder[64], path[80], steady[80];
    tap_folder(folder, sizeof folder, "ticks");
    snprintf(path, sizeof path, "%s/clock", folder);
    snprintf(steady, sizeof steady, "%s/steady", folder);
    write_source(steady, "tsc\n");
    clock_source = steady;
    const bool processor = publisher_ticks_usable(); /* has reliable timestamps */
    clock_source = path;
    if (sources[_i].name != NULL)
        write_source(path, sources[_i].name);
    ck_assert(publisher_ticks_usable() == (processor && sources[_i].usable));
}
END_TEST

/* The factor comes from a real measurement: over 20 ms the two clocks agree within a millionth plus
 * the cost of a reading. */
START_TEST(tick_clock_agrees_with_the_system_clock)
{
    struct publisher_ticks ticks;
    publisher_ticks_init(&ticks, true);
    publisher_ticks_settle(&ticks);
    struct publisher_instant from = publisher_ticks_instant(), to = from;
    while (to.ns - from.ns < 20 * TEST_MS_NS)
        to = publisher_ticks_instant();
    double ours = (double)publisher_ticks_ns(&ticks, to.tick - from.tick);
    ck_assert_double_eq_tol(ours, (double)(to.ns - from.ns), 20e6 * 1e-5 + 100);
    double instant = (double)publisher_ticks_instant_ns(&ticks, to.tick) - (double)to.ns;
    ck_assert_double_eq_tol(instant, 0, 1000);
}
END_TEST

/* 2.5 ticks per ns, opened at tick 1000 and 5 s. */
static struct publisher_ticks invented(void)
{
    return (struct publisher_ticks){.tsc = true,
                                    .opened = {1000, 5 * SECOND},
                                    .checked = {1000, 5 * SECOND},
                                    .factor = (UINT64_C(1) << PUBLISHER_TICKS_SHIFT) * 2 / 5};
}

/* The published factor fits into half a word if a tick is shorter than 2 ns. */
START_TEST(tick_factor_is_published_to_programs)
{
    struct publisher_ticks ticks = invented();
    uint64_t told = publisher_ticks_front_factor(&ticks);
    ck_assert_uint_eq(told, (UINT64_C(1) << PROFTOP_TICK_SHIFT) * 2 / 5);
    ck_assert_uint_eq(2500000000 * told >> PROFTOP_TICK_SHIFT, SECOND - 1);
    ticks.factor = (UINT64_C(1) << (PUBLISHER_TICKS_SHIFT + 1)) - 1;
    ck_assert_uint_eq(publisher_ticks_front_factor(&ticks), UINT32_MAX);
    ticks.factor++;
    ck_assert_uint_eq(publisher_ticks_front_factor(&ticks), 0);
}
END_TEST

START_TEST(sums_never_become_less)
{
    struct publisher_ticks ticks = invented();
    uint64_t last = 0;
    for (uint64_t sum = 0; sum < 1000; sum++) {
        uint64_t ns = publisher_ticks_ns(&ticks, sum);
        ck_assert_uint_ge(ns, last);
        ck_assert_uint_le(ns, sum * 2 / 5);
        last = ns;
    }
    ck_assert_uint_eq(publisher_ticks_ns(&ticks, UINT64_MAX / 5 * 5) / SECOND,
                      UINT64_MAX / 5 * 2 / SECOND);
    ck_assert_uint_eq(publisher_ticks_instant_ns(&ticks, 3500), 5 * SECOND + 1000 - 1);
    ck_assert_uint_eq(publisher_ticks_instant_ns(&ticks, 500), 5 * SECOND - 199);
}
END_TEST

static const struct {
    uint64_t seconds, ticks_a_second;
    bool agree;
} checks[] = {
    {9, 1, true}, /* too early to tell */
    {10, 2500000000, true}, {10, 2502000000, true},  {10, 2503000000, false},
    {60, 2498000000, true}, {60, 2497000000, false}, {10, 0, false}, /* the clock stands still */
};

START_TEST(a_clock_that_errs_is_found_out)
{
    struct publisher_ticks ticks = invented();
    struct publisher_instant now = {1000 + checks[_i].seconds * checks[_i].ticks_a_second,
                                    (5 + checks[_i].seconds) * SECOND};
    ck_assert(publisher_ticks_agree(&ticks, now) == checks[_i].agree);
}
END_TEST

/* Replaces the check of the feed's thread, with the result that the test sets, via the linker. */
static _Atomic bool errs;

bool __real_publisher_ticks_agree(struct publisher_ticks *ticks, struct publisher_instant now);
bool __wrap_publisher_ticks_agree(struct publisher_ticks *ticks, struct publisher_instant now);
bool __wrap_publisher_ticks_agree(struct publisher_ticks *ticks, struct publisher_instant now)
{
    return __real_publisher_ticks_agree(ticks, now) && !errs;
}

static bool is_by(struct client *client, const char *clock)
{
    client_hello(client);
    const struct wire_text *text = &client->frame.field[WIRE_F_CLOCK].text;
    return text->size == strlen(clock) && memcmp(text->data, clock, text->size) == 0;
}

/* A faulty clock is given up, and a viewer is told. */
START_TEST(a_feed_leaves_a_clock_that_errs)
{
    struct client client;
    struct proftop *feed = client_feed();
    client_graph(feed, 1, PROFTOP_TIMED);
    client_open(&client, getpid());
    ck_assert(is_by(&client, "tsc"));
    errs = true;
    for (uint64_t until = process_now_ms() + CLIENT_PATIENCE_MS; !is_by(&client, "monotonic");) {
        ck_assert_uint_lt(process_now_ms(), until);
        zmq_poll(NULL, 0, 10);
    }
    client_end(&client, feed);
}
END_TEST

/* Without reliable timestamps. */
START_TEST(a_feed_goes_by_the_systems_clock)
{
    struct client client;
    struct proftop *feed = client_feed();
    client_graph(feed, 1, PROFTOP_TIMED);
    client_open(&client, getpid());
    ck_assert(is_by(&client, "monotonic"));
    ck_assert(!feed->core->tsc);
    client_end(&client, feed);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ticks");
    tap_add(s, "without_time_stamps_a_tick_is_a_nanosecond",
            without_time_stamps_a_tick_is_a_nanosecond);
    tap_add(s, "the_environment_may_forbid_them", the_environment_may_forbid_them);
    tap_add_loop(s, "the_kernels_clock_has_the_word", the_kernels_clock_has_the_word,
                 TAP_ROWS(sources));
    if (publisher_ticks_usable()) {
        tap_add(s, "tick_clock_agrees_with_the_system_clock",
                tick_clock_agrees_with_the_system_clock);
        tap_add(s, "a_feed_leaves_a_clock_that_errs", a_feed_leaves_a_clock_that_errs);
    } else {
        tap_add(s, "a_feed_goes_by_the_systems_clock", a_feed_goes_by_the_systems_clock);
    }
    tap_add(s, "tick_factor_is_published_to_programs", tick_factor_is_published_to_programs);
    tap_add(s, "sums_never_become_less", sums_never_become_less);
    tap_add_loop(s, "a_clock_that_errs_is_found_out", a_clock_that_errs_is_found_out,
                 TAP_ROWS(checks));
    return s;
}

TAP_MAIN(suite)
