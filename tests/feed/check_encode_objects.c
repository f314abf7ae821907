/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_encode_objects.c: the notes and resets of counters and spans amid updates, reports amid
 * frames, and the last tick. check_publish_objects.c checks what viewers are sent in other ticks.
 *
 * The feed's thread has ended, and the test does its work with the publisher's own functions: no
 * viewer can have an update end between a note and its reset, or a frame between two readings of a
 * report, or leave the last tick no time.
 */
#include "config.h"

#include "../tap.h"
#include "client.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>

#include "feed/publisher/collect/read_objects.h"
#include "feed/publisher/publish/publisher.h"
#include "feed/publisher/publish/sender.h"
#include "feed/publisher/record/objects.h"
#include "clock.h"
#include "proftop_adapter.h"
#include "threadless.h"
#include "domain.h" /* last: it defines names that the others use */

static void *zmq, *facts, *sub;
static struct publisher p;
static uint8_t bytes[WIRE_FRAME_MAX];
static struct wire_frame frame;
static uint64_t came[WIRE_STREAMS]; /* frames */
static uint64_t rows[WIRE_GROUPS];

static struct publisher_counter_view counter_of(proftop_id id)
{
    struct publisher_counter_view view;
    publisher_counter_read(publisher_counter_at(feed->core->objects, id), &view);
    return view;
}

static struct publisher_span_view span_of(proftop_id id)
{
    struct publisher_span_view view;
    publisher_span_read(publisher_span_at(feed->core->objects, id), &view);
    return view;
}

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

enum { WRITERS = 3, UPDATES = 100000 };
static _Atomic int writing;

static void *write_much(void *at)
{
    const proftop_id *id = at;
    for (int i = 0; i < UPDATES; i++) {
        proftop_counter_add(feed, id[0], 1);
        proftop_task_stop(feed, proftop_task_start(feed, id[1]));
    }
    writing--;
    return NULL;
}

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
    proftop_id id[] = {proftop_counter(feed, domain, "c", NULL), proftop_task(feed, domain, "t")};
    pthread_t thread[WRITERS];
    uint64_t updates = 0, calls = 0;
    double sum = 0;
    writing = WRITERS;
    for (int i = 0; i < WRITERS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, write_much, id), 0);
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
        struct publisher_counter_view view = counter_of(id[0]);
        struct publisher_span_view runs = span_of(id[1]);
        if (view.updates > 0) {
            ck_assert_int_le((int64_t)view.min, (int64_t)view.max);
            ck_assert_double_ge(view.mean, (double)(int64_t)view.min);
        }
        if (runs.calls > 0)
            check_extremes(&runs);
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(thread[i], NULL);
    ck_assert_uint_eq(updates + counter_of(id[0]).updates, WRITERS * UPDATES);
    ck_assert_uint_eq(calls + span_of(id[1]).calls, WRITERS * UPDATES);
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
    ck_assert_uint_eq(counter_of(real).updates, 3);
    ck_assert_double_eq(counter_of(real).mean, 7);
    publisher_objects_note(feed->core->objects);
    ck_assert_uint_eq(counter->noted.updates, 3);
    ck_assert_double_eq(counter->noted.mean, 7);
    count_late(side[1], 8);
    publisher_objects_note(feed->core->objects);
    ck_assert_uint_eq(counter->noted.updates, 4);
    ck_assert_double_eq(counter->noted.mean, 7.25);
    publisher_objects_reset(feed->core->objects);
    ck_assert_uint_eq(counter_of(real).updates, 0);
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
    ck_assert_uint_eq(counter_of(id).updates, 0);
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
            ck_assert_double_eq(counter_of(real).mean, 3e30);
    }
    ck_assert_double_eq(publisher_counter_at(objects, real)->noted.mean, 3e30);
    publisher_objects_reset(objects);
    ck_assert_uint_eq(counter_of(real).updates, 1);
    ck_assert_double_eq(counter_of(real).mean, 6);
    for (int i = 4; i < 6; i++)
        proftop_counter_set_f64(feed, real, value[i]);
    publisher_objects_note(objects);
    ck_assert_double_eq(counter_of(real).mean, 5);
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
        struct publisher_span_view runs = span_of(task);
        ck_assert_uint_eq(runs.calls, 1);
        ck_assert_uint_eq(runs.min, runs.last);
        ck_assert_uint_eq(runs.max, runs.last);
        ck_assert_uint_eq(runs.first, PROFTOP_UNKNOWN);
    }
    struct publisher_span_view was = span_of(task);
    proftop_task_stop(feed, proftop_task_start(feed, task));
    struct publisher_span_view runs = span_of(task);
    ck_assert_uint_eq(runs.calls, 2);
    ck_assert_uint_le(runs.min, was.min); /* they only widen */
    ck_assert_uint_ge(runs.max, was.max);
    ck_assert_uint_eq(runs.until - runs.first, runs.last);
}
END_TEST

/* A report reads the longest time of a span, and then its frames. A frame that ends between the two
 * may be longer. */
START_TEST(frames_longer_than_the_longest_are_left_out)
{
    enum { FRAMES = 10 };
    proftop_id id = proftop_frame(feed, domain, "f");
    struct publisher_span *span = publisher_span_at(feed->core->objects, id);
    struct publisher_frame_pass all[FRAMES], left[FRAMES];
    for (int i = 0; i < FRAMES; i++) {
        struct proftop_run run = proftop_frame_start(feed, id);
        for (uint64_t now = test_clock_ns(); i == 3 && test_clock_ns() < now + TEST_MS_NS;)
            continue;
        proftop_frame_stop(feed, run);
    }
    ck_assert_uint_eq(publisher_frames_slowest(span, UINT64_MAX, all, FRAMES), FRAMES);
    for (uint32_t i = 0; i < FRAMES; i++) {
        const uint32_t n = publisher_frames_slowest(span, all[i].ns, left, FRAMES);
        ck_assert_uint_ge(n, FRAMES - i);
        ck_assert_uint_eq(left[0].ns, all[i].ns);
    }
    ck_assert_uint_gt(all[0].ns, all[FRAMES - 1].ns);
    ck_assert_uint_eq(publisher_frames_slowest(span, all[FRAMES - 1].ns - 1, left, FRAMES), 0);
}
END_TEST

/* One thread allocates while the other resets, repeatedly from the same start. In any order, the
 * peak since the reset is at least the current value. A reset that a program asks for would hardly
 * ever come at the instant of an allocation. */
enum { RESETS = 20000 };
static pthread_barrier_t all;

static void *grow(void *at)
{
    for (int i = 0; i < RESETS; i += (int)tap_stride()) {
        pthread_barrier_wait(&all);
        proftop_memory_alloc(feed, *(proftop_id *)at, 1);
        pthread_barrier_wait(&all);
    }
    return NULL;
}

START_TEST(the_peak_beside_a_reset_is_exact)
{
    pthread_t thread;
    proftop_id memory = proftop_memory(feed, "cpu", "pool", "a");
    struct publisher_counter *counter = publisher_counter_at(feed->core->objects, memory);
    pthread_barrier_init(&all, NULL, 2);
    ck_assert_int_eq(pthread_create(&thread, NULL, grow, &memory), 0);
    for (int i = 0; i < RESETS; i += (int)tap_stride()) {
        pthread_barrier_wait(&all);
        publisher_counter_reset(counter);
        pthread_barrier_wait(&all);
        ck_assert_uint_eq(atomic_load(&counter->max), atomic_load(&counter->value));
    }
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&all);
}
END_TEST

enum { MUCH = WIRE_FRAME_ROWS + 1 };

/* More rows of every kind than fit into one frame, and more than any tick but the last sends. */
static void tell_much(void)
{
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

/* Runs the last tick, and counts its frames and their rows. */
static void last_tick(void)
{
    int size;
    publisher_tick(&p, test_clock_ns(), true);
    while ((size = zmq_recv(sub, bytes, sizeof bytes, ZMQ_DONTWAIT)) >= 0) {
        ck_assert_int_eq(wire_read(bytes, (size_t)size, &frame), WIRE_OK);
        came[frame.stream]++;
        for (int group = 0; group < WIRE_GROUPS; group++)
            rows[group] += frame.group[group].present ? frame.group[group].count : 0;
    }
}

/* However much is pending at the end, a connected viewer receives it, or learns that it is lost. */
START_TEST(rows_not_sent_at_the_end_are_reported_lost)
{
    static const enum wire_stream much[] = {WIRE_DEFS,    WIRE_FUNCTIONS, WIRE_REWRITES,
                                            WIRE_DETAILS, WIRE_COUNTERS,  WIRE_SPANS,
                                            WIRE_MARKERS};
    static const enum wire_group all_of[] = {WIRE_G_INT, WIRE_G_RUNS, WIRE_G_MARK};
    const bool time = _i == 0;
    tell_much();
    publisher_sender_pace(&p.sender, time ? UINT64_MAX : 0);
    last_tick();
    for (int i = 0; i < TAP_ROWS(much); i++) {
        const uint64_t seq = p.sender.seq[much[i]];
        ck_assert_uint_eq(came[much[i]], time ? seq : 0);
        ck_assert_msg(time ? seq > 1 : seq == 1, "stream %c: %u", wire_letters[much[i]],
                      (unsigned)seq);
    }
    for (int i = 0; i < TAP_ROWS(all_of); i++)
        ck_assert_uint_eq(rows[all_of[i]], time ? MUCH : 0);
}
END_TEST

#define ADD(suite, test, rows) TAP_ADD_BETWEEN(suite, test, rows, setup, teardown)

static Suite *suite(void)
{
    Suite *s = suite_create("tell");
    ADD(s, a_reset_amid_updates_loses_nothing, 1);
    ADD(s, an_update_amid_a_note_comes_after_the_reset, 1);
    ADD(s, a_reset_throws_away_what_it_has_counted, 1);
    ADD(s, the_mean_is_of_what_came_after_the_note, 1);
    ADD(s, a_run_between_a_note_and_its_reset_has_extremes, 1);
    ADD(s, frames_longer_than_the_longest_are_left_out, 1);
    ADD(s, the_peak_beside_a_reset_is_exact, 1);
    ADD(s, rows_not_sent_at_the_end_are_reported_lost, 2);
    return s;
}

TAP_MAIN(suite)
