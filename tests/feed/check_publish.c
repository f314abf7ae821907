/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_publish.c: a viewer receives the values that the program counts. The private header
 * sender.h is for a unit test of the small table of subscriptions, whose matches no viewer sees:
 * libzmq filters what it sends.
 */
#include "tap.h"

#include <pthread.h>
#include <sched.h>

#include "client.h"
#include "proftop_adapter.h"
#include "clock.h"
#include "feed/publisher/publish/sender.h"

enum { THREADS = 3, ROUNDS = 2000 };

/* Waits until the streams show the expected value of an apply. */
static void expect_calls(struct client *c, uint32_t apply, uint64_t calls)
{
    while (c->apply[apply].calls != calls)
        ck_assert_msg(client_receive(c, c->sub, CLIENT_PATIENCE_MS), "calls stay at %llu of %llu",
                      (unsigned long long)c->apply[apply].calls, (unsigned long long)calls);
}

START_TEST(given_values_arrive)
{
    struct client c;
    struct proftop *feed = client_feed();
    proftop_id first = client_graph(feed, 3, PROFTOP_GIVEN);
    client_open(&c, getpid());
    client_subscribe(&c, "A/");
    proftop_record(feed, first, 100);
    proftop_record(feed, first, 300);
    proftop_record(feed, first, 200);
    proftop_record(feed, first + 2, 0);
    proftop_record(feed, first + 2, PROFTOP_UNKNOWN);
    expect_calls(&c, first, 3);
    ck_assert_uint_eq(c.apply[first].total, 600);
    ck_assert_uint_eq(c.apply[first].last, 200);
    ck_assert_uint_eq(c.apply[first].min, 100);
    ck_assert_uint_eq(c.apply[first].max, 300);
    ck_assert_uint_eq(c.apply[first].timed, 3);
    ck_assert(!c.apply[first + 1].seen);
    expect_calls(&c, first + 2, 2);
    ck_assert_uint_eq(c.apply[first + 2].timed, 1);
    ck_assert_uint_eq(c.apply[first + 2].min, 0);
    client_end(&c, feed);
}
END_TEST

/* Calls of unknown time differ from calls of zero time: group x says that none was timed. */
START_TEST(unknown_durations_are_no_zeros)
{
    struct client c;
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_GIVEN);
    client_open(&c, getpid());
    client_subscribe(&c, "A/");
    for (int i = 0; i < 5; i++)
        proftop_record(feed, apply, PROFTOP_UNKNOWN);
    expect_calls(&c, apply, 5);
    const struct client_value *value = &c.apply[apply];
    ck_assert_uint_ge(value->extremes, 1);
    ck_assert(!value->every);
    ck_assert_uint_eq(value->timed, 0);
    ck_assert_uint_eq(value->min, WIRE_UNKNOWN);
    ck_assert_uint_eq(value->max, WIRE_UNKNOWN);
    proftop_record(feed, apply, 70);
    expect_calls(&c, apply, 6);
    ck_assert_uint_eq(value->timed, 1);
    ck_assert_uint_eq(value->min, 70);
    ck_assert_uint_eq(c.fell, 0);
    client_end(&c, feed);
}
END_TEST

/* A call between the extremes changes only its row of v. Group x is sent once in 64 ticks, and
 * after an untimed call. */
START_TEST(extremes_come_when_they_change)
{
    enum { CHANGES = 20 };
    struct client c;
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_GIVEN);
    client_open(&c, getpid());
    client_subscribe(&c, "A/");
    proftop_record(feed, apply, 100);
    proftop_record(feed, apply, 300);
    expect_calls(&c, apply, 2);
    const struct client_value *value = &c.apply[apply];
    unsigned before = value->extremes;
    for (uint64_t i = 0; i < CHANGES; i++) {
        proftop_record(feed, apply, 200 + i);
        expect_calls(&c, apply, 3 + i);
    }
    ck_assert_uint_le(value->extremes, before + 1);
    ck_assert_uint_eq(value->timed, 2 + CHANGES);
    before = value->extremes;
    proftop_record(feed, apply, PROFTOP_UNKNOWN);
    expect_calls(&c, apply, 3 + CHANGES);
    ck_assert_uint_ge(value->extremes, before + 1);
    ck_assert_uint_eq(value->timed, 2 + CHANGES);
    proftop_record(feed, apply, 99);
    expect_calls(&c, apply, 4 + CHANGES);
    ck_assert_uint_eq(value->timed, 3 + CHANGES);
    ck_assert_uint_eq(value->min, 99);
    client_end(&c, feed);
}
END_TEST

struct work {
    struct proftop *feed;
    proftop_id first;
    uint64_t truth; /* ns between begin and end, measured by the test */
};

static void *run_applies(void *argument)
{
    struct work *work = argument;
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < 4; i++) {
            uint64_t before = test_clock_ns();
            struct proftop_token token = proftop_begin(work->feed, work->first + i);
            proftop_end(work->feed, work->first + i, token);
            work->truth += test_clock_ns() - before;
        }
    }
    return NULL;
}

/* Threads that ended keep their totals, and their blocks are reused. */
START_TEST(threads_add_up)
{
    struct client c;
    struct proftop *feed = client_feed();
    struct work work[THREADS];
    proftop_id first = client_graph(feed, 4, PROFTOP_TIMED);
    uint64_t truth = 0, ours = 0;
    for (int wave = 0; wave < 2; wave++) {
        pthread_t thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            work[i] = (struct work){.feed = feed, .first = first};
            ck_assert_int_eq(pthread_create(&thread[i], NULL, run_applies, &work[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(thread[i], NULL);
            truth += work[i].truth;
        }
    }
    client_open(&c, getpid());
    client_snapshot(&c, "DA", 5);
    for (uint32_t i = 0; i < 4; i++) {
        const struct client_value *value = &c.apply[first + i];
        ck_assert_uint_eq(value->calls, 2 * THREADS * ROUNDS);
        ck_assert_uint_eq(value->timed, value->calls);
        ck_assert_uint_le(value->min * value->calls, value->total);
        ck_assert_uint_ge(value->max * value->calls, value->total);
        ours += value->total;
    }
    ck_assert_uint_le(ours, truth);
    ck_assert_uint_gt(ours, 0);
    ck_assert_uint_eq(c.defs[WIRE_T_THREAD], 2 * THREADS);
    client_end(&c, feed);
}
END_TEST

/* Defines an apply that leaves out the runs inside, in the function of another one. */
static proftop_id nesting_apply(struct proftop *feed, proftop_id function, proftop_id op)
{
    struct proftop_apply_info info = {.size = sizeof info,
                                      .function = function,
                                      .op = op,
                                      .text = "nests",
                                      .source = PROFTOP_TIMED,
                                      .exclusive = 2};
    return proftop_apply(feed, &info);
}

static void spin(uint64_t ns)
{
    for (uint64_t begun = test_clock_ns(); test_clock_ns() - begun < ns;)
        ;
}

/* A run three deep, on its own thread's counts. `plain`: by the library, not inlined. Returns the
 * whole duration, in units of the feed's clock. */
static uint64_t run_nested(struct proftop *feed, proftop_id first, unsigned depth, bool plain)
{
    if (depth == 3)
        return 0;
    struct proftop_token token = proftop_begin(feed, first + depth);
    spin(100000);
    const uint64_t inside =
        run_nested(feed, first, depth + 1, plain) + run_nested(feed, first, depth + 1, plain);
    return plain ? (proftop_end_nested)(feed, first + depth, token, inside)
                 : proftop_end_nested(feed, first + depth, token, inside);
}

/* The own times of nested runs add up to the duration of the outermost one. */
START_TEST(nested_runs_have_their_own_time)
{
    struct client c;
    struct proftop *feed = client_feed();
    proftop_id first = PROFTOP_NONE;
    client_graph(feed, 1, PROFTOP_TIMED);
    for (unsigned i = 0; i < 3; i++) {
        proftop_id id = nesting_apply(feed, 0, 0);
        first = i == 0 ? id : first;
    }
    const uint64_t before = test_clock_ns();
    const uint64_t whole = run_nested(feed, first, 0, _i == 1);
    const uint64_t truth = test_clock_ns() - before;
    client_open(&c, getpid());
    client_snapshot(&c, "DA", 5);
    uint64_t sum = 0;
    for (unsigned i = 0; i < 3; i++) {
        const struct client_value *value = &c.apply[first + i];
        ck_assert_uint_eq(value->calls, 1u << i);
        ck_assert_uint_ge(value->total, 100000u << i);
        sum += value->total;
    }
    ck_assert_uint_le(sum, truth + truth / 100);
    uint64_t ns;
    while ((ns = proftop_interval_ns(feed, whole)) == PROFTOP_UNKNOWN)
        sched_yield(); /* the clock is not measured yet */
    ck_assert_uint_le(ns > sum ? ns - sum : sum - ns, 1000 + sum / 1000);
    /* More inside than there was: no time of its own, and one call. */
    struct proftop_token token = proftop_begin(feed, first);
    ck_assert_uint_gt(proftop_end_nested(feed, first, token, UINT64_MAX), 0);
    const uint64_t total = c.apply[first].total;
    client_snapshot(&c, "A", 6);
    ck_assert_uint_eq(c.apply[first].calls, 2);
    ck_assert_uint_eq(c.apply[first].total, total);
    ck_assert_uint_eq(c.apply[first].min, 0);
    client_end(&c, feed);
}
END_TEST

/* A job that counts in windows says how much of its time they are. */
START_TEST(share_is_sent)
{
    struct client c;
    struct proftop *feed = client_feed();
    client_open(&c, getpid());
    client_hello(&c);
    ck_assert(!c.frame.field[WIRE_F_SHARE].present);
    proftop_share(feed, 0.25);
    proftop_share(feed, -0.5); /* misuse */
    proftop_share(feed, 1.5);
    client_hello(&c);
    ck_assert(c.frame.field[WIRE_F_SHARE].present);
    ck_assert_double_eq(c.frame.field[WIRE_F_SHARE].d, 0.25);
    ck_assert_uint_eq(c.frame.field[WIRE_F_MISUSE].u, 2);
    proftop_share(feed, 1);
    client_hello(&c);
    ck_assert(!c.frame.field[WIRE_F_SHARE].present);
    client_end(&c, feed);
}
END_TEST

START_TEST(set_values_never_fall)
{
    struct client c;
    struct proftop *feed = client_feed();
    proftop_id first = client_graph(feed, 2, PROFTOP_SET);
    proftop_set(feed, first, 10, 1000);
    proftop_set(feed, first, 12, 1100);
    proftop_set(feed, first, 1, 50); /* the source started again */
    proftop_set(feed, first, 3, 60);
    client_open(&c, getpid());
    client_snapshot(&c, "DA", 5);
    ck_assert_uint_eq(c.apply[first].calls, 15);
    ck_assert_uint_eq(c.apply[first].total, 1160);
    ck_assert_uint_eq(c.apply[first].last, WIRE_UNKNOWN);
    ck_assert_uint_eq(c.apply[first].extremes, 0); /* totals without single calls */
    ck_assert(!c.apply[first + 1].seen);           /* never set: unknown */
    proftop_set(feed, first, UINT64_C(1) << 63, 0);
    /* Sums beyond the range of the wire stay at the largest value. */
    for (int i = 0; i < 3; i++) {
        proftop_set(feed, first + 1, UINT64_C(1) << 61, 7);
        proftop_set(feed, first + 1, 0, 0);
    }
    client_snapshot(&c, "A", 6);
    ck_assert_uint_eq(c.apply[first + 1].calls, UINT64_C(1) << 62);
    ck_assert_uint_eq(c.apply[first + 1].total, 21);
    client_hello(&c);
    ck_assert_uint_eq(c.frame.field[WIRE_F_RESTARTS].u, 4);
    ck_assert_uint_eq(c.frame.field[WIRE_F_INVALID].u, 1);
    client_end(&c, feed);
}
END_TEST

/* Invalid calls are counted as misuse, never as work. */
START_TEST(misuse_is_harmless)
{
    struct client c;
    struct proftop *feed = client_feed();
    proftop_id timed = client_graph(feed, 1, PROFTOP_TIMED);
    proftop_id given = client_graph(feed, 1, PROFTOP_GIVEN);
    struct proftop_token none = {0}, token;
    proftop_begin(feed, 99);
    proftop_begin(feed, PROFTOP_NONE);
    proftop_begin(feed, given);
    proftop_record(feed, timed, 5);
    proftop_set(feed, timed, 1, 1);
    proftop_call_set(feed, 0, 1, 1);
    proftop_vm(feed, 77, 1);
    proftop_op(feed, 9, "no such class");
    proftop_function(feed, NULL);
    proftop_apply(feed, &(struct proftop_apply_info){.size = sizeof(struct proftop_apply_info),
                                                     .function = 50});
    proftop_end(feed, timed, none); /* result of a refused begin: empty */
    token = proftop_begin(feed, timed);
    token.start += UINT64_C(1) << 62; /* ends before it begins */
    proftop_end(feed, timed, token);
    client_open(&c, getpid());
    client_hello(&c);
    ck_assert_uint_eq(c.frame.field[WIRE_F_MISUSE].u, 10);
    ck_assert_uint_eq(c.frame.field[WIRE_F_INVALID].u, 1);
    client_snapshot(&c, "DFA", 5);
    ck_assert_uint_eq(c.apply[timed].calls, 1);
    ck_assert_uint_eq(c.apply[timed].total, 0);
    ck_assert_uint_eq(c.apply[given].calls, 0);
    client_end(&c, feed);
}
END_TEST

/* The calls row of function 0: calls, ns, vm. */
static void function_row(struct client *c, uint64_t out[3])
{
    static uint64_t v[4][WIRE_FRAME_ROWS];
    client_ask(c, (struct client_request){.q = "snapshot", .want = "F", .req = 9, .credit = 4});
    client_expect(c, c->dealer, WIRE_FUNCTIONS);
    ck_assert_uint_ge(client_columns(&c->frame, WIRE_G_CALLS, v), 1);
    for (int i = 0; i < 3; i++)
        out[i] = v[i + 1][0];
}

static uint64_t function_value(const struct client *c, enum wire_group group, int column)
{
    uint64_t value[WIRE_FRAME_ROWS];
    const struct wire_rows *rows = &c->frame.group[group];
    wire_column_read(&rows->column[column], 0, rows->count, value, NULL);
    return value[0];
}

/* Such time and given time add up, in any order. Failed calls are in neither. */
START_TEST(calls_that_are_all_in_the_machine)
{
    struct client c;
    uint64_t row[3], whole;
    struct proftop *feed = client_feed();
    client_graph(feed, 1, PROFTOP_TIMED);
    client_open(&c, getpid());
    if (_i == 1)
        proftop_vm(feed, 0, 5);
    struct proftop_token call = proftop_call_begin(feed, 0);
    for (uint64_t begun = test_clock_ns(); test_clock_ns() - begun < 10000;)
        continue;
    proftop_call_end_in_vm(feed, 0, call);
    function_row(&c, row);
    ck_assert_uint_eq(row[0], 1);
    ck_assert_uint_ge(row[1], 9000);
    ck_assert_uint_eq(row[2], row[1] + (_i == 1 ? 5 : 0));
    whole = row[1];
    proftop_call_fail(feed, 0, proftop_call_begin(feed, 0));
    proftop_vm(feed, 0, 7);
    proftop_call_end(feed, 0, proftop_call_begin(feed, 0));
    function_row(&c, row);
    ck_assert_uint_eq(row[0], 2);
    ck_assert_uint_ge(row[1], whole);
    ck_assert_uint_eq(row[2], whole + (_i == 1 ? 12 : 7));
    ck_assert_uint_eq(function_value(&c, WIRE_G_CALLS, 4), WIRE_UNKNOWN);
    client_end(&c, feed);
}
END_TEST

START_TEST(functions_as_a_whole)
{
    struct client c;
    uint64_t row[3], before = test_clock_ns();
    struct proftop *feed = client_feed();
    client_graph(feed, 1, PROFTOP_TIMED);
    client_open(&c, getpid());
    function_row(&c, row);
    ck_assert_uint_eq(row[0], 0);
    ck_assert_uint_eq(row[2], WIRE_UNKNOWN);
    ck_assert_uint_eq(function_value(&c, WIRE_G_COMPILE, 1), WIRE_UNKNOWN);
    proftop_compile_begin(feed, 0);
    function_row(&c, row);
    ck_assert_uint_ge(function_value(&c, WIRE_G_COMPILE, 5), before);
    ck_assert_uint_le(function_value(&c, WIRE_G_COMPILE, 5), test_clock_ns());
    struct proftop_compile_times times = {sizeof times, 100, 40, PROFTOP_UNKNOWN, 0};
    proftop_compile_end(feed, 0, &times);
    uint64_t called = test_clock_ns();
    struct proftop_token outer = proftop_call_begin(feed, 0), inner = proftop_call_begin(feed, 0);
    proftop_call_end(feed, 0, inner);
    proftop_vm(feed, 0, 5);
    proftop_vm(feed, 0, 6);
    function_row(&c, row);
    ck_assert_uint_eq(row[0], 1);
    ck_assert_uint_eq(row[2], 11);
    ck_assert_uint_ge(function_value(&c, WIRE_G_CALLS, 4), called - 1000); /* two clocks */
    ck_assert_uint_le(function_value(&c, WIRE_G_CALLS, 4), test_clock_ns());
    ck_assert_uint_eq(function_value(&c, WIRE_G_COMPILE, 1), 100);
    ck_assert_uint_eq(function_value(&c, WIRE_G_COMPILE, 2), 40);
    ck_assert_uint_eq(function_value(&c, WIRE_G_COMPILE, 3), WIRE_UNKNOWN);
    ck_assert_uint_eq(function_value(&c, WIRE_G_COMPILE, 4), 0);
    ck_assert_uint_eq(function_value(&c, WIRE_G_COMPILE, 5), WIRE_UNKNOWN);
    proftop_call_fail(feed, 0, outer);
    function_row(&c, row);
    ck_assert_uint_eq(row[0], 1);
    ck_assert_uint_eq(function_value(&c, WIRE_G_CALLS, 4), WIRE_UNKNOWN);
    client_end(&c, feed);
}
END_TEST

/* Returns the open apply, or UINT64_MAX. */
static uint64_t open_apply(struct client *c)
{
    static uint64_t v[4][WIRE_FRAME_ROWS];
    client_ask(c, (struct client_request){.q = "snapshot", .want = "N", .req = 9, .credit = 4});
    client_expect(c, c->dealer, WIRE_NOW);
    uint32_t n = client_columns(&c->frame, WIRE_G_NOW, v);
    ck_assert_uint_le(n, 1);
    return n == 0 ? UINT64_MAX : v[1][0] - 1;
}

struct elsewhere {
    struct proftop *feed;
    struct proftop_token token;
};

static void *end_elsewhere(void *argument)
{
    struct elsewhere *it = argument;
    proftop_end(it->feed, 2, it->token);
    return NULL;
}

START_TEST(open_calls_are_reported)
{
    struct client c;
    struct proftop *feed = client_feed();
    client_graph(feed, 4, PROFTOP_TIMED);
    client_open(&c, getpid());
    ck_assert_uint_eq(open_apply(&c), UINT64_MAX);
    struct proftop_token outer = proftop_begin(feed, 0);
    ck_assert_uint_eq(open_apply(&c), 0);
    struct proftop_token inner = proftop_begin(feed, 1);
    ck_assert_uint_eq(open_apply(&c), 1);
    proftop_end(feed, 1, inner);
    ck_assert_uint_eq(open_apply(&c), 0);
    /* Ended by another thread: the count goes to that thread, and the call is no longer shown. */
    struct elsewhere it = {.feed = feed, .token = proftop_begin(feed, 2)};
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, end_elsewhere, &it), 0);
    pthread_join(thread, NULL);
    ck_assert_uint_eq(open_apply(&c), UINT64_MAX);
    /* Ended out of order. */
    inner = proftop_begin(feed, 1);
    proftop_end(feed, 0, outer);
    ck_assert_uint_eq(open_apply(&c), 1);
    proftop_fail(feed, 1, inner);
    ck_assert_uint_ne(open_apply(&c), 0);
    client_snapshot(&c, "DA", 10);
    ck_assert_uint_eq(c.apply[0].calls, 1);
    ck_assert_uint_eq(c.apply[1].calls, 1);
    ck_assert_uint_eq(c.apply[2].calls, 1);
    client_end(&c, feed);
}
END_TEST

/* Only a snapshot between two ticks saw it open. Its end is sent all the same. */
START_TEST(call_seen_open_in_a_snapshot_is_sent_as_ended)
{
    struct client c;
    struct proftop *feed = client_feed();
    client_graph(feed, 4, PROFTOP_TIMED);
    client_open(&c, getpid());
    struct proftop_token token = proftop_begin(feed, 3);
    ck_assert_uint_eq(open_apply(&c), 3);
    proftop_end(feed, 3, token);
    client_subscribe(&c, "N/");
    client_expect(&c, c.sub, WIRE_NOW);
    ck_assert_uint_eq(c.frame.group[WIRE_G_NOW].count, 0);
    client_end(&c, feed);
}
END_TEST

/* An apply whose end was lost ends with the function call in which it began. Applies that began
 * before the call stay open. */
START_TEST(a_call_takes_lost_applies_with_it)
{
    struct client c;
    struct proftop *feed = client_feed();
    client_graph(feed, 4, PROFTOP_TIMED);
    client_open(&c, getpid());
    struct proftop_token outer = proftop_begin(feed, 0);
    ck_assert_uint_eq(open_apply(&c), 0); /* so that the call begins later */
    struct proftop_token call = proftop_call_begin(feed, 0);
    struct proftop_token inner = proftop_begin(feed, 1);
    proftop_end(feed, 1, inner);
    proftop_call_end(feed, 0, call);
    ck_assert_uint_eq(open_apply(&c), 0);
    call = proftop_call_begin(feed, 0);
    ck_assert_uint_eq(open_apply(&c), 0);
    proftop_begin(feed, 1);
    ck_assert_uint_eq(open_apply(&c), 1);
    proftop_call_fail(feed, 0, call);
    ck_assert_uint_eq(open_apply(&c), UINT64_MAX);
    proftop_end(feed, 0, outer); /* counts, though the lost one hid it */
    client_snapshot(&c, "DA", 10);
    ck_assert_uint_eq(c.apply[0].calls, 1);
    ck_assert_uint_eq(c.apply[1].calls, 1);
    client_end(&c, feed);
}
END_TEST

/* A full tick: all rows change all the time and do not fit. Each row is sent eventually. */
START_TEST(nobody_starves)
{
    struct client c;
    struct proftop *feed = client_feed();
    proftop_id op = proftop_op(feed, proftop_class(feed, "c"), "o");
    enum { FUNCTIONS = 5, ROWS = 3700 };
    for (uint32_t f = 0; f < FUNCTIONS; f++)
        proftop_function(feed, &(struct proftop_function_info){
                                   .size = sizeof(struct proftop_function_info), .name = "f"});
    for (uint32_t i = 0; i < FUNCTIONS * ROWS; i++) {
        struct proftop_apply_info info = {
            .size = sizeof info, .function = i % FUNCTIONS, .op = op, .source = PROFTOP_GIVEN};
        ck_assert_uint_eq(proftop_apply(feed, &info), i);
    }
    client_open(&c, getpid());
    client_subscribe(&c, "");
    uint32_t seen = 0;
    uint64_t tick = 0, bytes = 0, seq[FUNCTIONS] = {0};
    for (uint64_t round = 0; seen < FUNCTIONS * ROWS && round < 400; round++) {
        for (uint32_t i = 0; i < FUNCTIONS * ROWS; i++)
            proftop_record(feed, i, UINT64_C(1) << 50);
        while (client_receive(&c, c.sub, 20)) {
            if (c.frame.stream != WIRE_APPLIES)
                continue;
            ck_assert_uint_eq(c.frame.field[WIRE_F_SEQ].u, ++seq[c.frame.function]);
            bytes = c.frame.field[WIRE_F_TICK].u == tick ? bytes : 0;
            tick = c.frame.field[WIRE_F_TICK].u;
            bytes += c.frame.group[WIRE_G_V].count;
        }
        seen = 0;
        for (uint32_t i = 0; i < FUNCTIONS * ROWS; i++)
            seen += c.apply[i].seen;
    }
    ck_assert_uint_eq(seen, FUNCTIONS * ROWS);
    ck_assert_uint_eq(c.fell, 0);
    client_snapshot(&c, "D", 8);
    ck_assert_uint_eq(c.defs[WIRE_T_APPLY], FUNCTIONS * ROWS);
    client_end(&c, feed);
}
END_TEST

/* Definitions of all tables arrive in an order in which each refers only to earlier ones. */
START_TEST(definitions_in_order)
{
    struct client c;
    struct proftop *feed = client_feed();
    char text[600];
    proftop_id apply = PROFTOP_NONE;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    for (uint32_t i = 0; i < 1500; i++) {
        proftop_id op = proftop_op(feed, proftop_class(feed, text), text);
        struct proftop_function_info info = {
            .size = sizeof info, .name = text, .parent_plus_1 = apply + 1};
        struct proftop_apply_info row = {
            .size = sizeof row, .op = op, .text = text, .function = proftop_function(feed, &info)};
        apply = proftop_apply(feed, &row);
        ck_assert_uint_eq(apply, i);
    }
    client_open(&c, getpid());
    ck_assert_uint_ge(client_snapshot(&c, "D", 3), 10); /* 3.6 MB in frames of 256 KiB */
    ck_assert_uint_eq(c.defs[WIRE_T_CLASS], 1500);
    ck_assert_uint_eq(c.defs[WIRE_T_OP], 1500);
    ck_assert_uint_eq(c.defs[WIRE_T_FUNCTION], 1500);
    ck_assert_uint_eq(c.defs[WIRE_T_APPLY], 1500);
    ck_assert_uint_eq(client_snapshot(&c, "D", 4), 0); /* nothing is new */
    client_end(&c, feed);
}
END_TEST

static const struct {
    const char *topic;
    bool match;
} matches[] = {{"A/3/", true}, {"A/31/", false}, {"A/4/", false}, {"H/", true}, {"F/", false}};

START_TEST(subscriptions)
{
    struct publisher_subscriptions *s = calloc(1, sizeof *s);
    publisher_subscriptions_change(s, true, "A/3/", 4);
    publisher_subscriptions_change(s, true, "H", 1);
    publisher_subscriptions_change(s, true, "F/", 2);
    publisher_subscriptions_change(s, false, "F/", 2);
    ck_assert_int_eq(publisher_subscriptions_match(s, matches[_i].topic), matches[_i].match);
    /* Beyond the limit only the number of subscriptions is kept. Then every topic matches, until
     * they are cancelled. */
    char topic[WIRE_TOPIC_MAX];
    for (int on = 1; on >= 0; on--) {
        for (int i = 0; i < 1000; i++) {
            int size = snprintf(topic, sizeof topic, "Z/%d/", i);
            publisher_subscriptions_change(s, on, topic, (size_t)size);
        }
        ck_assert_int_eq(publisher_subscriptions_match(s, matches[_i].topic),
                         on || matches[_i].match);
        ck_assert_uint_le(s->count, PUBLISHER_SUBSCRIPTIONS_MAX);
    }
    free(s);
}
END_TEST

/* Bytes of facts (proftop_facts()) and notices (docs/protocol.md, 3.7) that a feed keeps. */
enum { FACTS_MAX = 4095, NOTICES_MAX = 64 };

START_TEST(notices_and_words)
{
    struct client c;
    struct proftop *feed = client_feed();
    char facts[FACTS_MAX + 17] = "linker=cvm\n";
    memset(facts + 11, 'x', sizeof facts - 12);
    proftop_route(feed, "by hand");
    proftop_facts(feed, facts);
    for (int i = 0; i < NOTICES_MAX + 10; i++)
        proftop_notice(feed, i, "something");
    client_open(&c, getpid());
    client_hello(&c);
    ck_assert_uint_eq(c.frame.field[WIRE_F_ROUTE].text.size, 7);
    ck_assert_uint_eq(c.frame.field[WIRE_F_FACTS].text.size, 10); /* invalid in a line */
    ck_assert_mem_eq(c.frame.field[WIRE_F_FACTS].text.data, "linker=cvm", 10);
    ck_assert_uint_eq(c.frame.field[WIRE_F_PID].u, (uint64_t)getpid());
    client_ask(&c, (struct client_request){.q = "snapshot", .want = "E", .req = 2, .credit = 1});
    client_expect(&c, c.dealer, WIRE_NOTICES);
    ck_assert_uint_eq(c.frame.group[WIRE_G_NOTICE].count, NOTICES_MAX);
    client_subscribe(&c, "E/");
    client_expect(&c, c.sub, WIRE_NOTICES);
    proftop_notice(feed, 1, "one more");
    client_expect(&c, c.sub, WIRE_NOTICES);
    ck_assert_uint_eq(c.frame.group[WIRE_G_NOTICE].count, 1);
    client_end(&c, feed);
}
END_TEST

/* Contents of this process's registry file; the viewer's list reads no other. */
static bool file_says(uint64_t rank, uint64_t size)
{
    struct registry_info info;
    ck_assert(client_info_of(client_place(), getpid(), 1, &info));
    return info.place.rank == rank && info.place.size == size;
}

START_TEST(rank_can_be_set_later)
{
    struct client c;
    setenv("DMLC_ROLE", "worker", 1);
    struct proftop *feed = client_feed();
    client_open(&c, getpid());
    client_hello(&c);
    ck_assert(!c.frame.field[WIRE_F_RANK].present);
    ck_assert(file_says(PROFTOP_UNKNOWN, PROFTOP_UNKNOWN));
    proftop_rank(feed, 1, 2);
    proftop_rank(feed, 2, 2); /* invalid: no change */
    client_hello(&c);
    ck_assert_uint_eq(c.frame.field[WIRE_F_RANK].u, 1);
    ck_assert_uint_eq(c.frame.field[WIRE_F_SIZE].u, 2);
    ck_assert_uint_eq(c.frame.field[WIRE_F_MISUSE].u, 1);
    while (!file_says(1, 2))
        client_hello(&c);
    proftop_rank(feed, 0, PROFTOP_UNKNOWN);
    client_hello(&c);
    ck_assert_uint_eq(c.frame.field[WIRE_F_RANK].u, 0);
    ck_assert(!c.frame.field[WIRE_F_SIZE].present);
    client_end(&c, feed);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("publish");
    tap_add(s, "given_values_arrive", given_values_arrive);
    tap_add(s, "unknown_durations_are_no_zeros", unknown_durations_are_no_zeros);
    tap_add(s, "extremes_come_when_they_change", extremes_come_when_they_change);
    tap_add(s, "threads_add_up", threads_add_up);
    tap_add_loop(s, "nested_runs_have_their_own_time", nested_runs_have_their_own_time, 2);
    tap_add(s, "share_is_sent", share_is_sent);
    tap_add(s, "set_values_never_fall", set_values_never_fall);
    tap_add(s, "misuse_is_harmless", misuse_is_harmless);
    tap_add(s, "functions_as_a_whole", functions_as_a_whole);
    tap_add_loop(s, "calls_that_are_all_in_the_machine", calls_that_are_all_in_the_machine, 2);
    tap_add(s, "open_calls_are_reported", open_calls_are_reported);
    tap_add(s, "call_seen_open_in_a_snapshot_is_sent_as_ended",
            call_seen_open_in_a_snapshot_is_sent_as_ended);
    tap_add(s, "a_call_takes_lost_applies_with_it", a_call_takes_lost_applies_with_it);
    tap_add(s, "nobody_starves", nobody_starves);
    tap_add(s, "definitions_in_order", definitions_in_order);
    tap_add_loop(s, "subscriptions", subscriptions, TAP_ROWS(matches));
    tap_add(s, "notices_and_words", notices_and_words);
    tap_add(s, "rank_can_be_set_later", rank_can_be_set_later);
    return s;
}

TAP_MAIN(suite)
