/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * rank_test.c: exact distributions of small samples, and the intervals that they give.
 */
#include "model/rank_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool fits(unsigned n)
{
    return n > 0 && n <= MODEL_RANK_MOST;
}

/* Returns the probabilities of U = 0 to n * m; NULL: out of memory. The caller frees them.
 * The largest of i + j values is of the first sample in i of i + j cases; it is then above j values
 * of the second. So p(i, j, u) = (i p(i - 1, j, u - j) + j p(i, j - 1, u)) / (i + j). */
static double *distribution(unsigned n, unsigned m)
{
    const size_t size = (size_t)n * m + 1;
    double *p = calloc((m + 1) * size, sizeof(*p)); /* by j, of the current i */
    double *result = malloc(size * sizeof(*result));
    for (unsigned j = 0; p && j <= m; j++)
        p[j * size] = 1;
    for (unsigned i = 1; p && i <= n; i++)
        for (unsigned j = 1; j <= m; j++) {
            double *now = p + j * size;
            const double *less = p + (j - 1) * size;
            for (size_t u = (size_t)i * j + 1; u-- > 0;)
                now[u] = ((u >= j ? i * now[u - j] : 0) + j * less[u]) / (i + j);
        }
    const bool good = p && result;
    if (good)
        memcpy(result, p + m * size, size * sizeof(*result));
    else
        free(result);
    free(p);
    return good ? result : NULL;
}

double model_rank_tail(unsigned n, unsigned m, unsigned u)
{
    double *p = fits(n) && fits(m) ? distribution(n, m) : NULL;
    double sum = p ? 0 : NAN;
    for (size_t i = 0; p && i <= u && i <= (size_t)n * m; i++)
        sum += p[i];
    free(p);
    return sum;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double model_rank_median(double *value, unsigned n)
{
    if (n == 0)
        return NAN;
    qsort(value, n, sizeof(*value), by_value);
    return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}

/* Returns the largest k for which the probabilities of the first k outcomes add up to the level. */
static size_t bound(const double *p, size_t outcomes, double level)
{
    size_t k = 0;
    for (double sum = 0; k < outcomes && (sum += p[k]) <= level * (1 + 1e-9); k++)
        ;
    return k;
}

/* The k-th smallest and the k-th largest value are the ends. */
static struct model_shift interval(double *value, unsigned count, const double *p, size_t outcomes,
                                   struct model_levels level)
{
    const size_t low = bound(p, outcomes, level.low), high = bound(p, outcomes, level.high);
    struct model_shift shift = {-INFINITY, model_rank_median(value, count), INFINITY};
    if (low > 0 && low <= count)
        shift.low = value[low - 1];
    if (high > 0 && high <= count)
        shift.high = value[count - high];
    return shift;
}

bool model_rank_shift(const double *a, unsigned n, const double *b, unsigned m,
                      struct model_levels level, struct model_shift *shift)
{
    if (!fits(n) || !fits(m))
        return false;
    double *p = distribution(n, m);
    double *difference = malloc((size_t)n * m * sizeof(*difference));
    for (unsigned i = 0; difference && i < n; i++)
        for (unsigned k = 0; k < m; k++)
            difference[i * m + k] = b[k] - a[i];
    const bool good = p && difference;
    if (good)
        *shift = interval(difference, n * m, p, (size_t)n * m + 1, level);
    free(difference);
    free(p);
    return good;
}

bool model_rank_one(const double *value, unsigned n, struct model_levels level,
                    struct model_shift *shift)
{
    double p[MODEL_RANK_MOST + 1] = {1}, sorted[MODEL_RANK_MOST];
    if (!fits(n))
        return false;
    for (unsigned i = 1; i <= n; i++) /* binomial, with a probability of 1/2 */
        for (unsigned k = i + 1; k-- > 0;)
            p[k] = (p[k] + (k > 0 ? p[k - 1] : 0)) / 2;
    memcpy(sorted, value, n * sizeof(*value));
    *shift = interval(sorted, n, p, n + 1u, level);
    return true;
}

unsigned model_rank_least(double level)
{
    double least = 1; /* of U = 0: 1 of (2n over n) orders */
    unsigned n = 0;
    while (n <= MODEL_RANK_MOST && least > level * (1 + 1e-9)) {
        n++;
        least *= n / (2 * (2 * n - 1.0));
    }
    return n;
}
