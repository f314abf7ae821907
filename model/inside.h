/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * inside.h: splits the time of functions that run inside an apply. Finds the part that belongs to
 * counted calls of the apply: calls already counted, and open calls that will be counted.
 *
 * A function may also run inside an uncounted call: a call that began before counting started, or a
 * call that fails. The nodes of the function still count. Such time is not part of the apply's
 * time. Subtracting it would make the apply's own time too small for good.
 *
 * The job keeps this state (in its values). The values of a tick change it once: at the end of the
 * tick, or, in a job of many applies, when the next state is taken. Taking another state changes
 * nothing, and neither does taking a state in the middle of a tick.
 */
#ifndef MODEL_INSIDE_H
#define MODEL_INSIDE_H

#include "model/job.h"

/* State of a function that runs inside an apply, as of the previous values. */
struct model_inside {
    uint64_t calls;     /* of the apply */
    uint64_t base_ns;   /* time of the function, without the part that may belong to an open call */
    uint64_t beside_ns; /* time of the function in uncounted calls of the apply */
    uint64_t left_ns;   /* beside_ns, plus the part that may turn out to belong to it */
    uint64_t open_ns;   /* time of open calls of the apply */
    uint64_t idle_ns;   /* when the function was first seen to run without an open call; 0: never */
    uint64_t own_ns;    /* the apply's own time, the largest value in any state */
    uint64_t whole_ns;  /* time of the apply, while `uncounted` */
    uint32_t uncounted; /* 1: the function runs in an uncounted call of the apply */
    uint32_t known;     /* 1: earlier values exist. There is no padding (moment.h) */
};

/* True if any function of the job runs inside another. */
bool model_inside_any(const struct model_job *job);

/* Adds the time that ran inside the applies of each function, beyond their own time, to
 * `inclusive`. On entry `inclusive` is the time of the function's applies. `inner`, by apply, is 0
 * on entry and becomes the time of the inner functions that belongs to calls of the apply. First
 * advances that state to the job's values if they are new and of one tick. */
void model_inside_sum(struct model_job *job, uint64_t *inclusive, uint64_t *inner);

/* Returns the time of a function, as last summed, that belongs to no counted call. */
uint64_t model_inside_beside(const struct model_job *job, uint32_t function);

/* Returns the time of an apply with everything inside its calls. Uses the sum of the parts if it is
 * larger than the apply's time. */
uint64_t model_inside_whole(const struct model_job *job, uint32_t apply, uint64_t inner_ns);

/* Advances the state to the values of a complete tick. */
void model_inside_follow(struct model_job *job);

/* Returns the own time of the apply that contains this function. It never falls: it only seems to
 * fall if its parts are newer than the whole. */
uint64_t model_inside_own(struct model_job *job, uint32_t function, uint64_t own_ns);

#endif
