/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_diff.c: compares two states row by row: the matching, and that all sums are complete.
 */
#include "model/diff.h"

#include <time.h>

#include "sample.h"

static struct model_job *job[MODEL_SIDES];
static struct model_state *state[MODEL_SIDES];
static struct model_diff diff;

static void compare(struct model_job *a, struct model_job *b)
{
    job[MODEL_A] = a;
    job[MODEL_B] = b;
    for (unsigned side = 0; side < MODEL_SIDES; side++) {
        state[side] = model_state_take(job[side], MODEL_ALL, NULL);
        ck_assert_ptr_nonnull(state[side]);
    }
    ck_assert(model_diff_take(&diff, state[MODEL_A], state[MODEL_B]));
}

static void forget(void)
{
    model_diff_release(&diff);
    for (unsigned side = 0; side < MODEL_SIDES; side++) {
        model_state_free(&state[side]);
        model_job_release(&job[side]);
    }
}

static const enum model_table kinds[] = {MODEL_CLASS, MODEL_OP, MODEL_APPLY};

/* Work, waiting, and time aside. */
static uint64_t all_ns(const struct model_state *of)
{
    const struct model_totals *totals = &of->totals;
    return totals->time_ns + (totals->wait_ns == MODEL_UNKNOWN ? 0 : totals->wait_ns) +
           (totals->aside_ns == MODEL_UNKNOWN ? 0 : totals->aside_ns);
}

/* Each row of each side is in one row of the comparison. The deltas add up to the delta of the
 * totals. */
static void check_whole(void)
{
    for (size_t k = 0; k < 3; k++) {
        const struct model_diff_table *table = &diff.table[kinds[k]];
        for (unsigned side = 0; side < MODEL_SIDES; side++) {
            uint32_t rows = 0;
            uint64_t applies = 0;
            bool *seen = calloc(state[side]->count[kinds[k]] + 1u, sizeof(*seen));
            for (uint32_t i = 0; i < table->count; i++) {
                uint32_t id = table->row[i].side[side].first, n = 0;
                for (; id != MODEL_NONE; id = model_diff_next(table, side, id), n++) {
                    ck_assert(!seen[id]);
                    seen[id] = true;
                }
                ck_assert_uint_eq(n, table->row[i].side[side].rows);
                rows += n;
                applies += table->row[i].side[side].applies;
            }
            free(seen);
            ck_assert_uint_eq(rows, state[side]->totals.rows[kinds[k]]);
            ck_assert_uint_eq(applies, state[side]->totals.rows[MODEL_APPLY]);
        }
        ck_assert_int_eq(model_diff_sum(table, 0),
                         model_delta(all_ns(state[MODEL_A]), all_ns(state[MODEL_B])));
        for (uint32_t i = 1; i < table->count; i++)
            ck_assert_int_ge(llabs(table->row[i - 1].delta_ns), llabs(table->row[i].delta_ns));
    }
}

START_TEST(arithmetic)
{
    ck_assert_int_eq(model_delta(7, 9), 2);
    ck_assert_int_eq(model_delta(9, 7), -2);
    ck_assert_int_eq(model_delta(0, UINT64_MAX - 1), INT64_MAX);
    ck_assert_int_eq(model_delta(UINT64_MAX - 1, 0), -INT64_MAX);
    ck_assert_int_eq(model_delta(MODEL_UNKNOWN, 0), MODEL_DELTA_UNKNOWN);
    ck_assert_int_eq(model_delta(0, MODEL_UNKNOWN), MODEL_DELTA_UNKNOWN);
    ck_assert_double_eq(model_diff_ratio(4, 2), 0.5);
    ck_assert_double_lt(model_diff_ratio(0, 2), 0);
    ck_assert_double_lt(model_diff_ratio(MODEL_UNKNOWN, 2), 0);
    struct model_diff_side side = {.first = 0, .ns = 10, .calls = 4, .function_calls = 3};
    ck_assert_uint_eq(model_diff_per_call(&side), 3); /* 2.5 rounds up */
    ck_assert_uint_eq(model_diff_per_function_call(&side), 3);
    side.calls = 0;
    ck_assert_uint_eq(model_diff_per_call(&side), MODEL_UNKNOWN);
    side.first = MODEL_NONE;
    ck_assert_uint_eq(model_diff_per_call(&side), 0);
}
END_TEST

START_TEST(sums_are_whole)
{
    struct sample_random random = {(uint64_t)_i * 2 + 1};
    struct model_job *a = sample_random_job(&random, _i % 2);
    struct model_job *b = sample_random_job(&random, _i % 2);
    sample_run(a, &random, 1000000);
    sample_run(b, &random, 1000000);
    compare(a, b);
    check_whole();
    forget();
}
END_TEST

START_TEST(the_same_state_differs_in_nothing)
{
    struct sample_random random = {77};
    struct model_job *a = sample_random_job(&random, true);
    sample_run(a, &random, 1000000);
    compare(a, model_job_retain(a));
    check_whole();
    for (size_t k = 0; k < 3; k++)
        for (uint32_t i = 0; i < diff.table[kinds[k]].count; i++) {
            const struct model_diff_row *row = &diff.table[kinds[k]].row[i];
            ck_assert_int_eq(row->delta_ns, 0);
            ck_assert(!row->paired);
            ck_assert_uint_eq(row->side[MODEL_A].first, row->side[MODEL_B].first);
        }
    forget();
}
END_TEST

static const struct model_diff_row *row_of(enum model_table table, const char *name)
{
    for (uint32_t i = 0; i < diff.table[table].count; i++)
        for (unsigned side = 0; side < MODEL_SIDES; side++) {
            const struct model_diff_row *row = &diff.table[table].row[i];
            if (row->side[side].first != MODEL_NONE &&
                !strcmp(model_diff_name(&diff, table, side, row->side[side].first)->raw, name))
                return row;
        }
    ck_abort_msg("there is no row %s", name);
    return NULL;
}

/* One function with applies that each have an op of their own text, and a class. */
static struct model_job *program(const char *const *op, const char *const *text, uint32_t count)
{
    struct model_job *made = sample_empty();
    sample_function(made, "f", MODEL_NONE);
    for (uint32_t i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof(name), "tensor.%.*s", (int)strcspn(op[i], "{"), op[i]);
        uint32_t of = 0;
        while (of < i && strcmp(op[of], op[i]) != 0)
            of++;
        if (of == i) {
            sample_class(made, name);
            sample_op(made, model_job_count(made, MODEL_CLASS) - 1, op[i]);
        }
        uint32_t id = 0;
        while (strcmp(model_job_op(made, id)->text.raw, op[i]) != 0)
            id++;
        sample_apply(made, 0, id, i, text[i], MODEL_IMPL_C);
        sample_value(made, i, 1, 100 * (i + 1));
    }
    return made;
}

/* In-place forms become one row each, before all products do. */
START_TEST(forms_go_to_their_nearest)
{
    static const char *const op_a[] = {"Gemv{inplace}", "Gemm{inplace}", "ScipyGer{destructive}"};
    static const char *const op_b[] = {"ScipyGer{non-destructive}", "Gemv{no_inplace}",
                                       "Gemm{no_inplace}"};
    static const char *const text_a[] = {"Gemv{inplace}(x)", "Gemm{inplace}(y)",
                                         "ScipyGer{destructive}(z)"};
    static const char *const text_b[] = {"ScipyGer{non-destructive}(z)", "Gemv{no_inplace}(x)",
                                         "Gemm{no_inplace}(y)"};
    compare(program(op_a, text_a, 3), program(op_b, text_b, 3));
    check_whole();
    ck_assert_uint_eq(diff.table[MODEL_OP].count, 3);
    ck_assert_uint_eq(diff.table[MODEL_APPLY].count, 3);
    ck_assert_int_eq(row_of(MODEL_OP, "Gemv{inplace}")->delta_ns, 100);
    ck_assert_ptr_eq(row_of(MODEL_OP, "Gemv{inplace}"), row_of(MODEL_OP, "Gemv{no_inplace}"));
    ck_assert_int_eq(row_of(MODEL_OP, "Gemm{inplace}")->delta_ns, 100);
    ck_assert_int_eq(row_of(MODEL_APPLY, "ScipyGer{destructive}(z)")->delta_ns, -200);
    ck_assert(row_of(MODEL_APPLY, "ScipyGer{destructive}(z)")->paired);
    ck_assert(!row_of(MODEL_CLASS, "tensor.Gemm")->paired);
    forget();
}
END_TEST

/* One Dot node stayed and two became other ops. Rows that exchanged nodes become one row. */
START_TEST(rows_between_which_nodes_moved_are_one)
{
    static const char *const op_a[] = {"Dot", "Dot", "Dot", "Gemm{inplace}"};
    static const char *const op_b[] = {"Dot", "Gemv{inplace}", "Dot22", "Gemm{inplace}"};
    static const char *const text_a[] = {"Dot(a)", "Dot(b)", "Dot(c)", "Gemm{inplace}(d)"};
    static const char *const text_b[] = {"Dot(a)", "Gemv{inplace}(e, b)", "Dot22(c)",
                                         "Gemm{inplace}(d)"};
    compare(program(op_a, text_a, 4), program(op_b, text_b, 4));
    check_whole();
    ck_assert_uint_eq(diff.table[MODEL_OP].count, 2);
    const struct model_diff_row *row = row_of(MODEL_OP, "Dot");
    ck_assert_uint_eq(row->side[MODEL_A].rows, 1);
    ck_assert_uint_eq(row->side[MODEL_B].rows, 3);
    ck_assert_uint_eq(row->side[MODEL_B].applies, 3);
    ck_assert_int_eq(row->delta_ns, 0);
    ck_assert(!row_of(MODEL_OP, "Gemm{inplace}")->paired);
    ck_assert(!row_of(MODEL_APPLY, "Dot(a)")->paired);
    ck_assert_ptr_eq(row_of(MODEL_APPLY, "Dot(c)"), row_of(MODEL_APPLY, "Dot22(c)"));
    ck_assert_ptr_eq(row_of(MODEL_APPLY, "Dot(b)"), row_of(MODEL_APPLY, "Gemv{inplace}(e, b)"));
    forget();
}
END_TEST

/* The order of products does not matter. The values that they take do. */
START_TEST(products_go_by_their_inputs)
{
    static const char *const op_a[] = {"Dot", "Dot"};
    static const char *const op_b[] = {"Gemv{inplace}", "Gemm{inplace}"};
    static const char *const text_a[] = {"Dot(x, w)", "Dot(x, v)"};
    static const char *const text_b[] = {"Gemv{inplace}(e, 1.0, x, v, 0.0)",
                                         "Gemm{inplace}(c, 1.0, x, w, 1.0)"};
    compare(program(op_a, text_a, 2), program(op_b, text_b, 2));
    check_whole();
    ck_assert_ptr_eq(row_of(MODEL_APPLY, text_a[0]), row_of(MODEL_APPLY, text_b[1]));
    ck_assert_ptr_eq(row_of(MODEL_APPLY, text_a[1]), row_of(MODEL_APPLY, text_b[0]));
    ck_assert_uint_eq(diff.table[MODEL_APPLY].count, 2);
    forget();
}
END_TEST

/* Three ops have one text, in another order in B. They are matched by their nodes. */
START_TEST(different_ops_of_one_text)
{
    static const char *const text[] = {"Composite{...}(x)", "Composite{...}(y)",
                                       "Composite{...}(z)"};
    static const unsigned order[] = {2, 0, 1};
    struct model_job *made[MODEL_SIDES];
    for (unsigned side = 0; side < MODEL_SIDES; side++) {
        made[side] = sample_empty();
        sample_class(made[side], "Elemwise");
        sample_function(made[side], "f", MODEL_NONE);
        for (unsigned i = 0; i < 3; i++) {
            unsigned n = side ? order[i] : i;
            sample_op(made[side], 0, "Composite{...}");
            sample_apply(made[side], 0, i, i, text[n], MODEL_IMPL_C);
            sample_value(made[side], i, 1, 1000 << n);
        }
    }
    compare(made[MODEL_A], made[MODEL_B]);
    check_whole();
    for (size_t k = 1; k < 3; k++) {
        ck_assert_uint_eq(diff.table[kinds[k]].count, 3);
        for (uint32_t i = 0; i < 3; i++) {
            ck_assert_int_eq(diff.table[kinds[k]].row[i].delta_ns, 0);
            ck_assert(!diff.table[kinds[k]].row[i].paired);
        }
    }
    forget();
}
END_TEST

/* A product of one side alone is new. It pairs with no product that stayed. */
START_TEST(op_of_one_side_alone_is_new)
{
    static const char *const op[] = {"Dot", "Sqr", "Gemm{inplace}"};
    static const char *const text[] = {"Dot(a)", "Sqr(b)", "Gemm{inplace}(c)"};
    compare(program(op, text, 2), program(op, text, 3));
    check_whole();
    const struct model_diff_row *row = row_of(MODEL_OP, "Gemm{inplace}");
    ck_assert_uint_eq(row->side[MODEL_A].first, MODEL_NONE);
    ck_assert_uint_eq(row->side[MODEL_A].ns, 0);
    ck_assert_int_eq(row->delta_ns, 300);
    ck_assert_ptr_null(model_diff_impl(&row->side[MODEL_A]));
    ck_assert_str_eq(model_diff_impl(&row->side[MODEL_B]), "C");
    ck_assert_ptr_eq(row, &diff.table[MODEL_OP].row[0]);
    forget();
}
END_TEST

/* An unknown time is not 0. */
START_TEST(unknown_is_unknown)
{
    struct model_job *a = sample_job(), *b = sample_job();
    uint64_t id = 1, calls = 30, none = 0, unknown = MODEL_UNKNOWN;
    struct model_job *c = sample_empty();
    sample_class(c, "tensor.Dot");
    sample_op(c, 0, "Dot");
    sample_function(c, "train", MODEL_NONE);
    sample_apply(c, 0, 0, 0, "Dot(x, w)", MODEL_IMPL_PY);
    id = 0;
    model_job_set_values(c, 1, &id, &calls, &none, &unknown, NULL, false);
    model_job_set_extremes(c, 1, &id, &unknown, &unknown, &none, false);
    model_job_release(&b);
    compare(a, c);
    const struct model_diff_row *row = row_of(MODEL_APPLY, "Dot(x, w)");
    ck_assert_uint_eq(row->side[MODEL_A].ns, 8500);
    ck_assert_uint_eq(row->side[MODEL_B].ns, MODEL_UNKNOWN);
    ck_assert_int_eq(row->delta_ns, MODEL_DELTA_UNKNOWN);
    ck_assert_ptr_eq(row, &diff.table[MODEL_APPLY].row[diff.table[MODEL_APPLY].count - 1]);
    ck_assert_int_eq(model_diff_sum(&diff.table[MODEL_APPLY], 0), -3500);
    /* An estimate outside the sum does not mark it. One inside does. */
    ck_assert(model_diff_estimated(row));
    ck_assert(!model_diff_sum_estimated(&diff.table[MODEL_APPLY], 0));
    a = sample_job(), c = model_job_retain(c);
    forget();
    sample_timed(a, 1, 5);
    compare(a, c);
    ck_assert_int_eq(model_diff_sum(&diff.table[MODEL_APPLY], 0), -3500);
    ck_assert(model_diff_sum_estimated(&diff.table[MODEL_APPLY], 0));
    ck_assert(!model_diff_sum_estimated(&diff.table[MODEL_APPLY],
                                        diff.table[MODEL_APPLY].count - 1));
    forget();
}
END_TEST

static struct model_job *large(uint32_t applies, bool turned)
{
    struct model_job *made = sample_empty();
    char text[64];
    sample_class(made, "Class");
    for (uint32_t i = 0; i < 1000; i++) {
        snprintf(text, sizeof(text), "Op%u", i);
        sample_op(made, 0, text);
    }
    sample_function(made, "f", MODEL_NONE);
    for (uint32_t i = 0; i < applies; i++) {
        uint32_t n = turned ? applies - 1 - i : i;
        const char *input = n % 10 ? "y" : turned ? "a" : "b";
        snprintf(text, sizeof(text), "Op%u(x%u, %s)", n % 1000, n, input);
        sample_apply(made, 0, n % 1000, i, text, MODEL_IMPL_C);
        sample_value(made, i, 1, n);
    }
    return made;
}

/* 100,000 applies; a tenth has no equal. The test prints the figure. tests/bench has the bars. */
START_TEST(many_applies)
{
    enum { MANY = 100000 };
    struct timespec from, to;
    struct model_job *a = large(MANY, false), *b = large(MANY, true);
    clock_gettime(CLOCK_MONOTONIC, &from);
    compare(a, b);
    clock_gettime(CLOCK_MONOTONIC, &to);
    printf("# %d applies compared in %ld ms\n", MANY,
           (long)(to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000);
    ck_assert_uint_eq(diff.table[MODEL_APPLY].count, MANY + MANY / 10);
    check_whole();
    forget();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("diff");
    tap_add(s, "arithmetic", arithmetic);
    tap_add_loop(s, "sums_are_whole", sums_are_whole, 40);
    tap_add(s, "the_same_state_differs_in_nothing", the_same_state_differs_in_nothing);
    tap_add(s, "forms_go_to_their_nearest", forms_go_to_their_nearest);
    tap_add(s, "rows_between_which_nodes_moved_are_one", rows_between_which_nodes_moved_are_one);
    tap_add(s, "products_go_by_their_inputs", products_go_by_their_inputs);
    tap_add(s, "different_ops_of_one_text", different_ops_of_one_text);
    tap_add(s, "op_of_one_side_alone_is_new", op_of_one_side_alone_is_new);
    tap_add(s, "unknown_is_unknown", unknown_is_unknown);
    tap_add(s, "many_applies", many_applies);
    return s;
}
TAP_MAIN(suite)
