/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json.h: the states of the jobs as one line of JSON, docs/json.schema. Streamed: no tree is built.
 * The fields of the class, op and apply tables are those of THE column table.
 */
#ifndef MODEL_JSON_H
#define MODEL_JSON_H

#include "model/link.h"
#include "model/state.h"

/* Where the text goes: called with each piece. */
struct model_sink {
    void (*write)(void *to, const char *bytes, size_t size);
    void *to;
};

/* One of several jobs. */
struct model_report_job {
    const struct model_state *state; /* NULL: nothing was received */
    const struct model_link *link;
};

/* A job that was asked for and is not in the report. */
struct model_report_left {
    uint64_t pid; /* 0: not known */
    const char *program, *why;
};

struct model_report {
    const struct model_state *state; /* NULL: nothing was received */
    const struct model_link *link;
    const char *word; /* state of the viewer: "live", "paused" */
    uint64_t time_ns; /* wall clock of the viewer, since 1970 */
    bool final;       /* the job has said goodbye and this is its last state */
    /* Several jobs: all of them, in the place of the one above; and what compares them. */
    const struct model_report_job *job;
    size_t jobs; /* 0: one */
    const struct model_state *ranks; /* a state with MODEL_FLEET_RANKS, or NULL */
    const struct model_report_left *left;
    size_t lefts;
};

/* Writes one object and a line end. */
void model_json_write(const struct model_report *report, const struct model_sink *sink);

#endif
