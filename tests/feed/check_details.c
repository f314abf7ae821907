/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_details.c: details of applies and metrics, as a protocol client receives them from a feed.
 */
#include "told.h"

#include <pthread.h>

#include "proftop_control.h"

enum { THREADS = 3, MANY = 3000 };

/* ----------------------------------------------------------------------------------- details */

static struct proftop_apply_detail_info described(uint64_t flops)
{
    struct proftop_apply_detail_info info = PROFTOP_APPLY_DETAIL;
    info.flops = flops;
    return info;
}

static void tell(proftop_id apply, uint64_t flops)
{
    struct proftop_apply_detail_info info = described(flops);
    proftop_apply_detail(feed, apply, &info);
}

START_TEST(a_detail_arrives_whole)
{
    const uint64_t shape[] = {2, 0, UINT64_MAX};
    const int64_t strides[] = {-4, 8, INT64_MIN};
    char dtype[200];
    memset(dtype, 'd', sizeof dtype - 1);
    dtype[sizeof dtype - 1] = 0;
    struct proftop_value_info in[] = {
        {"int8", shape, 3, first + 1, 7, 0, 12, 0, strides},
        {dtype, shape, WIRE_RANK_MAX + 1, 999, 0, 0, UNKNOWN, 0, strides}};
    struct proftop_value_info out[] = {{NULL, NULL, 0, 0, 0, PROFTOP_OVERWRITES(1), 5, 9, strides},
                                       {NULL, NULL, 2, 0, 0, PROFTOP_VIEW_OF(0), 6, 0, strides}};
    struct proftop_apply_detail_info info = described(UNKNOWN);
    info.device = "cuda:1";
    info.rewrite = "fusion";
    info.library = "lib.py:7";
    info.input = in;
    info.inputs = 2;
    info.output = out;
    info.outputs = 2;
    info.impl = PROFTOP_IMPL_JIT;
    info.one_in = 7;
    info.thunk_ns = 0;
    proftop_apply_detail(feed, first + 1, &info);
    ck_assert_uint_eq(ask("I", WIRE_G_DETAIL), 1);
    ck_assert_uint_eq(u[0][0], first + 1);
    ck_assert_uint_eq(u[1][0], 1);
    ck_assert_uint_eq(u[2][0], UNKNOWN);
    ck_assert_uint_eq(u[3][0], 11); /* of both outputs */
    ck_assert_uint_eq(u[4][0], 0);
    expect_text(&t[5][0], "cuda:1");
    expect_text(&t[6][0], "");
    ck_assert_uint_eq(u[7][0], PROFTOP_IMPL_JIT);
    ck_assert_uint_eq(u[8][0], 7);
    ck_assert_uint_eq(u[9][0], 2);
    ck_assert_uint_eq(u[10][0], 2);
    expect_text(&t[11][0], "fusion");
    ck_assert_uint_eq(take(WIRE_G_VALUE), 4);
    expect_text(&t[0][0], "int8");
    expect_text(&t[1][0], "[2,0,18446744073709551615]");
    ck_assert_uint_eq(u[2][0], 12);
    ck_assert_uint_eq(u[3][0], first + 1);
    ck_assert_uint_eq(u[4][0], 7);
    ck_assert_uint_eq(t[0][1].size, WIRE_DTYPE_MAX);
    expect_text(&t[1][1], "");
    ck_assert_uint_eq(u[2][1], UNKNOWN);
    ck_assert_uint_eq(u[3][1], 0); /* no such apply */
    expect_text(&t[1][2], "[]");
    ck_assert_uint_eq(u[5][2], 4);
    expect_text(&t[1][3], ""); /* sizes that are not given */
    ck_assert_uint_eq(u[5][3], 1);
    ck_assert_uint_eq(u[6][2], 9);
    ck_assert_uint_eq(u[6][3], 0);
    expect_text(&t[7][0], "[-4,8,-9223372036854775808]");
    expect_text(&t[7][1], "");
    expect_text(&t[7][2], "[]");
    expect_text(&t[7][3], "[-4,8]"); /* a viewer has no sizes for these */
    ck_assert_uint_eq(take(WIRE_G_LIBRARY), 1);
    ck_assert_uint_eq(u[0][0], first + 1);
    expect_text(&t[1][0], "lib.py:7");
}
END_TEST

/* Repeated details are not sent. Changed details are sent again and replace the old ones. */
START_TEST(only_changes_are_sent)
{
    client_subscribe(&client, "I/");
    for (int i = 0; i < 100; i++)
        tell(first, 5);
    client_expect(&client, client.sub, WIRE_DETAILS);
    ck_assert_uint_eq(take(WIRE_G_DETAIL), 1);
    ck_assert_uint_eq(u[1][0], 1);
    uint64_t seq = client.frame.field[WIRE_F_SEQ].u;
    for (int i = 0; i < 100; i++)
        tell(first, 5);
    tell(first + 1, 6);
    client_expect(&client, client.sub, WIRE_DETAILS);
    ck_assert_uint_eq(client.frame.field[WIRE_F_SEQ].u, seq + 1);
    ck_assert_uint_eq(take(WIRE_G_DETAIL), 1);
    ck_assert_uint_eq(u[0][0], first + 1);
    tell(first, 7);
    client_expect(&client, client.sub, WIRE_DETAILS);
    ck_assert_uint_eq(take(WIRE_G_DETAIL), 1);
    ck_assert_uint_eq(u[0][0], first);
    ck_assert_uint_eq(u[1][0], 2);
    ck_assert_uint_eq(u[2][0], 7);
}
END_TEST

/* A tick sends a bounded number of changes. Later ticks send the rest. */
START_TEST(a_tick_sends_a_bounded_part)
{
    proftop_id many = client_graph(feed, MANY, PROFTOP_GIVEN);
    bool seen[MANY] = {false};
    uint32_t left = MANY, ticks = 0;
    struct proftop_value_info value = {"float32", NULL, 0, 0, 0, 0, 4, 0, NULL};
    client_subscribe(&client, "I/");
    client_hello(&client); /* so that the subscription has arrived */
    for (uint32_t i = 0; i < MANY; i++) {
        struct proftop_apply_detail_info info = described(i);
        info.output = &value;
        info.outputs = 1;
        info.location = "a place with a name that is neither short nor of any interest: here";
        proftop_apply_detail(feed, many + i, &info);
    }
    for (uint64_t tick = 0; left > 0; ticks++) {
        client_expect(&client, client.sub, WIRE_DETAILS);
        ck_assert_uint_gt(client.frame.field[WIRE_F_TICK].u, tick);
        tick = client.frame.field[WIRE_F_TICK].u;
        uint32_t n = take(WIRE_G_DETAIL);
        ck_assert_uint_le(n * 68, WIRE_DETAIL_TICK);
        for (uint32_t i = 0; i < n; i++) {
            ck_assert(!seen[u[0][i] - many]);
            seen[u[0][i] - many] = true;
            ck_assert_uint_eq(u[2][i], u[0][i] - many);
        }
        left -= n;
    }
    ck_assert_uint_ge(ticks, MANY * 68 / WIRE_DETAIL_TICK);
}
END_TEST

/* A snapshot has the same details as the stream, in frames of the usual size. */
START_TEST(snapshots_have_all_details)
{
    proftop_id many = client_graph(feed, MANY, PROFTOP_GIVEN);
    for (uint32_t i = 0; i < MANY; i += 2)
        tell(many + i, i);
    tell(first + 3, 1);
    ck_assert_uint_eq(ask("I", WIRE_G_DETAIL), MANY / 2 + 1);
    ck_assert_uint_eq(u[0][0], first + 3);
    for (uint32_t i = 0; i < MANY / 2; i++)
        ck_assert_uint_eq(u[0][1 + i], many + 2 * i);
}
END_TEST

START_TEST(wrong_details_are_misuse)
{
    struct proftop_apply_detail_info info = described(1);
    proftop_apply_detail(feed, 99, &info);
    proftop_apply_detail(feed, first, NULL);
    info.size = 1;
    proftop_apply_detail(feed, first, &info);
    info = described(1);
    info.value_size = 1;
    proftop_apply_detail(feed, first, &info);
    info = described(1);
    info.inputs = 1;
    proftop_apply_detail(feed, first, &info);
    info = described(1);
    info.impl = (enum proftop_impl)9;
    proftop_apply_detail(feed, first, &info);
    info = described(1);
    struct proftop_value_info none = {0};
    info.input = info.output = &none;
    info.inputs = WIRE_VALUES_MAX;
    info.outputs = 1;
    proftop_apply_detail(feed, first, &info);
    ck_assert_int_eq(proftop_detail_due(feed, 99, 2), 0);
    ck_assert_uint_eq(misuses(), 8);
    ck_assert_uint_eq(ask("I", WIRE_G_DETAIL), 0);
}
END_TEST

/* Impossible figures become unknown and are counted as invalid. Unknown figures are not. */
START_TEST(figures_that_can_not_be_are_invalid)
{
    struct proftop_apply_detail_info info = PROFTOP_APPLY_DETAIL;
    struct proftop_value_info value = {.rank = PROFTOP_NONE, .bytes = UNKNOWN};
    info.input = &value;
    info.inputs = 1;
    proftop_apply_detail(feed, first, &info);
    ck_assert_uint_eq(invalids(), 0);
    uint64_t *const figures[] = {&info.flops, &info.bytes, &info.thunk_ns, &value.bytes};
    uint32_t *const numbers[] = {&value.rank, &value.source_plus_1};
    uint64_t count = 0;
    for (int i = 0; i < TAP_ROWS(figures); i++) {
        *figures[i] = UNKNOWN - 1;
        proftop_apply_detail(feed, first, &info);
        ck_assert_uint_eq(invalids(), ++count);
        *figures[i] = UNKNOWN;
    }
    for (int i = 0; i < TAP_ROWS(numbers); i++) {
        const uint32_t was = *numbers[i];
        *numbers[i] = 33;
        proftop_apply_detail(feed, first, &info);
        ck_assert_uint_eq(invalids(), ++count);
        *numbers[i] = was;
    }
    struct proftop_value_info made = {.rank = PROFTOP_NONE, .alias = PROFTOP_OVERWRITES(1)};
    info.output = &made;
    info.outputs = 1;
    proftop_apply_detail(feed, first, &info);
    ck_assert_uint_eq(invalids(), ++count);
    ck_assert_uint_eq(misuses(), 0);
    ck_assert_uint_eq(ask("I", WIRE_G_VALUE), 2);
    ck_assert_uint_eq(u[3][0], 0); /* the source, */
    ck_assert_uint_eq(u[5][1], 0); /* the alias of the output */
}
END_TEST

/* Programs compiled with other headers have structs of other sizes. */
START_TEST(structs_of_other_sizes_are_read)
{
    struct longer {
        struct proftop_value_info known;
        uint64_t later[3];
    } value[2] = {{{"int8", NULL, 0, 0, 0, 0, 1, 0, NULL}, {9, 9, 9}},
                  {{"int16", NULL, 0, 0, 0, 0, 2, 0, NULL}, {9, 9, 9}}};
    struct proftop_apply_detail_info info = described(3);
    info.output = &value[0].known;
    info.outputs = 2;
    info.value_size = sizeof value[0];
    proftop_apply_detail(feed, first, &info);
    info = described(4);
    info.device = "not looked at";
    info.size = offsetof(struct proftop_apply_detail_info, bytes);
    proftop_apply_detail(feed, first + 1, &info);
    ck_assert_uint_eq(ask("I", WIRE_G_DETAIL), 2);
    ck_assert_uint_eq(u[3][0], 3);
    ck_assert_uint_eq(u[2][1], 4);
    ck_assert_uint_eq(u[3][1], UNKNOWN);
    expect_text(&t[5][1], "");
    ck_assert_uint_eq(take(WIRE_G_VALUE), 2);
    expect_text(&t[0][1], "int16");
}
END_TEST

/* An oversized detail is dropped and counted; the previous one stays. */
START_TEST(a_detail_has_a_limit)
{
    static struct proftop_value_info value[WIRE_VALUES_MAX];
    uint64_t shape[WIRE_RANK_MAX];
    memset(shape, 0x7f, sizeof shape);
    for (int i = 0; i < WIRE_VALUES_MAX; i++)
        value[i] =
            (struct proftop_value_info){"float32", shape, WIRE_RANK_MAX, 0, 0, 0, UNKNOWN, 0, NULL};
    tell(first, 1);
    struct proftop_apply_detail_info info = described(2);
    info.input = value;
    info.inputs = WIRE_VALUES_MAX;
    proftop_apply_detail(feed, first, &info);
    ck_assert_uint_eq(drops(), 1);
    ck_assert_uint_eq(ask("I", WIRE_G_DETAIL), 1);
    ck_assert_uint_eq(u[2][0], 1);
    /* The same number with short texts fits. */
    for (int i = 0; i < WIRE_VALUES_MAX; i++)
        value[i].rank = 1;
    proftop_apply_detail(feed, first, &info);
    ck_assert_uint_eq(ask("I", WIRE_G_DETAIL), 1);
    ck_assert_uint_eq(u[9][0], WIRE_VALUES_MAX);
    ck_assert_uint_eq(take(WIRE_G_VALUE), WIRE_VALUES_MAX);
    ck_assert_uint_eq(drops(), 1);
}
END_TEST

START_TEST(one_in_n_is_due)
{
    static const int due[] = {1, 0, 0, 1, 0, 0, 1};
    for (unsigned i = 0; i < sizeof due / sizeof due[0]; i++)
        ck_assert_int_eq(proftop_detail_due(feed, first, 3), due[i]);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(proftop_detail_due(feed, first + 1, 1), 1);
        ck_assert_int_eq(proftop_detail_due(feed, first + 2, 0), 1);
    }
}
END_TEST

/* ----------------------------------------------------------------------------------- metrics */

START_TEST(metric_combines_values_by_its_kind)
{
    static const struct {
        enum proftop_how how;
        uint64_t value;
    } want[] = {{PROFTOP_SUM, 12}, {PROFTOP_MAX, 7}, {PROFTOP_LAST, 2}, {PROFTOP_INCLUSIVE, 12}};
    static const char *const name[] = {"a", "b", "c", "d"};
    for (unsigned i = 0; i < 4; i++) {
        proftop_id metric = proftop_metric(feed, name[i], "bytes", want[i].how);
        ck_assert_uint_eq(metric, i);
        proftop_metric_add(feed, metric, first + 2, 3);
        proftop_metric_add(feed, metric, first + 2, 7);
        proftop_metric_add(feed, metric, first + 2, 2);
    }
    ck_assert_uint_eq(ask("I", WIRE_G_METRIC), 4);
    for (unsigned i = 0; i < 4; i++) {
        expect_text(&t[0][i], name[i]);
        expect_text(&t[1][i], "bytes");
        ck_assert_uint_eq(u[2][i], want[i].how);
    }
    ck_assert_uint_eq(take(WIRE_G_M), 4);
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_uint_eq(u[0][i], first + 2);
        ck_assert_uint_eq(u[1][i], i);
        ck_assert_uint_eq(u[2][i], 3);
        ck_assert_uint_eq(u[3][i], want[i].value);
    }
}
END_TEST

/* Sums saturate at the largest value of the wire. */
START_TEST(sums_stay_at_the_largest)
{
    proftop_id metric = proftop_metric(feed, "a", NULL, PROFTOP_SUM);
    proftop_metric_add(feed, metric, first, UNKNOWN);     /* not a value, */
    proftop_metric_add(feed, metric, first, UNKNOWN - 1); /* nor is an impossible one */
    ck_assert_uint_eq(invalids(), 1);
    proftop_metric_add(feed, metric, first, UINT64_C(1) << 62);
    proftop_metric_add(feed, metric, first, 1);
    ck_assert_uint_eq(ask("I", WIRE_G_M), 1);
    ck_assert_uint_eq(u[2][0], 2);
    ck_assert_uint_eq(u[3][0], UINT64_C(1) << 62);
}
END_TEST

START_TEST(metrics_come_live)
{
    client_subscribe(&client, "I/");
    proftop_id metric = proftop_metric(feed, "a", "ns", PROFTOP_SUM);
    for (uint64_t adds = 1; adds <= 3; adds++) {
        proftop_metric_add(feed, metric, first + 1, 10);
        do
            client_expect(&client, client.sub, WIRE_DETAILS);
        while (take(WIRE_G_M) == 0);
        ck_assert_uint_eq(u[2][0], adds);
        ck_assert_uint_eq(u[3][0], 10 * adds);
    }
}
END_TEST

START_TEST(metrics_are_declared_once)
{
    char name[8];
    proftop_id metric = proftop_metric(feed, "m0", "ns", PROFTOP_SUM);
    ck_assert_uint_eq(proftop_metric(feed, "m0", "ns", PROFTOP_SUM), metric);
    ck_assert_uint_eq(proftop_metric(feed, "m0", "bytes", PROFTOP_SUM), PROFTOP_NONE);
    ck_assert_uint_eq(proftop_metric(feed, "m0", "ns", PROFTOP_MAX), PROFTOP_NONE);
    ck_assert_uint_eq(proftop_metric(feed, "", "ns", PROFTOP_SUM), PROFTOP_NONE);
    ck_assert_uint_eq(proftop_metric(feed, "m1", "ns", (enum proftop_how)7), PROFTOP_NONE);
    proftop_metric_add(feed, 1, first, 1);
    proftop_metric_add(feed, metric, 99, 1);
    ck_assert_uint_eq(misuses(), 6);
    for (unsigned i = 1; i < WIRE_METRICS_MAX; i++) {
        snprintf(name, sizeof name, "m%u", i);
        ck_assert_uint_eq(proftop_metric(feed, name, "", PROFTOP_SUM), i);
    }
    ck_assert_uint_eq(proftop_metric(feed, "more", "", PROFTOP_SUM), PROFTOP_NONE);
    ck_assert_uint_eq(drops(), 1);
    ck_assert_uint_eq(ask("I", WIRE_G_M), 0);
}
END_TEST

/* A reset clears values. Details of applies and compilations stay. */
START_TEST(a_reset_forgets_values_alone)
{
    proftop_id metric = proftop_metric(feed, "a", "", PROFTOP_SUM);
    proftop_metric_add(feed, metric, first, 5);
    proftop_metric_add(feed, metric, first, 6);
    proftop_phase(feed, 0, PROFTOP_NONE, PROFTOP_PHASE_LINK, "link", NULL);
    tell(first, 1);
    ck_assert_ptr_null(proftop_reset(feed));
    ck_assert_uint_eq(ask("I", WIRE_G_M), 0);
    ck_assert_uint_eq(ask("I", WIRE_G_DETAIL), 1);
    ck_assert_uint_eq(ask("R", WIRE_G_PHASE), 1);
    proftop_metric_add(feed, metric, first, 7);
    ck_assert_uint_eq(ask("I", WIRE_G_M), 1);
    ck_assert_uint_eq(u[2][0], 1);
    ck_assert_uint_eq(u[3][0], 7);
    ck_assert_uint_eq(client.frame.field[WIRE_F_EPOCH].u, 2);
}
END_TEST

START_TEST(paused_feed_takes_no_metric_values)
{
    proftop_id metric = proftop_metric(feed, "a", "", PROFTOP_SUM);
    proftop_metric_add(feed, metric, first, 1);
    ck_assert_ptr_null(proftop_pause(feed, NULL));
    proftop_metric_add(feed, metric, first, 10);
    ck_assert_ptr_null(proftop_resume(feed, NULL));
    proftop_metric_add(feed, metric, first, 100);
    ck_assert_uint_eq(ask("I", WIRE_G_M), 1);
    ck_assert_uint_eq(u[2][0], 2);
    ck_assert_uint_eq(u[3][0], 101);
    ck_assert_uint_eq(misuses(), 0);
}
END_TEST

/* -------------------------------------------------------------------------------------- life */

static void call_all(struct proftop *of)
{
    struct proftop_apply_detail_info info = described(1);
    ck_assert_uint_eq(proftop_phase_begin(of, 0, PROFTOP_NONE, PROFTOP_PHASE_LINK, "a", 1),
                      PROFTOP_NONE);
    proftop_phase_end(of, 0, 1, 1);
    ck_assert_uint_eq(proftop_phase(of, 0, PROFTOP_NONE, PROFTOP_PHASE_LINK, "a", NULL),
                      PROFTOP_NONE);
    proftop_apply_detail(of, 0, &info);
    ck_assert_int_eq(proftop_detail_due(of, 0, 1), 0);
    ck_assert_uint_eq(proftop_metric(of, "a", "", PROFTOP_SUM), PROFTOP_NONE);
    proftop_metric_add(of, 0, 0, 1);
}

START_TEST(a_feed_that_is_off_takes_nothing)
{
    struct proftop *off = client_feed();
    proftop_close(off);
    call_all(NULL);
    call_all(off);
    client_clean();
}
END_TEST

static void *work(void *number)
{
    uint32_t me = *(uint32_t *)number;
    char name[16];
    snprintf(name, sizeof name, "t%u", me);
    proftop_id metric = proftop_metric(feed, "shared", "", PROFTOP_SUM);
    for (uint64_t i = 0; i < 500; i++) {
        proftop_id phase = proftop_phase_begin(feed, 0, PROFTOP_NONE, PROFTOP_PHASE_OTHER, name, i);
        tell(first + me, i);
        proftop_metric_add(feed, metric, first, 1);
        proftop_phase_end(feed, phase, 1, i);
    }
    return NULL;
}

/* Threads set details in parallel while they are sent; none is lost. */
START_TEST(threads_may_set_details_at_once)
{
    pthread_t thread[THREADS];
    uint32_t number[THREADS];
    client_subscribe(&client, "");
    for (uint32_t i = 0; i < THREADS; i++) {
        number[i] = i;
        ck_assert_int_eq(pthread_create(&thread[i], NULL, work, &number[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    ck_assert_uint_eq(ask("R", WIRE_G_PHASE), THREADS);
    for (int i = 0; i < THREADS; i++) {
        ck_assert_uint_eq(u[6][i], 500);
        ck_assert_uint_eq(u[8][i], 500);
        ck_assert_uint_eq(u[9][i], 0);
        ck_assert_uint_eq(u[10][i], 499);
    }
    ck_assert_uint_eq(ask("I", WIRE_G_DETAIL), THREADS);
    for (int i = 0; i < THREADS; i++)
        ck_assert_uint_eq(u[2][i], 499);
    ck_assert_uint_eq(ask("I", WIRE_G_M), 1);
    ck_assert_uint_eq(u[3][0], 500 * THREADS);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("describe");
    add(s, "a_detail_arrives_whole", a_detail_arrives_whole);
    add(s, "only_changes_are_sent", only_changes_are_sent);
    add(s, "a_tick_sends_a_bounded_part", a_tick_sends_a_bounded_part);
    add(s, "snapshots_have_all_details", snapshots_have_all_details);
    add(s, "wrong_details_are_misuse", wrong_details_are_misuse);
    add(s, "figures_that_can_not_be_are_invalid", figures_that_can_not_be_are_invalid);
    add(s, "structs_of_other_sizes_are_read", structs_of_other_sizes_are_read);
    add(s, "a_detail_has_a_limit", a_detail_has_a_limit);
    add(s, "one_in_n_is_due", one_in_n_is_due);
    add(s, "metric_combines_values_by_its_kind", metric_combines_values_by_its_kind);
    add(s, "sums_stay_at_the_largest", sums_stay_at_the_largest);
    add(s, "metrics_come_live", metrics_come_live);
    add(s, "metrics_are_declared_once", metrics_are_declared_once);
    add(s, "a_reset_forgets_values_alone", a_reset_forgets_values_alone);
    add(s, "paused_feed_takes_no_metric_values", paused_feed_takes_no_metric_values);
    add(s, "a_feed_that_is_off_takes_nothing", a_feed_that_is_off_takes_nothing);
    add(s, "threads_may_set_details_at_once", threads_may_set_details_at_once);
    return s;
}

TAP_MAIN(suite)
