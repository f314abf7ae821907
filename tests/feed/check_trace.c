/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_trace.c: the events of a dump: each kind, overlapping runs, names, bounds, and the report
 * of dropped events.
 */
#include "config.h"

#include "../tap.h"
#include "client.h"

#include <jansson.h>
#include <pthread.h>

#include "clock.h"
#include "proftop_control.h"
#include "proftop_objects.h"
#include "domain.h" /* last: it defines names that the others use */

/* Limits that proftop_control.h states at proftop_dump(). */
enum {
    ENDED_OWN = 8192,  /* ended runs that are kept of one thread, */
    ENDED_ALL = 32768, /* and of all threads, */
    ENDED_LATE = 256,  /* and of a thread that comes once these places are given out */
    KEPT_MARKS = 4096, /* instants that are kept */
    SAMPLED = 8192,    /* counters that a tick samples */
};

static json_t *dump(void)
{
    char path[256];
    snprintf(path, sizeof path, "%s/trace.json", client_place());
    const char *pairs[] = {"filename", path, "gpu_memory_profile_filename_prefix", "", NULL};
    ck_assert_ptr_null(proftop_set_config(feed, pairs));
    const char *why = proftop_dump(feed, 0, NULL);
    ck_assert_msg(why == NULL || strstr(why, "has no rows"), "%s", why);
    json_error_t error;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(root != NULL, "%s in line %d", error.text, error.line);
    return root;
}

static const char *text_of(const json_t *event, const char *key)
{
    const char *text = json_string_value(json_object_get(event, key));
    return text != NULL ? text : "";
}

static double figure(const json_t *event, const char *key)
{
    const json_t *value = json_object_get(event, key);
    ck_assert_msg(json_is_number(value), "no %s", key);
    return json_number_value(value);
}

/* Event number `at` of this kind and name; NULL: there are fewer. */
static json_t *event_of(const json_t *root, const char *kind, const char *name, size_t at)
{
    size_t i;
    json_t *event;
    json_array_foreach(json_object_get(root, "traceEvents"), i, event)
    {
        const bool is_it = strcmp(text_of(event, "ph"), kind) == 0 &&
                           (name == NULL || strcmp(text_of(event, "name"), name) == 0);
        if (is_it && at-- == 0)
            return event;
    }
    return NULL;
}

static uint64_t count_of(const json_t *root, const char *key)
{
    const json_t *counts = json_object_get(json_object_get(root, "proftop"), "events");
    return (uint64_t)json_integer_value(json_object_get(counts, key));
}

/* Checks what trace readers require of every event. Complete events of a thread are nested or
 * disjoint. */
static void check_events(const json_t *root)
{
    static const char *const kinds = "MXbeiC";
    double begin[64], end[64], tid[64];
    size_t i, n = 0;
    json_t *event;
    json_array_foreach(json_object_get(root, "traceEvents"), i, event)
    {
        const char *kind = text_of(event, "ph");
        ck_assert(strlen(kind) == 1 && strchr(kinds, *kind) != NULL);
        ck_assert_double_eq(figure(event, "pid"), getpid());
        ck_assert(figure(event, "tid") >= 0 && figure(event, "tid") < 0x1p53);
        ck_assert(json_is_string(json_object_get(event, "name")));
        if (*kind == 'M')
            continue;
        ck_assert(json_is_string(json_object_get(event, "cat")));
        ck_assert(figure(event, "ts") > 0);
        if (*kind != 'X' || n == 64)
            continue;
        begin[n] = figure(event, "ts");
        end[n] = begin[n] + figure(event, "dur");
        tid[n++] = figure(event, "tid");
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            ck_assert_msg(a == b || tid[a] != tid[b] || end[a] <= begin[b] + 0.001 ||
                              begin[a] + 0.001 >= end[b] ||
                              (begin[a] <= begin[b] && end[b] <= end[a] + 0.001) ||
                              (begin[b] <= begin[a] && end[a] <= end[b] + 0.001),
                          "two events overlap");
}

static void spin(void)
{
    for (uint64_t until = test_clock_ns() + 20000; test_clock_ns() < until;)
        continue;
}

START_TEST(runs_are_events_with_their_time)
{
    const proftop_id task = proftop_task(feed, domain, "a \"task\"\n\x01\xff");
    const proftop_id frame = proftop_frame(feed, domain, "step");
    const proftop_id piece = proftop_event(feed, "piece");
    const uint64_t before = test_clock_ns();
    struct proftop_run outer = proftop_frame_start(feed, frame);
    struct proftop_run inner = proftop_task_start(feed, task);
    proftop_event_stop(feed, proftop_event_start(feed, piece));
    spin();
    proftop_task_stop(feed, inner);
    proftop_frame_stop(feed, outer);
    proftop_frame_stop(feed, proftop_frame_start(feed, frame));
    const uint64_t after = test_clock_ns();
    json_t *root = dump();
    check_events(root);
    json_t *event = event_of(root, "X", "a \"task\"\n\x01\xef\xbf\xbd", 0);
    ck_assert_ptr_nonnull(event);
    ck_assert_str_eq(text_of(event, "cat"), "io");
    ck_assert(figure(event, "dur") >= 20);
    ck_assert(figure(event, "ts") * 1e3 >= (double)before - 1);
    ck_assert((figure(event, "ts") + figure(event, "dur")) * 1e3 <= (double)after + 1);
    ck_assert_double_eq(figure(event, "tid"), gettid());
    for (size_t i = 0; i < 2; i++) {
        event = event_of(root, "X", "step", i);
        ck_assert_str_eq(text_of(event, "cat"), "io,frame");
        ck_assert_double_eq(figure(json_object_get(event, "args"), "frame"), (double)i + 1);
    }
    ck_assert_str_eq(text_of(event_of(root, "X", "piece", 0), "cat"), "event");
    ck_assert_uint_eq(count_of(root, "runs"), 4);
    ck_assert_uint_eq(count_of(root, "runs_dropped"), 0);
    json_decref(root);
}
END_TEST

START_TEST(a_domain_is_the_category)
{
    static const char *const names[] = {"net", "d,\"2\""};
    for (int i = 0; i < TAP_ROWS(names); i++) {
        const proftop_id other = proftop_domain(feed, names[i]);
        proftop_task_stop(feed, proftop_task_start(feed, proftop_task(feed, other, "t")));
        proftop_counter_from(feed, other, "c", NULL, i);
        proftop_mark(feed, proftop_marker(feed, other, "m"), NULL);
    }
    json_t *root = dump();
    check_events(root);
    for (int i = 0; i < TAP_ROWS(names); i++) {
        char counter[32];
        snprintf(counter, sizeof counter, "%s: c", names[i]);
        ck_assert_str_eq(text_of(event_of(root, "X", "t", (size_t)i), "cat"), names[i]);
        ck_assert_str_eq(text_of(event_of(root, "i", "m", (size_t)i), "cat"), names[i]);
        ck_assert_str_eq(text_of(event_of(root, "C", counter, 0), "cat"), names[i]);
    }
    json_decref(root);
}
END_TEST

/* Each run is complete: a begin and an end with a unique id. */
START_TEST(runs_that_overlap_are_pairs)
{
    const proftop_id task = proftop_task(feed, domain, "long");
    const proftop_id other = proftop_task(feed, domain, "o");
    for (int i = 0; i < 3; i++) {
        struct proftop_run a = proftop_task_start(feed, task);
        spin();
        struct proftop_run b = proftop_task_start(feed, other);
        spin();
        proftop_task_stop(feed, a);
        spin();
        proftop_task_stop(feed, b);
    }
    json_t *root = dump();
    check_events(root);
    for (size_t i = 0; i < 3; i++) {
        json_t *begin = event_of(root, "b", "o", i), *end = event_of(root, "e", "o", i);
        ck_assert(begin != NULL && end != NULL);
        ck_assert_str_eq(text_of(begin, "id"), text_of(end, "id"));
        ck_assert(figure(end, "ts") >= figure(begin, "ts") + 40);
        ck_assert_ptr_nonnull(event_of(root, "X", "long", i));
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(text_of(begin, "id"), text_of(event_of(root, "b", "o", j), "id"));
    }
    ck_assert_ptr_null(event_of(root, "b", NULL, 3));
    json_decref(root);
}
END_TEST

static void *run_a_task(void *task)
{
    proftop_thread_name(feed, "helper");
    proftop_task_stop(feed, proftop_task_start(feed, *(proftop_id *)task));
    return NULL;
}

START_TEST(threads_have_their_names_and_events)
{
    pthread_t thread;
    proftop_id task = proftop_task(feed, domain, "t");
    proftop_task_stop(feed, proftop_task_start(feed, task));
    ck_assert_int_eq(pthread_create(&thread, NULL, run_a_task, &task), 0);
    pthread_join(thread, NULL);
    json_t *root = dump();
    const double first = figure(event_of(root, "X", "t", 0), "tid");
    const double second = figure(event_of(root, "X", "t", 1), "tid");
    ck_assert_double_ne(first, second);
    bool named = false;
    json_t *event;
    for (size_t i = 0; (event = event_of(root, "M", "thread_name", i)) != NULL; i++)
        named |= strcmp(text_of(json_object_get(event, "args"), "name"), "helper") == 0 &&
                 figure(event, "tid") == (first == gettid() ? second : first);
    ck_assert(named);
    json_decref(root);
}
END_TEST

START_TEST(marks_are_instants_of_their_scope)
{
    static const struct {
        const char *scope, *shown;
    } rows[] = {{"global", "g"}, {"process", "p"}, {"thread", "t"}, {"task", "t"}, {"marker", "p"}};
    const proftop_id marker = proftop_marker(feed, domain, "here");
    struct proftop_run run = proftop_task_start(feed, proftop_task(feed, domain, "around"));
    for (int i = 0; i < TAP_ROWS(rows); i++)
        ck_assert_ptr_null(proftop_mark(feed, marker, rows[i].scope));
    proftop_task_stop(feed, run);
    json_t *root = dump();
    check_events(root);
    for (int i = 0; i < TAP_ROWS(rows); i++) {
        json_t *event = event_of(root, "i", "here", (size_t)i);
        ck_assert_str_eq(text_of(event, "s"), rows[i].shown);
        ck_assert_str_eq(text_of(event, "cat"), "io");
        ck_assert_str_eq(text_of(json_object_get(event, "args"), "scope"), rows[i].scope);
        ck_assert_str_eq(text_of(json_object_get(event, "args"), "task"), "around");
        ck_assert_double_eq(figure(event, "tid"), gettid());
    }
    ck_assert_uint_eq(count_of(root, "instants"), TAP_ROWS(rows));
    json_decref(root);
}
END_TEST

/* The last sample is the current value: a dump takes one. A scope's memory is in its pool. */
START_TEST(counters_are_sampled)
{
    const proftop_id whole = proftop_counter_from(feed, domain, "n", NULL, 1);
    proftop_counter_from_f64(feed, domain, "real", NULL, -0.5);
    proftop_counter(feed, domain, "none", NULL);
    proftop_memory_alloc(feed, proftop_memory(feed, "gpu/0", "p", "s"), 3000);
    json_decref(dump());
    proftop_counter_set(feed, whole, -9007199254740993);
    json_decref(dump());
    json_t *root = dump(); /* nothing has changed */
    check_events(root);
    json_t *last = NULL, *event;
    for (size_t i = 0; (event = event_of(root, "C", "io: n", i)) != NULL; i++)
        last = event;
    ck_assert_str_eq(text_of(last, "cat"), "io");
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(last, "args"), "value")),
                     -9007199254740993);
    event = event_of(root, "C", "io: real", 0);
    ck_assert_double_eq(figure(json_object_get(event, "args"), "value"), -0.5);
    event = event_of(root, "C", "Memory: gpu/0 p", 0);
    ck_assert_str_eq(text_of(event, "cat"), "Device Storage");
    ck_assert_double_eq(figure(json_object_get(event, "args"), "bytes"), 3000);
    ck_assert_ptr_null(event_of(root, "C", "Memory: gpu/0 p", 1));
    ck_assert_ptr_null(event_of(root, "C", "io: none", 0));
    ck_assert_uint_eq(count_of(root, "samples_dropped"), 0);
    json_decref(root);
}
END_TEST

/* More than a tick samples: a dump samples them all. */
START_TEST(many_counters_are_sampled)
{
    enum { MANY = SAMPLED + 100 };
    char name[32];
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "c%d", i);
        proftop_counter_from(feed, domain, name, NULL, i);
    }
    json_t *root = dump();
    ck_assert_uint_eq(count_of(root, "samples"), MANY);
    for (int i = 0; i < MANY; i += MANY - 1) {
        snprintf(name, sizeof name, "io: c%d", i);
        ck_assert_double_eq(figure(json_object_get(event_of(root, "C", name, 0), "args"), "value"),
                            i);
    }
    json_decref(root);
}
END_TEST

/* The newest events are kept, and the dump reports how many were dropped. */
START_TEST(events_are_bounded)
{
    enum { RUNS = ENDED_OWN + 100, MARKS = KEPT_MARKS + 10 };
    const proftop_id frame = proftop_frame(feed, domain, "f");
    const proftop_id marker = proftop_marker(feed, domain, "m");
    for (int i = 0; i < RUNS; i++)
        proftop_frame_stop(feed, proftop_frame_start(feed, frame));
    for (int i = 0; i < MARKS; i++)
        proftop_mark(feed, marker, NULL);
    json_t *root = dump();
    ck_assert_uint_eq(count_of(root, "runs"), ENDED_OWN);
    ck_assert_uint_eq(count_of(root, "runs_dropped"), 100);
    ck_assert_uint_eq(count_of(root, "instants"), KEPT_MARKS);
    ck_assert_uint_eq(count_of(root, "instants_dropped"), 10);
    json_t *event = event_of(root, "X", "f", 0);
    ck_assert_double_eq(figure(json_object_get(event, "args"), "frame"), 101);
    ck_assert_ptr_nonnull(event_of(root, "X", "f", ENDED_OWN - 1));
    ck_assert_ptr_null(event_of(root, "X", "f", ENDED_OWN));
    json_decref(root);
}
END_TEST

static pthread_barrier_t all_there; /* keep all alive: an ended thread's space goes to the next */

static void *run_many(void *task)
{
    for (int i = 0; i < 3 * ENDED_OWN / 4; i++) /* EACH, below */
        proftop_task_stop(feed, proftop_task_start(feed, *(proftop_id *)task));
    pthread_barrier_wait(&all_there);
    return NULL;
}

/* A thread that starts when the space is used up has some space of its own. */
START_TEST(late_threads_have_some_room)
{
    enum { THREADS = 8, EACH = 3 * ENDED_OWN / 4 };
    enum { FIRST = ENDED_ALL / ENDED_OWN - 1, LATE = THREADS - FIRST }; /* and this one */
    pthread_t thread[THREADS];
    proftop_id task = proftop_task(feed, domain, "t");
    proftop_task_stop(feed, proftop_task_start(feed, proftop_task(feed, domain, "mine")));
    pthread_barrier_init(&all_there, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, run_many, &task), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&all_there);
    json_t *root = dump();
    ck_assert_ptr_nonnull(event_of(root, "X", "mine", 0));
    ck_assert_uint_eq(count_of(root, "runs"), FIRST * EACH + LATE * ENDED_LATE + 1);
    ck_assert_uint_eq(count_of(root, "runs_dropped"), LATE * (EACH - ENDED_LATE));
    json_decref(root);
}
END_TEST

static void *run_some(void *task)
{
    for (int i = 0; i < ENDED_OWN / 4; i++)
        proftop_task_stop(feed, proftop_task_start(feed, *(proftop_id *)task));
    return NULL;
}

/* Threads that run one after the other use the space of the first, and no more. */
START_TEST(an_ended_threads_space_goes_to_the_next)
{
    enum { THREADS = 48 };
    proftop_id task = proftop_task(feed, domain, "t");
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, run_some, &task), 0);
        pthread_join(thread, NULL);
    }
    json_t *root = dump();
    ck_assert_uint_eq(count_of(root, "runs"), ENDED_OWN);
    ck_assert_uint_eq(count_of(root, "runs_dropped"), (THREADS - 4) * (ENDED_OWN / 4));
    json_decref(root);
}
END_TEST

/* Open runs are in the dump up to the current time. */
START_TEST(open_runs_are_marked)
{
    struct proftop_run outer = proftop_frame_start(feed, proftop_frame(feed, domain, "open"));
    proftop_task_stop(feed, proftop_task_start(feed, proftop_task(feed, domain, "over")));
    proftop_pause(feed, NULL);
    struct proftop_run other = proftop_task_start(feed, proftop_task(feed, domain, "paused"));
    proftop_resume(feed, NULL);
    spin();
    json_t *root = dump();
    check_events(root);
    json_t *event = event_of(root, "X", "open", 0), *args = json_object_get(event, "args");
    ck_assert(json_is_true(json_object_get(args, "open")));
    ck_assert_double_eq(figure(args, "frame"), 1);
    ck_assert(figure(event, "dur") >= 20);
    ck_assert_ptr_null(json_object_get(event_of(root, "X", "over", 0), "args"));
    ck_assert_ptr_null(event_of(root, "X", "paused", 0));
    ck_assert_uint_eq(count_of(root, "runs"), 2);
    ck_assert_uint_eq(count_of(root, "runs_open"), 1);
    json_decref(root);
    proftop_task_stop(feed, other);
    proftop_frame_stop(feed, outer);
    root = dump();
    ck_assert_ptr_null(event_of(root, "X", "open", 1));
    ck_assert_uint_eq(count_of(root, "runs_open"), 0);
    json_decref(root);
}
END_TEST

/* As instants, events survive a reset. */
START_TEST(runs_in_a_pause_are_not_in_the_trace)
{
    const proftop_id task = proftop_task(feed, domain, "t");
    proftop_task_stop(feed, proftop_task_start(feed, task));
    proftop_pause(feed, NULL);
    proftop_task_stop(feed, proftop_task_start(feed, task));
    struct proftop_run run = proftop_task_start(feed, task);
    proftop_resume(feed, NULL);
    proftop_task_stop(feed, run);
    ck_assert_ptr_null(proftop_reset(feed));
    json_t *root = dump();
    ck_assert_uint_eq(count_of(root, "runs"), 1);
    ck_assert_uint_eq(count_of(root, "runs_dropped"), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(json_object_get(root, "proftop"), "spans")),
                      0);
    json_decref(root);
}
END_TEST

#define ADD(suite, test) TAP_ADD_BETWEEN(suite, test, 1, domain_open, domain_close)

static Suite *suite(void)
{
    Suite *s = suite_create("trace");
    ADD(s, runs_are_events_with_their_time);
    ADD(s, a_domain_is_the_category);
    ADD(s, runs_that_overlap_are_pairs);
    ADD(s, threads_have_their_names_and_events);
    ADD(s, marks_are_instants_of_their_scope);
    ADD(s, counters_are_sampled);
    ADD(s, many_counters_are_sampled);
    ADD(s, events_are_bounded);
    ADD(s, late_threads_have_some_room);
    ADD(s, an_ended_threads_space_goes_to_the_next);
    ADD(s, open_runs_are_marked);
    ADD(s, runs_in_a_pause_are_not_in_the_trace);
    return s;
}

TAP_MAIN(suite)
