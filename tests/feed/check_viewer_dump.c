/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_viewer_dump.c: the viewer's dump equals the job's own. The job publishes in this process
 * and prints its dump, too.
 */
#include "config.h"

#include "../tap.h"

#include <dirent.h>
#include <jansson.h>

#include "clock.h"
#include "proftop_adapter.h"
#include "proftop_control.h"
#include "proftop_objects.h"
#include "feed/viewer/stream/dump.h"
#include "feed/viewer/stream/subscriber.h"


static char place[64];
static struct proftop *feed;
static struct viewer_subscriber *viewer;
static void *zmq;

static void setup(void)
{
    struct proftop_options options = {.size = sizeof options, .program = "saved \"job\""};
    tap_folder(place, sizeof place, "place");
    setenv("PROFTOP_DIR", place, 1);
    setenv("PROFTOP_BUDGET", "0", 1);
    feed = proftop_open(&options);
    ck_assert(proftop_is_on(feed));
    ck_assert_int_eq(chdir(place), 0);
}

static void teardown(void)
{
    viewer_subscriber_free(&viewer);
    if (zmq)
        zmq_ctx_term(zmq);
    proftop_close(feed);
}

/* Applies of three kinds, counters, spans and memory; all figures are different. */
static void publish(void)
{
    static const char *const ops[] = {"add", "ns::mul", "call"};
    static const enum proftop_kind kinds[] = {PROFTOP_SYMBOLIC, PROFTOP_IMPERATIVE, PROFTOP_CALL};
    struct proftop_function_info f = {.size = sizeof f, .name = "train"};
    proftop_id op_class = proftop_class(feed, "c\n"), function = proftop_function(feed, &f);
    for (uint32_t i = 0; i < 3; i++) {
        struct proftop_apply_info apply = {.size = sizeof apply,
                                           .function = function,
                                           .op = proftop_op(feed, op_class, ops[i]),
                                           .index = i,
                                           .kind = kinds[i],
                                           .source = PROFTOP_GIVEN,
                                           .text = i == 1 ? "mul(x, y)" : NULL};
        proftop_id id = proftop_apply(feed, &apply);
        for (uint32_t call = 0; call <= i; call++)
            proftop_record(feed, id, 1000 * (i + 1) + call);
    }
    proftop_call_end(feed, function, proftop_call_begin(feed, function));
    proftop_compile_end(feed, function,
                        &(struct proftop_compile_times){.size = sizeof f, .compile_ns = 77,
                                                        .rewrite_ns = PROFTOP_UNKNOWN,
                                                        .validate_ns = PROFTOP_UNKNOWN,
                                                        .link_ns = PROFTOP_UNKNOWN});
    proftop_id domain = proftop_domain(feed, "io");
    proftop_counter_from(feed, domain, "whole", NULL, -5);
    proftop_counter_from_f64(feed, domain, "real", NULL, 2.5);
    proftop_counter(feed, domain, "none", NULL);
    proftop_frame_stop(feed, proftop_frame_start(feed, proftop_frame(feed, domain, "frame")));
    proftop_id marker = proftop_marker(feed, domain, "mark");
    proftop_id task = proftop_task(feed, domain, "task");
    struct proftop_run run = proftop_task_start(feed, task);
    proftop_mark(feed, marker, "task");
    proftop_task_stop(feed, proftop_task_start(feed, task));
    proftop_task_stop(feed, run);
    proftop_task_stop(feed, proftop_task_start(feed, task)); /* the last is not the longest */
    proftop_mark(feed, marker, NULL);
    proftop_task(feed, domain, "idle");
}

static const struct model_job *look(void)
{
    struct viewer_target target;
    char why[200], endpoint[512] = "";
    DIR *dir = opendir(place);
    const uint64_t end = test_clock_ns() + 20 * TEST_SECOND_NS;
    zmq = zmq_ctx_new();
    /* Discovery would release the lock of our own registry file. */
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (strstr(entry->d_name, ".pub"))
            snprintf(endpoint, sizeof endpoint, "ipc://%s/%.255s", place, entry->d_name);
    closedir(dir);
    ck_assert_msg(viewer_target_parse(endpoint, &target, why, sizeof why), "%s", why);
    viewer = viewer_subscriber_new(zmq, &target, test_clock_ns(), why, sizeof why);
    ck_assert_ptr_nonnull(viewer);
    while (!viewer_subscriber_job(viewer) || !model_job_complete(viewer_subscriber_job(viewer))) {
        zmq_pollitem_t item[VIEWER_POLL_ITEMS];
        zmq_poll(item, (int)viewer_subscriber_items(viewer, item), 2);
        viewer_subscriber_drain(viewer, test_clock_ns(), TEST_SECOND_NS);
        ck_assert(test_clock_ns() < end);
    }
    return viewer_subscriber_job(viewer);
}

/* Without the time, which differs, and the events, which only the job has. */
static json_t *totals_of(json_t *root)
{
    static const char *const keys[] = {"wall_ns", "mono_ns", "events"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        json_object_del(json_object_get(root, "proftop"), keys[i]);
    ck_assert_int_eq(json_object_del(root, "traceEvents"), 0);
    return root;
}

static json_t *trace_of(const char *text)
{
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_msg(root != NULL, "%s", text);
    ck_assert_uint_ge(json_array_size(json_object_get(root, "traceEvents")), 1);
    return totals_of(root);
}

START_TEST(the_trace_is_that_of_the_job)
{
    size_t size, rows;
    publish();
    ck_assert_ptr_null(proftop_set_state(feed, "stop", NULL));
    ck_assert_ptr_null(proftop_dump(feed, 0, NULL));
    json_t *theirs = json_load_file("profile.json", 0, NULL);
    ck_assert_ptr_nonnull(theirs);
    totals_of(theirs);
    char *text = viewer_dump_trace(look(), &size, &rows);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_eq(size, strlen(text));
    ck_assert_uint_eq(rows, 3 + 2 + 2 + 2);
    json_t *ours = trace_of(text);
    ck_assert_msg(json_equal(ours, theirs), "%s", text);
    json_decref(ours);
    json_decref(theirs);
    free(text);
}
END_TEST

/* With its minimum and its mean. */
START_TEST(memory_is_that_of_the_job)
{
    size_t size, rows;
    proftop_memory_alloc(feed, proftop_memory(feed, "gpu/0", "p", "a"), 3000);
    proftop_memory_alloc(feed, proftop_memory(feed, "gpu/0", "p", ""), 500);
    ck_assert_ptr_null(proftop_set_state(feed, "stop", NULL));
    ck_assert_ptr_null(proftop_dump(feed, 0, NULL));
    json_t *theirs = json_load_file("profile.json", 0, NULL), *row;
    totals_of(theirs);
    json_t *counters = json_object_get(json_object_get(theirs, "proftop"), "counters");
    ck_assert_uint_eq(json_array_size(counters), 2);
    size_t at;
    json_array_foreach(counters, at, row)
    {
        ck_assert(json_is_integer(json_object_get(row, "min")));
        ck_assert(json_is_number(json_object_get(row, "mean")));
    }
    char *text = viewer_dump_trace(look(), &size, &rows);
    json_t *ours = trace_of(text);
    ck_assert_msg(json_equal(ours, theirs), "%s", text);
    ck_assert_uint_eq(rows, 2);
    json_decref(ours);
    json_decref(theirs);
    free(text);
}
END_TEST

/* With memory, and names that would break a line or a JSON text. */
START_TEST(the_table_is_that_of_the_job)
{
    static const char *const words[] = {"total", "avg", "min", "max", "count"};
    size_t size, rows;
    publish();
    proftop_memory_alloc(feed, proftop_memory(feed, "gpu/0", "p", "a"), 3000);
    proftop_memory_alloc(feed, proftop_memory(feed, "cpu", NULL, ""), 500);
    proftop_memory_free(feed, proftop_memory(feed, "cpu", NULL, ""), 400);
    proftop_counter_from(feed, proftop_domain(feed, "a\n\"b\\"), "c\t\"\n\x01", NULL,
                         9007199254740993);
    ck_assert_ptr_null(proftop_set_state(feed, "stop", NULL));
    const struct model_job *job = look();
    for (int form = 0; form < 4 * SHARED_ORDERS; form++) {
        struct proftop_dumps_options options = {.size = sizeof options,
                                                .format = form & 1 ? "json" : "table",
                                                .ascending = form >> 1 & 1,
                                                .sort_by = words[form >> 2]};
        const struct shared_report_form same = {.json = form & 1,
                                                .ascending = form >> 1 & 1,
                                                .order = shared_order_find(words[form >> 2])};
        char *theirs;
        ck_assert_ptr_null(proftop_dumps(feed, &options, &theirs));
        char *text = viewer_dump_report(job, &same, &size, &rows);
        ck_assert_str_eq(text, theirs);
        ck_assert_uint_eq(size, strlen(text));
        ck_assert_uint_eq(rows, 3 + 2 + 2 + 2 + 1);
        ck_assert_ptr_nonnull(strstr(text, "Memory: gpu/0 p"));
        ck_assert_ptr_nonnull(strstr(text, "9007199254740993"));
        if (form & 1) {
            json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
            ck_assert_msg(root != NULL, "%s", text);
            json_decref(root);
        }
        free(text);
        free(theirs);
    }
}
END_TEST

START_TEST(nothing_counted_is_whole_and_empty)
{
    size_t size, rows;
    char *text = viewer_dump_trace(look(), &size, &rows);
    json_t *root = trace_of(text);
    ck_assert_uint_eq(rows, 0);
    ck_assert_uint_eq(json_array_size(json_object_get(json_object_get(root, "proftop"),
                                                      "applies")), 0);
    json_decref(root);
    free(text);
}
END_TEST

/* --------------------------------------------------------------------------------------- files */

static Suite *suite(void)
{
    Suite *s = suite_create("save");
    TAP_ADD_BETWEEN(s, the_trace_is_that_of_the_job, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, memory_is_that_of_the_job, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, the_table_is_that_of_the_job, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, nothing_counted_is_whole_and_empty, 1, setup, teardown);
    return s;
}

TAP_MAIN(suite)
