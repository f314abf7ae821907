/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * spirals.h: random numbers from a seed, and points on spirals to learn.
 */
#ifndef EXAMPLES_SPIRALS_H
#define EXAMPLES_SPIRALS_H

#include "kernels.h"

#include <stdint.h>

enum { SPIRALS_ARMS = 3, SPIRALS_AXES = 2 };

/* A stream of numbers that depends only on its seed. */
struct random {
    uint64_t state;
};

uint64_t random_next(struct random *random);
float random_normal(struct random *random);  /* mean 0, variance 1 */

/* Makes points on one arm of a spiral per class, and the number of each point's arm. */
void spirals_make(struct random *random, struct matrix points, struct matrix labels);

#endif
