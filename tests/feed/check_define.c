/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_define.c: compilations of a function that overlap, as a client of the protocol receives
 * them from a feed.
 */
#include "told.h"

#include <pthread.h>

#include "process.h"
#include "sanitized.h"

enum { FUNCTION, TOTAL, REWRITE, VALIDATE, LINK, OPEN }; /* columns */
enum { WHILE_NS = 2000000 };

static void busy(void)
{
    for (uint64_t from_ns = feed_clock_ns(); feed_clock_ns() - from_ns < WHILE_NS;)
        continue;
}

static void begin(void)
{
    proftop_compile_begin(feed, 0);
}

static void end(void)
{
    proftop_compile_end(feed, 0, NULL);
}

static void end_given(uint64_t compile_ns)
{
    const struct proftop_compile_times times = {sizeof times, compile_ns, UNKNOWN, UNKNOWN, 1};
    proftop_compile_end(feed, 0, &times);
}

static uint64_t told(int column)
{
    ck_assert_uint_eq(ask("F", WIRE_G_COMPILE), 1);
    return u[column][0];
}

static void *compile_too(void *unused)
{
    (void)unused;
    begin();
    busy();
    end();
    return NULL;
}

/* What another thread compiles meanwhile is no end of it, and no time of its own. */
START_TEST(what_two_threads_compile_counts_once)
{
    pthread_t thread;
    uint64_t from_ns = feed_clock_ns();
    begin();
    busy();
    uint64_t since_ns = told(OPEN);
    ck_assert_int_eq(pthread_create(&thread, NULL, compile_too, NULL), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_uint_eq(told(OPEN), since_ns);
    ck_assert_uint_eq(told(TOTAL), UNKNOWN);
    busy();
    end();
    uint64_t took_ns = feed_clock_ns() - from_ns;
    ck_assert_uint_ge(told(TOTAL), 3 * (uint64_t)WHILE_NS);
    ck_assert_uint_le(told(TOTAL), took_ns);
    ck_assert_uint_eq(told(OPEN), UNKNOWN);
    ck_assert_uint_eq(misuses(), 0);
}
END_TEST

/* The first that began may be the first that ends. */
START_TEST(what_ends_last_ends_it)
{
    uint64_t from_ns = feed_clock_ns();
    begin();
    for (int i = 0; i < 3; i++) {
        begin();
        busy();
        end();
        ck_assert_uint_ne(told(OPEN), UNKNOWN);
    }
    end();
    ck_assert_uint_eq(told(OPEN), UNKNOWN);
    uint64_t once_ns = told(TOTAL);
    ck_assert_uint_ge(once_ns, 3 * (uint64_t)WHILE_NS);
    ck_assert_uint_le(once_ns, feed_clock_ns() - from_ns);
    from_ns = feed_clock_ns();
    begin();
    busy();
    end();
    ck_assert_uint_ge(told(TOTAL), once_ns + WHILE_NS);
    ck_assert_uint_le(told(TOTAL), once_ns + feed_clock_ns() - from_ns);
}
END_TEST

START_TEST(given_times_add_up)
{
    begin();
    begin();
    end_given(7);
    ck_assert_uint_eq(told(TOTAL), 7);
    ck_assert_uint_ne(told(OPEN), UNKNOWN);
    busy();
    end_given(8);
    ck_assert_uint_eq(told(TOTAL), 15);
    ck_assert_uint_eq(told(LINK), 2);
    ck_assert_uint_eq(told(OPEN), UNKNOWN);
    begin();
    end_given(UNKNOWN);
    ck_assert_uint_eq(told(TOTAL), 15);
    ck_assert_uint_eq(misuses(), 0);
}
END_TEST

/* Of one that was given its time and one that was not, whichever ends first. */
START_TEST(given_times_are_part_of_the_whole)
{
    uint64_t from_ns = feed_clock_ns();
    begin();
    begin();
    busy();
    if (_i == 0)
        end();
    end_given(WHILE_NS);
    if (_i == 1)
        end();
    uint64_t took_ns = feed_clock_ns() - from_ns;
    ck_assert_uint_ge(told(TOTAL), WHILE_NS);
    ck_assert_uint_le(told(TOTAL), took_ns);
    begin();
    begin();
    end();
    end_given(FEED_ABSURD_NS); /* more than there was: nothing is left */
    ck_assert_uint_ge(told(TOTAL), FEED_ABSURD_NS + WHILE_NS);
    ck_assert_uint_le(told(TOTAL), FEED_ABSURD_NS + took_ns);
    ck_assert_uint_eq(misuses(), 0);
}
END_TEST

START_TEST(an_end_needs_a_begin_or_times)
{
    end();
    ck_assert_uint_eq(misuses(), 1);
    ck_assert_uint_eq(told(TOTAL), UNKNOWN);
    end_given(100);
    ck_assert_uint_eq(misuses(), 1);
    ck_assert_uint_eq(told(TOTAL), 100);
    begin();
    ck_assert_uint_ne(told(OPEN), UNKNOWN);
    end();
    uint64_t total_ns = told(TOTAL);
    end();
    ck_assert_uint_eq(misuses(), 2);
    ck_assert_uint_eq(told(TOTAL), total_ns);
    ck_assert_uint_eq(told(OPEN), UNKNOWN);
}
END_TEST

static int ready[2], let[2];

/* What its parent began is not its own; it begins twice, and ends one of them. */
static void as_child(int unused)
{
    (void)unused;
    char byte = 0;
    struct proftop *own = proftop_open_child(feed);
    CHILD_NEEDS(proftop_is_on(own));
    feed = own;
    end();
    begin();
    begin();
    end();
    for (int i = 0; i < 2; i++) {
        CHILD_NEEDS(write(ready[1], &byte, 1) == 1);
        CHILD_NEEDS(read(let[0], &byte, 1) == 1);
        end();
    }
    proftop_close(own);
}

START_TEST(a_child_begins_anew)
{
    char byte = 0;
    begin();
    begin();
    ck_assert_int_eq(pipe(ready), 0);
    ck_assert_int_eq(pipe(let), 0);
    pid_t child = process_start(as_child, 0);
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    client_close(&client);
    client_open(&client, child);
    ck_assert_uint_eq(misuses(), 1);
    ck_assert_uint_ne(told(OPEN), UNKNOWN);
    ck_assert_uint_eq(told(TOTAL), UNKNOWN);
    ck_assert_int_eq(write(let[1], &byte, 1), 1);
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    ck_assert_uint_eq(told(OPEN), UNKNOWN);
    ck_assert_uint_lt(told(TOTAL), FEED_ABSURD_NS);
    ck_assert_uint_eq(misuses(), 1);
    client_close(&client);
    ck_assert_int_eq(write(let[1], &byte, 1), 1);
    process_join(child);
    client_open(&client, getpid());
    end();
    ck_assert_uint_ne(told(OPEN), UNKNOWN);
    end();
    ck_assert_uint_eq(told(OPEN), UNKNOWN);
    ck_assert_uint_eq(misuses(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("define");
    add(s, "what_two_threads_compile_counts_once", what_two_threads_compile_counts_once);
    add(s, "what_ends_last_ends_it", what_ends_last_ends_it);
    add(s, "given_times_add_up", given_times_add_up);
    TAP_ADD_BETWEEN(s, given_times_are_part_of_the_whole, 2, setup, teardown);
    add(s, "an_end_needs_a_begin_or_times", an_end_needs_a_begin_or_times);
    if (!PROCESS_TSAN) /* it allows no threads in a child that was forked beside threads */
        tap_native(TAP_ADD_BETWEEN(s, a_child_begins_anew, 1, setup, teardown));
    return s;
}

TAP_MAIN(suite)
