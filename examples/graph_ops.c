/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * graph_ops.c: the table of ops. A new op needs a row here, a kernel, and a rule in graph_grad.c if
 * it has a gradient. */
#include "graph.h"

static bool shape_dot(const struct matrix *const in[], struct matrix *out, float param)
{
    (void)param;
    *out = (struct matrix){in[0]->rows, in[1]->cols, NULL};
    return in[0]->cols == in[1]->rows;
}

static bool shape_dot_tn(const struct matrix *const in[], struct matrix *out, float param)
{
    (void)param;
    *out = (struct matrix){in[0]->cols, in[1]->cols, NULL};
    return in[0]->rows == in[1]->rows;
}

static bool shape_dot_nt(const struct matrix *const in[], struct matrix *out, float param)
{
    (void)param;
    *out = (struct matrix){in[0]->rows, in[1]->rows, NULL};
    return in[0]->cols == in[1]->cols;
}

static bool shape_transpose(const struct matrix *const in[], struct matrix *out, float param)
{
    (void)param;
    *out = (struct matrix){in[0]->cols, in[0]->rows, NULL};
    return true;
}

static bool broadcasts(size_t a, size_t b)
{
    return a == b || a == 1 || b == 1;
}

static bool shape_elemwise2(const struct matrix *const in[], struct matrix *out, float param)
{
    (void)param;
    out->rows = in[0]->rows > in[1]->rows ? in[0]->rows : in[1]->rows;
    out->cols = in[0]->cols > in[1]->cols ? in[0]->cols : in[1]->cols;
    return broadcasts(in[0]->rows, in[1]->rows) && broadcasts(in[0]->cols, in[1]->cols);
}

static bool shape_same(const struct matrix *const in[], struct matrix *out, float param)
{
    (void)param;
    *out = (struct matrix){in[0]->rows, in[0]->cols, NULL};
    return true;
}

static bool shape_equal(const struct matrix *const in[], struct matrix *out, float param)
{
    return shape_same(in, out, param) && in[0]->rows == in[1]->rows && in[0]->cols == in[1]->cols;
}

static bool shape_scalar(const struct matrix *const in[], struct matrix *out, float param)
{
    (void)in;
    (void)param;
    *out = (struct matrix){1, 1, NULL};
    return true;
}

static bool shape_row(const struct matrix *const in[], struct matrix *out, float param)
{
    (void)param;
    *out = (struct matrix){1, in[0]->cols, NULL};
    return true;
}

static bool shape_column(const struct matrix *const in[], struct matrix *out, float param)
{
    (void)param;
    *out = (struct matrix){in[0]->rows, 1, NULL};
    return true;
}

static bool shape_rows(const struct matrix *const in[], struct matrix *out, float param)
{
    (void)param;
    *out = (struct matrix){in[1]->rows, in[0]->cols, NULL};
    return in[1]->cols == 1;
}

static bool shape_one_hot(const struct matrix *const in[], struct matrix *out, float param)
{
    *out = (struct matrix){in[0]->rows, (size_t)param, NULL};
    return in[0]->cols == 1;
}

#define BLAS     "blas.Dot"
#define ELEMWISE "elemwise.Elemwise"
#define UPDATE   "updates.InPlace"
const struct op_kind op_kinds[OP_CODES] = {
    [OP_DOT] = {BLAS, "Dot", kernel_dot, shape_dot, 2, false, false},
    [OP_DOT_TN] = {BLAS, "Dot{t,n}", kernel_dot_tn, shape_dot_tn, 2, false, false},
    [OP_DOT_NT] = {BLAS, "Dot{n,t}", kernel_dot_nt, shape_dot_nt, 2, false, false},
    [OP_TRANSPOSE] = {"shape.Transpose", "Transpose", kernel_transpose, shape_transpose, 1, false,
                      false},
    [OP_ADD] = {ELEMWISE, "Elemwise{add}", kernel_add, shape_elemwise2, 2, false, false},
    [OP_SUB] = {ELEMWISE, "Elemwise{sub}", kernel_sub, shape_elemwise2, 2, false, false},
    [OP_MUL] = {ELEMWISE, "Elemwise{mul}", kernel_mul, shape_elemwise2, 2, false, false},
    [OP_DIV] = {ELEMWISE, "Elemwise{true_div}", kernel_div, shape_elemwise2, 2, false, false},
    [OP_EQ] = {ELEMWISE, "Elemwise{eq}", kernel_eq, shape_elemwise2, 2, false, false},
    [OP_SECOND] = {ELEMWISE, "Elemwise{second}", kernel_second, shape_elemwise2, 2, false, false},
    [OP_NEG] = {ELEMWISE, "Elemwise{neg}", kernel_neg, shape_same, 1, false, false},
    [OP_EXP] = {ELEMWISE, "Elemwise{exp}", kernel_exp, shape_same, 1, false, false},
    [OP_LOG] = {ELEMWISE, "Elemwise{log}", kernel_log, shape_same, 1, false, false},
    [OP_TANH] = {ELEMWISE, "Elemwise{tanh}", kernel_tanh, shape_same, 1, false, false},
    [OP_RELU] = {ELEMWISE, "Elemwise{relu}", kernel_relu, shape_same, 1, false, false},
    [OP_STEP] = {ELEMWISE, "Elemwise{step}", kernel_step, shape_same, 1, false, false},
    [OP_SUM] = {"reduce.Sum", "Sum", kernel_sum, shape_scalar, 1, false, false},
    [OP_SUM_ROWS] = {"reduce.Sum", "Sum{axis=0}", kernel_sum_rows, shape_row, 1, false, false},
    [OP_SUM_COLS] = {"reduce.Sum", "Sum{axis=1}", kernel_sum_cols, shape_column, 1, false, false},
    [OP_MAX_COLS] = {"reduce.Max", "Max{axis=1}", kernel_max_cols, shape_column, 1, false, false},
    [OP_ARGMAX_COLS] = {"reduce.Argmax", "Argmax{axis=1}", kernel_argmax_cols, shape_column, 1,
                        false, false},
    [OP_SOFTMAX] = {"nnet.Softmax", "Softmax", kernel_softmax, shape_same, 1, false, false},
    [OP_SOFTMAX_GRAD] = {"nnet.SoftmaxGrad", "SoftmaxGrad", kernel_softmax_grad, shape_equal, 2,
                         false, false},
    [OP_ROWS] = {"subtensor.Rows", "Rows", kernel_rows, shape_rows, 2, false, false},
    [OP_ONE_HOT] = {"subtensor.OneHot", "OneHot{%g}", kernel_one_hot, shape_one_hot, 1, true,
                    false},
    [OP_MOMENTUM] = {UPDATE, "Momentum{%g}", kernel_momentum, shape_equal, 2, true, true},
    [OP_SGD] = {UPDATE, "Sgd{%g}", kernel_sgd, shape_equal, 2, true, true},
};
