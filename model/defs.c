/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * defs.c: the definitions of a job: tables that only grow.
 */
#include "model/job_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void *model_rows_next(struct model_rows *rows, size_t size)
{
    if (rows->count == MODEL_NONE - 1)
        return NULL;
    if (rows->count == rows->capacity) {
        uint32_t capacity = rows->capacity ? rows->capacity + rows->capacity / 2 : 16;
        if (capacity < rows->capacity)
            return NULL;
        void *data = realloc(rows->data, capacity * size);
        if (!data)
            return NULL;
        rows->data = data;
        rows->capacity = capacity;
    }
    return (char *)rows->data + rows->count * size;
}

/* Grows an array of values that is indexed by the ids of another table. */
static bool values_fit(void **data, uint32_t *capacity, const struct model_rows *rows, size_t size)
{
    if (*capacity >= rows->capacity)
        return true;
    void *grown = realloc(*data, rows->capacity * size);
    if (!grown)
        return false;
    *data = grown;
    *capacity = rows->capacity;
    return true;
}

bool model_job_add_class(struct model_job *job, const char *name, size_t size)
{
    struct model_rows *rows = &job->def[MODEL_CLASS];
    struct model_class_def *def = model_rows_next(rows, sizeof(*def));
    if (!def || !model_text_make(&job->texts, name, size, &def->name) ||
        !model_text_stand_in(&job->texts, &def->name, "class #%" PRIu32, rows->count))
        return false;
    rows->count++;
    return true;
}

bool model_job_add_op(struct model_job *job, uint32_t op_class, const char *text, size_t size)
{
    struct model_rows *rows = &job->def[MODEL_OP];
    if (op_class >= job->def[MODEL_CLASS].count)
        return false;
    struct model_op_def *def = model_rows_next(rows, sizeof(*def));
    if (!def || !model_text_make(&job->texts, text, size, &def->text))
        return false;
    model_label_take(job, rows->count, &def->display);
    if (!model_label_op(job, def))
        return false;
    def->op_class = op_class;
    rows->count++;
    return true;
}

/* Names a function without a name after the location where it was compiled, or after its number. */
static bool stand_in(struct model_job *job, struct model_function_def *def, uint32_t id)
{
    const char *slash = strrchr(def->file.shown, '/'), *file = slash ? slash + 1 : def->file.shown;
    const bool fine =
        *file && def->line
            ? model_text_stand_in(&job->texts, &def->name, "%s:%" PRIu32, file, def->line)
            : model_text_stand_in(&job->texts, &def->name, "function #%" PRIu32, id);
    def->own = def->name;
    if (model_text_blank(def->name.raw, def->name.raw_size)) {
        def->own.raw = def->name.shown;
        def->own.raw_size = def->name.shown_size;
    }
    return fine;
}

bool model_job_add_function(struct model_job *job, const struct model_function_raw *raw)
{
    struct model_rows *rows = &job->def[MODEL_FUNCTION];
    if (raw->parent != MODEL_NONE && raw->parent >= job->def[MODEL_APPLY].count)
        return false;
    struct model_function_def *def = model_rows_next(rows, sizeof(*def));
    void *values = job->values.function, *inside = job->values.inside;
    if (!def || !values_fit(&values, &job->values.functions, rows, sizeof(*job->values.function)))
        return false;
    job->values.function = values;
    if (!values_fit(&inside, &job->values.insides, rows, sizeof(*job->values.inside)))
        return false;
    job->values.inside = inside;
    if (!model_text_make(&job->texts, raw->name.data, raw->name.size, &def->name) ||
        !model_text_make(&job->texts, raw->file.data, raw->file.size, &def->file))
        return false;
    def->alias = model_text_empty;
    def->line = raw->line;
    if (!stand_in(job, def, rows->count))
        return false;
    def->parent = raw->parent;
    def->group = raw->group;
    def->source = raw->source > MODEL_ABSENT ? MODEL_TIMED : raw->source;
    def->left_out = false;
    job->values.function[rows->count] = model_function_value_none(def);
    job->nested |= def->parent != MODEL_NONE;
    job->values.inside[rows->count] = (struct model_inside){0};
    rows->count++;
    return true;
}

bool model_job_set_alias(struct model_job *job, uint32_t function, const char *alias, size_t size)
{
    if (function >= job->def[MODEL_FUNCTION].count)
        return false;
    struct model_function_def *def = (struct model_function_def *)job->def[MODEL_FUNCTION].data;
    struct model_text *name = &def[function].name, *was = &def[function].alias, made;
    if (was->raw_size == size && (size == 0 || memcmp(was->raw, alias, size) == 0))
        return true;
    if (!model_text_make(&job->texts, alias, size, &made))
        return false;
    const struct model_text *shown = size ? &made : &def[function].own;
    name->shown = shown->shown;
    name->shown_size = shown->shown_size;
    *was = made;
    return true;
}

void model_job_set_left_out(struct model_job *job, enum model_table table, uint32_t id,
                            bool left_out)
{
    if (id >= job->def[table].count)
        return;
    if (table == MODEL_FUNCTION)
        ((struct model_function_def *)job->def[table].data)[id].left_out = left_out;
    else if (table == MODEL_APPLY)
        ((struct model_apply_def *)job->def[table].data)[id].left_out = left_out;
}

bool model_job_add_apply(struct model_job *job, const struct model_apply_raw *raw)
{
    struct model_rows *rows = &job->def[MODEL_APPLY];
    if (raw->function >= job->def[MODEL_FUNCTION].count || raw->op >= job->def[MODEL_OP].count)
        return false;
    struct model_apply_def *def = model_rows_next(rows, sizeof(*def));
    void *values = job->values.apply;
    if (!def || !values_fit(&values, &job->values.applies, rows, sizeof(*job->values.apply)))
        return false;
    job->values.apply = values;
    if (!model_text_make(&job->texts, raw->text.data, raw->text.size, &def->text))
        return false;
    if (!raw->text.size)
        def->text = model_job_op(job, raw->op)->text;
    def->made_at = raw->made_at_plus_1
                       ? raw->made_at_plus_1 - 1
                       : model_line_of(job, raw->location.data, raw->location.size);
    def->line = raw->line_plus_1 ? raw->line_plus_1 - 1 : def->made_at;
    if (def->made_at >= job->def[MODEL_LINE].count || def->line >= job->def[MODEL_LINE].count)
        return false;
    def->function = raw->function;
    def->op = raw->op;
    if (!model_label_apply(job, def))
        return false;
    def->index = raw->index;
    def->source = raw->source > MODEL_SET ? MODEL_TIMED : raw->source;
    def->kind = raw->kind > 2 ? 0 : raw->kind;
    def->impl = raw->impl >= MODEL_IMPLS ? MODEL_IMPL_UNKNOWN : raw->impl;
    def->waits = raw->waits > MODEL_ASIDE ? MODEL_WAITS : raw->waits;
    def->exclusive = raw->exclusive;
    def->left_out = false;
    job->waits |= def->waits != MODEL_WORKS;
    job->values.apply[rows->count] = model_apply_value_none;
    rows->count++;
    return true;
}

bool model_job_add_thread(struct model_job *job, const char *name, size_t size, uint64_t tid)
{
    struct model_rows *rows = &job->def[MODEL_THREAD];
    struct model_thread_def *def = model_rows_next(rows, sizeof(*def));
    if (!def || !model_text_make(&job->texts, name, size, &def->name) ||
        !model_text_stand_in(&job->texts, &def->name, "thread %" PRIu64, tid))
        return false;
    def->tid = tid;
    rows->count++;
    return true;
}

/* --------------------------------------------------------------------------------- reading */

static const void *row_at(const struct model_job *job, enum model_table table, uint32_t id,
                          size_t size)
{
    const struct model_rows *rows = &job->def[table];
    return id < rows->count ? (const char *)rows->data + id * size : NULL;
}

uint32_t model_job_count(const struct model_job *job, enum model_table table)
{
    return job->def[table].count;
}

bool model_job_waits(const struct model_job *job)
{
    return job->waits;
}

const struct model_class_def *model_job_class(const struct model_job *job, uint32_t id)
{
    return row_at(job, MODEL_CLASS, id, sizeof(struct model_class_def));
}

const struct model_op_def *model_job_op(const struct model_job *job, uint32_t id)
{
    return row_at(job, MODEL_OP, id, sizeof(struct model_op_def));
}

const struct model_function_def *model_job_function(const struct model_job *job, uint32_t id)
{
    return row_at(job, MODEL_FUNCTION, id, sizeof(struct model_function_def));
}

const struct model_apply_def *model_job_apply(const struct model_job *job, uint32_t id)
{
    return row_at(job, MODEL_APPLY, id, sizeof(struct model_apply_def));
}

const struct model_line_def *model_job_line(const struct model_job *job, uint32_t id)
{
    return row_at(job, MODEL_LINE, id, sizeof(struct model_line_def));
}

const struct model_thread_def *model_job_thread(const struct model_job *job, uint32_t id)
{
    return row_at(job, MODEL_THREAD, id, sizeof(struct model_thread_def));
}
