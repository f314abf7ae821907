/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * objects.c: counters, spans and markers of a job.
 */
#include "model/job_private.h"

#include <stdlib.h>
#include <string.h>

const char *const model_mark_scopes[MODEL_MARK_SCOPES] = {"global", "process", "thread", "task",
                                                          "marker"};
const struct model_counter_value model_counter_value_none = {.limit = MODEL_UNKNOWN};
const struct model_span_value model_span_value_none = {
    .last_ns = MODEL_UNKNOWN,
    .open_since_ns = MODEL_UNKNOWN,
    .min_ns = MODEL_UNKNOWN,
    .max_ns = MODEL_UNKNOWN,
    .first_ns = MODEL_UNKNOWN,
    .until_ns = MODEL_UNKNOWN,
    .interval_calls = MODEL_UNKNOWN,
    .interval_ns = MODEL_UNKNOWN,
};

/* --------------------------------------------------------------------------------- definitions */

static bool make_text(struct model_job *job, struct model_bytes bytes, struct model_text *text)
{
    return model_text_make(&job->texts, bytes.data, bytes.size, text);
}

/* Allocates space for the value of the row that is added next. */
static bool value_fits(void **data, uint32_t *capacity, const struct model_rows *rows, size_t size)
{
    if (*capacity > rows->count)
        return true;
    void *grown = realloc(*data, rows->capacity * size);
    if (!grown)
        return false;
    *data = grown;
    *capacity = rows->capacity;
    return true;
}

bool model_job_add_counter(struct model_job *job, const struct model_counter_raw *raw)
{
    struct model_rows *rows = &job->def[MODEL_COUNTER];
    struct model_objects *objects = &job->values.objects;
    struct model_counter_def *def = model_rows_next(rows, sizeof(*def));
    void *values = objects->counter;
    if (!def ||
        !value_fits(&values, &objects->counter_capacity, rows, sizeof(*objects->counter)))
        return false;
    objects->counter = values;
    if (!make_text(job, raw->domain, &def->domain) || !make_text(job, raw->name, &def->name) ||
        !make_text(job, raw->scope, &def->scope) || !make_text(job, raw->unit, &def->unit))
        return false;
    def->kind = raw->kind;
    objects->counter[objects->counters++] = model_counter_value_none;
    rows->count++;
    return true;
}

bool model_job_add_span(struct model_job *job, const struct model_span_raw *raw)
{
    struct model_rows *rows = &job->def[MODEL_SPAN];
    struct model_objects *objects = &job->values.objects;
    struct model_span_def *def = model_rows_next(rows, sizeof(*def));
    void *values = objects->span;
    if (!def || !value_fits(&values, &objects->span_capacity, rows, sizeof(*objects->span)))
        return false;
    objects->span = values;
    if (!make_text(job, raw->domain, &def->domain) || !make_text(job, raw->name, &def->name))
        return false;
    def->kind = raw->kind;
    objects->span[objects->spans++] = model_span_value_none;
    rows->count++;
    return true;
}

bool model_job_add_marker(struct model_job *job, struct model_bytes domain, struct model_bytes name)
{
    struct model_rows *rows = &job->def[MODEL_MARKER];
    struct model_marker_def *def = model_rows_next(rows, sizeof(*def));
    if (!def || !make_text(job, domain, &def->domain) || !make_text(job, name, &def->name))
        return false;
    rows->count++;
    return true;
}

/* -------------------------------------------------------------------------------------- values */

bool model_job_set_counter(struct model_job *job, uint32_t id, enum model_counter_kind kind,
                           const struct model_counter_value *value)
{
    const struct model_counter_def *def = model_job_counter(job, id);
    if (!def || def->kind != kind || value->updates < job->values.objects.counter[id].updates)
        return false;
    model_touch(job, MODEL_V_COUNTER, id);
    job->values.objects.counter[id] = *value;
    job->values.objects.counter[id].known = true;
    return true;
}

void model_job_set_usage(struct model_job *job, uint32_t id, uint64_t min, double mean)
{
    const struct model_counter_def *def = model_job_counter(job, id);
    struct model_counter_value *known = def ? &job->values.objects.counter[id] : NULL;
    if (!known || def->kind != MODEL_MEMORY || !known->known || known->mean == known->mean)
        return;
    model_touch(job, MODEL_V_COUNTER, id);
    known->min.u = min;
    known->mean = mean;
}

bool model_job_set_span(struct model_job *job, uint32_t id, const struct model_span_value *value)
{
    if (!model_job_span(job, id))
        return false;
    struct model_span_value *known = &job->values.objects.span[id];
    if (value->calls < known->calls || value->total_ns < known->total_ns ||
        value->self_ns < known->self_ns)
        return false;
    model_touch(job, MODEL_V_SPAN, id);
    known->known = true;
    known->calls = value->calls;
    known->total_ns = value->total_ns;
    known->self_ns = value->self_ns;
    known->last_ns = value->last_ns;
    known->open_since_ns = value->open_since_ns;
    return true;
}

bool model_job_set_span_edges(struct model_job *job, uint32_t id,
                              const struct model_span_value *value)
{
    if (!model_job_span(job, id))
        return false;
    struct model_span_value *known = &job->values.objects.span[id];
    bool had = known->max_ns != MODEL_UNKNOWN;
    if (had && (value->min_ns > known->min_ns || value->max_ns < known->max_ns ||
                value->first_ns > known->first_ns || value->until_ns < known->until_ns))
        return false;
    model_touch(job, MODEL_V_SPAN, id);
    known->min_ns = value->min_ns;
    known->max_ns = value->max_ns;
    known->first_ns = value->first_ns;
    known->until_ns = value->until_ns;
    return true;
}

void model_job_clear_span_lists(struct model_job *job, uint32_t id)
{
    if (!model_job_span(job, id))
        return;
    model_touch(job, MODEL_V_SPAN, id);
    job->values.objects.span[id].threads = job->values.objects.span[id].slowest = 0;
}

void model_job_add_span_thread(struct model_job *job, uint32_t id,
                               const struct model_span_thread *thread)
{
    struct model_span_value *known = model_job_span(job, id) ? &job->values.objects.span[id] : NULL;
    if (!known || known->threads >= MODEL_SPAN_THREADS)
        return;
    model_touch(job, MODEL_V_SPAN, id);
    known->thread[known->threads++] = *thread;
}

void model_job_add_span_pass(struct model_job *job, uint32_t id, const struct model_pass *pass)
{
    struct model_span_value *known = model_job_span(job, id) ? &job->values.objects.span[id] : NULL;
    if (!known || known->slowest >= MODEL_SLOWEST)
        return;
    model_touch(job, MODEL_V_SPAN, id);
    known->slow[known->slowest++] = *pass;
}

/* ------------------------------------------------------------------------------------- instants */

/* Returns the position of a number: after all smaller ones. Most instants arrive in order. */
static uint32_t place_of(const struct model_objects *objects, uint64_t number)
{
    uint32_t low = 0, high = objects->marks;
    if (high > 0 && objects->mark[high - 1].number < number)
        return high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (objects->mark[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Allocates space for one more. Drops the oldest instants at the limit, half of the capacity at
 * once, so the others rarely move. */
static bool mark_room(struct model_objects *objects)
{
    if (objects->marks < objects->mark_capacity)
        return true;
    if (objects->mark_capacity < 2 * MODEL_MARKS_KEPT) {
        uint32_t capacity = objects->mark_capacity ? objects->mark_capacity * 2 : 16;
        void *grown = realloc(objects->mark, capacity * sizeof(*objects->mark));
        if (!grown)
            return false;
        objects->mark = grown;
        objects->mark_capacity = capacity;
        return true;
    }
    uint32_t gone = objects->marks - MODEL_MARKS_KEPT;
    objects->marks = MODEL_MARKS_KEPT;
    memmove(objects->mark, objects->mark + gone, MODEL_MARKS_KEPT * sizeof(*objects->mark));
    return true;
}

bool model_job_add_mark(struct model_job *job, const struct model_mark *mark)
{
    struct model_objects *objects = &job->values.objects;
    uint32_t at = place_of(objects, mark->number);
    if (at < objects->marks && objects->mark[at].number == mark->number)
        return true;
    if (at == 0 && objects->marks >= MODEL_MARKS_KEPT)
        return true; /* older than all kept instants */
    if (!mark_room(objects))
        return false;
    at = place_of(objects, mark->number);
    memmove(objects->mark + at + 1, objects->mark + at,
            (objects->marks - at) * sizeof(*objects->mark));
    objects->mark[at] = *mark;
    objects->marks++;
    return true;
}

/* ------------------------------------------------------------------------------------- reading */

const struct model_objects *model_job_objects(const struct model_job *job)
{
    return &job->values.objects;
}

static const void *row_at(const struct model_job *job, enum model_table table, uint32_t id,
                          size_t size)
{
    const struct model_rows *rows = &job->def[table];
    return id < rows->count ? (const char *)rows->data + id * size : NULL;
}

const struct model_counter_def *model_job_counter(const struct model_job *job, uint32_t id)
{
    return row_at(job, MODEL_COUNTER, id, sizeof(struct model_counter_def));
}

const struct model_span_def *model_job_span(const struct model_job *job, uint32_t id)
{
    return row_at(job, MODEL_SPAN, id, sizeof(struct model_span_def));
}

const struct model_marker_def *model_job_marker(const struct model_job *job, uint32_t id)
{
    return row_at(job, MODEL_MARKER, id, sizeof(struct model_marker_def));
}

/* --------------------------------------------------------------------------------- the values */

/* Copies n rows. `*to` stays NULL if n is 0. */
static bool copy_rows(void **to, const void *from, uint32_t n, size_t size)
{
    if (n == 0)
        return true;
    *to = malloc(n * size);
    if (*to)
        memcpy(*to, from, n * size);
    return *to != NULL;
}

bool model_objects_copy(struct model_objects *to, const struct model_objects *from)
{
    uint32_t skipped = from->marks > MODEL_MARKS_KEPT ? from->marks - MODEL_MARKS_KEPT : 0;
    void *counter = NULL, *span = NULL, *mark = NULL;
    *to = (struct model_objects){.counters = from->counters,
                                 .spans = from->spans,
                                 .marks = from->marks - skipped,
                                 .counter_capacity = from->counters,
                                 .span_capacity = from->spans,
                                 .mark_capacity = from->marks - skipped};
    bool whole = copy_rows(&counter, from->counter, from->counters, sizeof(*from->counter)) &&
                 copy_rows(&span, from->span, from->spans, sizeof(*from->span)) &&
                 copy_rows(&mark, from->marks ? from->mark + skipped : NULL, to->marks,
                           sizeof(*from->mark));
    to->counter = counter;
    to->span = span;
    to->mark = mark;
    if (!whole)
        model_objects_release(to);
    return whole;
}

void model_objects_release(struct model_objects *objects)
{
    free(objects->counter);
    free(objects->span);
    free(objects->mark);
    memset(objects, 0, sizeof(*objects));
}

void model_job_objects_forget(struct model_job *job)
{
    struct model_objects *objects = &job->values.objects;
    for (uint32_t i = 0; i < objects->counters; i++) {
        model_touch(job, MODEL_V_COUNTER, i);
        objects->counter[i] = model_counter_value_none;
    }
    for (uint32_t i = 0; i < objects->spans; i++) {
        model_touch(job, MODEL_V_SPAN, i);
        objects->span[i] = model_span_value_none;
    }
}

static bool per_second(uint64_t runs, uint64_t ns, double *rate)
{
    *rate = ns > 0 ? (double)runs * 1e9 / (double)ns : 0;
    return ns > 0;
}

bool model_span_rate(const struct model_span_value *value, double *rate)
{
    bool known = value->calls > 1 && value->first_ns != MODEL_UNKNOWN &&
                 value->until_ns > value->first_ns;
    return known && per_second(value->calls, value->until_ns - value->first_ns, rate);
}

bool model_span_interval_rate(const struct model_span_value *value, double *rate)
{
    return value->interval_calls != MODEL_UNKNOWN &&
           per_second(value->interval_calls, value->interval_ns, rate);
}

void model_objects_interval(struct model_objects *now, const struct model_objects *before,
                            uint64_t ns, bool extends)
{
    for (uint32_t i = 0; i < now->spans && i < before->spans; i++) {
        const struct model_span_value *was = &before->span[i];
        struct model_span_value *is = &now->span[i];
        const bool longer = extends && was->interval_calls != MODEL_UNKNOWN;
        if (is->calls >= was->calls) {
            is->interval_calls = is->calls - was->calls + (longer ? was->interval_calls : 0);
            is->interval_ns = ns + (longer ? was->interval_ns : 0);
        }
    }
}
