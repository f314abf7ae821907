/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * multi_job.h: several jobs in one state: their rows added up, or side by side, or compared. It
 * stands beside the way of one job: a state of one comes from model_state_take() as ever. What it
 * gives is a state as well, so that panes, views and reports draw it as they draw that of one job.
 *
 * Each job has its own state first, from which the rows are added up by structural key; so a sum is
 * the sum of what the jobs show, self times and all. What cannot be added up is unknown: last call,
 * percentiles. Counters, spans, memory and markers are those of each job. Values of jobs that are
 * over stay in it.
 */
#ifndef MODEL_MULTI_JOB_H
#define MODEL_MULTI_JOB_H

#include "model/link.h"
#include "model/state.h"
#include "model/straggler.h"

enum model_fleet_view {
    MODEL_FLEET_SUM,   /* one row for what is one by its key */
    MODEL_FLEET_RANKS, /* the same, with least, median and most of the jobs for each row */
    MODEL_FLEET_EACH,  /* one row for each job */
    MODEL_FLEET_VIEWS
};

enum { MODEL_LABEL_MAX = 48, MODEL_FLEET_MARKS = 100 };

/* Time of a row over the jobs that have it. */
struct model_ranks {
    uint64_t min_ns, median_ns, max_ns;
    uint32_t most; /* place of the job with the maximum */
    uint32_t jobs; /* how many have it */
};

/* One job of a state of several. */
struct model_fleet_job {
    char label[MODEL_LABEL_MAX]; /* "rank 3", "worker 1", "26338": safe for the screen */
    struct model_text name;      /* the same */
    struct model_job *job;       /* one reference is held, or NULL: it has not said hello */
    enum model_link_state link;
    unsigned standing; /* model_link_standing() */
    bool there;       /* its values are in the sum */
    uint64_t calls;   /* of its functions */
    uint64_t time_ns; /* self times of all its rows in scope */
    uint64_t wait_ns; /* of these of applies that wait for jobs; MODEL_UNKNOWN: none ever did */
    uint64_t interval_time_ns;
    uint32_t open; /* apply that it has been in for longest, or MODEL_NONE */
    uint64_t open_ns;
    struct model_objects objects; /* of its state; the newest MODEL_FLEET_MARKS instants of it */
    uint64_t mono_ns;             /* stamp of its state, by the job's own clock */
};

/* What a state of several jobs has beside the rows. */
struct model_fleet_state {
    enum model_fleet_view view;
    struct model_fleet_job *job;
    size_t jobs;
    size_t live, old, over; /* whose figures are of now; stale or not there yet; ended or gone */
    uint32_t *of[MODEL_ROW_TABLES]; /* place of the job of a row: MODEL_FLEET_EACH, else NULL */
    struct model_ranks *ranks[MODEL_ROW_TABLES]; /* by row: MODEL_FLEET_RANKS, else NULL */
    struct model_slow slow;
    struct model_hung hung;
};

/* A job of the fleet as it is given for a state. */
struct model_fleet_member {
    struct model_job *job;         /* borrowed; NULL: nothing was heard of it */
    const struct model_link *link; /* borrowed */
};

struct model_fleet;

struct model_fleet *model_fleet_new(void); /* NULL: out of memory */
void model_fleet_free(struct model_fleet **fleet);

/* Takes the state of all jobs now. `scope` is a function of the state before of this view, or
 * MODEL_ALL. Gives a state that the caller frees; NULL: out of memory. */
struct model_state *model_fleet_take(struct model_fleet *fleet, enum model_fleet_view view,
                                     uint32_t scope, const struct model_fleet_member *member,
                                     size_t members);
/* Whether the intervals of the next state begin where those of this one did. */
void model_fleet_extend(struct model_fleet *fleet, bool extends);
/* The state of the job in a place that went into it, or NULL. Borrowed until the next one. */
const struct model_state *model_fleet_one(const struct model_fleet *fleet, size_t at);
void model_fleet_state_free(struct model_fleet_state **state);

/* What a job is called among others. Returns `out`. */
const char *model_fleet_label(const struct model_identity *identity, char out[MODEL_LABEL_MAX]);

/* Parts of it are not of now, or are missing. What has ended and said its last is whole. */
bool model_fleet_partial(const struct model_fleet_state *state);

/* A sentence about who is slow or hangs, safe for the screen; "" if there is nothing to say. True:
 * it is about one that hangs. */
bool model_fleet_trouble(const struct model_fleet_state *state, char *out, size_t capacity);

#endif
