/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * result.h: a step-by-step computation of a job. Any change of rounding, order or memory changes
 * its digest.
 */
#ifndef TESTS_FEED_RESULT_H
#define TESTS_FEED_RESULT_H

#include <stdint.h>
#include <string.h>

enum { RESULT_WIDTH = 64 };

struct result {
    double value[RESULT_WIDTH];
};

static inline void result_begin(struct result *r)
{
    for (int i = 0; i < RESULT_WIDTH; i++)
        r->value[i] = 1.0 / (i + 3);
}

/* Not inlined, so that all callers run the same instructions. */
__attribute__((noinline)) static void result_step(struct result *r)
{
    for (int i = 0; i < RESULT_WIDTH; i++)
        r->value[i] = 3.7 * r->value[i] * (1 - r->value[i]) +
                      r->value[(i + 1) % RESULT_WIDTH] * 1e-3;
}

static inline uint64_t result_digest(const struct result *r)
{
    uint64_t digest = 14695981039346656037u;
    for (int i = 0; i < RESULT_WIDTH; i++) {
        uint64_t bits;
        memcpy(&bits, &r->value[i], sizeof bits);
        digest = (digest ^ bits) * 1099511628211u;
    }
    return digest;
}

/* The digest after this many steps without a feed. */
static inline uint64_t result_alone(int steps)
{
    struct result r;
    result_begin(&r);
    while (steps-- > 0)
        result_step(&r);
    return result_digest(&r);
}

#endif
