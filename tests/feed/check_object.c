/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_object.c: counters and memory after calls of proftop_objects.h, as a viewer sees them.
 */
#include "config.h"

#include "../tap.h"
#include "client.h"

#include <float.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>

#include "reading.h"
#include "proftop_control.h"
#include "domain.h" /* last: it defines names that the others use */

/* --------------------------------------------------------------------------------- definitions */

START_TEST(equal_names_are_one_definition)
{
    proftop_id task = proftop_task(feed, domain, "t");
    proftop_id counter = proftop_counter(feed, domain, "c", "");
    proftop_id event = proftop_event(feed, "t"), marker = proftop_marker(feed, domain, "t");
    const size_t before = mallinfo2().uordblks;
    for (int i = 0; i < 100000; i += (int)tap_stride()) {
        ck_assert_uint_eq(proftop_domain(feed, "io"), domain);
        ck_assert_uint_eq(proftop_task(feed, domain, "t"), task);
        ck_assert_uint_eq(proftop_counter(feed, domain, "c", ""), counter);
        ck_assert_uint_eq(proftop_event(feed, "t"), event);
        ck_assert_uint_eq(proftop_marker(feed, domain, "t"), marker);
    }
    ck_assert_uint_le(mallinfo2().uordblks, before + 65536); /* the feed's thread lives */
    ck_assert_uint_eq(objects_defined(feed, WIRE_T_SPAN), 2);
    ck_assert_uint_eq(objects_defined(feed, WIRE_T_COUNTER), 1);
    ck_assert_uint_eq(objects_defined(feed, WIRE_T_MARKER), 1);
    ck_assert_uint_eq(proftop_domain(feed, "another"), domain + 1); /* ids are given in turn */
}
END_TEST

START_TEST(kinds_and_domains_are_kept_apart)
{
    proftop_id other = proftop_domain(feed, "net");
    ck_assert_uint_ne(other, domain);
    proftop_id of[] = {proftop_task(feed, domain, "x"), proftop_frame(feed, domain, "x"),
                       proftop_event(feed, "x"), proftop_task(feed, other, "x")};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++)
            ck_assert_uint_ne(of[i], of[k]);
    ck_assert_uint_ne(proftop_counter(feed, domain, "x", NULL),
                      proftop_counter_f64(feed, domain, "x", NULL));
}
END_TEST

static const char *const no_domain[] = {"", NULL};

START_TEST(a_domain_needs_a_name)
{
    ck_assert_uint_eq(proftop_domain(feed, no_domain[_i]), PROFTOP_NONE);
    ck_assert_uint_eq(objects_misuse(feed), 1);
    ck_assert_uint_eq(proftop_task(feed, PROFTOP_NONE, "t"), PROFTOP_NONE);
    ck_assert_uint_eq(proftop_counter(feed, 7, "c", NULL), PROFTOP_NONE);
    ck_assert_uint_eq(proftop_marker(feed, PROFTOP_NONE, "m"), PROFTOP_NONE);
    ck_assert_uint_eq(objects_misuse(feed), 4);
    ck_assert_int_eq(proftop_is_on(feed), 1);
}
END_TEST

START_TEST(a_full_table_is_counted)
{
    char name[16];
    for (unsigned i = 0; i < WIRE_OTHERS_MAX; i++) {
        snprintf(name, sizeof name, "%u", i);
        ck_assert_uint_eq(proftop_task(feed, domain, name), i);
    }
    ck_assert_uint_eq(proftop_task(feed, domain, "one more"), PROFTOP_NONE);
    ck_assert_uint_eq(proftop_event(feed, "one more"), PROFTOP_NONE);
    ck_assert_str_eq(objects_lost(feed), "objects=2\n");
    ck_assert_uint_eq(proftop_task(feed, domain, "65535"), 65535);
}
END_TEST

START_TEST(off_is_nothing)
{
    struct proftop *off[] = {NULL, feed};
    proftop_id task = proftop_task(feed, domain, "t");
    proftop_id counter = proftop_counter(feed, domain, "c", "");
    struct proftop_run run = proftop_task_start(feed, task);
    ck_assert_uint_ne(run.start, 0);
    proftop_close(feed);
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(proftop_domain(off[i], "d"), PROFTOP_NONE);
        ck_assert_uint_eq(proftop_task(off[i], domain, "d"), PROFTOP_NONE);
        ck_assert_uint_eq(proftop_memory(off[i], "d", "p", NULL), PROFTOP_NONE);
        ck_assert_uint_eq(proftop_task_start(off[i], task).start, 0);
        ck_assert_ptr_null(proftop_mark(off[i], 0, "nonsense"));
        ck_assert_str_eq(proftop_scope_push(off[i], "a", 1), "<unk>:");
        ck_assert_str_eq(proftop_scope(off[i]), "<unk>:");
        proftop_scope_pop(off[i]);
        proftop_task_stop(off[i], run);
        proftop_counter_add(off[i], counter, 1);
        proftop_counter_set_f64(off[i], counter, 1);
        proftop_memory_alloc(off[i], 0, 1);
    }
}
END_TEST

/* ------------------------------------------------------------------------------------- counters */

static int64_t i64_of(proftop_id counter)
{
    return (int64_t)objects_counter(feed, counter).value;
}

static double f64_of(proftop_id counter)
{
    return objects_double(objects_counter(feed, counter).value);
}

START_TEST(a_counter_keeps_value_extremes_and_mean)
{
    proftop_id counter = proftop_counter_from(feed, domain, "rows", "rows", 5);
    proftop_counter_add(feed, counter, 10);
    proftop_counter_add(feed, counter, -3);
    struct counter_view view = objects_counter(feed, counter);
    ck_assert_int_eq((int64_t)view.value, 12);
    ck_assert_int_eq((int64_t)view.min, 5);
    ck_assert_int_eq((int64_t)view.max, 15);
    ck_assert_uint_eq(view.updates, 3);
    ck_assert_double_eq(view.mean, 32.0 / 3);
}
END_TEST

START_TEST(a_first_value_is_an_update)
{
    proftop_id none = proftop_counter(feed, domain, "none", NULL);
    proftop_id seven = proftop_counter_from(feed, domain, "seven", NULL, 7);
    ck_assert(!objects_counter(feed, none).known);
    ck_assert_uint_eq(objects_counter(feed, none).updates, 0);
    ck_assert(objects_counter(feed, seven).known);
    ck_assert_uint_eq(objects_counter(feed, seven).updates, 1);
    ck_assert_int_eq(i64_of(seven), 7);
    proftop_counter_add(feed, none, -1);
    ck_assert_int_eq(i64_of(none), -1);
}
END_TEST

START_TEST(memory_can_be_left_out)
{
    proftop_id memory = proftop_memory(feed, "gpu/0", "pool", "");
    proftop_id counter = proftop_counter(feed, domain, "c", NULL);
    ck_assert_ptr_null(
        proftop_set_config(feed, (const char *const[]){"profile_memory", "0", NULL}));
    proftop_memory_alloc(feed, memory, 4096);
    proftop_memory_alloc(feed, memory, 4096);
    proftop_memory_free(feed, memory, 4096);
    proftop_counter_add(feed, counter, 1);
    ck_assert_uint_eq(objects_counter(feed, memory).updates, 0);
    ck_assert_uint_eq(objects_counter(feed, counter).updates, 1);
    ck_assert_ptr_null(
        proftop_set_config(feed, (const char *const[]){"profile_memory", "1", NULL}));
    ck_assert_uint_eq(objects_counter(feed, memory).value, 4096);
    ck_assert_uint_eq(objects_counter(feed, memory).max, 8192);
    proftop_memory_free(feed, memory, 96);
    ck_assert_uint_eq(objects_counter(feed, memory).value, 4000);
    ck_assert_uint_eq(objects_counter(feed, memory).updates, 1);
}
END_TEST

/* PROFTOP_ON_DEMAND=1 applies only to applies: everything else is counted without a viewer. */
START_TEST(counters_need_no_viewer)
{
    setenv("PROFTOP_ON_DEMAND", "1", 1);
    proftop_close(feed);
    feed = proftop_open(NULL);
    domain = proftop_domain(feed, "io");
    proftop_id counter = proftop_counter_from(feed, domain, "c", NULL, 3);
    proftop_id task = proftop_task(feed, domain, "t");
    proftop_task_stop(feed, proftop_task_start(feed, task));
    ck_assert_uint_eq(objects_counter(feed, counter).updates, 1);
    ck_assert_uint_eq(objects_span(feed, task).calls, 1);
}
END_TEST

static const int64_t wholes[] = {5000000000, 3000000000, -1, 0, INT64_MAX, INT64_MIN};
static const double reals[] = {2.5, 2.9, -0.25, 0, 1e300, -1e300};

START_TEST(values_are_kept_exactly)
{
    proftop_id whole = proftop_counter_from(feed, domain, "w", NULL, wholes[_i]);
    proftop_id real = proftop_counter_from_f64(feed, domain, "r", NULL, reals[_i]);
    struct counter_view w = objects_counter(feed, whole), r = objects_counter(feed, real);
    ck_assert_int_eq((int64_t)w.value, wholes[_i]);
    ck_assert_int_eq((int64_t)w.min, wholes[_i]);
    ck_assert_int_eq((int64_t)w.max, wholes[_i]);
    ck_assert_double_eq(w.mean, (double)wholes[_i]);
    ck_assert_double_eq(objects_double(r.value), reals[_i]);
    ck_assert_double_eq(objects_double(r.min), reals[_i]);
    ck_assert_double_eq(objects_double(r.max), reals[_i]);
    ck_assert_double_eq(r.mean, reals[_i]);
}
END_TEST

START_TEST(extremes_go_by_sign)
{
    static const double steps[] = {-2.5, 0.5, -0.25, 1.5};
    proftop_id whole = proftop_counter(feed, domain, "w", NULL);
    proftop_id real = proftop_counter_f64(feed, domain, "r", NULL);
    for (int i = 0; i < 4; i++) {
        proftop_counter_set(feed, whole, (int64_t)(steps[i] * 4));
        proftop_counter_set_f64(feed, real, steps[i]);
    }
    ck_assert_int_eq((int64_t)objects_counter(feed, whole).min, -10);
    ck_assert_int_eq((int64_t)objects_counter(feed, whole).max, 6);
    ck_assert_double_eq(objects_double(objects_counter(feed, real).min), -2.5);
    ck_assert_double_eq(objects_double(objects_counter(feed, real).max), 1.5);
    ck_assert_double_eq(objects_counter(feed, real).mean, -0.1875);
}
END_TEST

START_TEST(counter_value_out_of_range_is_invalid)
{
    proftop_id whole = proftop_counter_from(feed, domain, "w", NULL, INT64_MAX);
    proftop_id real = proftop_counter_from_f64(feed, domain, "r", NULL, 1e308);
    proftop_counter_add(feed, whole, 1);
    proftop_counter_add_f64(feed, real, 1e308);
    proftop_counter_set_f64(feed, real, (double)INFINITY);
    proftop_counter_set_f64(feed, real, (double)NAN);
    ck_assert_int_eq(i64_of(whole), INT64_MAX);
    ck_assert_double_eq(f64_of(real), 1e308);
    ck_assert_uint_eq(objects_counter(feed, whole).updates, 1);
    ck_assert_uint_eq(objects_counter(feed, real).updates, 1);
    ck_assert_uint_eq(objects_invalid(feed), 4);
}
END_TEST

START_TEST(the_wrong_kind_is_misuse)
{
    proftop_id whole = proftop_counter_from(feed, domain, "w", NULL, 1);
    proftop_id real = proftop_counter_from_f64(feed, domain, "r", NULL, 1);
    proftop_id memory = proftop_memory(feed, "gpu/0", NULL, "");
    proftop_counter_set_f64(feed, whole, 2);
    proftop_counter_add(feed, real, 2);
    proftop_counter_set(feed, memory, 2);
    proftop_memory_alloc(feed, whole, 2);
    proftop_counter_add(feed, 99, 2);
    ck_assert_int_eq(i64_of(whole), 1);
    ck_assert_double_eq(f64_of(real), 1);
    ck_assert(!objects_counter(feed, memory).known);
    ck_assert_uint_eq(objects_misuse(feed), 5);
}
END_TEST

enum { THREADS = 4, ADDS = 1000000 };

static void *add_many(void *at)
{
    const proftop_id *counter = at;
    for (int i = 0; i < ADDS; i++) {
        proftop_counter_add(feed, counter[0], 1);
        if (i % 16 == 0)
            proftop_counter_add_f64(feed, counter[1], i % 32 ? 0.5 : -0.25);
    }
    return NULL;
}

START_TEST(four_threads_add_exactly)
{
    pthread_t thread[THREADS];
    proftop_id counter[] = {proftop_counter(feed, domain, "n", NULL),
                            proftop_counter_f64(feed, domain, "r", NULL)};
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, add_many, counter), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    struct counter_view view = objects_counter(feed, counter[0]);
    ck_assert_int_eq((int64_t)view.value, (int64_t)THREADS * ADDS);
    ck_assert_uint_eq(view.updates, (uint64_t)THREADS * ADDS);
    ck_assert_int_eq((int64_t)view.min, 1);
    ck_assert_int_eq((int64_t)view.max, (int64_t)THREADS * ADDS);
    /* Each value from 1 to n was set once; their sum is below 2^53. */
    ck_assert_double_eq(view.mean, ((double)THREADS * ADDS + 1) / 2);
    ck_assert_double_eq(f64_of(counter[1]), THREADS * (ADDS / 32) * 0.25);
    ck_assert_uint_eq(objects_counter(feed, counter[1]).updates, THREADS * ADDS / 16);
}
END_TEST

START_TEST(a_pause_keeps_values_up_and_counts_nothing)
{
    proftop_id counter = proftop_counter_from(feed, domain, "c", NULL, 5);
    proftop_id memory = proftop_memory(feed, "gpu/0", "pool", "");
    ck_assert_ptr_null(proftop_pause(feed, NULL));
    proftop_counter_set(feed, counter, 999);
    proftop_memory_alloc(feed, memory, 4096);
    struct counter_view paused = objects_counter(feed, counter);
    ck_assert_int_eq((int64_t)paused.value, 999);
    ck_assert_uint_eq(paused.updates, 1);
    ck_assert_int_eq((int64_t)paused.max, 5);
    ck_assert_uint_eq(objects_counter(feed, memory).value, 4096);
    ck_assert_ptr_null(proftop_resume(feed, NULL));
    proftop_counter_add(feed, counter, 1);
    ck_assert_int_eq(i64_of(counter), 1000);
    ck_assert_uint_eq(objects_counter(feed, counter).updates, 2);
}
END_TEST

START_TEST(a_reset_begins_the_statistics_anew)
{
    proftop_id counter = proftop_counter_from(feed, domain, "c", NULL, 5);
    proftop_id memory = proftop_memory(feed, "gpu/0", "pool", "");
    proftop_counter_set(feed, counter, 100);
    proftop_memory_alloc(feed, memory, 4096);
    proftop_memory_free(feed, memory, 4000);
    ck_assert_ptr_null(proftop_reset(feed));
    struct counter_view view = objects_counter(feed, counter);
    ck_assert_int_eq((int64_t)view.value, 100);
    ck_assert_uint_eq(view.updates, 0);
    ck_assert_uint_eq(objects_counter(feed, memory).value, 96);
    ck_assert_uint_eq(objects_counter(feed, memory).max, 96);
    ck_assert_uint_eq(objects_counter(feed, memory).updates, 0);
    proftop_counter_add(feed, counter, 1);
    proftop_counter_add(feed, counter, -3);
    view = objects_counter(feed, counter);
    ck_assert_uint_eq(view.updates, 2);
    ck_assert_int_eq((int64_t)view.min, 98);
    ck_assert_int_eq((int64_t)view.max, 101);
    ck_assert_double_eq(view.mean, 99.5);
}
END_TEST

/* The sums of these values, or of the first ones, do not fit into a double. */
static const struct {
    double value[4], mean;
} huge[] = {
    {{DBL_MAX, DBL_MAX, 1, DBL_MAX}, 0.75 * DBL_MAX},
    {{-DBL_MAX, -DBL_MAX, -DBL_MAX, -DBL_MAX}, -DBL_MAX},
    {{DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX}, 0},
    {{DBL_MAX, DBL_MAX, 1, -1}, 0.5 * DBL_MAX},
};

START_TEST(the_mean_of_huge_values_is_true)
{
    proftop_id real = proftop_counter_f64(feed, domain, "r", NULL);
    for (int i = 0; i < 4; i++)
        proftop_counter_set_f64(feed, real, huge[_i].value[i]);
    ck_assert_double_eq(objects_counter(feed, real).mean, huge[_i].mean);
}
END_TEST

static const double tiny[] = {DBL_MIN, -DBL_MIN, 1e-300, DBL_TRUE_MIN};

/* The sum loses precision, but the mean is limited to the range of the values. */
START_TEST(the_mean_of_a_tiny_value_is_the_value)
{
    proftop_id real = proftop_counter_f64(feed, domain, "r", NULL);
    for (int i = 0; i < 3; i++)
        proftop_counter_set_f64(feed, real, tiny[_i]);
    ck_assert_double_eq(objects_counter(feed, real).mean, tiny[_i]);
}
END_TEST

static const double before_reset[] = {1e30, -1e30, DBL_MAX, 0};

START_TEST(values_before_a_reset_leave_the_mean_alone)
{
    static const int64_t after[] = {1, 2, 3, 100000};
    proftop_id whole = proftop_counter(feed, domain, "w", NULL);
    proftop_id real = proftop_counter_f64(feed, domain, "r", NULL);
    for (int i = 0; i < 3; i++) {
        proftop_counter_set(feed, whole, INT64_MAX);
        proftop_counter_set_f64(feed, real, before_reset[_i]);
    }
    ck_assert_ptr_null(proftop_reset(feed));
    for (int i = 0; i < 4; i++) {
        proftop_counter_set(feed, whole, after[i]);
        proftop_counter_set_f64(feed, real, (double)after[i]);
    }
    ck_assert_uint_eq(objects_counter(feed, whole).updates, 4);
    ck_assert_double_eq(objects_counter(feed, whole).mean, 25001.5);
    ck_assert_double_eq(objects_counter(feed, real).mean, 25001.5);
}
END_TEST

/* The same as the sum of 3,000,000 updates at 8 TiB, and several times this. */
START_TEST(memory_before_a_reset_leaves_the_mean_alone)
{
    proftop_id memory = proftop_memory(feed, "gpu/0", "pool", "");
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 6; k++) {
            proftop_memory_alloc(feed, memory, UINT64_C(1) << 62);
            proftop_memory_free(feed, memory, UINT64_C(1) << 62);
        }
        ck_assert_ptr_null(proftop_reset(feed));
        static const uint64_t more[] = {1, 1, 1, 99997};
        for (int k = 0; k < 4; k++)
            proftop_memory_alloc(feed, memory, more[k]);
        ck_assert_double_eq(objects_counter(feed, memory).mean, 25001.5);
        proftop_memory_free(feed, memory, 100000);
    }
    ck_assert_uint_eq(objects_invalid(feed), 0);
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
    Suite *s = suite_create("object");
    ADD(s, equal_names_are_one_definition, 1);
    ADD(s, kinds_and_domains_are_kept_apart, 1);
    ADD(s, a_domain_needs_a_name, TAP_ROWS(no_domain));
    tap_native(ADD(s, a_full_table_is_counted, 1));
    ADD(s, off_is_nothing, 1);
    ADD(s, a_counter_keeps_value_extremes_and_mean, 1);
    ADD(s, a_first_value_is_an_update, 1);
    ADD(s, values_are_kept_exactly, TAP_ROWS(wholes));
    ADD(s, extremes_go_by_sign, 1);
    ADD(s, counter_value_out_of_range_is_invalid, 1);
    ADD(s, the_wrong_kind_is_misuse, 1);
    ADD(s, four_threads_add_exactly, 1);
    ADD(s, a_pause_keeps_values_up_and_counts_nothing, 1);
    ADD(s, a_reset_begins_the_statistics_anew, 1);
    ADD(s, the_mean_of_huge_values_is_true, TAP_ROWS(huge));
    ADD(s, the_mean_of_a_tiny_value_is_the_value, TAP_ROWS(tiny));
    ADD(s, values_before_a_reset_leave_the_mean_alone, TAP_ROWS(before_reset));
    ADD(s, memory_before_a_reset_leaves_the_mean_alone, 1);
    ADD(s, memory_can_be_left_out, 1);
    ADD(s, counters_need_no_viewer, 1);
    return s;
}

TAP_MAIN(suite)
