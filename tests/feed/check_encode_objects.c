/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_encode_objects.c: encodes counters, spans and markers: each change at once, all rows again
 * within 64 ticks, and consistent values whatever the job does meanwhile. The test makes the ticks
 * itself: the feed's thread has ended.
 */
#include "config.h"

#include "../tap.h"
#include "client.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>

#include "feed/publisher/collect/read_objects.h"
#include "feed/publisher/publish/encode.h"
#include "feed/publisher/publish/encode_objects.h"
#include "clock.h"
#include "feed/publisher/publish/publisher.h"
#include "proftop_adapter.h"
#include "reading.h"
#include "threadless.h"
#include "domain.h" /* last: it defines names that the others use */

enum { ROWS = 6000 };

static void *zmq, *facts, *sub;
static struct publisher p;
static uint8_t bytes[WIRE_FRAME_MAX];
static struct wire_frame frame;

/* How often each row was sent since the last look, and its last values. */
static struct {
    unsigned told;
    uint64_t u[WIRE_COLUMNS];
} row[WIRE_GROUPS][ROWS];
static uint64_t frames, came[WIRE_STREAMS];

static void setup(void)
{
    domain_open();
    threadless(feed);
    zmq = zmq_ctx_new();
    facts = zmq_socket(zmq, ZMQ_XPUB);
    sub = zmq_socket(zmq, ZMQ_SUB);
    int none = 0;
    zmq_setsockopt(facts, ZMQ_SNDHWM, &none, sizeof none);
    zmq_setsockopt(sub, ZMQ_RCVHWM, &none, sizeof none);
    zmq_setsockopt(sub, ZMQ_SUBSCRIBE, "", 0);
    ck_assert_int_eq(zmq_bind(facts, "inproc://ticks"), 0);
    ck_assert_int_eq(zmq_connect(sub, "inproc://ticks"), 0);
    ck_assert(publisher_init(&p, feed->core, facts));
    while (!publisher_sender_is_subscribed(&p.sender, WIRE_COUNTERS))
        publisher_sender_listen(&p.sender);
}

static void teardown(void)
{
    publisher_release(&p);
    zmq_close(sub);
    zmq_close(facts);
    zmq_ctx_term(zmq);
    domain_close();
}

/* Records the rows of a group: by id, or, if rows have no id, by their first column. */
static void note(enum wire_group group)
{
    const struct wire_rows *rows = &frame.group[group];
    uint64_t u[WIRE_COLUMNS], carry = 0;
    for (uint32_t i = 0; rows->present && i < rows->count; i++) {
        for (unsigned c = 0; c < WIRE_COLUMNS && rows->column[c].type != WIRE_NONE; c++)
            wire_column_read(&rows->column[c], i, 1, &u[c], c == 0 ? &carry : NULL);
        ck_assert_uint_lt(u[0], ROWS);
        row[group][u[0]].told++;
        memcpy(row[group][u[0]].u, u, sizeof u);
    }
}

/* Runs one tick and records all its frames. */
static void tick(bool last)
{
    int size;
    publisher_tick(&p, test_clock_ns(), last);
    while ((size = zmq_recv(sub, bytes, sizeof bytes, ZMQ_DONTWAIT)) >= 0) {
        ck_assert_int_eq(wire_read(bytes, (size_t)size, &frame), WIRE_OK);
        static const enum wire_group groups[] = {WIRE_G_INT,  WIRE_G_REAL,  WIRE_G_MEMORY,
                                                 WIRE_G_RUNS, WIRE_G_EDGES, WIRE_G_BY,
                                                 WIRE_G_SLOW, WIRE_G_MARK,  WIRE_G_USAGE};
        for (int g = 0; g < TAP_ROWS(groups); g++)
            note(groups[g]);
        came[frame.stream]++;
        frames++;
    }
}

/* How often a row was sent since the last call. */
static unsigned told(enum wire_group group, uint64_t id)
{
    unsigned n = row[group][id].told;
    row[group][id].told = 0;
    return n;
}

static const uint64_t *said(enum wire_group group, uint64_t id)
{
    return row[group][id].u;
}

START_TEST(a_change_is_told_at_the_next_tick)
{
    proftop_id counter = proftop_counter_from(feed, domain, "c", NULL, -5);
    proftop_id real = proftop_counter_from_f64(feed, domain, "r", NULL, 2.5);
    proftop_id memory = proftop_memory(feed, "gpu/0", NULL, "");
    proftop_id none = proftop_counter(feed, domain, "none", NULL);
    proftop_id task = proftop_task(feed, domain, "t");
    proftop_memory_alloc(feed, memory, 100);
    proftop_task_stop(feed, proftop_task_start(feed, task));
    tick(false);
    ck_assert_uint_eq(told(WIRE_G_INT, counter), 1);
    ck_assert_int_eq(wire_unfold_i64(said(WIRE_G_INT, counter)[1]), -5);
    ck_assert_double_eq(publisher_double(said(WIRE_G_REAL, real)[1]), 2.5);
    ck_assert_uint_eq(said(WIRE_G_MEMORY, memory)[2], 100);
    ck_assert_uint_eq(said(WIRE_G_MEMORY, memory)[3], WIRE_UNKNOWN);
    ck_assert_uint_eq(said(WIRE_G_USAGE, memory)[1], 100);
    ck_assert_double_eq(publisher_double(said(WIRE_G_USAGE, memory)[2]), 100);
    proftop_memory_free(feed, memory, 60);
    ck_assert_uint_eq(told(WIRE_G_INT, none), 0);
    ck_assert_uint_eq(told(WIRE_G_RUNS, task), 1);
    ck_assert_uint_eq(told(WIRE_G_EDGES, task), 1);
    ck_assert_uint_eq(told(WIRE_G_BY, task), 1);
    proftop_counter_add(feed, counter, 7);
    tick(false);
    ck_assert_uint_eq(said(WIRE_G_USAGE, memory)[1], 40);
    ck_assert_double_eq(publisher_double(said(WIRE_G_USAGE, memory)[2]), 70);
    ck_assert_uint_eq(told(WIRE_G_INT, counter), 1);
    ck_assert_int_eq(wire_unfold_i64(said(WIRE_G_INT, counter)[1]), 2);
    ck_assert_uint_eq(said(WIRE_G_INT, counter)[4], 2);
}
END_TEST

START_TEST(what_is_lost_is_told_again_in_64_ticks)
{
    enum { SOME = 200 };
    char name[16];
    proftop_id marker = proftop_marker(feed, domain, "m");
    for (int i = 0; i < SOME; i++) {
        snprintf(name, sizeof name, "%d", i);
        proftop_counter_from(feed, domain, name, NULL, i);
        proftop_task_stop(feed, proftop_task_start(feed, proftop_task(feed, domain, name)));
        proftop_mark(feed, marker, NULL);
    }
    tick(false);
    for (uint64_t i = 0; i < SOME; i++) {
        ck_assert_uint_ge(told(WIRE_G_INT, i), 1);
        ck_assert_uint_ge(told(WIRE_G_RUNS, i), 1);
        ck_assert_uint_ge(told(WIRE_G_MARK, i + 1), 1);
    }
    for (int i = 0; i < WIRE_ROLL; i++)
        tick(false);
    for (uint64_t i = 0; i < SOME; i++) {
        ck_assert_uint_eq(told(WIRE_G_INT, i), 1);
        ck_assert_int_eq(wire_unfold_i64(said(WIRE_G_INT, i)[1]), (int64_t)i);
        ck_assert_uint_eq(told(WIRE_G_RUNS, i), 1);
        ck_assert_uint_eq(told(WIRE_G_MARK, i + 1), 1);
    }
}
END_TEST

START_TEST(what_runs_is_told_when_it_begins_and_ends)
{
    proftop_id task = proftop_task(feed, domain, "t");
    struct proftop_run run = proftop_task_start(feed, task);
    tick(false);
    ck_assert_uint_eq(told(WIRE_G_RUNS, task), 1);
    ck_assert_uint_eq(told(WIRE_G_EDGES, task), 0);
    ck_assert_uint_eq(said(WIRE_G_RUNS, task)[1], 0);
    ck_assert_uint_eq(said(WIRE_G_RUNS, task)[5], run.start);
    proftop_task_stop(feed, run);
    tick(false);
    ck_assert_uint_eq(said(WIRE_G_RUNS, task)[1], 1);
    ck_assert_uint_eq(said(WIRE_G_RUNS, task)[5], WIRE_UNKNOWN);
    ck_assert_uint_eq(said(WIRE_G_EDGES, task)[3], run.start);
}
END_TEST

/* Rows at the end of the table get their turn as well as rows at the front. */
START_TEST(a_large_table_is_told_in_turns)
{
    enum { MANY = 5000 }; /* more spans than fit into one tick */
    char name[16];
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "%d", i);
        proftop_task(feed, domain, name);
    }
    for (int turn = 0; turn < 10; turn++) {
        for (proftop_id i = 0; i < MANY; i++)
            proftop_task_stop(feed, proftop_task_start(feed, i));
        frames = 0;
        tick(false);
        ck_assert_uint_le(frames, 64);
    }
    for (proftop_id i = 0; i < MANY; i++)
        ck_assert_uint_ge(told(WIRE_G_RUNS, i), 1);
    tick(true);
    for (proftop_id i = 0; i < MANY; i++)
        ck_assert_uint_eq(said(WIRE_G_RUNS, i)[1], 10);
}
END_TEST

START_TEST(instants_that_nobody_was_sent_are_dropped)
{
    proftop_id marker = proftop_marker(feed, domain, "m");
    for (int i = 0; i < PUBLISHER_MARKS + 900; i++)
        proftop_mark(feed, marker, "global");
    tick(true);
    for (uint64_t number = 1; number <= PUBLISHER_MARKS + 900; number++)
        ck_assert_uint_eq(told(WIRE_G_MARK, number), number > 900);
    ck_assert_uint_eq(publisher_load(&feed->lost[PUBLISHER_LOST_INSTANTS]), 900);
    ck_assert_uint_eq(said(WIRE_G_MARK, 901)[2], 0);
}
END_TEST

enum { WRITERS = 3, UPDATES = 100000 };
static _Atomic int writing;

static void *write_much(void *at)
{
    const proftop_id *id = at;
    for (int i = 0; i < UPDATES; i++) {
        proftop_counter_add(feed, id[0], 1);
        struct proftop_run run = proftop_task_start(feed, id[1]);
        if (i % 100 == 0)
            proftop_mark(feed, id[2], "thread");
        proftop_task_stop(feed, run);
    }
    writing--;
    return NULL;
}

/* Start writers of a counter, a task and a marker. */
static void start_writers(pthread_t thread[WRITERS], proftop_id id[3])
{
    id[0] = proftop_counter(feed, domain, "c", NULL);
    id[1] = proftop_task(feed, domain, "t");
    id[2] = proftop_marker(feed, domain, "m");
    writing = WRITERS;
    for (int i = 0; i < WRITERS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, write_much, id), 0);
}

START_TEST(values_are_whole_while_threads_write)
{
    proftop_id id[3];
    pthread_t thread[WRITERS];
    uint64_t updates = 0, calls = 0;
    start_writers(thread, id);
    while (writing > 0) {
        tick(false);
        const uint64_t *counter = said(WIRE_G_INT, id[0]), *runs = said(WIRE_G_RUNS, id[1]);
        ck_assert_uint_ge(counter[4], updates);
        ck_assert_uint_ge(runs[1], calls);
        ck_assert_double_le(publisher_double(counter[5]), (double)wire_unfold_i64(counter[3]));
        ck_assert_uint_le(runs[3], runs[2]);
        updates = counter[4];
        calls = runs[1];
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(thread[i], NULL);
    tick(true);
    ck_assert_uint_eq(said(WIRE_G_INT, id[0])[4], WRITERS * UPDATES);
    ck_assert_int_eq(wire_unfold_i64(said(WIRE_G_INT, id[0])[1]), WRITERS * UPDATES);
    ck_assert_uint_eq(said(WIRE_G_RUNS, id[1])[1], WRITERS * UPDATES);
    ck_assert_uint_eq(said(WIRE_G_RUNS, id[1])[5], WIRE_UNKNOWN);
    for (uint64_t number = 1; number <= WRITERS * UPDATES / 100; number++)
        ck_assert_uint_ge(told(WIRE_G_MARK, number), 1);
}
END_TEST

/* Invariants of run statistics, also during a run. */
static void check_extremes(const struct publisher_span_view *runs)
{
    ck_assert_uint_le(runs->self, runs->total);
    ck_assert_uint_le(runs->min, runs->last);
    ck_assert_uint_le(runs->last, runs->max);
    ck_assert(runs->first == PROFTOP_UNKNOWN || runs->first <= runs->until);
}

/* The published values add up to the updates, whenever a reset comes. */
START_TEST(a_reset_amid_updates_loses_nothing)
{
    proftop_id id[3];
    pthread_t thread[WRITERS];
    uint64_t updates = 0, calls = 0;
    double sum = 0;
    start_writers(thread, id);
    for (bool more = true; more;) {
        more = writing > 0;
        struct publisher_counter *counter = publisher_counter_at(feed->core->objects, id[0]);
        struct publisher_span *span = publisher_span_at(feed->core->objects, id[1]);
        uint64_t base_updates = counter->base_updates, base_calls = span->base_calls;
        publisher_objects_note(feed->core->objects);
        sched_yield(); /* runs end between the two */
        sum += counter->kept_sum;
        publisher_objects_reset(feed->core->objects);
        updates += counter->base_updates - base_updates;
        calls += span->base_calls - base_calls;
        struct publisher_counter_view view = objects_counter(feed, id[0]);
        struct publisher_span_view runs = objects_span(feed, id[1]);
        if (view.updates > 0) {
            ck_assert_int_le((int64_t)view.min, (int64_t)view.max);
            ck_assert_double_ge(view.mean, (double)(int64_t)view.min);
        }
        if (runs.calls > 0)
            check_extremes(&runs);
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(thread[i], NULL);
    ck_assert_uint_eq(updates + objects_counter(feed, id[0]).updates, WRITERS * UPDATES);
    ck_assert_uint_eq(calls + objects_span(feed, id[1]).calls, WRITERS * UPDATES);
    publisher_objects_note(feed->core->objects);
    sum += publisher_counter_at(feed->core->objects, id[0])->kept_sum;
    /* Each value from 1 to n was set once. */
    ck_assert_double_eq(sum * PUBLISHER_SUM_UNIT,
                        (double)WRITERS * UPDATES * (WRITERS * UPDATES + 1.0) / 2);
}
END_TEST

static void *set_ones(void *at)
{
    const proftop_id *counter = at;
    for (int i = 0; i < WRITERS * UPDATES; i++)
        proftop_counter_set(feed, *counter, 1);
    writing--;
    return NULL;
}

/* The update of a thread that was stopped just before it. */
static void count_late(struct publisher_counter_side *side, double value)
{
    side->sum = publisher_bits(publisher_double(side->sum) + value / PUBLISHER_SUM_UNIT);
    side->updates++;
}

/* Its value and its count stay together: both belong to the epoch that the reset begins. */
START_TEST(an_update_amid_a_note_comes_after_the_reset)
{
    proftop_id real = proftop_counter_f64(feed, domain, "r", NULL);
    struct publisher_counter *counter = publisher_counter_at(feed->core->objects, real);
    struct publisher_counter_side *side[2] = {&counter->side[counter->now], NULL};
    proftop_counter_set_f64(feed, real, 1e30);
    publisher_objects_note(feed->core->objects);
    side[1] = &counter->side[counter->now];
    ck_assert_ptr_ne(side[0], side[1]); /* a new update goes to the other side */
    count_late(side[0], 6);
    publisher_objects_reset(feed->core->objects);
    proftop_counter_set_f64(feed, real, 4);
    proftop_counter_set_f64(feed, real, 11);
    ck_assert_uint_eq(side[1]->updates, 2);
    ck_assert_uint_eq(objects_counter(feed, real).updates, 3);
    ck_assert_double_eq(objects_counter(feed, real).mean, 7);
    publisher_objects_note(feed->core->objects);
    ck_assert_uint_eq(counter->noted.updates, 3);
    ck_assert_double_eq(counter->noted.mean, 7);
    count_late(side[1], 8);
    publisher_objects_note(feed->core->objects);
    ck_assert_uint_eq(counter->noted.updates, 4);
    ck_assert_double_eq(counter->noted.mean, 7.25);
    publisher_objects_reset(feed->core->objects);
    ck_assert_uint_eq(objects_counter(feed, real).updates, 0);
}
END_TEST

/* Difference of the values and the updates that a reset clears. */
static double values_too_many(struct publisher_counter *counter)
{
    const uint64_t base = counter->base_updates;
    publisher_objects_note(feed->core->objects);
    const double sum = counter->kept_sum * PUBLISHER_SUM_UNIT; /* each value is 1 */
    publisher_objects_reset(feed->core->objects);
    return sum - (double)(counter->base_updates - base);
}

/* They differ at most by an update under way at this reset or at the one before. */
START_TEST(a_reset_throws_away_what_it_has_counted)
{
    pthread_t thread;
    double most = 0;
    proftop_id id = proftop_counter(feed, domain, "c", NULL);
    struct publisher_counter *counter = publisher_counter_at(feed->core->objects, id);
    writing = 1;
    ck_assert_int_eq(pthread_create(&thread, NULL, set_ones, &id), 0);
    while (writing > 0)
        most = fmax(most, fabs(values_too_many(counter)));
    pthread_join(thread, NULL);
    ck_assert_double_le(most, 2);
    values_too_many(counter);
    ck_assert_double_eq(counter->kept_sum, 0);
    ck_assert_uint_eq(objects_counter(feed, id).updates, 0);
}
END_TEST

/* A note without a reset, as for dumps, leaves the mean unchanged. Updates after the last note
 * belong to the new epoch. */
START_TEST(the_mean_is_of_what_came_after_the_note)
{
    proftop_id real = proftop_counter_f64(feed, domain, "r", NULL);
    struct publisher_objects *objects = feed->core->objects;
    static const double value[] = {1e30, 2e30, 6e30, 6, 1, 8};
    for (int i = 0; i < 4; i++) {
        if (i == 1 || i == 3)
            publisher_objects_note(objects);
        proftop_counter_set_f64(feed, real, value[i]);
        if (i == 2)
            ck_assert_double_eq(objects_counter(feed, real).mean, 3e30);
    }
    ck_assert_double_eq(publisher_counter_at(objects, real)->noted.mean, 3e30);
    publisher_objects_reset(objects);
    ck_assert_uint_eq(objects_counter(feed, real).updates, 1);
    ck_assert_double_eq(objects_counter(feed, real).mean, 6);
    for (int i = 4; i < 6; i++)
        proftop_counter_set_f64(feed, real, value[i]);
    publisher_objects_note(objects);
    ck_assert_double_eq(objects_counter(feed, real).mean, 5);
}
END_TEST

/* A report is printed between a note and its reset, so this is common. */
START_TEST(a_run_between_a_note_and_its_reset_has_extremes)
{
    proftop_id task = proftop_task(feed, domain, "t");
    for (int before = 0; before < 2; before++) {
        for (int i = 0; i < before; i++)
            proftop_task_stop(feed, proftop_task_start(feed, task));
        publisher_objects_note(feed->core->objects);
        proftop_task_stop(feed, proftop_task_start(feed, task));
        publisher_objects_reset(feed->core->objects);
        struct publisher_span_view runs = objects_span(feed, task);
        ck_assert_uint_eq(runs.calls, 1);
        ck_assert_uint_eq(runs.min, runs.last);
        ck_assert_uint_eq(runs.max, runs.last);
        ck_assert_uint_eq(runs.first, PROFTOP_UNKNOWN);
    }
    struct publisher_span_view was = objects_span(feed, task);
    proftop_task_stop(feed, proftop_task_start(feed, task));
    struct publisher_span_view runs = objects_span(feed, task);
    ck_assert_uint_eq(runs.calls, 2);
    ck_assert_uint_le(runs.min, was.min); /* they only widen */
    ck_assert_uint_ge(runs.max, was.max);
    ck_assert_uint_eq(runs.until - runs.first, runs.last);
}
END_TEST

/* More rows of every kind than fit into one frame. */
static void tell_much(void)
{
    enum { MUCH = WIRE_FRAME_ROWS + 1 };
    char name[16];
    struct proftop_apply_detail_info detail = PROFTOP_APPLY_DETAIL;
    client_graphs(feed, MUCH, MUCH, PROFTOP_GIVEN);
    const proftop_id marker = proftop_marker(feed, domain, "m");
    for (proftop_id i = 0; i < MUCH; i++) {
        snprintf(name, sizeof name, "%u", i);
        proftop_call_end(feed, i, proftop_call_begin(feed, i));
        proftop_apply_detail(feed, i, &detail);
        proftop_phase(feed, 0, PROFTOP_NONE, PROFTOP_PHASE_REWRITE, name, NULL);
        proftop_counter_from(feed, domain, name, NULL, 1);
        proftop_task_stop(feed, proftop_task_start(feed, proftop_task(feed, domain, name)));
        proftop_mark(feed, marker, NULL);
    }
}

/* However much is pending at the end, a connected viewer receives it, or learns that it is lost. */
START_TEST(what_the_end_has_no_time_for_is_told_as_lost)
{
    static const enum wire_stream much[] = {WIRE_DEFS,    WIRE_FUNCTIONS, WIRE_REWRITES,
                                            WIRE_DETAILS, WIRE_COUNTERS,  WIRE_SPANS,
                                            WIRE_MARKERS};
    const bool time = _i == 0;
    tell_much();
    publisher_sender_pace(&p.sender, time ? UINT64_MAX : 0);
    tick(true);
    for (int i = 0; i < TAP_ROWS(much); i++) {
        const uint64_t seq = p.sender.seq[much[i]];
        ck_assert_uint_eq(came[much[i]], time ? seq : 0);
        ck_assert_msg(time ? seq > 1 : seq == 1, "stream %c: %u", wire_letters[much[i]],
                      (unsigned)seq);
    }
}
END_TEST

#define ADD(suite, test, rows) TAP_ADD_BETWEEN(suite, test, rows, setup, teardown)

static Suite *suite(void)
{
    Suite *s = suite_create("tell");
    ADD(s, a_change_is_told_at_the_next_tick, 1);
    ADD(s, what_is_lost_is_told_again_in_64_ticks, 1);
    ADD(s, what_runs_is_told_when_it_begins_and_ends, 1);
    ADD(s, a_large_table_is_told_in_turns, 1);
    ADD(s, instants_that_nobody_was_sent_are_dropped, 1);
    ADD(s, values_are_whole_while_threads_write, 1);
    ADD(s, a_reset_amid_updates_loses_nothing, 1);
    ADD(s, an_update_amid_a_note_comes_after_the_reset, 1);
    ADD(s, a_reset_throws_away_what_it_has_counted, 1);
    ADD(s, the_mean_is_of_what_came_after_the_note, 1);
    ADD(s, a_run_between_a_note_and_its_reset_has_extremes, 1);
    ADD(s, what_the_end_has_no_time_for_is_told_as_lost, 2);
    return s;
}

TAP_MAIN(suite)
