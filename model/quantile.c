/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * quantile.c: computes percentiles and long calls when buckets arrive; states copy them.
 */
#include "model/quantile.h"

#include <stdlib.h>
#include <string.h>

#include "model/job_private.h"

static const unsigned percent[MODEL_QUANTILES] = {50, 90, 99};
enum { OCTAVE = 4, LONG_MOST = 10 }; /* buckets; one in so many calls may be long */
const struct model_quantiles model_quantiles_none = {
    0, {MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_UNKNOWN}, 0};

static uint64_t low_end(uint64_t bucket)
{
    return (UINT64_C(4) + bucket % 4) << (2 + bucket / 4);
}

/* Interpolates the rank-th of `count` calls in a bucket, as if they were evenly spread. */
static uint64_t within(uint64_t bucket, uint64_t rank, uint64_t count)
{
    uint64_t low = low_end(bucket);
    double width = (double)(low_end(bucket + 1) - low);
    return low + (uint64_t)(width * ((double)rank - 0.5) / (double)count);
}

static uint64_t find(unsigned hundredths, uint64_t calls, size_t n, const uint64_t *bucket,
                     const uint64_t *count)
{
    uint64_t rank = (uint64_t)(((unsigned __int128)calls * hundredths + 99) / 100), before = 0;
    for (size_t i = 0; i < n; i++) {
        if (before + count[i] >= rank)
            return within(bucket[i], rank - before, count[i]);
        before += count[i];
    }
    return MODEL_UNKNOWN;
}

static uint64_t middle(uint64_t bucket)
{
    return low_end(bucket) + (low_end(bucket + 1) - low_end(bucket)) / 2;
}

/* Adds up the long calls, from the longest on. Each takes the middle of its bucket. */
static void find_long(struct model_quantiles *q, size_t n, const uint64_t *bucket,
                      const uint64_t *count)
{
    uint64_t half = 0, calls = 0;
    size_t median = 0;
    unsigned __int128 ns = 0;
    while (median < n && (half += count[median]) < q->calls - q->calls / 2)
        median++;
    for (size_t i = n; i-- > median && bucket[i] >= bucket[median] + OCTAVE &&
                       calls + count[i] <= q->calls / LONG_MOST;) {
        calls += count[i];
        ns += (unsigned __int128)middle(bucket[i]) * count[i];
    }
    q->longest_ns = calls ? middle(bucket[n - 1]) : 0;
    q->ns[MODEL_LONG_CALLS] = calls;
    q->ns[MODEL_LONG_NS] = ns < MODEL_UNKNOWN ? (uint64_t)ns : MODEL_UNKNOWN;
}

static bool make_room(struct model_job *job, uint32_t op)
{
    uint32_t ops = job->def[MODEL_OP].count;
    if (op >= ops)
        return false;
    if (op < job->values.quantiles)
        return true;
    struct model_quantiles *grown = realloc(job->values.quantile, ops * sizeof *grown);
    if (!grown)
        return false;
    while (job->values.quantiles < ops)
        grown[job->values.quantiles++] = model_quantiles_none;
    job->values.quantile = grown;
    return true;
}

bool model_job_set_buckets(struct model_job *job, uint32_t op, size_t n, const uint64_t *bucket,
                           const uint64_t *count)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < n; i++) {
        if (bucket[i] >= MODEL_BUCKETS || (i > 0 && bucket[i] <= bucket[i - 1]) ||
            __builtin_add_overflow(calls, count[i], &calls))
            return false;
    }
    if (!make_room(job, op))
        return false;
    struct model_quantiles *q = &job->values.quantile[op];
    if (calls == 0 || calls >= q->calls)
        model_touch(job, MODEL_V_QUANTILE, op);
    if (calls == 0)
        *q = model_quantiles_none;
    if (calls == 0 || calls < q->calls)
        return true;
    q->calls = calls;
    for (unsigned i = 0; i < MODEL_QUANTILES; i++)
        q->ns[i] = find(percent[i], calls, n, bucket, count);
    find_long(q, n, bucket, count);
    return true;
}

bool model_job_set_call_figures(struct model_job *job, uint32_t op,
                                const uint64_t figure[MODEL_CALL_FIGURES])
{
    if (!make_room(job, op))
        return false;
    model_touch(job, MODEL_V_QUANTILE, op);
    memcpy(job->values.quantile[op].ns, figure, sizeof(job->values.quantile[op].ns));
    return true;
}

const struct model_quantiles *model_job_quantiles(const struct model_job *job, uint32_t *count)
{
    *count = job->values.quantiles;
    return job->values.quantile;
}

void model_job_quantiles_clear(struct model_job *job)
{
    for (uint32_t op = 0; op < job->values.quantiles; op++) {
        model_touch(job, MODEL_V_QUANTILE, op);
        job->values.quantile[op] = model_quantiles_none;
    }
}
