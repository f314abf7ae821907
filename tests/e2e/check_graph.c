/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_graph.c: checks the demo job's engine: gradients match the costs, and rewriting changes how
 * a value is computed but not the value.
 */
#include "graph.h"
#include "tap.h"

#include <math.h>

enum { ROWS = 3, COLS = 4, INNER = 5 };

/* A matrix, a matrix to multiply it with, and a row to add to it. */
struct bench {
    struct engine engine;
    struct function function;
    float x_data[ROWS * COLS], w_data[COLS * INNER], b_data[COLS];
    struct variable *x, *w, *b;
};

static void set_up(struct bench *bench)
{
    engine_init(&bench->engine, NULL, NULL);
    function_init(&bench->function, &bench->engine, "f");
    for (size_t i = 0; i < ROWS * COLS; i++)
        bench->x_data[i] = 0.9f * sinf((float)i + 0.5f);
    for (size_t i = 0; i < COLS * INNER; i++)
        bench->w_data[i] = 0.7f * cosf(2.1f * (float)i);
    for (size_t i = 0; i < COLS; i++)
        bench->b_data[i] = 0.3f + 0.2f * (float)i;
    struct matrix x = {ROWS, COLS, bench->x_data}, w = {COLS, INNER, bench->w_data};
    struct matrix b = {1, COLS, bench->b_data};
    bench->x = function_input(&bench->function, "x", x);
    bench->w = function_input(&bench->function, "w", w);
    bench->b = function_input(&bench->function, "b", b);
}

static struct variable *op(struct bench *bench, enum op_code code, struct variable *a,
                           struct variable *b)
{
    return function_apply(&bench->function, code, 0, a, b);
}

static struct variable *number(struct bench *bench, float value)
{
    return function_constant(&bench->function, value);
}

static void run(struct bench *bench)
{
    struct worker worker = {0};

    function_run(&bench->function, &worker);
}

/* ----------------------------------------------------------------------------------- gradients */

/* A sum with a different weight for each element, so that no two gradients are equal. */
static struct variable *weighted(struct bench *bench, struct variable *a)
{
    struct variable *tanh = op(bench, OP_TANH, a, NULL);

    return op(bench, OP_SUM, op(bench, OP_MUL, tanh, op(bench, OP_ADD, a, bench->b)), NULL);
}

static struct variable *cost_add(struct bench *b)
{
    return op(b, OP_SUM, op(b, OP_EXP, op(b, OP_ADD, b->x, b->b), NULL), NULL);
}

static struct variable *cost_sub(struct bench *b)
{
    return weighted(b, op(b, OP_SUB, b->b, b->x));
}

static struct variable *cost_mul(struct bench *b)
{
    return weighted(b, op(b, OP_MUL, op(b, OP_MUL, b->x, b->b), number(b, 3)));
}

static struct variable *cost_div(struct bench *b)
{
    return weighted(b, op(b, OP_DIV, b->x, b->b));
}

static struct variable *cost_neg(struct bench *b)
{
    return weighted(b, op(b, OP_NEG, b->x, NULL));
}

static struct variable *cost_log(struct bench *b)
{
    struct variable *above_zero = op(b, OP_ADD, op(b, OP_MUL, b->x, b->x), b->b);

    return op(b, OP_SUM, op(b, OP_LOG, above_zero, NULL), NULL);
}

static struct variable *cost_relu(struct bench *b)
{
    return weighted(b, op(b, OP_RELU, b->x, NULL));
}

static struct variable *cost_sum_rows(struct bench *b)
{
    return weighted(b, op(b, OP_SUM_ROWS, op(b, OP_MUL, b->x, b->x), NULL));
}

static struct variable *cost_sum_cols(struct bench *b)
{
    return weighted(b, op(b, OP_SUM_COLS, op(b, OP_MUL, b->x, b->b), NULL));
}

static struct variable *cost_softmax(struct bench *b)
{
    return weighted(b, op(b, OP_SOFTMAX, b->x, NULL));
}

static struct variable *cost_dot(struct bench *b)
{
    struct variable *product = op(b, OP_DOT, b->x, b->w);

    return op(b, OP_SUM, op(b, OP_MUL, product, op(b, OP_TANH, product, NULL)), NULL);
}

static const struct gradient_case {
    struct variable *(*cost)(struct bench *bench);
    bool of_w; /* depends on x and w; else on x and b */
} gradient_cases[] = {
    {cost_add, false},      {cost_sub, false},     {cost_mul, false},  {cost_div, false},
    {cost_neg, false},      {cost_log, false},     {cost_relu, false}, {cost_sum_rows, false},
    {cost_sum_cols, false}, {cost_softmax, false}, {cost_dot, true},
};

/* Moves each element up and down a little: the change of the cost must match the gradient. */
static void compare(struct bench *bench, struct variable *variable, const float *gradient)
{
    const float step = 0.01f;
    const float *cost = bench->function.outputs[0]->value.data;
    size_t count = variable->value.rows * variable->value.cols;
    float made[ROWS * COLS + COLS * INNER];

    ck_assert_uint_le(count, sizeof made / sizeof *made);
    run(bench);
    for (size_t i = 0; i < count; i++)
        made[i] = gradient[i];
    for (size_t i = 0; i < count; i++) {
        float before = variable->value.data[i];
        variable->value.data[i] = before + step;
        run(bench);
        float above = *cost;
        variable->value.data[i] = before - step;
        run(bench);
        float below = *cost;
        variable->value.data[i] = before;
        ck_assert_float_eq_tol(made[i], (above - below) / (2 * step),
                               0.004f + 0.01f * fabsf(made[i]));
        /* A gradient of zeros would match a cost that hardly changes. */
        ck_assert(fabsf(above - below) > 1e-5f || fabsf(made[i]) < 0.01f);
    }
}

START_TEST(gradients)
{
    const struct gradient_case *row = &gradient_cases[_i];
    struct bench bench;
    set_up(&bench);
    struct variable *wrt[2] = {bench.x, row->of_w ? bench.w : bench.b};
    struct variable *cost = row->cost(&bench);

    function_output(&bench.function, cost);
    function_grad(&bench.function, cost, wrt, 2);
    function_compile(&bench.function, "check_graph.c", __LINE__);
    for (size_t i = 0; i < 2; i++)
        compare(&bench, wrt[i], bench.function.outputs[i + 1]->value.data);
    function_release(&bench.function);
}
END_TEST

/* ----------------------------------------------------------------------------------- rewriting */

START_TEST(transposes_go_into_the_product)
{
    struct bench bench;
    set_up(&bench);
    struct variable *x_t = op(&bench, OP_TRANSPOSE, bench.x, NULL);
    struct variable *w_t = op(&bench, OP_TRANSPOSE, bench.w, NULL);
    struct variable *x_kept = op(&bench, OP_TRANSPOSE, x_t, NULL);

    function_output(&bench.function, op(&bench, OP_DOT, bench.x, bench.w));
    function_output(&bench.function, op(&bench, OP_DOT_TN, x_t, bench.w));
    function_output(&bench.function, op(&bench, OP_DOT_NT, bench.x, w_t));
    function_output(&bench.function, op(&bench, OP_DOT, x_kept, bench.w));
    function_compile(&bench.function, "check_graph.c", __LINE__);
    run(&bench);
    ck_assert_uint_eq(bench.function.outputs[3]->owner->op->code, OP_DOT_TN);
    for (size_t i = 0; i < (size_t)ROWS * INNER; i++) {
        float sum = 0;
        for (size_t k = 0; k < COLS; k++)
            sum += bench.x_data[i / INNER * COLS + k] * bench.w_data[k * INNER + i % INNER];
        for (size_t j = 0; j < 4; j++)
            ck_assert_float_eq_tol(bench.function.outputs[j]->value.data[i], sum, 1e-5f);
    }
    function_release(&bench.function);
}
END_TEST

START_TEST(equal_applies_are_merged_and_constants_folded)
{
    struct bench bench;
    set_up(&bench);
    struct variable *half = op(&bench, OP_DIV, number(&bench, 1), number(&bench, 2));
    struct variable *one = op(&bench, OP_ADD, half, half);
    struct variable *same = op(&bench, OP_MUL, one, op(&bench, OP_EXP, bench.x, NULL));
    struct variable *again = op(&bench, OP_EXP, bench.x, NULL);

    op(&bench, OP_LOG, bench.x, NULL); /* its result is unused */
    function_output(&bench.function, op(&bench, OP_ADD, same, again));
    function_compile(&bench.function, "check_graph.c", __LINE__);
    ck_assert_uint_eq(bench.function.order_count, 2);
    ck_assert_uint_eq(bench.function.order[0]->op->code, OP_EXP);
    ck_assert_uint_eq(bench.function.order[1]->op->code, OP_ADD);
    run(&bench);
    for (size_t i = 0; i < (size_t)ROWS * COLS; i++)
        ck_assert_float_eq_tol(bench.function.outputs[0]->value.data[i], 2 * expf(bench.x_data[i]),
                               1e-5f);
    function_release(&bench.function);
}
END_TEST

START_TEST(overwriting_apply_runs_after_the_readers)
{
    struct bench bench;
    set_up(&bench);
    struct variable *slope = op(&bench, OP_EXP, bench.b, NULL);
    float before = bench.b_data[0];

    function_output(&bench.function, function_apply(&bench.function, OP_SGD, 0.5f, bench.b, slope));
    function_output(&bench.function, op(&bench, OP_NEG, bench.b, NULL));
    function_compile(&bench.function, "check_graph.c", __LINE__);
    ck_assert_uint_eq(bench.function.order[2]->op->code, OP_SGD);
    ck_assert_str_eq(bench.function.order[2]->op->text, "Sgd{0.5}");
    run(&bench);
    ck_assert_float_eq_tol(bench.b_data[0], before - 0.5f * expf(before), 1e-6f);
    ck_assert_float_eq(bench.function.outputs[1]->value.data[0], -before);
    function_release(&bench.function);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("graph");

    tap_add_loop(s, "gradients", gradients, TAP_ROWS(gradient_cases));
    tap_add(s, "transposes", transposes_go_into_the_product);
    tap_add(s, "merge and fold", equal_applies_are_merged_and_constants_folded);
    tap_add(s, "overwriting", overwriting_apply_runs_after_the_readers);
    return s;
}

TAP_MAIN(suite)
