/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * moment.c: copies the values of a job, and exchanges them.
 */
#include "model/moment.h"

#include <stdlib.h>
#include <string.h>

#define TABLE(member, capacity, type)                                                              \
    {                                                                                              \
        offsetof(struct model_values, member), offsetof(struct model_values, capacity),            \
            sizeof(type)                                                                           \
    }

static const struct {
    size_t rows, capacity, row;
} tables[MODEL_VALUE_TABLES] = {
    [MODEL_V_APPLY] = TABLE(apply, applies, struct model_apply_value),
    [MODEL_V_FUNCTION] = TABLE(function, functions, struct model_function_value),
    [MODEL_V_INSIDE] = TABLE(inside, insides, struct model_inside),
    [MODEL_V_NOW] = TABLE(now, nows, struct model_now),
    [MODEL_V_PHASE] = TABLE(phase, phases, struct model_phase),
    [MODEL_V_COUNTER] =
        TABLE(objects.counter, objects.counter_capacity, struct model_counter_value),
    [MODEL_V_SPAN] = TABLE(objects.span, objects.span_capacity, struct model_span_value),
    [MODEL_V_QUANTILE] = TABLE(quantile, quantiles, struct model_quantiles),
};

_Static_assert(sizeof(struct model_apply_value) == 8 * 8, "no padding");
_Static_assert(sizeof(struct model_function_value) == 11 * 8, "no padding");
_Static_assert(sizeof(struct model_inside) == 8 * 8 + 2 * 4, "no padding");
_Static_assert(sizeof(struct model_now) == 2 * 4 + 2 * 8, "no padding");
_Static_assert(sizeof(struct model_phase) == sizeof(struct model_text) + 9 * 8, "no padding");
_Static_assert(sizeof(struct model_counter_value) == 7 * 8, "no padding");
_Static_assert(sizeof(struct model_span_value) ==
                   12 * 8 + 2 * 4 + MODEL_SPAN_THREADS * 3 * 8 + MODEL_SLOWEST * 2 * 8,
               "no padding");
_Static_assert(sizeof(struct model_span_value) / 8 <= MODEL_V_WORDS_MAX, "a row fits");

static bool is_metric(unsigned table)
{
    return table >= MODEL_V_METRIC && table < MODEL_V_APPLY;
}

static void **rows_of(const struct model_values *values, unsigned table)
{
    const size_t at = !is_metric(table) ? tables[table].rows
                                        : offsetof(struct model_values, metric) +
                                              (table - MODEL_V_METRIC) * sizeof(values->metric[0]);
    return (void **)((char *)values + at);
}

static uint32_t *capacity_of(const struct model_values *values, unsigned table)
{
    const size_t at = !is_metric(table) ? tables[table].capacity
                                        : offsetof(struct model_values, cells) +
                                              (table - MODEL_V_METRIC) * sizeof(values->cells[0]);
    return (uint32_t *)((char *)values + at);
}

static size_t row_size(unsigned table)
{
    return is_metric(table) ? sizeof(struct model_metric_cell) : tables[table].row;
}

unsigned model_values_words(unsigned table)
{
    return (unsigned)(row_size(table) / sizeof(uint64_t));
}

uint32_t model_values_count(const struct model_job *job, unsigned table)
{
    switch (table) {
    case MODEL_V_APPLY:
        return job->def[MODEL_APPLY].count;
    case MODEL_V_FUNCTION:
    case MODEL_V_INSIDE:
        return job->def[MODEL_FUNCTION].count;
    case MODEL_V_COUNTER:
        return job->values.objects.counters;
    case MODEL_V_SPAN:
        return job->values.objects.spans;
    default: /* all rows of the others have values */
        return *capacity_of(&job->values, table);
    }
}

uint32_t model_values_rows(const struct model_values *values, unsigned table)
{
    return *capacity_of(values, table);
}

uint64_t *model_values_row(const struct model_values *values, unsigned table, uint32_t id)
{
    return (uint64_t *)((char *)*rows_of(values, table) + id * row_size(table));
}

void model_values_empty_row(void *row, const struct model_job *job, unsigned table, uint32_t id)
{
    if (table == MODEL_V_APPLY)
        *(struct model_apply_value *)row = model_apply_value_none;
    else if (table == MODEL_V_FUNCTION)
        *(struct model_function_value *)row =
            model_function_value_none(model_job_function(job, id));
    else if (table == MODEL_V_COUNTER)
        *(struct model_counter_value *)row = model_counter_value_none;
    else if (table == MODEL_V_SPAN)
        *(struct model_span_value *)row = model_span_value_none;
    else if (table == MODEL_V_QUANTILE)
        *(struct model_quantiles *)row = model_quantiles_none;
    else
        memset(row, 0, row_size(table));
}

bool model_values_fit(struct model_values *values, const struct model_job *job, unsigned table,
                      uint32_t count)
{
    uint32_t *capacity = capacity_of(values, table);
    if (count <= *capacity)
        return true;
    void **rows = rows_of(values, table);
    char *grown = realloc(*rows, count * row_size(table));
    if (!grown)
        return false;
    for (uint32_t id = *capacity; id < count; id++)
        model_values_empty_row(grown + id * row_size(table), job, table, id);
    *rows = grown;
    *capacity = count;
    return true;
}

static bool copy_table(struct model_values *to, const struct model_values *from, unsigned table,
                       uint32_t count)
{
    if (count == 0)
        return true;
    void **rows = rows_of(to, table);
    *rows = malloc(count * row_size(table));
    if (!*rows)
        return false;
    memcpy(*rows, *rows_of(from, table), count * row_size(table));
    *capacity_of(to, table) = count;
    return true;
}

bool model_values_copy(struct model_values *to, const struct model_job *job)
{
    bool fine = true;
    *to = (struct model_values){0};
    for (unsigned table = 0; table < MODEL_VALUE_TABLES; table++)
        fine = fine && copy_table(to, &job->values, table, model_values_count(job, table));
    return fine;
}

bool model_values_clone(struct model_values *to, const struct model_values *from)
{
    bool fine = true;
    *to = (struct model_values){0};
    for (unsigned table = 0; table < MODEL_VALUE_TABLES; table++)
        fine = fine && copy_table(to, from, table, *capacity_of(from, table));
    return fine;
}

void model_values_release(struct model_values *values)
{
    for (unsigned table = 0; table < MODEL_VALUE_TABLES; table++)
        free(*rows_of(values, table));
    free(values->objects.mark);
    *values = (struct model_values){0};
}

size_t model_values_bytes(const struct model_values *values)
{
    size_t bytes = values->objects.mark_capacity * sizeof(*values->objects.mark);
    for (unsigned table = 0; table < MODEL_VALUE_TABLES; table++)
        bytes += *capacity_of(values, table) * row_size(table);
    return bytes;
}

struct model_moment model_moment_of(const struct model_job *job)
{
    const struct model_objects *objects = &job->values.objects;
    struct model_moment moment = {
        .mono_ns = job->mono_ns,
        .wall_ns = job->wall_ns,
        .values_ns = job->values_ns,
        .moved_ns = job->moved_ns,
        .now_ns = job->now_ns,
        .last_mark = objects->marks > 0 ? objects->mark[objects->marks - 1].number + 1 : 0,
        .share = job->identity.share,
        .epoch = job->epoch,
        .phases = job->phases,
        .compiles = job->compiling.count,
        .now_count = (uint32_t)job->now_count,
        .complete = job->complete,
        .ended = job->ended,
        .amid = job->amid,
        .followed = job->followed,
        .collecting = job->identity.collecting,
    };
    for (unsigned table = 0; table < MODEL_TABLES; table++)
        moment.rows[table] = job->def[table].count;
    return moment;
}

void model_moment_set(struct model_job *job, const struct model_moment *moment)
{
    struct model_objects *objects = &job->values.objects;
    job->mono_ns = moment->mono_ns;
    job->wall_ns = moment->wall_ns;
    job->values_ns = moment->values_ns;
    job->moved_ns = moment->moved_ns;
    job->now_ns = moment->now_ns;
    job->identity.share = moment->share;
    job->identity.collecting = moment->collecting;
    job->epoch = moment->epoch;
    job->phases = moment->phases;
    job->compiling.count = moment->compiles;
    job->now_count = moment->now_count;
    job->complete = moment->complete;
    job->ended = moment->ended;
    job->amid = moment->amid;
    job->followed = moment->followed;
    for (unsigned table = 0; table < MODEL_TABLES; table++)
        job->def[table].count = moment->rows[table];
    objects->counters = moment->rows[MODEL_COUNTER];
    objects->spans = moment->rows[MODEL_SPAN];
    while (objects->marks > 0 && objects->mark[objects->marks - 1].number >= moment->last_mark)
        objects->marks--;
}

/* An apply may have moved to a line that came later. */
static void keep_lines(struct model_job *job)
{
    const struct model_apply_def *apply = job->def[MODEL_APPLY].data;
    uint32_t *lines = &job->def[MODEL_LINE].count;
    for (uint32_t i = 0; job->lines_moved > 0 && i < job->def[MODEL_APPLY].count; i++)
        if (apply[i].line >= *lines)
            *lines = apply[i].line + 1;
}

void model_moment_show(struct model_job *job, const struct model_moment *moment)
{
    model_moment_set(job, moment);
    keep_lines(job);
}

void model_moment_enter(struct model_job *job, const struct model_values *values,
                        const struct model_moment *moment, struct model_away *away)
{
    const struct model_objects *live = &away->values.objects;
    away->values = job->values;
    away->moment = model_moment_of(job);
    away->history = job->history;
    job->values = *values;
    job->values.objects.mark = live->mark; /* instants never change: one list for all moments */
    job->values.objects.marks = live->marks;
    job->history = NULL;
    model_moment_show(job, moment);
}

void model_moment_leave(struct model_job *job, struct model_away *away)
{
    job->values = away->values;
    model_moment_set(job, &away->moment);
    job->history = away->history;
}
