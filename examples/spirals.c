/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * spirals.c: random numbers from a seed, and points on spirals to learn.
 */
#include "spirals.h"

#include <math.h>

/* The generator known as SplitMix64: a counter with an odd step, and a mix of its bits. */
uint64_t random_next(struct random *random)
{
    uint64_t mixed = random->state += 0x9e3779b97f4a7c15u;

    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

/* From 0, below 1. */
static float random_uniform(struct random *random)
{
    return (float)(random_next(random) >> 40) * 0x1p-24f;
}

/* A sum of twelve uniform numbers has variance 1, and looks normal enough for noise. */
float random_normal(struct random *random)
{
    float sum = -6;

    for (int i = 0; i < 12; i++)
        sum += random_uniform(random);
    return sum;
}

void spirals_make(struct random *random, struct matrix points, struct matrix labels)
{
    const float turn = 6.2831853f;

    for (size_t i = 0; i < points.rows; i++) {
        size_t arm = i % SPIRALS_ARMS;
        float along = random_uniform(random);
        float angle = turn * ((float)arm / SPIRALS_ARMS + 1.25f * along);
        float radius = 0.1f + 0.9f * along;
        points.data[i * SPIRALS_AXES] = radius * cosf(angle);
        points.data[i * SPIRALS_AXES + 1] = radius * sinf(angle);
        labels.data[i] = (float)arm;
    }
}
