/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_private.h: declarations shared by the parts of the JSON writer.
 */
#ifndef MODEL_JSON_PRIVATE_H
#define MODEL_JSON_PRIVATE_H

#include "model/json.h"
#include "model/json_writer.h"
#include "model/view.h"

struct json {
    const struct model_report *report;
    const struct model_state *state; /* of the current job, or NULL */
    const struct model_link *link;   /* of the current job */
    size_t job;                      /* id of the current job */
    struct model_put out;
    struct model_view view[MODEL_ROW_TABLES]; /* passed to the getters of columns */
    enum model_table table;                   /* current table */
    const struct model_row *row;              /* current row */
    size_t at;                                /* position in a list */
};

/* ---------------------------------------------------------------------------------- fields */

struct field {
    const char *key;
    void (*put)(struct json *j);
};

#define FIELD(name) static void name(struct json *j)

/* Writes the fields of the open object. */
void model_json_fields(struct json *j, const struct field *field);
/* Writes a list of `count` objects; j->at is the position. */
void model_json_list(struct json *j, size_t count, const struct field *field);

/* Write null; a text, or null if it is empty; and the id of the job. */
void model_json_nothing(struct json *j);
void model_json_word(struct json *j, const char *word);
void model_json_job(struct json *j);

/* ------------------------------------------------------------------- by the part that has them */

/* json_job.c: fields of a job. */
extern const struct field model_json_jobs[];

/* json_detail.c: fields of an apply, of every row with metrics, and lists of the report. */
extern const struct field model_json_about[];
extern const struct field model_json_phase_fields[], model_json_metric_fields[];
void model_json_metrics(struct json *j);
void model_json_rewrites(struct json *j);
void model_json_declared(struct json *j);

/* json_peaks.c: how much memory the values of each function take. */
void model_json_peaks(struct json *j);
const char *model_json_peak_key(unsigned at);

/* json_multi_job.c: how the jobs compare, and which one is slow or hangs. */
extern const struct field model_json_rank_fields[], model_json_suspect_fields[],
    model_json_waiter_fields[];
void model_json_ranks(struct json *j);
void model_json_suspects(struct json *j);
void model_json_waiters(struct json *j);

#endif
