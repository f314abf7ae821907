/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json.h: the states of the jobs as one line of JSON, docs/json.schema. Streamed: no tree is built.
 * THE column table defines the fields of the class, op and apply tables.
 */
#ifndef MODEL_JSON_H
#define MODEL_JSON_H

#include "model/link.h"
#include "model/state.h"

/* Output: `write` receives each piece. */
struct model_sink {
    void (*write)(void *to, const char *bytes, size_t size);
    void *to;
};

/* One of several jobs. */
struct model_report_job {
    const struct model_state *state; /* NULL: nothing was received */
    const struct model_link *link;
};

/* A job that was requested but is not in the report. */
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
    /* For several jobs: the list replaces `state` and `link` above; `ranks` compares the jobs. */
    const struct model_report_job *job;
    size_t jobs;                     /* 0: a report of one job */
    const struct model_state *ranks; /* a state of view MODEL_MULTI_JOB_RANKS, or NULL */
    const struct model_report_left *left;
    size_t lefts;
};

/* Writes one object and a newline. */
void model_json_write(const struct model_report *report, const struct model_sink *sink);

/* Returns the name of a section of the report, from 0 on, and passes each key of its rows to
 * `take`, in the order of the rows; `take` may be NULL. Returns NULL after the last section.
 * Static. */
const char *model_json_section(unsigned at, void (*take)(void *to, const char *key), void *to);
/* Returns the name of the section with the rows of a table, or NULL. Static. */
const char *model_json_section_of(enum model_table table);

#endif
