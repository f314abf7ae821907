/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * multi_job.h: several jobs in one state: rows added up, side by side, or compared. A state of one
 * job still comes from model_state_take(). The result is a state too, so panes, views and reports
 * draw it as they draw a state of one job.
 *
 * Each job first gets its own state. Rows are added up from these states by structural key, so a
 * sum equals the sum of the displayed rows of the jobs, self times included. Figures that cannot be
 * added are unknown: last call, percentiles. Counters, spans, memory and markers stay separate for
 * each job. Values of ended jobs stay in the sum.
 */
#ifndef MODEL_MULTI_JOB_H
#define MODEL_MULTI_JOB_H

#include "model/link.h"
#include "model/state.h"
#include "model/straggler.h"

enum model_multi_job_view {
    MODEL_MULTI_JOB_SUM,   /* one row for each structural key */
    MODEL_MULTI_JOB_RANKS, /* as SUM, with minimum, median and maximum over the jobs for each row */
    MODEL_MULTI_JOB_EACH,  /* a separate row for each job */
    MODEL_MULTI_JOB_VIEWS
};

enum { MODEL_LABEL_MAX = 48, MODEL_MULTI_JOB_MARKS = 100 };

/* Time of a row over the jobs that have the row. */
struct model_ranks {
    uint64_t min_ns, median_ns, max_ns;
    uint32_t most; /* position of the job with the maximum */
    uint32_t jobs; /* number of jobs that have the row */
};

/* One job in a state of several jobs. */
struct model_multi_job_entry {
    char label[MODEL_LABEL_MAX]; /* "rank 3", "worker 1", "26338": safe for the screen */
    struct model_text name;      /* `label` as a text */
    struct model_job *job;       /* holds one reference; NULL: no hello yet */
    enum model_link_state link;
    unsigned standing; /* model_link_standing() */
    bool lingers;      /* it is over, but its process is still there */
    bool there;        /* the sum includes its values */
    uint64_t calls;    /* calls of its functions */
    uint64_t time_ns; /* self times of all its rows in scope */
    uint64_t wait_ns; /* the part in applies that wait for jobs; MODEL_UNKNOWN: none ever did */
    uint64_t interval_time_ns;
    uint32_t open; /* the apply that has been open longest, or MODEL_NONE */
    uint64_t open_ns;
    enum model_hang_role role; /* in a hang */
    uint32_t waits_in;         /* the waiting apply that has been open longest, or MODEL_NONE */
    uint64_t waits_in_ns;      /* for how long */
    uint64_t quiet_ns; /* how long no call of any op was counted; MODEL_UNKNOWN: no values */
    struct model_objects objects; /* with the newest MODEL_MULTI_JOB_MARKS instants of its state */
    uint64_t mono_ns;             /* stamp of its state, by the job's own clock */
};

/* The part of a state of several jobs that is not rows. */
struct model_multi_job_state {
    enum model_multi_job_view view;
    struct model_multi_job_entry *job;
    size_t jobs;
    size_t live, old, over;         /* jobs: up to date; stale or not connected yet; over */
    uint32_t
        *of[MODEL_ROW_TABLES]; /* by row: position of its job; NULL unless MODEL_MULTI_JOB_EACH */
    struct model_ranks *ranks[MODEL_ROW_TABLES]; /* by row; NULL unless MODEL_MULTI_JOB_RANKS */
    struct model_slow slow;
    struct model_hung hung;
};

/* Input: one of the jobs. */
struct model_multi_job_member {
    struct model_job *job;         /* borrowed; NULL: nothing was received yet */
    const struct model_link *link; /* borrowed */
};

struct model_multi_job;

struct model_multi_job *model_multi_job_new(void); /* NULL: out of memory */
void model_multi_job_free(struct model_multi_job **multi_job);

/* Takes the state of all jobs now. `scope` is a function in the previous state of this view, or
 * MODEL_ALL. The caller frees the result. Returns NULL if out of memory. */
struct model_state *model_multi_job_take(struct model_multi_job *multi_job,
                                         enum model_multi_job_view view, uint32_t scope,
                                         const struct model_multi_job_member *member,
                                         size_t members);
/* Sets whether the intervals of the next state begin where those of the latest state began. */
void model_multi_job_extend(struct model_multi_job *multi_job, bool extends);
/* Returns the state of the job at a position in the latest sum, or NULL. Borrowed until the next
 * model_multi_job_take(). */
const struct model_state *model_multi_job_one(const struct model_multi_job *multi_job, size_t at);
void model_multi_job_state_free(struct model_multi_job_state **state);

/* Writes the label of a job among several jobs. Returns `out`. */
const char *model_multi_job_label(const struct model_identity *identity, char out[MODEL_LABEL_MAX]);

/* True if the figures of any job are missing or out of date. A job that has ended and sent its last
 * values is complete. */
bool model_multi_job_partial(const struct model_multi_job_state *state);

/* Writes a sentence about the job that is slow or hangs, safe for the screen; "" if there is none.
 * Returns true if the job hangs. */
bool model_multi_job_trouble(const struct model_multi_job_state *state, char *out, size_t capacity);

#endif
