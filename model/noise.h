/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * noise.h: how much the time per call of a row varies by itself, before a moment and after it.
 *
 * Each of the two times is divided into MODEL_NOISE_BINS parts of equal length. The time per call
 * of a row in a part is one sample, weighted by its calls. The error of a time per call is the
 * standard error of that weighted mean. The error of the ratio of the two times is the root of the
 * sum of the squares of their relative errors.
 */
#ifndef MODEL_NOISE_H
#define MODEL_NOISE_H

#include "model/history.h"

enum {
    MODEL_NOISE_BINS = 16,
    MODEL_NOISE_LEAST = 4,  /* samples on each side, or the error is unknown */
    MODEL_NOISE_FACTOR = 4, /* a change beyond the noise has a logarithm of so many errors, */
    MODEL_NOISE_WORST = 4,  /* and an error of at most 1 / 4 */
    MODEL_NOISE_MAX = 64 * 1024 * 1024, /* most bytes: a job with more rows has no noise */
};

/* Relative errors of the ratios, by table and row; below 0: unknown. */
struct model_noise {
    float *error[MODEL_ROW_TABLES];
    uint32_t count[MODEL_ROW_TABLES];
};

/* Computes the errors from the history: before and since the moment `base_ns`, up to `now_ns`. Only
 * moments of the epoch of `now_ns` count. Returns NULL if out of memory, or if the job has too many
 * rows. The caller frees it. */
struct model_noise *model_noise_new(const struct model_history *history, uint64_t base_ns,
                                    uint64_t now_ns);
void model_noise_free(struct model_noise **noise);
/* True if a ratio of two times per call with this error is a change beyond the noise. The error is
 * relative to the ratio, so the logarithm of the ratio is compared with it. A larger error than 1 /
 * MODEL_NOISE_WORST tells nothing: one interrupted call in all that time makes it nearly 1. */
bool model_noise_exceeded(double ratio, double error);
/* Error of a row; below 0: unknown. `noise` may be NULL. */
double model_noise_of(const struct model_noise *noise, enum model_table table, uint32_t id);

#endif
