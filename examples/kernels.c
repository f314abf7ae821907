/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * kernels.c: the arithmetic of the demo job in plain C.
 */
#include "kernels.h"

#include <math.h>
#include <string.h>

#define KERNEL(name)                                                                               \
    void kernel_##name(const struct matrix *const in[], const struct matrix *out, float param)

/* ---------------------------------------------------------------------------------- products */

KERNEL(dot)
{
    (void)param;
    size_t depth = in[0]->cols, cols = out->cols;

    memset(out->data, 0, out->rows * cols * sizeof *out->data);
    for (size_t i = 0; i < out->rows; i++) {
        float *restrict to = out->data + i * cols;
        for (size_t k = 0; k < depth; k++) {
            const float *b = in[1]->data + k * cols;
            float a = in[0]->data[i * depth + k];
            for (size_t j = 0; j < cols; j++)
                to[j] += a * b[j];
        }
    }
}

KERNEL(dot_tn)
{
    (void)param;
    size_t depth = in[0]->rows, rows = out->rows, cols = out->cols;

    memset(out->data, 0, rows * cols * sizeof *out->data);
    for (size_t k = 0; k < depth; k++) {
        const float *a = in[0]->data + k * rows;
        const float *b = in[1]->data + k * cols;
        for (size_t i = 0; i < rows; i++) {
            float *restrict to = out->data + i * cols;
            for (size_t j = 0; j < cols; j++)
                to[j] += a[i] * b[j];
        }
    }
}

/* Four partial sums in a fixed order: quicker than one, and the same result on every run. */
static float dot_rows(const float *a, const float *b, size_t n)
{
    float sum[4] = {0, 0, 0, 0};
    size_t k = 0;

    for (; k + 4 <= n; k += 4)
        for (size_t lane = 0; lane < 4; lane++)
            sum[lane] += a[k + lane] * b[k + lane];
    for (; k < n; k++)
        sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

KERNEL(dot_nt)
{
    (void)param;
    size_t depth = in[0]->cols;

    for (size_t i = 0; i < out->rows; i++)
        for (size_t j = 0; j < out->cols; j++)
            out->data[i * out->cols + j] =
                dot_rows(in[0]->data + i * depth, in[1]->data + j * depth, depth);
}

KERNEL(transpose)
{
    (void)param;
    for (size_t i = 0; i < out->rows; i++)
        for (size_t j = 0; j < out->cols; j++)
            out->data[i * out->cols + j] = in[0]->data[j * out->rows + i];
}

/* ------------------------------------------------------------------------ element by element */

/* The steps are 0 along an axis of length 1, which does the broadcasting. Two full rows are the
 * common case: they have a loop of their own, which the compiler can vectorize. */
#define ELEMWISE2(name, expression)                                                                \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        (void)param;                                                                               \
        size_t a_row = in[0]->rows > 1 ? in[0]->cols : 0, a_col = in[0]->cols > 1;                 \
        size_t b_row = in[1]->rows > 1 ? in[1]->cols : 0, b_col = in[1]->cols > 1;                 \
        for (size_t i = 0; i < out->rows; i++) {                                                   \
            const float *a = in[0]->data + i * a_row, *b = in[1]->data + i * b_row;                \
            float *to = out->data + i * out->cols;                                                 \
            if (a_col && b_col)                                                                    \
                for (size_t j = 0; j < out->cols; j++) {                                           \
                    float x = a[j], y = b[j];                                                      \
                    to[j] = (expression);                                                          \
                }                                                                                  \
            else                                                                                   \
                for (size_t j = 0; j < out->cols; j++) {                                           \
                    float x = a[j * a_col], y = b[j * b_col];                                      \
                    to[j] = (expression);                                                          \
                }                                                                                  \
        }                                                                                          \
    }

#define ELEMWISE1(name, expression)                                                                \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        (void)param;                                                                               \
        for (size_t i = 0; i < out->rows * out->cols; i++) {                                       \
            float x = in[0]->data[i];                                                              \
            out->data[i] = (expression);                                                           \
        }                                                                                          \
    }

ELEMWISE2(add, x + y)
ELEMWISE2(sub, x - y)
ELEMWISE2(mul, x *y)
ELEMWISE2(div, x / y)
ELEMWISE2(eq, x == y ? 1.0f : 0.0f)
ELEMWISE2(second, ((void)x, y))
ELEMWISE1(neg, -x)
ELEMWISE1(exp, expf(x))
ELEMWISE1(log, logf(x))
ELEMWISE1(tanh, tanhf(x))
ELEMWISE1(relu, x > 0 ? x : 0)
ELEMWISE1(step, x > 0 ? 1.0f : 0.0f)

/* ---------------------------------------------------------------------------------- reductions */

KERNEL(sum)
{
    (void)param;
    float sum = 0;

    for (size_t i = 0; i < in[0]->rows * in[0]->cols; i++)
        sum += in[0]->data[i];
    out->data[0] = sum;
}

KERNEL(sum_rows)
{
    (void)param;
    memset(out->data, 0, out->cols * sizeof *out->data);
    for (size_t i = 0; i < in[0]->rows; i++) {
        const float *from = in[0]->data + i * out->cols;
        float *restrict to = out->data;
        for (size_t j = 0; j < out->cols; j++)
            to[j] += from[j];
    }
}

KERNEL(sum_cols)
{
    (void)param;
    for (size_t i = 0; i < out->rows; i++) {
        float sum = 0;
        for (size_t j = 0; j < in[0]->cols; j++)
            sum += in[0]->data[i * in[0]->cols + j];
        out->data[i] = sum;
    }
}

static size_t largest(const float *row, size_t n)
{
    size_t best = 0;

    for (size_t j = 1; j < n; j++)
        if (row[j] > row[best])
            best = j;
    return best;
}

KERNEL(max_cols)
{
    (void)param;
    for (size_t i = 0; i < out->rows; i++) {
        const float *row = in[0]->data + i * in[0]->cols;
        out->data[i] = row[largest(row, in[0]->cols)];
    }
}

KERNEL(argmax_cols)
{
    (void)param;
    for (size_t i = 0; i < out->rows; i++)
        out->data[i] = (float)largest(in[0]->data + i * in[0]->cols, in[0]->cols);
}

/* ------------------------------------------------------------------------------------ softmax */

KERNEL(softmax)
{
    (void)param;
    for (size_t i = 0; i < out->rows; i++) {
        const float *from = in[0]->data + i * out->cols;
        float *to = out->data + i * out->cols;
        float top = from[largest(from, out->cols)], sum = 0;
        for (size_t j = 0; j < out->cols; j++)
            sum += to[j] = expf(from[j] - top);
        for (size_t j = 0; j < out->cols; j++)
            to[j] /= sum;
    }
}

KERNEL(softmax_grad)
{
    (void)param;
    for (size_t i = 0; i < out->rows; i++) {
        const float *gradient = in[0]->data + i * out->cols;
        const float *result = in[1]->data + i * out->cols;
        float *to = out->data + i * out->cols;
        float sum = 0;
        for (size_t j = 0; j < out->cols; j++)
            sum += gradient[j] * result[j];
        for (size_t j = 0; j < out->cols; j++)
            to[j] = result[j] * (gradient[j] - sum);
    }
}

/* ----------------------------------------------------------------------------------- indexing */

KERNEL(rows)
{
    (void)param;
    size_t cols = out->cols;

    for (size_t i = 0; i < out->rows; i++) {
        size_t row = (size_t)in[1]->data[i];
        memcpy(out->data + i * cols, in[0]->data + row * cols, cols * sizeof *out->data);
    }
}

KERNEL(one_hot)
{
    (void)param;
    memset(out->data, 0, out->rows * out->cols * sizeof *out->data);
    for (size_t i = 0; i < out->rows; i++)
        out->data[i * out->cols + (size_t)in[0]->data[i]] = 1;
}

/* ------------------------------------------------------------------------------------ updates */

KERNEL(momentum)
{
    for (size_t i = 0; i < out->rows * out->cols; i++)
        out->data[i] = param * out->data[i] + in[1]->data[i];
}

KERNEL(sgd)
{
    for (size_t i = 0; i < out->rows * out->cols; i++)
        out->data[i] -= param * in[1]->data[i];
}
