/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pace.c: finds the frame of the steps and its counters, and computes their rates.
 */
#include "model/pace.h"

#include <string.h>

#include "model/state.h"

enum { PATIENCE = 2 }; /* steps of the usual length without an end before the pace becomes 0 */

#define NOWHERE                                                                                    \
    {                                                                                              \
        MODEL_NONE, 0, 0, {MODEL_NONE, 0},                                                         \
        {                                                                                          \
            MODEL_NONE, 0                                                                          \
        }                                                                                          \
    }
static const struct model_pace_point nowhere = NOWHERE;
const struct model_pace model_pace_none = {NOWHERE, NOWHERE, -1, -1, -1};

static bool is_text(const struct model_text *text, const char *word)
{
    return text->raw_size == strlen(word) && memcmp(text->raw, word, text->raw_size) == 0;
}

static bool is_same(const struct model_text *a, const struct model_text *b)
{
    return a->raw_size == b->raw_size && memcmp(a->raw, b->raw, a->raw_size) == 0;
}

/* Finds the frame `step` with the most calls that has ended at least once; MODEL_NONE: there is
 * none. */
static uint32_t find_step(const struct model_state *state)
{
    const struct model_objects *objects = &state->objects;
    uint32_t found = MODEL_NONE;
    for (uint32_t i = 0; i < objects->spans; i++) {
        const struct model_span_def *def = model_job_span(state->job, i);
        const struct model_span_value *value = &objects->span[i];
        if (def->kind == MODEL_FRAME && value->known && value->calls > 0 &&
            value->until_ns != MODEL_UNKNOWN && is_text(&def->name, "step") &&
            (found == MODEL_NONE || value->calls > objects->span[found].calls))
            found = i;
    }
    return found;
}

/* Finds the counter of this name in a domain. MODEL_NONE: there is none, or it has no value. */
static uint32_t find_counter(const struct model_state *state, const struct model_text *domain,
                             const char *name)
{
    for (uint32_t i = 0; i < state->objects.counters; i++) {
        const struct model_counter_def *def = model_job_counter(state->job, i);
        if (def->kind != MODEL_MEMORY && state->objects.counter[i].known &&
            is_text(&def->name, name) && is_same(&def->domain, domain))
            return i;
    }
    return MODEL_NONE;
}

static double value_of(const struct model_state *state, uint32_t counter)
{
    const union model_number number = state->objects.counter[counter].value;
    return model_job_counter(state->job, counter)->kind == MODEL_F64 ? number.d : (double)number.i;
}

static struct model_pace_sum find_sum(const struct model_state *state,
                                      const struct model_text *domain, const char *name)
{
    struct model_pace_sum sum = {find_counter(state, domain, name), 0};
    if (sum.counter != MODEL_NONE)
        sum.value = value_of(state, sum.counter);
    return sum;
}

static struct model_pace_point find(const struct model_state *state)
{
    const uint32_t span = find_step(state);
    if (span == MODEL_NONE)
        return nowhere;
    const struct model_span_value *value = &state->objects.span[span];
    const struct model_text *domain = &model_job_span(state->job, span)->domain;
    return (struct model_pace_point){.span = span,
                                     .calls = value->calls,
                                     .until_ns = value->until_ns,
                                     .samples = find_sum(state, domain, "samples"),
                                     .tokens = find_sum(state, domain, "tokens")};
}

/* No step ended in the interval. A step longer than the interval keeps its pace. */
static void go_on(struct model_pace *pace, const struct model_pace *before, uint64_t now_ns)
{
    const double since_ns = now_ns > pace->now.until_ns ? (double)(now_ns - pace->now.until_ns) : 0;
    const bool late = before->steps <= 0 || since_ns * before->steps > PATIENCE * 1e9;
    pace->steps = late ? 0 : before->steps;
    pace->samples = before->samples < 0 ? -1 : late ? 0 : before->samples;
    pace->tokens = before->tokens < 0 ? -1 : late ? 0 : before->tokens;
}

/* A counter that fell gives no rate. */
static double rate(const struct model_pace_sum *from, const struct model_pace_sum *now, double ns)
{
    const bool same = now->counter != MODEL_NONE && now->counter == from->counter;
    return same && now->value >= from->value ? (now->value - from->value) * 1e9 / ns : -1;
}

static void measure(struct model_pace *pace)
{
    const double ns = (double)(pace->now.until_ns - pace->from.until_ns);
    pace->steps = (double)(pace->now.calls - pace->from.calls) * 1e9 / ns;
    pace->samples = rate(&pace->from.samples, &pace->now.samples, ns);
    pace->tokens = rate(&pace->from.tokens, &pace->now.tokens, ns);
}

void model_pace_take(struct model_state *state, const struct model_state *before)
{
    struct model_pace pace = model_pace_none;
    pace.now = find(state);
    if (before)
        pace.from = before->extends && before->pace.from.span == before->pace.now.span
                        ? before->pace.from
                        : before->pace.now;
    if (before && pace.now.span != MODEL_NONE && pace.now.span == pace.from.span) {
        const struct model_pace_point *from = &pace.from, *now = &pace.now;
        if (now->calls == from->calls)
            go_on(&pace, &before->pace, state->mono_ns);
        else if (now->calls > from->calls && now->until_ns > from->until_ns)
            measure(&pace);
    }
    state->pace = pace;
}

/* The part of a mean step in which the host works on ops, from 0 to 1: its phases but `data`. 0:
 * not known. */
static double launching(const struct model_state *state)
{
    struct model_pace_step step;
    double sum = 0;
    if (!model_pace_step(state, &step))
        return 0;
    for (unsigned i = 0; i < step.phases; i++)
        sum += is_text(step.phase[i].name, "data") ? 0 : step.phase[i].ns;
    return sum / step.ns;
}

bool model_pace_device(const struct model_state *state, struct model_pace_device *device)
{
    static const double is_busy = 90, is_launching = 0.5;
    double sum = 0;
    unsigned devices = 0;
    for (uint32_t i = 0; i < state->objects.counters; i++) {
        const struct model_counter_def *def = model_job_counter(state->job, i);
        if (!state->objects.counter[i].known || !is_text(&def->name, "busy") ||
            !is_text(&def->unit, "%"))
            continue;
        sum += value_of(state, i);
        devices++;
    }
    if (devices == 0 || state->scope != MODEL_ALL)
        return false;
    device->busy_percent = sum / devices;
    device->bound = device->busy_percent >= is_busy    ? "device bound"
                    : launching(state) >= is_launching ? "launch bound"
                                                       : "";
    return true;
}

static void add_phase(struct model_pace_step *step, const struct model_text *name, double ns)
{
    unsigned at = step->phases;
    while (at > 0 && step->phase[at - 1].ns < ns)
        at--;
    if (at == MODEL_PACE_PHASES)
        return;
    step->phases += step->phases < MODEL_PACE_PHASES;
    memmove(&step->phase[at + 1], &step->phase[at],
            (step->phases - at - 1) * sizeof(step->phase[0]));
    step->phase[at] = (struct model_pace_phase){name, ns};
}

bool model_pace_step(const struct model_state *state, struct model_pace_step *step)
{
    const uint32_t span = state->pace.now.span;
    *step = (struct model_pace_step){.ns = 0};
    if (span == MODEL_NONE || state->scope != MODEL_ALL)
        return false;
    const struct model_text *domain = &model_job_span(state->job, span)->domain;
    const uint32_t counted = find_counter(state, domain, "steps counted");
    step->counted = counted == MODEL_NONE ? 0 : value_of(state, counted);
    for (uint32_t i = 0; step->counted > 0 && i < state->objects.counters; i++) {
        const struct model_counter_def *def = model_job_counter(state->job, i);
        if (!state->objects.counter[i].known || !is_same(&def->domain, domain) ||
            !is_text(&def->unit, "ns in counted steps"))
            continue;
        if (is_text(&def->name, "step"))
            step->ns = value_of(state, i) / step->counted;
        else
            add_phase(step, &def->name, value_of(state, i) / step->counted);
    }
    return step->ns > 0;
}
