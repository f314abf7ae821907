/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * imported.h: for the tests of imports: a text read as a file, and the rows of its job by name.
 */
#ifndef TESTS_MODEL_IMPORTED_H
#define TESTS_MODEL_IMPORTED_H

#include <stdlib.h>

#include "model/import.h"
#include "sample.h"

struct imported {
    struct model_imported file;
    struct model_state *state; /* of the whole job */
    bool good;
    char why[256];
};

struct imported_source {
    const char *data;
    size_t size, at, step; /* step: bytes of one read at most; 0: any number */
};

static inline size_t imported_read(void *from, char *bytes, size_t size)
{
    struct imported_source *source = from;
    const size_t left = source->size - source->at;
    size = size < left ? size : left;
    size = source->step && source->step < size ? source->step : size;
    if (size > 0)
        memcpy(bytes, source->data + source->at, size);
    source->at += size;
    return size;
}

static inline struct imported import_bytes(const char *data, size_t size, size_t step)
{
    struct imported_source source = {data, size, 0, step};
    const struct model_reader reader = {imported_read, &source};
    struct imported in = {.why = ""};
    in.good = model_import(&reader, &in.file, in.why, sizeof(in.why));
    ck_assert_int_eq(in.good, in.file.saved.job != NULL);
    ck_assert_int_eq(in.good, in.why[0] == '\0');
    if (in.good) {
        ck_assert(model_job_complete(in.file.saved.job) && model_job_ended(in.file.saved.job));
        in.state = model_state_take(in.file.saved.job, MODEL_ALL, NULL);
        ck_assert_ptr_nonnull(in.state);
    }
    return in;
}

static inline struct imported import_text(const char *text)
{
    struct imported in = import_bytes(text, strlen(text), 0);
    ck_assert_msg(in.good, "%s", in.why);
    return in;
}

static inline void import_release(struct imported *in)
{
    model_state_free(&in->state);
    model_imported_release(&in->file);
}

static inline const char *import_name(const struct model_job *job, enum model_table table,
                                      uint32_t id)
{
    return table == MODEL_CLASS      ? model_job_class(job, id)->name.raw
           : table == MODEL_OP       ? model_job_op(job, id)->text.raw
           : table == MODEL_FUNCTION ? model_job_function(job, id)->name.raw
                                     : model_job_apply(job, id)->text.raw;
}

/* The only row with this name; NULL: there is none. */
static inline const struct model_row *import_find(const struct imported *in, enum model_table table,
                                                  const char *name)
{
    const struct model_row *found = NULL;
    for (uint32_t i = 0; i < in->state->count[table]; i++) {
        const struct model_row *row = &in->state->row[table][i];
        if (!row->in_scope || strcmp(import_name(in->state->job, table, i), name) != 0)
            continue;
        ck_assert_msg(!found, "two rows are called '%s'", name);
        found = row;
    }
    return found;
}

static inline const struct model_row *import_row(const struct imported *in, enum model_table table,
                                                 const char *name)
{
    const struct model_row *row = import_find(in, table, name);
    ck_assert_msg(row != NULL, "no row is called '%s'", name);
    return row;
}

/* Checks calls, nodes and time of a row; the time may be off by `off_ns`. */
static inline void import_is(const struct imported *in, enum model_table table, const char *name,
                             uint64_t calls, uint32_t nodes, uint64_t ns, uint64_t off_ns)
{
    const struct model_row *row = import_row(in, table, name);
    ck_assert_msg(row->calls == calls && row->applies == nodes, "%s: %llu calls, %u nodes", name,
                  (unsigned long long)row->calls, row->applies);
    ck_assert_msg(row->total_ns <= ns + off_ns && row->total_ns + off_ns >= ns, "%s: %llu ns", name,
                  (unsigned long long)row->total_ns);
}

/* True if a notice has these words. */
static inline bool import_tells(const struct imported *in, const char *words)
{
    const struct model_job *job = in->file.saved.job;
    for (size_t i = 0; i < model_job_notices(job); i++)
        if (strstr(model_job_notice(job, i)->text.shown, words))
            return true;
    return false;
}

static inline uint32_t import_rows(const struct imported *in, enum model_table table)
{
    return in->state->totals.rows[table];
}

#endif
