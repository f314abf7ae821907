/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * gate_job.c: gate_job STEPS [OP PERCENT]: a job of nine ops that do real work: arithmetic, reads
 * in order and at random, writes, sorting. OP does PERCENT more of its work; bench_gate has to find
 * it. Each call does 80 to 120 % of the usual work of its op, at random, in each run another.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "proftop_adapter.h"

enum { SIDE = 64, BIG = 1 << 19, BLOCK = 4096, PER_MILLE = 1000, SPREAD = 200 };

static float a[SIDE][SIDE], b[SIDE][SIDE], c[SIDE][SIDE];
static float big[BIG], copy[BIG], block[BLOCK];
static uint32_t order[BIG];
static uint64_t seed;

static uint64_t next(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return seed >> 33;
}

/* Each does one item of the work of its op. */
static void dot(void)
{
    for (int i = 0; i < SIDE; i += 8)
        for (int k = 0; k < SIDE; k++)
            for (int j = 0; j < SIDE; j++)
                c[i][j] += a[i][k] * b[k][j];
}

static void tanh_of(void)
{
    for (int i = 0; i < 256; i++)
        block[i] = tanhf(block[i] + 0.5f);
}

static void exp_of(void)
{
    for (int i = 0; i < 256; i++)
        block[i] = expf(-block[i] * block[i]);
}

static void sum(void)
{
    static size_t from;
    float total = 0;
    for (int i = 0; i < BLOCK; i++)
        total += big[from + (size_t)i];
    from = (from + BLOCK) % BIG;
    block[0] = total * 1e-9f;
}

static void copy_of(void)
{
    static size_t from;
    memcpy(copy + from, big + from, BLOCK * 4 * sizeof(float));
    from = (from + (size_t)BLOCK * 4) % BIG;
}

static void gather(void)
{
    static size_t from;
    float total = 0;
    for (size_t i = 0; i < 1024; i++)
        total += big[order[from + i]];
    from = (from + 1024) % BIG;
    block[1] = total * 1e-9f;
}

static int by_value(const void *x, const void *y)
{
    const float p = *(const float *)x, q = *(const float *)y;
    return (p > q) - (p < q);
}

static void sort(void)
{
    float some[256];
    for (int i = 0; i < 256; i++)
        some[i] = (float)next();
    qsort(some, 256, sizeof some[0], by_value);
    block[2] = some[128] * 1e-9f;
}

static void hash(void)
{
    static uint64_t h = 14695981039346656037u;
    const unsigned char *bytes = (const unsigned char *)order;
    for (int i = 0; i < 8192; i++)
        h = (h ^ bytes[i]) * 1099511628211u;
    block[3] = (float)(h & 1) * 1e-9f;
}

static void transpose(void)
{
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            b[i][j] = a[j][i];
}

static struct {
    const char *name;
    void (*work)(void);
    unsigned items; /* of one call */
    proftop_id apply;
} op[] = {{"dot", dot, 36, 0},  {"tanh", tanh_of, 45, 0}, {"exp", exp_of, 120, 0},
          {"sum", sum, 24, 0},  {"copy", copy_of, 12, 0}, {"gather", gather, 12, 0},
          {"sort", sort, 9, 0}, {"hash", hash, 14, 0},    {"transpose", transpose, 50, 0}};
enum { OPS = sizeof op / sizeof op[0] };

static proftop_id define(struct proftop *feed)
{
    struct proftop_function_info info = {.size = sizeof info, .name = "step"};
    info.source = PROFTOP_TIMED;
    const proftop_id function = proftop_function(feed, &info);
    for (uint32_t i = 0; i < OPS; i++) {
        struct proftop_apply_info apply = {.size = sizeof apply, .function = function, .index = i};
        apply.op = proftop_op(feed, proftop_class(feed, op[i].name), op[i].name);
        op[i].apply = proftop_apply(feed, &apply);
    }
    return function;
}

int main(int count, char **words)
{
    const long steps = count > 1 ? atol(words[1]) : 200;
    const char *slow = count > 3 ? words[2] : "";
    const unsigned percent = count > 3 ? (unsigned)atoi(words[3]) : 0;
    seed = (uint64_t)time(NULL) * 1000003 + (uint64_t)getpid();
    for (uint32_t i = 0; i < BIG; i++) {
        big[i] = (float)next();
        order[i] = (uint32_t)next() % BIG;
    }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            a[i][j] = b[i][j] = (float)(i + j) * 1e-3f;
    struct proftop *feed = proftop_open(NULL);
    const proftop_id bytes = proftop_metric(feed, "alloc", "bytes", PROFTOP_SUM);
    const proftop_id function = define(feed);
    for (long step = 0; step < steps; step++) {
        const struct proftop_token call = proftop_call_begin(feed, function);
        for (unsigned i = 0; i < OPS; i++) {
            const uint64_t part = PER_MILLE - SPREAD + next() % (2 * SPREAD + 1);
            uint64_t items = (uint64_t)op[i].items * part;
            if (strcmp(op[i].name, slow) == 0)
                items += items * percent / 100;
            struct proftop_token token = proftop_begin(feed, op[i].apply);
            for (; items >= PER_MILLE; items -= PER_MILLE)
                op[i].work();
            proftop_end(feed, op[i].apply, token);
            proftop_metric_add(feed, bytes, op[i].apply, (uint64_t)op[i].items * BLOCK);
        }
        proftop_call_end(feed, function, call);
    }
    printf("%g\n", (double)block[0] + (double)c[8][8]);
    proftop_close(feed);
    return 0;
}
