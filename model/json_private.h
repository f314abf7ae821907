/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_private.h: what the parts of the JSON writer share.
 */
#ifndef MODEL_JSON_PRIVATE_H
#define MODEL_JSON_PRIVATE_H

#include "model/json.h"
#include "model/json_writer.h"
#include "model/view.h"

struct json {
    const struct model_report *report;
    const struct model_state *state; /* of the job being written, or NULL */
    const struct model_link *link;   /* of it */
    size_t job;                      /* its id */
    struct model_put out;
    struct model_view view[MODEL_ROW_TABLES]; /* what the getters of columns look at */
    enum model_table table;                   /* that is being written, */
    const struct model_row *row;              /* and its row */
    size_t at;                                /* of a list: position */
};

/* ---------------------------------------------------------------------------------- fields */

struct field {
    const char *key;
    void (*put)(struct json *j);
};

#define FIELD(name) static void name(struct json *j)

/* The fields of the open object. */
void model_json_fields(struct json *j, const struct field *field);
/* A list of `count` objects; j->at is the position. */
void model_json_list(struct json *j, size_t count, const struct field *field);

/* Null; a text, or null if it is empty; and the id of the job. */
void model_json_nothing(struct json *j);
void model_json_word(struct json *j, const char *word);
void model_json_job(struct json *j);

/* ------------------------------------------------------------------- by the part that has them */

/* json_job.c: fields of a job. */
extern const struct field model_json_jobs[];

/* json_detail.c: fields of an apply, of every row with metrics, and lists of the report. */
extern const struct field model_json_about[];
void model_json_metrics(struct json *j);
void model_json_rewrites(struct json *j);
void model_json_declared(struct json *j);

/* json_peaks.c: how much memory the values of each function take. */
void model_json_peaks(struct json *j);

/* json_multi_job.c: how the jobs compare, and who is slow or hangs. */
void model_json_ranks(struct json *j);
void model_json_suspects(struct json *j);

#endif
