/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_dump_objects.c: counters, spans and memory in the job's own tables and files.
 */
#include "config.h"

#include "../tap.h"
#include "client.h"

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>

#include "clock.h"
#include "proftop_control.h"
#include "proftop_objects.h"
#include "reading.h"
#include "domain.h" /* last: it defines names that the others use */

static char *dumps(const char *format, const char *sort_by, int reset)
{
    struct proftop_dumps_options options = {
        .size = sizeof options, .format = format, .sort_by = sort_by, .reset = reset};
    char *text;
    ck_assert_ptr_null(proftop_dumps(feed, &options, &text));
    ck_assert_ptr_nonnull(text);
    return text;
}

/* One row of the report; `unit` is "Time", "Memory" or "Value". NULL: not present. */
static json_t *row_of(json_t *root, const char *unit, const char *category, const char *name)
{
    json_t *rows = json_object_get(json_object_get(root, unit), category);
    return json_object_get(rows, name);
}

static double figure(json_t *row, const char *key)
{
    ck_assert_msg(json_is_number(json_object_get(row, key)), "no %s", key);
    return json_number_value(json_object_get(row, key));
}

static json_t *report(int reset)
{
    char *text = dumps("json", NULL, reset);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_msg(root != NULL, "%s", text);
    free(text);
    return root;
}

static double last_of(json_t *root, const char *name)
{
    return figure(row_of(root, "Value", "io", name), "Last");
}

/* Neither hides the other, nor a counter whose name equals their changed name. */
START_TEST(counters_of_one_name_and_two_types_are_two_rows)
{
    static const struct {
        const char *name;
        int value;
    } others[] = {{"c (2)", 4}, {"c (4)", 5}, {"c (20)", 6}, {"c (2) (2)", 7}, {"c ", 8}};
    for (int i = 0; i < TAP_ROWS(others); i++)
        proftop_counter_from(feed, domain, others[i].name, NULL, others[i].value);
    proftop_counter_from_f64(feed, domain, "c (2)", NULL, 9.5);
    for (int i = 0; i < 2; i++) {
        if ((i == 0) == (_i == 0))
            proftop_counter_from(feed, domain, "c", NULL, 3);
        else
            proftop_counter_from_f64(feed, domain, "c", NULL, 2.5);
    }
    json_t *root = report(0);
    ck_assert_double_eq(last_of(root, "c"), _i == 0 ? 3 : 2.5);
    ck_assert_double_eq(last_of(root, "c (3)"), _i == 0 ? 2.5 : 3);
    for (int i = 0; i < TAP_ROWS(others); i++)
        ck_assert_double_eq(last_of(root, others[i].name), others[i].value);
    ck_assert_double_eq(last_of(root, "c (2) (3)"), 9.5);
    ck_assert_uint_eq(json_object_size(json_object_get(json_object_get(root, "Value"), "io")),
                      TAP_ROWS(others) + 3);
    json_decref(root);
    char *table = dumps("table", NULL, 0);
    ck_assert_ptr_nonnull(strstr(table, "\nc (3)                                   1 "));
    ck_assert_ptr_nonnull(strstr(table, "\nc (2) (3)                               1 "));
    free(table);
}
END_TEST

/* In JSON all invalid bytes become the same character, in names and in domain names. */
START_TEST(counters_without_characters_have_rows)
{
    static const char *const names[] = {"a\xff", "a\xfe", "a\xef\xbf\xbd", "a\xc3 (2)"};
    static const char *const rows[] = {"a\xef\xbf\xbd (4)", "a\xef\xbf\xbd (3)", "a\xef\xbf\xbd",
                                       "a\xef\xbf\xbd (2)"};
    const proftop_id other[] = {proftop_domain(feed, "\xff"), proftop_domain(feed, "\xfe")};
    for (int i = 0; i < TAP_ROWS(names); i++)
        proftop_counter_from(feed, domain, names[i], NULL, i);
    for (int i = 0; i < 2; i++)
        proftop_counter_from(feed, other[i], "a", NULL, i);
    json_t *root = report(0);
    for (int i = 0; i < TAP_ROWS(rows); i++)
        ck_assert_double_eq(last_of(root, rows[i]), i);
    json_t *value = json_object_get(root, "Value");
    ck_assert_uint_eq(json_object_size(json_object_get(value, "io")), TAP_ROWS(rows));
    ck_assert_double_eq(figure(row_of(root, "Value", "\xef\xbf\xbd", "a"), "Last"), 1);
    ck_assert_double_eq(figure(row_of(root, "Value", "\xef\xbf\xbd", "a (2)"), "Last"), 0);
    ck_assert_uint_eq(json_object_size(value), 2);
    json_decref(root);
}
END_TEST

START_TEST(counters_have_their_true_mean)
{
    static const int values[] = {10, 11, 7, 107, 107};
    proftop_id counter = proftop_counter(feed, domain, "c", NULL);
    for (int i = 0; i < 5; i++)
        proftop_counter_set(feed, counter, values[i]);
    proftop_counter_from(feed, domain, "large", NULL, 5000000000);
    proftop_counter_from(feed, domain, "less", NULL, 48);
    proftop_counter_from_f64(feed, domain, "real", NULL, 48.25);
    proftop_counter(feed, domain, "none", NULL);
    json_t *root = report(0);
    json_t *row = row_of(root, "Value", "io", "c");
    ck_assert_double_eq(figure(row, "Avg"), 48.4);
    ck_assert_double_eq(figure(row, "Count"), 5);
    ck_assert_double_eq(figure(row, "Last"), 107);
    ck_assert_double_eq(figure(row, "Min"), 7);
    ck_assert_double_eq(figure(row, "Max"), 107);
    ck_assert_double_eq(figure(row_of(root, "Value", "io", "large"), "Last"), 5000000000);
    ck_assert_double_eq(figure(row_of(root, "Value", "io", "real"), "Last"), 48.25);
    ck_assert_ptr_null(row_of(root, "Value", "io", "none"));
    json_decref(root);
    /* Sorted by mean: 5e9, 48.4, 48.25, 48. */
    char *table = dumps("table", "avg", 0);
    static const char *const order[] = {"\nlarge ", "\nc ", "\nreal ", "\nless "};
    for (int i = 0; i < 4; i++)
        ck_assert_ptr_nonnull(strstr(table, order[i]));
    for (int i = 0; i < 3; i++)
        ck_assert(strstr(table, order[i]) < strstr(table, order[i + 1]));
    ck_assert_ptr_nonnull(strstr(table, "48.4000"));
    free(table);
}
END_TEST

START_TEST(spans_have_the_categories_of_the_original)
{
    proftop_id task = proftop_task(feed, domain, "x"), frame = proftop_frame(feed, domain, "x");
    proftop_id event = proftop_event(feed, "x");
    proftop_task(feed, domain, "never");
    proftop_counter_from(feed, domain, "x", NULL, 3);
    for (int i = 0; i < 3; i++)
        proftop_task_stop(feed, proftop_task_start(feed, task));
    proftop_frame_stop(feed, proftop_frame_start(feed, frame));
    proftop_event_stop(feed, proftop_event_start(feed, event));
    json_t *root = report(0);
    ck_assert_double_eq(figure(row_of(root, "Time", "io", "x"), "Count"), 3);
    ck_assert_double_gt(figure(row_of(root, "Time", "io", "x"), "Total"), 0);
    ck_assert_double_eq(figure(row_of(root, "Time", "io,frame", "x"), "Count"), 1);
    ck_assert_double_eq(figure(row_of(root, "Time", "event", "x"), "Count"), 1);
    ck_assert_double_eq(figure(row_of(root, "Value", "io", "x"), "Last"), 3);
    ck_assert_ptr_null(row_of(root, "Time", "io", "never"));
    json_decref(root);
}
END_TEST

START_TEST(memory_is_reported_by_pool)
{
    proftop_id a = proftop_memory(feed, "gpu/0", NULL, "a");
    proftop_id b = proftop_memory(feed, "gpu/0", "pinned", "");
    proftop_memory_alloc(feed, a, 3000);
    proftop_memory_alloc(feed, a, 1000);
    proftop_memory_free(feed, a, 2000);
    proftop_memory_alloc(feed, b, 500);
    json_t *root = report(0);
    json_t *row = row_of(root, "Memory", "Device Storage", "Memory: gpu/0");
    ck_assert_double_eq(figure(row, "Count"), 3);
    ck_assert_double_eq(figure(row, "Max"), 4);
    ck_assert_double_eq(figure(row, "Min"), 2);
    ck_assert_double_eq(figure(row, "Avg"), 3);
    row = row_of(root, "Memory", "Device Storage", "Memory: gpu/0 pinned");
    ck_assert_double_eq(figure(row, "Max"), 0.5);
    json_decref(root);
}
END_TEST

START_TEST(a_reset_begins_them_again)
{
    proftop_id task = proftop_task(feed, domain, "x");
    proftop_id counter = proftop_counter_from(feed, domain, "c", NULL, 9);
    proftop_task_stop(feed, proftop_task_start(feed, task));
    json_t *root = report(1);
    ck_assert_double_eq(figure(row_of(root, "Time", "io", "x"), "Count"), 1);
    ck_assert_double_eq(figure(row_of(root, "Value", "io", "c"), "Count"), 1);
    json_decref(root);
    root = report(0);
    ck_assert_ptr_null(row_of(root, "Time", "io", "x"));
    ck_assert_ptr_null(row_of(root, "Value", "io", "c"));
    json_decref(root);
    proftop_counter_add(feed, counter, 1);
    root = report(0);
    ck_assert_double_eq(figure(row_of(root, "Value", "io", "c"), "Last"), 10);
    ck_assert_double_eq(figure(row_of(root, "Value", "io", "c"), "Count"), 1);
    json_decref(root);
}
END_TEST

static void save(const char *file, const char *prefix)
{
    const char *pairs[] = {"filename", file, "gpu_memory_profile_filename_prefix", prefix, NULL};
    ck_assert_ptr_null(proftop_set_config(feed, pairs));
    const char *why = proftop_dump(feed, 0, NULL);
    ck_assert_msg(why == NULL, "%s", why);
}

#define HEAD "\"Attribute Name\",\"Requested Size\",\"Device\",\"Actual Size\",\"Reuse?\"\n"

/* Dumps into the test's directory. Returns the contents of the memory file, "" if there is none. */
static const char *memory_saved(const char *file)
{
    static char text[1024];
    char prefix[600], csv[700];
    memset(text, 0, sizeof text);
    snprintf(prefix, sizeof prefix, "%s/memory", client_place());
    snprintf(csv, sizeof csv, "%s-pid_%ld.csv", prefix, (long)getpid());
    unlink(csv);
    save(file, prefix);
    FILE *in = fopen(csv, "re");
    if (in == NULL)
        return text;
    ck_assert_uint_gt(fread(text, 1, sizeof text - 1, in), 0);
    fclose(in);
    return text;
}

START_TEST(a_dump_writes_memory_by_scope)
{
    char file[600];
    snprintf(file, sizeof file, "%s/profile.json", client_place());
    proftop_memory_alloc(feed, proftop_memory(feed, "gpu/0", "p", "a"), 3000);
    proftop_memory_alloc(feed, proftop_memory(feed, "gpu/0", "p", "b\"x"), 1000);
    proftop_memory(feed, "gpu/0", "p", "empty");
    ck_assert_str_eq(memory_saved(file), HEAD "\"a:\",\"3000\",\"gpu/0\",\"3000\",\"0\"\n"
                                              "\"b\"\"x:\",\"1000\",\"gpu/0\",\"1000\",\"0\"\n");
}
END_TEST

/* Memory counted on the pool itself is in no scope. The rows of a device sum up to its pools, also
 * in the second dump. */
START_TEST(a_dump_writes_memory_without_scope)
{
    proftop_id bare = proftop_memory(feed, "cpu", NULL, "");
    proftop_id pool = proftop_memory(feed, "gpu/0", "p", "");
    proftop_id scoped = proftop_memory(feed, "gpu/0", "p", "a");
    ck_assert_str_eq(memory_saved(""), ""); /* none is allocated */
    proftop_memory_alloc(feed, bare, 70);
    proftop_memory_alloc(feed, pool, 500);
    proftop_memory_alloc(feed, scoped, 3000);
    proftop_memory_alloc(feed, proftop_memory(feed, "gpu/0", "p", "b"), 40);
    for (int time = 0; time < 2; time++)
        ck_assert_str_eq(memory_saved(""), HEAD "\"<unk>:\",\"70\",\"cpu\",\"70\",\"0\"\n"
                                                "\"<unk>:\",\"500\",\"gpu/0\",\"500\",\"0\"\n"
                                                "\"a:\",\"3000\",\"gpu/0\",\"3000\",\"0\"\n"
                                                "\"b:\",\"40\",\"gpu/0\",\"40\",\"0\"\n");
    json_t *root = report(0);
    json_t *row = row_of(root, "Memory", "Device Storage", "Memory: gpu/0 p");
    ck_assert_double_eq(figure(row, "Max"), (500 + 3000 + 40) / 1000.0);
    json_decref(root);
    proftop_memory_free(feed, pool, 500);
    proftop_memory_free(feed, bare, 70);
    ck_assert_str_eq(memory_saved(""), HEAD "\"a:\",\"3000\",\"gpu/0\",\"3000\",\"0\"\n"
                                            "\"b:\",\"40\",\"gpu/0\",\"40\",\"0\"\n");
}
END_TEST

/* The pool's total is right whichever id frees. A scope keeps memory that is freed by another id
 * (libproftop.md). */
START_TEST(a_scope_keeps_what_another_id_frees)
{
    proftop_id pool = proftop_memory(feed, "gpu/0", "p", "");
    proftop_id scoped = proftop_memory(feed, "gpu/0", "p", "a");
    proftop_memory_alloc(feed, scoped, 100);
    proftop_memory_free(feed, pool, 100);
    proftop_memory_alloc(feed, pool, 30);
    ck_assert_str_eq(memory_saved(""), HEAD "\"a:\",\"100\",\"gpu/0\",\"100\",\"0\"\n");
    ck_assert_uint_eq(objects_counter(feed, pool).value, 30);
}
END_TEST

/* A thread that repeats one operation while dumps are written. */
struct busy {
    void (*once)(proftop_id what, unsigned time);
    proftop_id what;
    pthread_t thread;
    pthread_barrier_t known; /* the first operation defines the thread */
    atomic_bool stop;
};

static void *do_again(void *argument)
{
    struct busy *busy = argument;
    busy->once(busy->what, 0);
    pthread_barrier_wait(&busy->known);
    for (unsigned time = 1; !atomic_load(&busy->stop); time++)
        busy->once(busy->what, time);
    return NULL;
}

static void begin_busy(struct busy *busy, void (*once)(proftop_id what, unsigned time),
                       proftop_id what)
{
    *busy = (struct busy){.once = once, .what = what};
    pthread_barrier_init(&busy->known, NULL, 2);
    ck_assert_int_eq(pthread_create(&busy->thread, NULL, do_again, busy), 0);
    pthread_barrier_wait(&busy->known);
}

static void end_busy(struct busy *busy)
{
    atomic_store(&busy->stop, true);
    pthread_join(busy->thread, NULL);
    pthread_barrier_destroy(&busy->known);
}

static void take_and_give_back(proftop_id memory, unsigned time)
{
    (void)time;
    proftop_memory_alloc(feed, memory, 65536);
    proftop_memory_free(feed, memory, 65536);
}

/* If a scope frees more than it allocated, its pool has less, and no memory without scope. */
START_TEST(a_dump_writes_no_memory_that_is_not_held)
{
    proftop_id pool = proftop_memory(feed, "gpu/0", "p", "");
    proftop_id scoped = proftop_memory(feed, "gpu/0", "p", "a");
    proftop_memory_alloc(feed, pool, 100);
    proftop_memory_free(feed, scoped, 100);
    ck_assert_str_eq(memory_saved(""), "");
    proftop_memory_alloc(feed, scoped, 7);
    ck_assert_str_eq(memory_saved(""), HEAD "\"a:\",\"7\",\"gpu/0\",\"7\",\"0\"\n");
}
END_TEST

/* One thread allocates and frees in scopes. None of this memory is ever without scope. */
START_TEST(memory_in_scopes_is_never_without)
{
    struct busy busy;
    begin_busy(&busy, take_and_give_back, proftop_memory(feed, "gpu/0", "p", "a"));
    for (unsigned i = 0; i < 200 / tap_stride(); i++)
        ck_assert_ptr_null(strstr(memory_saved(""), "<unk>"));
    end_busy(&busy);
    /* Freeing without the scope reduces only the pool: the sums agree. */
    proftop_id pool = proftop_memory(feed, "gpu/0", "p", "");
    proftop_memory_alloc(feed, proftop_memory(feed, "gpu/0", "p", "b"), 100);
    proftop_memory_free(feed, pool, 60);
    proftop_memory_alloc(feed, pool, 70);
    ck_assert_str_eq(memory_saved(""), HEAD "\"<unk>:\",\"10\",\"gpu/0\",\"10\",\"0\"\n"
                                            "\"b:\",\"100\",\"gpu/0\",\"100\",\"0\"\n");
}
END_TEST

/* Rows of a list in the current dump. */
static json_t *rows_saved(const char *list)
{
    char file[600];
    snprintf(file, sizeof file, "%s/profile.json", client_place());
    save(file, "");
    json_t *root = json_load_file(file, JSON_REJECT_DUPLICATES, NULL);
    json_t *rows = json_object_get(json_object_get(root, "proftop"), list);
    ck_assert(json_is_array(rows));
    json_incref(rows);
    json_decref(root);
    return rows;
}

/* Unknown statistics are null, after a reset too, except a peak, which is known. */
START_TEST(a_dump_holds_extremes_and_means)
{
    static const int values[] = {10, 11, 7, 107, 107};
    proftop_id counter = proftop_counter(feed, domain, "c", NULL);
    for (int i = 0; i < 5; i++)
        proftop_counter_set(feed, counter, values[i]);
    proftop_counter_from_f64(feed, domain, "real", NULL, -0.5);
    proftop_memory_alloc(feed, proftop_memory(feed, "gpu/0", NULL, ""), 3000);
    json_t *rows = rows_saved("counters"), *row = json_array_get(rows, 0);
    ck_assert_double_eq(figure(row, "min"), 7);
    ck_assert_double_eq(figure(row, "max"), 107);
    ck_assert_double_eq(figure(row, "mean"), 48.4);
    ck_assert_double_eq(figure(json_array_get(rows, 1), "min"), -0.5);
    ck_assert_double_eq(figure(json_array_get(rows, 1), "mean"), -0.5);
    ck_assert_double_eq(figure(json_array_get(rows, 2), "min"), 3000);
    json_decref(rows);
    ck_assert_ptr_null(proftop_reset(feed));
    rows = rows_saved("counters");
    ck_assert_uint_eq(json_array_size(rows), 3);
    for (size_t i = 0; i < 3; i++) {
        row = json_array_get(rows, i);
        ck_assert_double_eq(figure(row, "updates"), 0);
        ck_assert(json_is_null(json_object_get(row, "min")));
        ck_assert(json_is_null(json_object_get(row, "mean")));
        ck_assert_int_eq(json_is_null(json_object_get(row, "max")), i != 2);
    }
    ck_assert_double_eq(figure(json_array_get(rows, 2), "max"), 3000);
    json_decref(rows);
}
END_TEST

static void pass_time(void)
{
    for (uint64_t now = test_clock_ns(); test_clock_ns() == now;)
        continue;
}

/* The longest, the shortest and the last run; for frames the slowest ones, by number. */
START_TEST(a_dump_holds_how_long_spans_took)
{
    proftop_id frame = proftop_frame(feed, domain, "f");
    struct proftop_run open[3];
    for (int i = 0; i < 3; i++) {
        open[i] = proftop_frame_start(feed, frame);
        pass_time();
    }
    for (int i = 0; i < 3; i++) { /* first started, last stopped, and the longest */
        pass_time();
        proftop_frame_stop(feed, open[2 - i]);
    }
    for (int i = 0; i < 2; i++) {
        struct proftop_run run = proftop_event_start(feed, proftop_event(feed, "e"));
        pass_time();
        proftop_event_stop(feed, run);
    }
    json_t *rows = rows_saved("spans"), *row = json_array_get(rows, 0);
    json_t *slowest = json_object_get(row, "slowest");
    ck_assert_uint_eq(json_array_size(slowest), 3);
    for (size_t i = 0; i < 3; i++)
        ck_assert_double_eq(figure(json_array_get(slowest, i), "number"), (double)i + 1);
    ck_assert_double_eq(figure(row, "max_ns"), figure(json_array_get(slowest, 0), "ns"));
    ck_assert_double_eq(figure(row, "last_ns"), figure(json_array_get(slowest, 0), "ns"));
    ck_assert_double_eq(figure(row, "min_ns"), figure(json_array_get(slowest, 2), "ns"));
    ck_assert_double_lt(figure(row, "min_ns"), figure(row, "max_ns"));
    row = json_array_get(rows, 1);
    ck_assert_ptr_null(json_object_get(row, "slowest"));
    double last = figure(row, "last_ns"), min = figure(row, "min_ns"), max = figure(row, "max_ns");
    ck_assert(last == min || last == max);
    ck_assert_double_eq(figure(row, "total_ns"), min + max);
    ck_assert_double_gt(min, 0);
    json_decref(rows);
}
END_TEST

START_TEST(a_dump_holds_markers)
{
    proftop_id marker = proftop_marker(feed, domain, "m");
    ck_assert_ptr_null(proftop_mark(feed, marker, "global"));
    struct proftop_run run = proftop_task_start(feed, proftop_task(feed, domain, "t"));
    ck_assert_ptr_null(proftop_mark(feed, marker, "task"));
    proftop_task_stop(feed, run);
    json_t *rows = rows_saved("markers"), *row = json_array_get(rows, 0);
    ck_assert_uint_eq(json_array_size(rows), 2);
    ck_assert_double_eq(figure(row, "id"), 1);
    ck_assert_str_eq(json_string_value(json_object_get(row, "domain")), "io");
    ck_assert_str_eq(json_string_value(json_object_get(row, "name")), "m");
    ck_assert_str_eq(json_string_value(json_object_get(row, "scope")), "global");
    ck_assert_ptr_null(json_object_get(row, "task"));
    ck_assert_double_eq(figure(row, "tid"), (double)gettid());
    double first = figure(row, "mono_ns");
    row = json_array_get(rows, 1);
    ck_assert_double_eq(figure(row, "id"), 2);
    ck_assert_str_eq(json_string_value(json_object_get(row, "scope")), "task");
    ck_assert_str_eq(json_string_value(json_object_get(row, "task")), "t");
    ck_assert_double_ge(figure(row, "mono_ns"), first);
    json_decref(rows);
    for (int i = 0; i < 5000; i++)
        ck_assert_ptr_null(proftop_mark(feed, marker, NULL));
    rows = rows_saved("markers");
    ck_assert_uint_eq(json_array_size(rows), 4096);
    ck_assert_double_eq(figure(json_array_get(rows, 0), "id"), 5002 - 4095);
    ck_assert_double_eq(figure(json_array_get(rows, 4095), "id"), 5002);
    json_decref(rows);
}
END_TEST

static void run_longer(proftop_id frame, unsigned time)
{
    struct proftop_run run = proftop_frame_start(feed, frame);
    for (unsigned k = 0; k < time % 1000; k++)
        pass_time();
    proftop_frame_stop(feed, run);
}

static void check_slowest(bool there)
{
    json_t *rows = rows_saved("spans"), *row = json_array_get(rows, 0);
    json_t *slowest = json_array_get(json_object_get(row, "slowest"), 0);
    ck_assert(slowest != NULL || !there);
    if (slowest != NULL)
        ck_assert_double_le(figure(slowest, "ns"), figure(row, "max_ns"));
    json_decref(rows);
}

/* Every frame may be the slowest so far. */
START_TEST(no_frame_is_slower_than_the_slowest)
{
    struct busy busy;
    begin_busy(&busy, run_longer, proftop_frame(feed, domain, "f"));
    for (unsigned i = 0; i < 30 / tap_stride(); i++)
        check_slowest(false); /* all of the kept ones may have ended since */
    end_busy(&busy);
    check_slowest(true);
}
END_TEST

static void mark(proftop_id marker, unsigned time)
{
    (void)time;
    proftop_mark(feed, marker, NULL);
}

/* A program that marks faster than marks are printed gets no more than the kept number. */
START_TEST(a_dump_ends_beside_marks_without_end)
{
    enum { KEPT_MARKS = 4096 }; /* as proftop_objects.h states */
    struct busy busy[2];
    for (int i = 0; i < 2; i++)
        begin_busy(&busy[i], mark, proftop_marker(feed, domain, "m"));
    for (unsigned i = 0; i < 10 / tap_stride(); i++) {
        json_t *rows = rows_saved("markers");
        ck_assert_uint_gt(json_array_size(rows), 0);
        ck_assert_uint_le(json_array_size(rows), KEPT_MARKS);
        json_decref(rows);
    }
    for (int i = 0; i < 2; i++)
        end_busy(&busy[i]);
}
END_TEST

START_TEST(a_dump_holds_counters_and_spans)
{
    char file[600];
    snprintf(file, sizeof file, "%s/profile.json", client_place());
    proftop_counter_from_f64(feed, domain, "load", NULL, 2.5);
    proftop_counter_from(feed, domain, "rows \"", NULL, -7);
    proftop_counter(feed, domain, "none", NULL);
    proftop_task_stop(feed, proftop_task_start(feed, proftop_task(feed, domain, "t")));
    save(file, "");
    json_t *root = json_load_file(file, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(root);
    json_t *counters = json_object_get(json_object_get(root, "proftop"), "counters");
    json_t *spans = json_object_get(json_object_get(root, "proftop"), "spans");
    ck_assert_uint_eq(json_array_size(counters), 2);
    ck_assert_double_eq(figure(json_array_get(counters, 0), "value"), 2.5);
    ck_assert_double_eq(figure(json_array_get(counters, 1), "value"), -7);
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(counters, 1), "name")),
                     "rows \"");
    ck_assert_uint_eq(json_array_size(spans), 1);
    ck_assert_double_eq(figure(json_array_get(spans, 0), "calls"), 1);
    json_decref(root);
}
END_TEST

static void teardown(void)
{
    reading_end();
    domain_close();
}

#define ADD(suite, test, rows) TAP_ADD_BETWEEN(suite, test, rows, domain_open, teardown)

static Suite *suite(void)
{
    Suite *s = suite_create("dump_objects");
    ADD(s, counters_of_one_name_and_two_types_are_two_rows, 2);
    ADD(s, counters_without_characters_have_rows, 1);
    ADD(s, counters_have_their_true_mean, 1);
    ADD(s, spans_have_the_categories_of_the_original, 1);
    ADD(s, memory_is_reported_by_pool, 1);
    ADD(s, a_reset_begins_them_again, 1);
    ADD(s, a_dump_writes_memory_by_scope, 1);
    ADD(s, a_dump_writes_memory_without_scope, 1);
    ADD(s, a_scope_keeps_what_another_id_frees, 1);
    ADD(s, a_dump_holds_extremes_and_means, 1);
    ADD(s, a_dump_holds_how_long_spans_took, 1);
    ADD(s, a_dump_holds_markers, 1);
    ADD(s, a_dump_holds_counters_and_spans, 1);
    ADD(s, a_dump_writes_no_memory_that_is_not_held, 1);
    ADD(s, memory_in_scopes_is_never_without, 1);
    ADD(s, no_frame_is_slower_than_the_slowest, 1);
    ADD(s, a_dump_ends_beside_marks_without_end, 1);
    return s;
}

TAP_MAIN(suite)
