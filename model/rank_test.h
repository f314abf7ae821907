/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * rank_test.h: how far two samples are apart, by the ranks of their values alone. The values may
 * have any distribution; one wild value counts as one, however far off it is.
 *
 * Two samples: the estimate of Hodges and Lehmann, which is the median of all differences b - a.
 * Its interval inverts the rank sum test of Wilcoxon, Mann and Whitney, by the exact distribution
 * of their U (Hodges, Lehmann, "Estimates of location based on rank tests", 1963; Hollander, Wolfe,
 * Chicken, "Nonparametric Statistical Methods", chapter 4).
 * One sample: the median, and the interval that inverts the sign test (same book, chapter 3).
 *
 * All calls are thread-safe and allocate their own memory.
 */
#ifndef MODEL_RANK_TEST_H
#define MODEL_RANK_TEST_H

#include <stdbool.h>

enum { MODEL_RANK_MOST = 64 }; /* most values of one sample */

/* An estimate and both ends of its interval. low is -INFINITY, and high is INFINITY, if there are
 * too few values for an end at the wanted level. */
struct model_shift {
    double low, mid, high;
};

/* Probabilities that the true figure is below low, and above high. */
struct model_levels {
    double low, high;
};

/* Returns the probability that the U of two samples of n and m values of one distribution is u or
 * less. NaN: out of memory, or a sample is empty or too large. */
double model_rank_tail(unsigned n, unsigned m, unsigned u);

/* Returns the median of the values, which it sorts. NaN: there are none. */
double model_rank_median(double *value, unsigned n);

/* Estimates b - a. Returns false if out of memory, or if a sample is empty or too large. */
bool model_rank_shift(const double *a, unsigned n, const double *b, unsigned m,
                      struct model_levels level, struct model_shift *shift);

/* Estimates the median of one sample. Returns false if it is empty or too large. */
bool model_rank_one(const double *value, unsigned n, struct model_levels level,
                    struct model_shift *shift);

/* Returns the least n for which two samples of n values can have a lower end at this level, or
 * MODEL_RANK_MOST + 1. */
unsigned model_rank_least(double level);

#endif
