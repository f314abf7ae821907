/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * values.c: the values of a job. They are cumulative, so none may fall within an epoch.
 */
#include "model/job_private.h"

#include <stdlib.h>
#include <string.h>

const struct model_apply_value model_apply_value_none = {
    .last_ns = MODEL_UNKNOWN,
    .min_ns = MODEL_UNKNOWN,
    .max_ns = MODEL_UNKNOWN,
    .timed = MODEL_UNKNOWN,
    .open_ns = MODEL_UNKNOWN,
    .error_ns = MODEL_UNKNOWN,
};

struct model_function_value model_function_value_none(const struct model_function_def *def)
{
    /* A function whose calls are counted starts with 0 known calls. */
    uint64_t calls = def->source == MODEL_ABSENT ? MODEL_UNKNOWN : 0;
    return (struct model_function_value){
        .calls = calls,
        .call_ns = calls,
        .vm_ns = MODEL_UNKNOWN,
        .compile_ns = MODEL_UNKNOWN,
        .rewrite_ns = MODEL_UNKNOWN,
        .validate_ns = MODEL_UNKNOWN,
        .link_ns = MODEL_UNKNOWN,
        .open_since_ns = MODEL_UNKNOWN,
        .compile_since_ns = MODEL_UNKNOWN,
        .timed = MODEL_UNKNOWN,
        .error_ns = MODEL_UNKNOWN,
    };
}

void model_job_set_epoch(struct model_job *job, uint32_t epoch)
{
    if (epoch == job->epoch)
        return;
    job->epoch = epoch;
    job->complete = job->amid = false;
    for (uint32_t i = 0; i < job->now_count; i++) {
        model_touch(job, MODEL_V_NOW, i);
        job->values.now[i] = (struct model_now){0};
    }
    job->now_count = 0;
    job->mono_ns = job->wall_ns = job->values_ns = job->now_ns = job->moved_ns = 0;
    job->moving = false;
    model_job_metrics_clear(job);
    model_job_quantiles_clear(job);
    for (uint32_t i = 0; i < job->def[MODEL_APPLY].count; i++) {
        model_touch(job, MODEL_V_APPLY, i);
        job->values.apply[i] = model_apply_value_none;
    }
    for (uint32_t i = 0; i < job->def[MODEL_FUNCTION].count; i++) {
        model_touch(job, MODEL_V_FUNCTION, i);
        model_touch(job, MODEL_V_INSIDE, i);
        job->values.function[i] = model_function_value_none(model_job_function(job, i));
        job->values.inside[i] = (struct model_inside){0};
    }
    model_job_objects_forget(job);
}

/* True if a cumulative value fell, or became unknown. */
static bool fell(uint64_t before, uint64_t now)
{
    return before != MODEL_UNKNOWN && (now == MODEL_UNKNOWN || now < before);
}

void model_job_end_tick(struct model_job *job)
{
    const bool amid = job->amid;
    job->amid = false;
    if (amid)
        model_inside_follow(job);
}

void model_job_begin_tick(struct model_job *job, uint64_t tick)
{
    if (tick != job->tick)
        model_job_end_tick(job);
    job->tick = tick;
    job->amid = true;
}

/* An older frame with the same calls has a shorter open time. Keep the longer one. */
static void set_open(struct model_apply_value *value, uint64_t open_ns, bool same)
{
    const bool shorter =
        value->open_ns != MODEL_UNKNOWN && (open_ns == MODEL_UNKNOWN || open_ns < value->open_ns);
    if (!same || !shorter)
        value->open_ns = open_ns;
}

size_t model_job_set_values(struct model_job *job, size_t n, const uint64_t *id,
                            const uint64_t *calls, const uint64_t *total_ns,
                            const uint64_t *last_ns, const uint64_t *open_ns, bool older)
{
    size_t falls = 0;
    for (size_t i = 0; i < n; i++) {
        bool known = id[i] < job->def[MODEL_APPLY].count;
        struct model_apply_value *value = known ? &job->values.apply[id[i]] : NULL;
        if (!known || calls[i] == MODEL_UNKNOWN || total_ns[i] == MODEL_UNKNOWN ||
            calls[i] < value->calls || total_ns[i] < value->total_ns) {
            falls++;
            continue;
        }
        job->moving |= job->complete && calls[i] > value->calls;
        model_touch(job, MODEL_V_APPLY, (uint32_t)id[i]);
        set_open(value, open_ns ? open_ns[i] : MODEL_UNKNOWN, older && calls[i] == value->calls);
        value->calls = calls[i];
        value->total_ns = total_ns[i];
        value->last_ns = last_ns[i];
    }
    job->followed = false;
    return older ? 0 : falls;
}

void model_job_set_time_alone(struct model_job *job, uint32_t apply, uint64_t total_ns)
{
    if (apply >= job->def[MODEL_APPLY].count)
        return;
    model_touch(job, MODEL_V_APPLY, apply);
    job->values.apply[apply].calls = MODEL_UNKNOWN;
    job->values.apply[apply].total_ns = total_ns;
}

size_t model_job_set_extremes(struct model_job *job, size_t n, const uint64_t *id,
                              const uint64_t *min_ns, const uint64_t *max_ns, const uint64_t *timed,
                              bool older)
{
    size_t falls = 0;
    for (size_t i = 0; i < n; i++) {
        bool known = id[i] < job->def[MODEL_APPLY].count;
        struct model_apply_value *value = known ? &job->values.apply[id[i]] : NULL;
        if (!known || min_ns[i] > value->min_ns || fell(value->max_ns, max_ns[i]) ||
            (value->timed != MODEL_EVERY_CALL && fell(value->timed, timed[i]))) {
            falls++;
            continue;
        }
        model_touch(job, MODEL_V_APPLY, (uint32_t)id[i]);
        value->min_ns = min_ns[i];
        value->max_ns = max_ns[i];
        value->timed = timed[i] == MODEL_UNKNOWN ? MODEL_EVERY_CALL : timed[i];
    }
    return older ? 0 : falls;
}

void model_job_set_errors(struct model_job *job, size_t n, const uint64_t *id,
                          const uint64_t *error_ns)
{
    for (size_t i = 0; i < n; i++)
        if (id[i] < job->def[MODEL_APPLY].count) {
            model_touch(job, MODEL_V_APPLY, (uint32_t)id[i]);
            job->values.apply[id[i]].error_ns = error_ns[i];
        }
}

size_t model_job_set_calls(struct model_job *job, size_t n, const uint64_t *id,
                           const uint64_t *calls, const uint64_t *call_ns, const uint64_t *vm_ns,
                           const uint64_t *open_since_ns, bool older)
{
    size_t falls = 0;
    for (size_t i = 0; i < n; i++) {
        bool known = id[i] < job->def[MODEL_FUNCTION].count;
        struct model_function_value *value = known ? &job->values.function[id[i]] : NULL;
        /* 0 may become MODEL_UNKNOWN: the job then reports that it does not know its calls. */
        if (!known || fell(value->calls ? value->calls : MODEL_UNKNOWN, calls[i]) ||
            fell(value->call_ns ? value->call_ns : MODEL_UNKNOWN, call_ns[i]) ||
            fell(value->vm_ns, vm_ns[i])) {
            falls++;
            continue;
        }
        model_touch(job, MODEL_V_FUNCTION, (uint32_t)id[i]);
        value->calls = calls[i];
        value->call_ns = call_ns[i];
        value->vm_ns = vm_ns[i];
        value->open_since_ns = open_since_ns[i];
    }
    return older ? 0 : falls;
}

size_t model_job_set_sampled(struct model_job *job, size_t n, const uint64_t *id,
                             const uint64_t *timed, const uint64_t *error_ns, bool older)
{
    size_t falls = 0;
    for (size_t i = 0; i < n; i++) {
        bool known = id[i] < job->def[MODEL_FUNCTION].count;
        struct model_function_value *value = known ? &job->values.function[id[i]] : NULL;
        if (!known || fell(value->timed, timed[i])) {
            falls++;
            continue;
        }
        model_touch(job, MODEL_V_FUNCTION, (uint32_t)id[i]);
        value->timed = timed[i];
        value->error_ns = error_ns[i];
    }
    return older ? 0 : falls;
}

size_t model_job_set_compile(struct model_job *job, size_t n, const uint64_t *id,
                             const uint64_t *compile_ns, const uint64_t *rewrite_ns,
                             const uint64_t *validate_ns, const uint64_t *link_ns,
                             const uint64_t *compile_since_ns, bool older)
{
    size_t falls = 0;
    for (size_t i = 0; i < n; i++) {
        bool known = id[i] < job->def[MODEL_FUNCTION].count;
        struct model_function_value *value = known ? &job->values.function[id[i]] : NULL;
        if (!known || fell(value->compile_ns, compile_ns[i]) ||
            fell(value->rewrite_ns, rewrite_ns[i]) || fell(value->validate_ns, validate_ns[i]) ||
            fell(value->link_ns, link_ns[i])) {
            falls++;
            continue;
        }
        model_touch(job, MODEL_V_FUNCTION, (uint32_t)id[i]);
        value->compile_ns = compile_ns[i];
        value->rewrite_ns = rewrite_ns[i];
        value->validate_ns = validate_ns[i];
        value->link_ns = link_ns[i];
        value->compile_since_ns = compile_since_ns[i];
        if (compile_ns[i] != MODEL_UNKNOWN || compile_since_ns[i] != MODEL_UNKNOWN)
            model_compile_add_function(
                job, (uint32_t)id[i]); /* on failure, the next report tries again */
    }
    return older ? 0 : falls;
}

/* NOW. A list holds for its own instant only. An apply in two successive lists with the same start
 * was open in between. At most GAP_NS, or two ticks, is counted between two lists: a job that was
 * stopped in between, or got no processor, did not spend that time in the apply. The first list is
 * taken as it is. */
static const uint64_t GAP_NS = UINT64_C(1000000000), MS_NS = 1000000;

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t stretch(const struct model_job *job, uint64_t mono_ns)
{
    uint64_t passed = mono_ns > job->now_ns ? mono_ns - job->now_ns : 0;
    uint64_t ticks_ns = lesser(job->identity.tick_ms, UINT32_MAX) * 2 * MS_NS;
    return lesser(passed, ticks_ns > GAP_NS ? ticks_ns : GAP_NS);
}

/* Rows are in thread order in both lists, so `at` advances from thread to thread. */
static uint64_t seen_open(const struct model_job *job, const struct model_now *now,
                          uint64_t mono_ns, size_t *at)
{
    uint64_t age = mono_ns > now->since_ns ? mono_ns - now->since_ns : 0;
    if (job->now_ns == 0)
        return age;
    while (*at < job->now_count && job->values.now[*at].thread < now->thread)
        ++*at;
    const struct model_now *was = *at < job->now_count ? &job->values.now[*at] : NULL;
    bool same = was && was->thread == now->thread && was->apply == now->apply &&
                was->since_ns == now->since_ns;
    return lesser(age, stretch(job, mono_ns) + (same ? was->seen_ns : 0));
}

static bool fit_list(struct model_now **list, uint32_t *capacity, size_t n)
{
    if (n <= *capacity)
        return true;
    struct model_now *grown = realloc(*list, n * sizeof(*grown));
    if (!grown)
        return false;
    memset(grown + *capacity, 0, (n - *capacity) * sizeof(*grown));
    *list = grown;
    *capacity = (uint32_t)n;
    return true;
}

bool model_job_set_now(struct model_job *job, size_t n, const struct model_now *now,
                       uint64_t mono_ns)
{
    struct model_values *values = &job->values;
    if (!fit_list(&values->now, &values->nows, n) ||
        !fit_list(&job->now_before, &job->nows_before, n))
        return false;
    struct model_now *list = job->now_before;
    size_t kept = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        if (now[i].thread >= job->def[MODEL_THREAD].count ||
            now[i].apply >= job->def[MODEL_APPLY].count)
            continue;
        list[kept] = now[i];
        list[kept++].seen_ns = seen_open(job, &now[i], mono_ns, &at);
    }
    for (size_t i = 0; i < kept || i < job->now_count; i++) { /* beyond the list, rows are zero */
        model_touch(job, MODEL_V_NOW, (uint32_t)i);
        values->now[i] = i < kept ? list[i] : (struct model_now){0};
    }
    job->now_count = kept;
    job->now_ns = mono_ns;
    return true;
}

const struct model_apply_value *model_job_apply_values(const struct model_job *job)
{
    return job->values.apply;
}

const struct model_function_value *model_job_function_values(const struct model_job *job)
{
    return job->values.function;
}

const struct model_now *model_job_now(const struct model_job *job, size_t *n)
{
    *n = job->now_count;
    return job->values.now;
}

uint64_t model_job_missing_calls(const struct model_job *job)
{
    uint64_t known = 0;
    if (job->identity.counted == MODEL_UNKNOWN)
        return MODEL_UNKNOWN;
    for (uint32_t id = 0; id < job->def[MODEL_APPLY].count; id++)
        if (job->values.apply[id].calls != MODEL_UNKNOWN)
            known += job->values.apply[id].calls;
    return job->identity.counted > known ? job->identity.counted - known : 0;
}
