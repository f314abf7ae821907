/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_rank_test.c: the exact distribution against all orders of small samples and published
 * critical values; a published example; how often intervals hold the truth.
 */
#include "model/rank_test.h"

#include <math.h>

#include "sample.h"

/* Counts the orders of n + m values whose U is u or less, one by one. */
static double by_counting(unsigned n, unsigned m, unsigned u)
{
    unsigned orders = 0, few = 0;
    for (uint32_t set = 0; set < 1u << (n + m); set++) {
        unsigned above = 0, seen = 0, pairs = 0;
        for (unsigned i = 0; i < n + m; i++) {
            const bool first = set >> i & 1;
            above += !first;
            seen += first;
            pairs += first ? above : 0;
        }
        orders += seen == n;
        few += seen == n && pairs <= u;
    }
    return (double)few / orders;
}

static const unsigned sizes[][2] = {{1, 1}, {1, 5}, {3, 4}, {4, 3}, {5, 5}, {6, 7}, {7, 7}};

START_TEST(tails_are_those_of_all_orders)
{
    const unsigned n = sizes[_i][0], m = sizes[_i][1];
    for (unsigned u = 0; u <= n * m; u += 1 + u / 8) {
        const double tail = model_rank_tail(n, m, u);
        ck_assert_double_le(fabs(tail - by_counting(n, m, u)), 1e-12);
    }
    ck_assert_double_le(fabs(model_rank_tail(n, m, n * m) - 1), 1e-12);
    ck_assert_double_le(fabs(model_rank_tail(n, m, n * m + 9) - 1), 1e-12);
}
END_TEST

/* The largest U that is significant, two-sided at 5 %, as tables of the test print it. */
static const unsigned critical[][3] = {{4, 4, 0},    {5, 5, 2},    {6, 6, 5},    {6, 7, 6},
                                       {7, 7, 8},    {8, 8, 13},   {9, 9, 17},   {10, 8, 17},
                                       {10, 10, 23}, {12, 12, 37}, {15, 15, 64}, {20, 20, 127}};

START_TEST(critical_values_are_the_published_ones)
{
    const unsigned *row = critical[_i];
    ck_assert_double_le(model_rank_tail(row[0], row[1], row[2]), 0.025);
    ck_assert_double_gt(model_rank_tail(row[0], row[1], row[2] + 1), 0.025);
}
END_TEST

/* Permeability of tissue, the example of Hollander and Wolfe, chapter 4: p = 0.1272, an estimate of
 * -0.305, and an interval from -0.76 to 0.15 at 96 %. */
START_TEST(the_example_of_the_book)
{
    const double term[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    const double early[] = {1.15, 0.88, 0.90, 0.74, 1.21};
    struct model_shift shift;
    ck_assert_double_le(fabs(model_rank_tail(10, 5, 15) - 0.1272), 5e-5);
    ck_assert(model_rank_shift(term, 10, early, 5, (struct model_levels){0.02, 0.02}, &shift));
    ck_assert_double_le(fabs(shift.mid - -0.305), 1e-9);
    ck_assert_double_le(fabs(shift.low - -0.76), 1e-9);
    ck_assert_double_le(fabs(shift.high - 0.15), 1e-9);
}
END_TEST

/* 1 of 70 orders of 4 and 4 values has U = 0; 1 of 252 of 5 and 5. */
START_TEST(few_values_have_no_ends)
{
    const double a[] = {1, 2, 3, 4, 5}, b[] = {11, 12, 13, 14, 15};
    struct model_shift shift;
    ck_assert(model_rank_shift(a, 4, b, 4, (struct model_levels){0.014, 0.05}, &shift));
    ck_assert(isinf(shift.low) && shift.low < 0);
    ck_assert_double_eq(shift.mid, 10);
    ck_assert_double_eq(shift.high, 12); /* P(U <= 1) is 2 of 70, P(U <= 2) 4 of 70 */
    ck_assert(model_rank_shift(a, 5, b, 5, (struct model_levels){0.004, 0.003}, &shift));
    ck_assert_double_eq(shift.low, 6);
    ck_assert(isinf(shift.high) && shift.high > 0);
    ck_assert(model_rank_shift(a, 1, b, 1, (struct model_levels){0.4, 0.4}, &shift));
    ck_assert(isinf(shift.low) && isinf(shift.high) && shift.mid == 10);
    ck_assert_uint_eq(model_rank_least(1.0 / 70), 4);
    ck_assert_uint_eq(model_rank_least(1.0 / 71), 5);
    ck_assert_uint_eq(model_rank_least(0.001), 7);
    ck_assert_uint_eq(model_rank_least(1e-5), 10);
    ck_assert_uint_eq(model_rank_least(0), MODEL_RANK_MOST + 1);
}
END_TEST

START_TEST(wrong_sizes_are_refused)
{
    const double a[] = {1};
    struct model_shift shift;
    const struct model_levels level = {0.1, 0.1};
    ck_assert(!model_rank_shift(a, 0, a, 1, level, &shift));
    ck_assert(!model_rank_shift(a, 1, a, 0, level, &shift));
    ck_assert(!model_rank_shift(a, 1, a, MODEL_RANK_MOST + 1, level, &shift));
    ck_assert(!model_rank_one(a, 0, level, &shift));
    ck_assert(isnan(model_rank_tail(0, 5, 0)) && isnan(model_rank_tail(5, MODEL_RANK_MOST + 1, 0)));
}
END_TEST

/* The sign test of ten values: P(at most 1 of 10) = 11/1024, of 2: 56/1024. */
START_TEST(one_sample)
{
    const double value[] = {7, 1, 10, 2, 9, 3, 8, 4, 6, 5};
    struct model_shift shift;
    ck_assert(model_rank_one(value, 10, (struct model_levels){0.011, 0.055}, &shift));
    ck_assert_double_eq(shift.low, 2);
    ck_assert_double_eq(shift.mid, 5.5);
    ck_assert_double_eq(shift.high, 8);
    ck_assert(model_rank_one(value, 4, (struct model_levels){0.05, 0.07}, &shift));
    ck_assert(isinf(shift.low));
    ck_assert_double_eq(shift.high, 10);
    double even[] = {4, 1, 3, 2};
    ck_assert_double_eq(model_rank_median(even, 4), 2.5);
    ck_assert_double_eq(model_rank_median(even, 3), 2);
    ck_assert(isnan(model_rank_median(even, 0)));
}
END_TEST

/* 64 values of each: the same sums by a normal approximation. */
START_TEST(large_samples_are_exact_too)
{
    const unsigned n = MODEL_RANK_MOST;
    const double sigma = sqrt((double)n * n * (2 * n + 1) / 12);
    for (int z = -3; z <= 3; z++) {
        const double u = n * n / 2.0 + z * sigma;
        const double normal = erfc(-(floor(u) + 0.5 - n * n / 2.0) / sigma / sqrt(2)) / 2;
        ck_assert_double_le(fabs(model_rank_tail(n, n, (unsigned)u) - normal), 1e-3);
    }
}
END_TEST

/* Mostly near 1, some far above: calls that were interrupted. */
static double wild(struct sample_random *random)
{
    const double u = ((double)sample_below(random, 1000000) + 1) / 1000000;
    return 1 + 0.02 * u + (sample_below(random, 5) ? 0 : 0.3 / u);
}

/* The true shift is outside the low end in no more than 5 of 100 cases, and outside the high end in
 * no more than 10, whatever the distribution. */
START_TEST(intervals_hold_the_truth)
{
    enum { CASES = 4000, N = 8, M = 9 };
    struct sample_random random = {(uint64_t)_i + 3};
    unsigned below = 0, above = 0;
    for (int round = 0; round < CASES; round++) {
        double a[N], b[M];
        struct model_shift shift;
        for (int i = 0; i < N; i++)
            a[i] = wild(&random);
        for (int i = 0; i < M; i++)
            b[i] = wild(&random) + 7;
        ck_assert(model_rank_shift(a, N, b, M, (struct model_levels){0.05, 0.1}, &shift));
        ck_assert(shift.low <= shift.mid && shift.mid <= shift.high);
        below += shift.low > 7;
        above += shift.high < 7;
    }
    /* Three standard deviations of a count are allowed. */
    ck_assert_uint_le(below, CASES * 5 / 100 + 42);
    ck_assert_uint_le(above, CASES * 10 / 100 + 57);
    ck_assert_uint_ge(below, CASES * 2 / 100);
    ck_assert_uint_ge(above, CASES * 5 / 100);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("rank_test");
    tap_add_loop(s, "tails_are_those_of_all_orders", tails_are_those_of_all_orders,
                 TAP_ROWS(sizes));
    tap_add_loop(s, "critical_values_are_the_published_ones",
                 critical_values_are_the_published_ones, TAP_ROWS(critical));
    tap_add(s, "the_example_of_the_book", the_example_of_the_book);
    tap_add(s, "few_values_have_no_ends", few_values_have_no_ends);
    tap_add(s, "wrong_sizes_are_refused", wrong_sizes_are_refused);
    tap_add(s, "one_sample", one_sample);
    tap_add(s, "large_samples_are_exact_too", large_samples_are_exact_too);
    tap_add_loop(s, "intervals_hold_the_truth", intervals_hold_the_truth, 3);
    return s;
}
TAP_MAIN(suite)
