/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * kernels.h: the kernels of the demo job's ops, on dense matrices of floats.
 *
 * Every kernel has the same signature, so that an op is a row of a table. Shapes are checked when
 * the graph is built, and a kernel trusts them. A kernel is deterministic: one thread, one order of
 * sums. */
#ifndef EXAMPLES_KERNELS_H
#define EXAMPLES_KERNELS_H

#include <stddef.h>

/* Row-major. A scalar is 1 x 1, a row vector 1 x n, a column vector n x 1. */
struct matrix {
    size_t rows;
    size_t cols;
    float *data;
};

/* Computes `out` from the inputs. `param` is the op's parameter, if it has one. */
typedef void kernel_fn(const struct matrix *const in[], const struct matrix *out, float param);

/* Products: plain, with the first or the second operand transposed. */
kernel_fn kernel_dot;
kernel_fn kernel_dot_tn;
kernel_fn kernel_dot_nt;
kernel_fn kernel_transpose;

/* Element by element; an operand with one row or one column is repeated. */
kernel_fn kernel_add;
kernel_fn kernel_sub;
kernel_fn kernel_mul;
kernel_fn kernel_div;
kernel_fn kernel_eq;
kernel_fn kernel_second; /* the second operand, in the shape of the first */
kernel_fn kernel_neg;
kernel_fn kernel_exp;
kernel_fn kernel_log;
kernel_fn kernel_tanh;
kernel_fn kernel_relu;
kernel_fn kernel_step; /* 1 where the operand is above 0 */

/* Reductions over all, over the rows (axis 0) and over the columns (axis 1). */
kernel_fn kernel_sum;
kernel_fn kernel_sum_rows;
kernel_fn kernel_sum_cols;
kernel_fn kernel_max_cols;
kernel_fn kernel_argmax_cols;

kernel_fn kernel_softmax;
kernel_fn kernel_softmax_grad; /* takes (gradient of the result, result) */

kernel_fn kernel_rows;    /* the rows of the first operand that the second one selects */
kernel_fn kernel_one_hot; /* a column of class numbers as rows with a single 1 */

/* In place: the result uses the storage of the first operand. */
kernel_fn kernel_momentum; /* v = param * v + g */
kernel_fn kernel_sgd;      /* w = w - param * v */

#endif
