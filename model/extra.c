/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * extra.c: copies bytes, operations and metrics into a state, and merges them.
 */
#include "model/extra.h"

#include <stdlib.h>

static uint64_t *place(const struct model_state *state, enum model_table table, uint32_t id)
{
    return &state->extra[table][(size_t)id * state->extras];
}

/* A product or sum that overflows is unknown; it is not saturated. It is also unknown if a part is
 * unknown: MODEL_UNKNOWN is the largest number. */
static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t product;
    bool known = a != MODEL_UNKNOWN && !__builtin_mul_overflow(a, b, &product);
    return known ? product : MODEL_UNKNOWN;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? MODEL_UNKNOWN : sum;
}

static void take_apply(struct model_state *state, uint32_t id)
{
    const struct model_about *about = model_job_about(state->job, id);
    struct model_row *row = &state->row[MODEL_APPLY][id];
    uint64_t *extra = place(state, MODEL_APPLY, id);
    extra[MODEL_EXTRA_BYTES] = about ? about->bytes : MODEL_UNKNOWN;
    extra[MODEL_EXTRA_FLOPS] = about ? times(about->flops, row->calls) : MODEL_UNKNOWN;
    for (uint32_t i = MODEL_EXTRA_METRIC; i < state->extras; i++)
        extra[i] = model_job_metric_value(state->job, i - MODEL_EXTRA_METRIC, id);
    if (about && about->impl != MODEL_IMPL_UNKNOWN)
        row->impls = (uint8_t)(1u << about->impl);
    for (uint32_t i = 0; i < state->extras; i++)
        if (extra[i] != MODEL_UNKNOWN)
            state->extras_there |= 1u << i;
}

/* Merges two values of a metric. An apply without a value adds nothing. The last value of several
 * applies is unknown. */
static uint64_t join(uint8_t how, uint64_t a, uint64_t b)
{
    if (how == MODEL_LAST)
        return MODEL_UNKNOWN;
    if (a == MODEL_UNKNOWN || b == MODEL_UNKNOWN)
        return a == MODEL_UNKNOWN ? b : a;
    if (how == MODEL_MAX)
        return a > b ? a : b;
    return plus(a, b);
}

/* The operations of a row exclude applies that never ran. `of_op`: all parts belong to one op, so
 * their inclusive times do not overlap. */
static void merge(const struct model_state *state, uint64_t *to, const uint64_t *from, bool ran,
                  bool of_op)
{
    to[MODEL_EXTRA_BYTES] = plus(to[MODEL_EXTRA_BYTES], from[MODEL_EXTRA_BYTES]);
    if (ran)
        to[MODEL_EXTRA_FLOPS] = plus(to[MODEL_EXTRA_FLOPS], from[MODEL_EXTRA_FLOPS]);
    for (uint32_t i = MODEL_EXTRA_METRIC; i < state->extras; i++) {
        uint8_t how = model_job_metric(state->job, i - MODEL_EXTRA_METRIC)->how;
        if (how != MODEL_INCLUSIVE || of_op)
            to[i] = join(how, to[i], from[i]);
    }
}

/* Sums start at 0, metrics start without a value. */
static void empty(const struct model_state *state, enum model_table table)
{
    for (uint32_t id = 0; id < state->count[table]; id++)
        for (uint32_t i = 0; i < state->extras; i++)
            place(state, table, id)[i] = i < MODEL_EXTRA_METRIC ? 0 : MODEL_UNKNOWN;
}

/* Adds sums to sums, as state.c does, so an apply is merged into as few rows as possible. */
static void sum_up(const struct model_state *state)
{
    const bool one_line = state->count[MODEL_LINE] == 1;
    for (unsigned table = 0; table < MODEL_APPLY; table++)
        empty(state, table);
    for (uint32_t id = 0; id < state->count[MODEL_APPLY]; id++) {
        const struct model_row *row = &state->row[MODEL_APPLY][id];
        const struct model_apply_def *def = model_job_apply(state->job, id);
        const uint64_t *from = place(state, MODEL_APPLY, id);
        if (!row->in_scope)
            continue;
        const bool ran = row->calls > 0 && row->calls != MODEL_UNKNOWN;
        merge(state, place(state, MODEL_OP, def->op), from, ran, true);
        merge(state, place(state, MODEL_FUNCTION, def->function), from, ran, false);
        if (!one_line)
            merge(state, place(state, MODEL_LINE, def->line), from, ran, false);
    }
    for (uint32_t id = 0; id < state->count[MODEL_OP]; id++)
        merge(state, place(state, MODEL_CLASS, model_job_op(state->job, id)->op_class),
              place(state, MODEL_OP, id), true, false);
    for (uint32_t id = 0; one_line && id < state->count[MODEL_CLASS]; id++)
        merge(state, place(state, MODEL_LINE, 0), place(state, MODEL_CLASS, id), true, false);
}

bool model_extra_any(const struct model_job *job)
{
    return model_job_metrics(job) > 0 || model_job_has_about(job);
}

bool model_extra_fit(struct model_state *state)
{
    const uint32_t metrics = model_job_metrics(state->job);
    if (!model_extra_any(state->job))
        return true;
    state->extras = MODEL_EXTRA_METRIC + metrics;
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++) {
        size_t figures = ((size_t)state->count[table] + 1) * state->extras;
        state->extra[table] = malloc(figures * sizeof(uint64_t));
        if (!state->extra[table])
            return false;
    }
    return true;
}

void model_extra_take(struct model_state *state)
{
    if (state->extras == 0)
        return;
    for (uint32_t id = 0; id < state->count[MODEL_APPLY]; id++)
        take_apply(state, id);
    sum_up(state);
}

void model_extra_release(struct model_state *state)
{
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++)
        free(state->extra[table]);
}

uint64_t model_extra(const struct model_state *state, enum model_table table, uint32_t id,
                     uint32_t which)
{
    return which < state->extras ? place(state, table, id)[which] : MODEL_UNKNOWN;
}

bool model_extra_there(const struct model_state *state, uint32_t which)
{
    return state && which < state->extras && (state->extras_there >> which & 1);
}
