/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_timeline.c: a trace as its viewer reads it: each call, run, instant and value of the window
 * has one event with its true time, what has no room is counted, and a trace ends whatever happens.
 */
#include "config.h"

#include "../tap.h"
#include "client.h"

#include <pthread.h>
#include <sys/wait.h>

#include "process.h"
#include "proftop_adapter.h"
#include "proftop_control.h"
#include "proftop_objects.h"

enum { KINDS = 5, KEPT = 4096, STUCK_CALLS = 1000000 };

static const enum wire_group groups[KINDS] = {WIRE_G_APPLIED, WIRE_G_CALLED, WIRE_G_RAN,
                                              WIRE_G_MARKED, WIRE_G_VALUED};

struct event {
    uint64_t start, u[WIRE_COLUMNS];
};

static struct proftop *feed;
static struct client c;
static struct {
    struct event event[KINDS][KEPT]; /* the first ones of each kind */
    uint64_t count[KINDS];
    uint64_t window[9];
} came;

static void set_up(void)
{
    feed = client_feed();
}

/* Connects once all is defined. */
static void connect_client(void)
{
    client_open(&c, getpid());
    client_subscribe(&c, "D/");
    client_subscribe(&c, "T/");
    client_hello(&c);
}

static void tear_down(void)
{
    client_end(&c, feed);
}

/* Asks for a change of the trace. Returns the word of the answer. */
static const char *ask(const char *words)
{
    static uint64_t number = 100;
    static char no[32];
    client_ask(&c, (struct client_request){
                       .q = "control", .req = ++number, .what = "trace", .arg = words});
    do
        client_expect(&c, c.dealer, WIRE_REPLY);
    while (c.frame.field[WIRE_F_REQ].u != number);
    const struct wire_value *value = &c.frame.field[WIRE_F_NO];
    snprintf(no, sizeof no, "%.*s", (int)value->text.size, value->text.data);
    return value->present ? no : "done";
}

static void take_rows(unsigned kind)
{
    const struct wire_rows *rows = &c.frame.group[groups[kind]];
    for (uint32_t i = 0; rows->present && i < rows->count; i++) {
        struct event event = {0};
        for (unsigned k = 0; k < wire_wide(&wire_groups[groups[kind]]); k++)
            wire_column_read(&rows->column[k], i, 1, &event.u[k], NULL);
        event.start = came.window[4] - event.u[1];
        if (came.count[kind] < KEPT)
            came.event[kind][came.count[kind]] = event;
        came.count[kind]++;
    }
}

/* Reads the trace to its end. */
static void read_trace(void)
{
    memset(&came, 0, sizeof came);
    do {
        client_expect(&c, c.sub, WIRE_TIMELINE);
        for (unsigned k = 0; k < 9; k++)
            wire_column_read(&c.frame.group[WIRE_G_WINDOW].column[k], 0, 1, &came.window[k], NULL);
        for (unsigned kind = 0; kind < KINDS; kind++)
            take_rows(kind);
    } while (came.window[3] == 0);
}

static uint64_t events(void)
{
    return came.window[5];
}

static uint64_t dropped(void)
{
    return came.window[6];
}

static void begin(const char *words)
{
    ck_assert_str_eq(ask(words), "done");
}

static void end(void)
{
    ck_assert_str_eq(ask("stop"), "done");
    read_trace();
    ck_assert_uint_eq(came.window[3], 2);
}

static void run_calls(proftop_id apply, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        struct proftop_token token = proftop_begin(feed, apply);
        proftop_end(feed, apply, token);
    }
}

/* Reads the total of an apply, and its calls. */
static uint64_t total_of(proftop_id apply, uint64_t *calls)
{
    static uint64_t request = 500;
    client_snapshot(&c, "DA", ++request);
    *calls = c.apply[apply].calls;
    return c.apply[apply].total;
}

/* ---------------------------------------------------------------------------------------- calls */

START_TEST(each_call_has_an_event)
{
    uint64_t calls, before, sum = 0;
    set_up();
    const proftop_id apply = client_graph(feed, 2, PROFTOP_TIMED);
    run_calls(apply, 5);
    connect_client();
    const uint64_t total = total_of(apply, &before);
    begin("60\n100000");
    run_calls(apply, 100);
    run_calls(apply + 1, 7); /* its first calls: the slot is new */
    end();
    run_calls(apply, 3); /* outside */
    ck_assert_uint_eq(came.count[0], 107);
    ck_assert_uint_eq(events(), 107);
    ck_assert_uint_eq(dropped() + came.window[7] + came.window[8], 0);
    for (unsigned i = 0; i < 107; i++) {
        const struct event *event = &came.event[0][i];
        ck_assert_uint_eq(event->u[0], i < 100 ? apply : apply + 1);
        ck_assert_uint_eq(event->u[4], 0);
        ck_assert_uint_ne(event->u[3], 0);
        ck_assert_uint_ge(event->start, came.window[1]);
        ck_assert_uint_le(event->start + event->u[2], came.window[2]);
        ck_assert(i == 0 || event->start >= event[-1].start + event[-1].u[2]);
        sum += i < 100 ? event->u[2] : 0;
    }
    run_calls(apply, 0);
    const uint64_t after = total_of(apply, &calls);
    ck_assert_uint_eq(calls, before + 103);
    ck_assert_uint_ge(after - total, sum); /* three calls more, and what is rounded */
    tear_down();
}
END_TEST

/* The sum of the events is the growth of the total, but for less than 1 ns a call. */
START_TEST(times_are_those_that_are_counted)
{
    uint64_t calls, sum = 0;
    set_up();
    const proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    run_calls(apply, 1);
    connect_client();
    const uint64_t before = total_of(apply, &calls);
    begin("60\n100000");
    run_calls(apply, 2000);
    end();
    const uint64_t grown = total_of(apply, &calls) - before;
    ck_assert_uint_eq(calls, 2001);
    for (unsigned i = 0; i < 2000; i++)
        sum += came.event[0][i].u[2];
    ck_assert_uint_le(sum, grown + 1);
    ck_assert_uint_ge(sum + 2000, grown);
    tear_down();
}
END_TEST

START_TEST(nested_calls_lie_inside)
{
    set_up();
    const proftop_id apply = client_graph(feed, 2, PROFTOP_TIMED);
    run_calls(apply, 1);
    run_calls(apply + 1, 1);
    connect_client();
    begin("60\n100000");
    struct proftop_token outer = proftop_begin(feed, apply);
    run_calls(apply + 1, 3);
    proftop_end(feed, apply, outer);
    end();
    ck_assert_uint_eq(came.count[0], 4);
    const struct event *around = &came.event[0][3]; /* it ends last */
    ck_assert_uint_eq(around->u[0], apply);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_uint_ge(came.event[0][i].start, around->start);
        ck_assert_uint_le(came.event[0][i].start + came.event[0][i].u[2],
                          around->start + around->u[2]);
    }
    tear_down();
}
END_TEST

START_TEST(given_durations_are_told_as_given)
{
    set_up();
    const proftop_id apply = client_graph(feed, 1, PROFTOP_GIVEN);
    proftop_record(feed, apply, 10);
    connect_client();
    begin("60\n100000");
    for (unsigned i = 0; i < 50; i++)
        proftop_record(feed, apply, 1000 + i);
    proftop_record(feed, apply, PROFTOP_UNKNOWN);
    end();
    ck_assert_uint_eq(came.count[0], 50);
    ck_assert_uint_eq(came.window[8], 1); /* the call without a time */
    for (unsigned i = 0; i < 50; i++) {
        ck_assert_uint_eq(came.event[0][i].u[2], 1000 + i);
        ck_assert_uint_eq(came.event[0][i].u[4], 1);
    }
    tear_down();
}
END_TEST

/* Begins a window in which a function with one apply is traced. */
static proftop_id trace_a_function(proftop_id *apply)
{
    struct proftop_function_info info = {.size = sizeof info, .name = "step"};
    set_up();
    *apply = client_graph(feed, 1, PROFTOP_TIMED);
    const proftop_id function = proftop_function(feed, &info);
    connect_client();
    begin("60\n100000");
    return function;
}

START_TEST(functions_have_events)
{
    proftop_id apply;
    const proftop_id function = trace_a_function(&apply);
    for (unsigned i = 0; i < 6; i++) {
        struct proftop_token call = proftop_call_begin(feed, function);
        run_calls(apply, 1);
        proftop_call_end(feed, function, call);
    }
    end();
    ck_assert_uint_eq(came.count[1], 6);
    ck_assert_uint_eq(came.count[0], 6);
    for (unsigned i = 0; i < 6; i++) {
        const struct event *call = &came.event[1][i], *inside = &came.event[0][i];
        ck_assert_uint_eq(call->u[0], function);
        ck_assert_uint_le(call->start, inside->start);
        ck_assert_uint_ge(call->start + call->u[2], inside->start + inside->u[2]);
    }
    tear_down();
}
END_TEST

START_TEST(open_calls_are_told_at_the_end)
{
    proftop_id apply;
    const proftop_id function = trace_a_function(&apply);
    struct proftop_token call = proftop_call_begin(feed, function);
    struct proftop_token token = proftop_begin(feed, apply);
    end();
    proftop_end(feed, apply, token);
    proftop_call_end(feed, function, call);
    ck_assert_uint_eq(came.count[0], 1);
    ck_assert_uint_eq(came.count[1], 1);
    for (unsigned kind = 0; kind < 2; kind++) {
        const struct event *event = &came.event[kind][0];
        ck_assert_uint_eq(event->u[4], 2);
        ck_assert_uint_eq(event->start + event->u[2], came.window[2]);
    }
    tear_down();
}
END_TEST

static void *run_thread(void *apply)
{
    run_calls(*(proftop_id *)apply, 20);
    return NULL;
}

/* Threads that begin and end in the window keep their events apart, also if there are more of them
 * than rings: a thread passes its ring on. */
START_TEST(threads_that_come_and_go_have_events)
{
    enum { THREADS = 200, IDS = 1024 };
    set_up();
    proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    unsigned of[IDS] = {0}, threads = 0;
    connect_client();
    begin("60\n100000");
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, run_thread, &apply), 0);
        pthread_join(thread, NULL);
    }
    end();
    ck_assert_uint_eq(came.count[0], THREADS * 20);
    for (unsigned i = 0; i < THREADS * 20; i++)
        of[came.event[0][i].u[3] % IDS]++;
    for (unsigned i = 0; i < IDS; i++)
        threads += of[i] == 20;
    ck_assert_uint_eq(threads, THREADS);
    tear_down();
}
END_TEST

/* ---------------------------------------------------------------------------------------- drops */

START_TEST(beyond_the_limit_events_are_counted)
{
    set_up();
    const proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    connect_client();
    begin("60\n10");
    run_calls(apply, 100);
    end();
    ck_assert_uint_eq(came.count[0], 10);
    ck_assert_uint_eq(events(), 10);
    ck_assert_uint_eq(dropped(), 90);
    tear_down();
}
END_TEST

START_TEST(a_full_ring_counts_what_it_drops)
{
    uint64_t calls;
    set_up();
    const proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    connect_client();
    begin("60\n10000000");
    run_calls(apply, STUCK_CALLS);
    end();
    ck_assert_uint_eq(came.count[0], events());
    ck_assert_uint_eq(events() + dropped(), STUCK_CALLS);
    total_of(apply, &calls);
    ck_assert_uint_eq(calls, STUCK_CALLS);
    tear_down();
}
END_TEST

/* -------------------------------------------------------------------------------------- objects */

START_TEST(runs_have_their_lengths)
{
    set_up();
    const proftop_id domain = proftop_domain(feed, "io");
    const proftop_id task = proftop_task(feed, domain, "read");
    proftop_task_stop(feed, proftop_task_start(feed, task)); /* before */
    connect_client();
    begin("60\n100000");
    for (unsigned i = 0; i < 10; i++) {
        struct proftop_run run = proftop_task_start(feed, task);
        const uint64_t until = test_clock_ns() + i * 100000;
        while (test_clock_ns() < until)
            continue;
        proftop_task_stop(feed, run);
    }
    struct proftop_run open = proftop_task_start(feed, task);
    end();
    proftop_task_stop(feed, open);
    ck_assert_uint_eq(came.count[2], 11);
    for (unsigned i = 0; i < 10; i++) {
        const struct event *event = &came.event[2][i];
        ck_assert_uint_eq(event->u[0], task);
        ck_assert_uint_ge(event->u[2], i * 100000);
        ck_assert_uint_eq(event->u[4], 0);
        ck_assert(i == 0 || event->start >= event[-1].start + event[-1].u[2]);
    }
    ck_assert_uint_eq(came.event[2][10].u[4], 2);
    tear_down();
}
END_TEST

START_TEST(instants_and_values_have_events)
{
    set_up();
    const proftop_id domain = proftop_domain(feed, "io");
    const proftop_id rows = proftop_counter(feed, domain, "rows", NULL);
    const proftop_id load = proftop_counter_f64(feed, domain, "load", NULL);
    const proftop_id pool = proftop_memory(feed, "cpu/0", "pool", "");
    const proftop_id here = proftop_marker(feed, domain, "here");
    proftop_counter_set(feed, rows, 5);
    connect_client();
    begin("60\n100000");
    proftop_counter_add(feed, rows, -8);
    proftop_counter_set_f64(feed, load, 2.5);
    proftop_memory_alloc(feed, pool, 4096);
    proftop_memory_free(feed, pool, 96);
    proftop_mark(feed, here, "thread");
    end();
    ck_assert_uint_eq(came.count[3], 1);
    ck_assert_uint_eq(came.event[3][0].u[0], here);
    ck_assert_uint_ge(came.event[3][0].start, came.window[1]);
    ck_assert_uint_eq(came.count[4], 5); /* the first is the value at the beginning */
    const struct {
        proftop_id id;
        int64_t whole;
        double real;
    } expected[] = {{rows, 5, 0}, {rows, -3, 0}, {load, 0, 2.5}, {pool, 4096, 0}, {pool, 4000, 0}};
    for (unsigned i = 0; i < 5; i++) {
        const struct event *event = &came.event[4][i];
        double real;
        memcpy(&real, &event->u[3], sizeof real);
        ck_assert_uint_eq(event->u[0], expected[i].id);
        ck_assert_int_eq(wire_unfold_i64(event->u[2]), expected[i].whole);
        ck_assert_double_eq(real, expected[i].real);
    }
    ck_assert_uint_eq(came.event[4][0].start, came.window[1]);
    tear_down();
}
END_TEST

/* ------------------------------------------------------------------------------------ beginning */

START_TEST(one_trace_at_a_time)
{
    set_up();
    const proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    connect_client();
    ck_assert_str_eq(ask("stop"), "done"); /* there is none */
    ck_assert_int_eq(proftop_is_traced(feed), 0);
    begin("60\n100");
    ck_assert_int_eq(proftop_is_traced(feed), 1);
    ck_assert_str_eq(ask("60\n100"), "failed");
    run_calls(apply, 3);
    end();
    ck_assert_int_eq(proftop_is_traced(feed), 0);
    ck_assert_int_eq(proftop_is_traced(NULL), 0);
    ck_assert_uint_eq(came.window[0], 1);
    while (strcmp(ask("60\n100"), "done") != 0) /* ten a second; the last is still being freed */
        client_receive(&c, c.sub, 100);
    run_calls(apply, 4);
    end();
    ck_assert_uint_eq(came.window[0], 2);
    ck_assert_uint_eq(came.count[0], 4);
    tear_down();
}
END_TEST

static const char *const wrong[] = {"60",      "0\n10",   "60\n0", "601\n10",    "60\n10000001",
                                    "60\n1.5", "-1\n10",  "x\n10", "60\n10\n10", "stop\n1",
                                    "halt",    "60 \n10", "60\nx"};

START_TEST(wrong_words_begin_nothing)
{
    set_up();
    const proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    connect_client();
    ck_assert_str_eq(ask(wrong[_i]), "wrong");
    run_calls(apply, 3);
    begin("60\n100");
    end();
    ck_assert_uint_eq(came.window[0], 1);
    ck_assert_uint_eq(events(), 0);
    tear_down();
}
END_TEST

/* ---------------------------------------------------------------------------------------- ending
 */

START_TEST(time_ends_a_trace)
{
    set_up();
    const proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    connect_client();
    begin("0.3\n100000");
    run_calls(apply, 3);
    read_trace();
    ck_assert_uint_eq(came.window[3], 1);
    ck_assert_uint_eq(came.count[0], 3);
    ck_assert_uint_ge(came.window[2] - came.window[1], 300 * TEST_MS_NS);
    tear_down();
}
END_TEST

START_TEST(without_a_subscriber_a_trace_ends)
{
    set_up();
    const proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    connect_client();
    begin("60\n100000");
    run_calls(apply, 3);
    client_expect(&c, c.sub, WIRE_TIMELINE);
    ck_assert_int_eq(zmq_setsockopt(c.sub, ZMQ_UNSUBSCRIBE, "T/", 2), 0);
    while (strcmp(ask("60\n100"), "done") != 0)
        client_receive(&c, c.sub, 100);
    client_subscribe(&c, "T/");
    end();
    ck_assert_uint_eq(came.window[0], 2);
    tear_down();
}
END_TEST

START_TEST(the_end_of_a_job_ends_its_trace)
{
    set_up();
    const proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    connect_client();
    begin("60\n100000");
    client_expect(&c, c.sub, WIRE_TIMELINE);
    run_calls(apply, 500);
    proftop_close(feed);
    read_trace();
    ck_assert_uint_eq(came.window[3], 4);
    ck_assert_uint_eq(events() + dropped(), 500);
    ck_assert_uint_eq(dropped(), 0);
    client_close(&c);
    client_clean();
}
END_TEST

START_TEST(a_reset_ends_no_trace)
{
    set_up();
    const proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    connect_client();
    begin("60\n100000");
    run_calls(apply, 10);
    ck_assert_ptr_null(proftop_reset(feed));
    run_calls(apply, 10);
    end();
    ck_assert_uint_eq(events(), 20);
    tear_down();
}
END_TEST

/* A forked child counts into a feed of its own, without a trace. */
START_TEST(a_forked_child_has_no_trace)
{
    int status = 0;
    set_up();
    const proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    connect_client();
    begin("60\n100000");
    run_calls(apply, 10);
    const pid_t child = fork();
    if (child == 0) {
        struct proftop_options options = {.size = sizeof options, .program = "child"};
        run_calls(apply, 10);
        struct proftop *own = proftop_open(&options);
        struct proftop *parent = feed;
        feed = own;
        run_calls(client_graph(own, 1, PROFTOP_TIMED), 10);
        proftop_close(own);
        feed = parent;
        _exit(proftop_is_on(parent) ? 1 : 0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    run_calls(apply, 10);
    end();
    ck_assert_uint_eq(events(), 20);
    tear_down();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("timeline");
    tap_add(s, "each call has an event", each_call_has_an_event);
    tap_add(s, "times are those that are counted", times_are_those_that_are_counted);
    tap_add(s, "nested calls lie inside", nested_calls_lie_inside);
    tap_add(s, "given durations are told as given", given_durations_are_told_as_given);
    tap_add(s, "functions have events", functions_have_events);
    tap_add(s, "open calls are told at the end", open_calls_are_told_at_the_end);
    tap_add(s, "threads that come and go have events", threads_that_come_and_go_have_events);
    tap_add(s, "beyond the limit events are counted", beyond_the_limit_events_are_counted);
    tap_add(s, "a full ring counts what it drops", a_full_ring_counts_what_it_drops);
    tap_add(s, "runs have their lengths", runs_have_their_lengths);
    tap_add(s, "instants and values have events", instants_and_values_have_events);
    tap_add(s, "one trace at a time", one_trace_at_a_time);
    tap_add(s, "time ends a trace", time_ends_a_trace);
    tap_add(s, "without a subscriber a trace ends", without_a_subscriber_a_trace_ends);
    tap_add(s, "the end of a job ends its trace", the_end_of_a_job_ends_its_trace);
    tap_add(s, "a reset ends no trace", a_reset_ends_no_trace);
    if (!PROCESS_TSAN) /* TSan allows no threads in a child forked beside threads */
        tap_add(s, "a forked child has no trace", a_forked_child_has_no_trace);
    tap_add_loop(s, "wrong words begin nothing", wrong_words_begin_nothing, TAP_ROWS(wrong));
    return s;
}

TAP_MAIN(suite)
