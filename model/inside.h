/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * inside.h: how much of the time of the functions that run inside an apply belongs to its calls
 * that count: those that were counted, and those that are open and will be.
 *
 * A function may also run inside a call that nobody counts: one that began before counting did, or
 * that fails in the end. Its nodes count all the same. So such time is no part of the apply's, and
 * taking it off would make the apply's own time too small for good.
 */
#ifndef MODEL_INSIDE_H
#define MODEL_INSIDE_H

#include "job.h"

/* What a job remembers of a function that runs inside an apply, from one
 * tick to the next, or, where there are many applies, from one state to the next. */
struct model_inside {
    uint64_t calls;     /* of the apply, then */
    uint64_t base_ns;   /* time of the function when a call of the apply was counted last */
    uint64_t beside_ns; /* of the function's time, that in calls of the apply that do not count */
    uint64_t left_ns;   /* beside_ns, and what may turn out to be of it */
    uint64_t open_ns;   /* of calls of the apply that were open then */
    uint64_t idle_ns;   /* since when no call of the apply is open; 0: one is */
    uint64_t own_ns;    /* the apply's own time, as the largest state had it */
    uint64_t whole_ns;  /* of the apply, while it ran in a call that is not counted */
    bool uncounted;     /* it did, then */
    bool known;         /* there was such a time */
};

/* Adds to the time of each function, `inclusive`, which is that of its applies, what ran inside of
 * these beyond it. `inner`, by apply, is 0 and becomes the time of the functions inside that
 * belongs to its calls. What the job remembers goes on to the values that it has now. */
void model_inside_sum(struct model_job *job, uint64_t *inclusive, uint64_t *inner);

/* Of the time of a function, as it was summed last, what is of no call that counts. */
uint64_t model_inside_beside(const struct model_job *job, uint32_t function);

/* Time of an apply with all that ran inside its calls. Where it lacks what its parts have, these
 * are the better figure. */
uint64_t model_inside_whole(const struct model_job *job, uint32_t apply, uint64_t inner_ns);

/* All values of a tick have come. */
void model_inside_follow(struct model_job *job);

/* The own time of the apply that has this function inside: never less than it was, since it only
 * seems so where its parts are newer than the whole. */
uint64_t model_inside_own(struct model_job *job, uint32_t function, uint64_t own_ns);

#endif
