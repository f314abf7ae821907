/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * inside.h: how much of the time of the functions that run inside an apply belongs to its calls
 * that count: those that were counted, and those that are open and will be.
 *
 * A function may also run inside a call that nobody counts: one that began before counting did, or
 * that fails in the end. Its nodes count all the same. So such time is no part of the apply's, and
 * taking it off would make the apply's own time too small for good.
 *
 * The job owns what it remembers of this (`job->inside`). The values of a tick change it once: at
 * the end of the tick, or, in a job of many applies, when the next state is taken. To take another
 * state changes nothing, nor does a state amid a tick.
 */
#ifndef MODEL_INSIDE_H
#define MODEL_INSIDE_H

#include "model/job.h"

/* What a job remembers of a function that runs inside an apply, as of the values before. */
struct model_inside {
    uint64_t calls;     /* of the apply */
    uint64_t base_ns;   /* time of the function, less what may be of a call that is open */
    uint64_t beside_ns; /* time of the function in calls of the apply that do not count */
    uint64_t left_ns;   /* beside_ns, and what may turn out to be of it */
    uint64_t open_ns;   /* of calls of the apply that are open */
    uint64_t idle_ns;   /* when the function was first seen to run with no such call; 0: not */
    uint64_t own_ns;    /* the apply's own time, the largest that a state had */
    uint64_t whole_ns;  /* time of the apply, where `uncounted` */
    bool uncounted;     /* the function runs in a call of the apply that does not count */
    bool known;         /* there were values before */
};

/* Whether any function of the job runs inside another. */
bool model_inside_any(const struct model_job *job);

/* Adds what ran inside the applies of each function, beyond their own time, to `inclusive`: before,
 * it is the time of the function's applies. `inner`, by apply, is 0 and becomes the time of the
 * functions inside that belongs to the calls of the apply. Goes on to the job's values first, if
 * they are new and of one tick. */
void model_inside_sum(struct model_job *job, uint64_t *inclusive, uint64_t *inner);

/* Of the time of a function, as it was summed last, what is of no call that counts. */
uint64_t model_inside_beside(const struct model_job *job, uint32_t function);

/* Time of an apply with all that ran inside its calls. Where it lacks what its parts have, these
 * are the better figure. */
uint64_t model_inside_whole(const struct model_job *job, uint32_t apply, uint64_t inner_ns);

/* Goes on to the values of a tick, which have all come. */
void model_inside_follow(struct model_job *job);

/* The own time of the apply that has this function inside: never less than it was, since it only
 * seems so where its parts are newer than the whole. */
uint64_t model_inside_own(struct model_job *job, uint32_t function, uint64_t own_ns);

#endif
