/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * works.h: small ops of many kinds, for bench_cost. The overhead of counting depends on how much of
 * it the processor can overlap with the op: nearly nothing beside a chain of loads, twice two
 * stamps beside an op that fills a core.
 *
 * Each op is a number of steps, takes the same time in each run, and is inlined, as in a program.
 * Three kinds were tried and left out. Their own time changes by more than the overhead as soon as
 * two bare stamps stand around them: unpredictable branches, a chain of divisions, and a loop that
 * loads each stored value again as many stores later as one processor can buffer.
 */
#ifndef BENCH_WORKS_H
#define BENCH_WORKS_H

#include <stdint.h>
#include <string.h>

enum { WORK_WIDTH = 64, WORK_ELEMENTS = 1024 };

static float work_x[WORK_ELEMENTS], work_y[WORK_ELEMENTS], work_result;
static uint64_t work_state, work_lane[6];
static unsigned work_next[WORK_ELEMENTS]; /* all elements, in one ring */
static char work_from[512], work_to[512];

#define WORK(name) __attribute__((always_inline)) static inline void work_##name(unsigned steps)
#define WORK_STEPS(i) _Pragma("GCC unroll 1") for (unsigned i = 0; i < steps; i++)

WORK(elements)
{
    WORK_STEPS (i) {
        float *y = &work_y[i % WORK_ELEMENTS];
        *y = *y * 0.25f + work_x[(i + 7) % WORK_ELEMENTS];
        __asm__ volatile("" : : : "memory");
    }
}

WORK(rows)
{
    WORK_STEPS (i) {
        for (unsigned k = 0; k < WORK_WIDTH; k++)
            work_y[k] = work_x[k] * 3.0f + work_x[WORK_WIDTH - 1 - k];
        __asm__ volatile("" : : : "memory");
    }
}

WORK(copies)
{
    WORK_STEPS (i) {
        memcpy(work_to, work_from, sizeof work_to);
        __asm__ volatile("" : : : "memory");
    }
}

WORK(products)
{
    WORK_STEPS (i) {
        const float *row = &work_x[i % 16 * WORK_WIDTH];
        float sum[4] = {0};
        for (unsigned k = 0; k < WORK_WIDTH; k += 4)
            for (unsigned j = 0; j < 4; j++)
                sum[j] += row[k + j] * work_x[k + j];
        work_y[i % WORK_ELEMENTS] = sum[0] + sum[1] + sum[2] + sum[3];
        __asm__ volatile("" : : : "memory");
    }
}

WORK(total)
{
    float sum = 0;
    WORK_STEPS (i) {
        sum += work_x[i % WORK_ELEMENTS];
        __asm__ volatile("" : "+x"(sum));
    }
    work_result = sum;
}

WORK(gathered)
{
    float sum = 0;
    WORK_STEPS (i) {
        sum += work_x[work_next[i % WORK_ELEMENTS]];
        __asm__ volatile("" : "+x"(sum));
    }
    work_result = sum;
}

WORK(chase)
{
    unsigned at = (unsigned)work_state % WORK_ELEMENTS;
    WORK_STEPS (i)
        at = work_next[at];
    work_state = at;
}

WORK(chain)
{
    WORK_STEPS (i) {
        work_state = (work_state ^ work_state >> 7) + i;
        __asm__ volatile("" : "+r"(work_state));
    }
}

WORK(chains)
{
    uint64_t *v = work_lane;
    uint64_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5];
    WORK_STEPS (i) {
        a += i, b ^= i, c += i, d ^= i, e += i, f ^= i;
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
    }
    v[0] = a, v[1] = b, v[2] = c, v[3] = d, v[4] = e, v[5] = f;
}

/* All ops: X(name, description). */
#define WORKS(X)                                                                                   \
    X(elements, "one element after another")                                                       \
    X(rows, "whole rows")                                                                          \
    X(copies, "copies")                                                                            \
    X(products, "a matrix by a vector")                                                            \
    X(total, "a sum")                                                                              \
    X(gathered, "a sum of what is gathered")                                                       \
    X(chase, "a chain of loads")                                                                   \
    X(chain, "one chain of integers")                                                              \
    X(chains, "six chains at once")

static inline void works_prepare(void)
{
    for (unsigned i = 0; i < WORK_ELEMENTS; i++) {
        work_x[i] = (float)(i % 13) / 16;
        work_next[i] = (i * 389 + 17) % WORK_ELEMENTS;
    }
}

#endif
