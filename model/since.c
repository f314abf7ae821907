/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * since.c: what was added to the values of a job since a moment.
 */
#include "model/moment.h"

/* Growth of a cumulative value. A value that became known since then has grown from 0. */
static uint64_t grown(uint64_t now, uint64_t before)
{
    if (now == MODEL_UNKNOWN)
        return MODEL_UNKNOWN;
    if (before == MODEL_UNKNOWN)
        return now;
    return now > before ? now - before : 0;
}

static uint64_t later(uint64_t since_ns, uint64_t base_ns)
{
    return since_ns == MODEL_UNKNOWN || since_ns > base_ns ? since_ns : base_ns;
}

/* The part of an open call before the moment is not of the time since then. */
static void take_open(struct model_apply_value *value, uint64_t open_ns)
{
    if (open_ns == MODEL_UNKNOWN)
        return;
    const uint64_t ended_ns = value->total_ns < open_ns ? value->total_ns : open_ns;
    value->total_ns -= ended_ns;
    if (value->open_ns != MODEL_UNKNOWN)
        value->open_ns = grown(value->open_ns, open_ns - ended_ns);
}

static void apply_since(struct model_apply_value *value, const struct model_apply_value *base)
{
    if (value->timed != MODEL_EVERY_CALL)
        value->timed =
            grown(value->timed, base->timed == MODEL_EVERY_CALL ? base->calls : base->timed);
    value->calls = grown(value->calls, base->calls);
    value->total_ns = grown(value->total_ns, base->total_ns);
    take_open(value, base->open_ns);
    value->min_ns = value->max_ns = MODEL_UNKNOWN;
}

static void function_since(struct model_function_value *value,
                           const struct model_function_value *base, uint64_t base_ns)
{
    value->calls = grown(value->calls, base->calls);
    value->call_ns = grown(value->call_ns, base->call_ns);
    value->vm_ns = grown(value->vm_ns, base->vm_ns);
    value->compile_ns = grown(value->compile_ns, base->compile_ns);
    value->rewrite_ns = grown(value->rewrite_ns, base->rewrite_ns);
    value->validate_ns = grown(value->validate_ns, base->validate_ns);
    value->link_ns = grown(value->link_ns, base->link_ns);
    value->timed = grown(value->timed, base->timed);
    value->open_since_ns = later(value->open_since_ns, base_ns);
    value->compile_since_ns = later(value->compile_since_ns, base_ns);
}

static void inside_since(struct model_inside *value, const struct model_inside *base)
{
    value->beside_ns = grown(value->beside_ns, base->beside_ns);
    value->left_ns = grown(value->left_ns, base->left_ns);
    value->own_ns = 0;
}

static void phase_since(struct model_phase *value, const struct model_phase *base, uint64_t base_ns)
{
    if (base->rev == 0)
        return;
    value->calls = grown(value->calls, base->calls);
    value->total_ns = grown(value->total_ns, base->total_ns);
    value->validate_ns = grown(value->validate_ns, base->validate_ns);
    value->open_since_ns = later(value->open_since_ns, base_ns);
}

/* The frames are numbered from 1. */
static void span_lists_since(struct model_span_value *value, const struct model_span_value *base)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < value->threads; i++)
        for (uint32_t k = 0; k < base->threads; k++)
            if (value->thread[i].thread == base->thread[k].thread) {
                value->thread[i].calls = grown(value->thread[i].calls, base->thread[k].calls);
                value->thread[i].total_ns =
                    grown(value->thread[i].total_ns, base->thread[k].total_ns);
            }
    for (uint32_t i = 0; i < value->slowest; i++)
        if (value->slow[i].number > base->calls)
            value->slow[kept++] = value->slow[i];
    value->slowest = kept;
}

static void span_since(struct model_span_value *value, const struct model_span_value *base,
                       uint64_t base_ns)
{
    if (!base->known)
        return;
    span_lists_since(value, base);
    value->calls = grown(value->calls, base->calls);
    value->total_ns = grown(value->total_ns, base->total_ns);
    value->self_ns = grown(value->self_ns, base->self_ns);
    value->min_ns = value->max_ns = MODEL_UNKNOWN;
    value->open_since_ns = later(value->open_since_ns, base_ns);
    if (base->until_ns != MODEL_UNKNOWN)
        value->first_ns = later(value->first_ns, base->until_ns);
}

static void metric_since(const struct model_metric *metric, struct model_metric_cell *value,
                         const struct model_metric_cell *base)
{
    value->adds = grown(value->adds, base->adds);
    if (metric->how == MODEL_SUM || metric->how == MODEL_INCLUSIVE)
        value->value = grown(value->value, base->value);
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

void model_values_since(struct model_values *values, const struct model_values *base,
                        const struct model_job *job, uint64_t base_ns)
{
    for (uint32_t i = 0; i < lesser(values->applies, base->applies); i++)
        apply_since(&values->apply[i], &base->apply[i]);
    for (uint32_t i = base->applies; i < values->applies; i++)
        values->apply[i].min_ns = values->apply[i].max_ns = MODEL_UNKNOWN;
    for (uint32_t i = 0; i < lesser(values->functions, base->functions); i++)
        function_since(&values->function[i], &base->function[i], base_ns);
    for (uint32_t i = 0; i < lesser(values->insides, base->insides); i++)
        inside_since(&values->inside[i], &base->inside[i]);
    for (uint32_t i = 0; i < lesser(values->phases, base->phases); i++)
        phase_since(&values->phase[i], &base->phase[i], base_ns);
    for (uint32_t i = 0; i < lesser(values->objects.span_capacity, base->objects.span_capacity);
         i++)
        span_since(&values->objects.span[i], &base->objects.span[i], base_ns);
    for (uint32_t i = 0; i < values->quantiles; i++)
        values->quantile[i] = model_quantiles_none;
    for (uint32_t m = 0; m < job->metrics; m++)
        for (uint32_t i = 0; i < lesser(values->cells[m], base->cells[m]); i++)
            metric_since(&job->metric[m], &values->metric[m][i], &base->metric[m][i]);
}
