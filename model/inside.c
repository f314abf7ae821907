/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * inside.c: follows what runs inside calls of an apply that do not count.
 */
#include "inside.h"

#include <stdlib.h>

#include "job_private.h"
#include "state_private.h"

/* Rows of a job of more applies are older than their frame says by up to LATE_NS: a call that is
 * over or open already may not look so yet. */
enum { MANY_APPLIES = 8192, LATE_NS = 1500000000 };

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* Whether the job tells which calls of the apply are open. Of values that others count it can't. */
static bool tells(const struct model_job *job, uint32_t apply)
{
    return job->identity.open == 1 && model_job_apply(job, apply)->source == MODEL_TIMED;
}

static uint64_t time_of(const struct model_apply_value *value, bool exclusive)
{
    const bool open = !exclusive && value->open_ns != MODEL_UNKNOWN;
    return open ? model_state_plus(value->total_ns, value->open_ns) : value->total_ns;
}

static void begin(struct model_inside *inside, const struct model_apply_value *value,
                  uint64_t inner_ns, bool told)
{
    const bool none = told && value->calls == 0 && value->open_ns == MODEL_UNKNOWN;
    *inside = (struct model_inside){
        .calls = value->calls, .base_ns = inner_ns, .beside_ns = none ? inner_ns : 0,
        .uncounted = none && inner_ns > 0, .known = true};
}

/* So much of what came is of no call of the apply that counts. A call that failed is not in the
 * apply's own time any more. */
static void leave_out(struct model_inside *inside, uint64_t ns)
{
    inside->beside_ns += ns;
    inside->base_ns += ns;
    inside->own_ns = 0;
}

/* A call that was open at the state before has failed, if those that are open have become shorter
 * and yet none has been counted. What is longer than these have been open was inside of that. */
static void meet_open(struct model_inside *inside, uint64_t open_ns, uint64_t inner_ns)
{
    const uint64_t pending_ns = less(inner_ns, inside->base_ns);
    if (open_ns < inside->open_ns)
        leave_out(inside, less(pending_ns, open_ns));
    inside->open_ns = open_ns;
    inside->idle_ns = 0;
}

/* Of the time of a function that runs inside an apply: the part that is of none of its calls that
 * count. */
static uint64_t take_beside(struct model_job *job, uint32_t function, uint64_t inner_ns)
{
    const uint32_t apply = model_job_function(job, function)->parent;
    const struct model_apply_value *value = &job->apply_value[apply];
    struct model_inside *inside = &job->inside[function];
    const bool told = tells(job, apply), open = value->open_ns != MODEL_UNKNOWN;
    if (!inside->known && job->complete)
        begin(inside, value, inner_ns, told);
    if (!inside->known)
        return 0;
    const uint64_t whole_ns = time_of(value, false);
    /* What was not counted has ended meanwhile: what came is more than what counts has taken. */
    if (inside->uncounted)
        leave_out(inside, less(less(inner_ns, inside->base_ns),
                               less(whole_ns, inside->whole_ns)));
    inside->uncounted = false;
    if (value->calls != inside->calls) {
        inside->base_ns = inner_ns;
        inside->open_ns = 0;
    }
    inside->calls = value->calls;
    if (open)
        meet_open(inside, value->open_ns, inner_ns);
    else if (inside->open_ns > 0) /* it failed */
        inside->own_ns = inside->open_ns = 0;
    if (inside->base_ns == inner_ns)
        inside->idle_ns = 0;
    if (open || inside->base_ns == inner_ns)
        return inside->beside_ns;
    /* It has run, and yet no call of the apply is open, nor has one been counted. Where nobody
     * tells which are open, one may be: it will be counted, with all this inside. */
    const uint64_t pending_ns = less(inner_ns, inside->base_ns);
    if (inside->idle_ns == 0)
        inside->idle_ns = job->mono_ns;
    const bool late = job->def[MODEL_APPLY].count > MANY_APPLIES;
    if (!told || (late && less(job->mono_ns, inside->idle_ns) < LATE_NS))
        return inside->beside_ns + pending_ns;
    leave_out(inside, pending_ns);
    inside->uncounted = true;
    inside->whole_ns = whole_ns;
    return inside->beside_ns;
}

uint64_t model_inside_whole(const struct model_job *job, uint32_t apply, uint64_t inner_ns)
{
    const bool exclusive = model_job_apply(job, apply)->exclusive;
    const uint64_t total_ns = time_of(&job->apply_value[apply], exclusive);
    if (exclusive)
        return model_state_plus(total_ns, inner_ns);
    return total_ns > inner_ns ? total_ns : inner_ns;
}

/* An apply that runs a function is defined before that function, so its own function has a lower
 * id: going down the ids, the inclusive time of a function is whole before it is handed on. */
void model_inside_sum(struct model_job *job, uint64_t *inclusive, uint64_t *inner)
{
    for (uint32_t f = job->def[MODEL_FUNCTION].count; f-- > 0;) {
        const uint32_t apply = model_job_function(job, f)->parent;
        if (apply == MODEL_NONE)
            continue;
        const struct model_apply_def *def = model_job_apply(job, apply);
        const uint64_t before_ns = model_inside_whole(job, apply, inner[apply]);
        const uint64_t beside_ns = def->exclusive ? 0 : take_beside(job, f, inclusive[f]);
        job->inside[f].left_ns = beside_ns;
        inner[apply] = model_state_plus(inner[apply], less(inclusive[f], beside_ns));
        inclusive[def->function] = model_state_plus(
            inclusive[def->function],
            model_inside_whole(job, apply, inner[apply]) - before_ns + beside_ns);
    }
}

uint64_t model_inside_beside(const struct model_job *job, uint32_t function)
{
    return job->inside[function].left_ns;
}

void model_inside_follow(struct model_job *job)
{
    const uint32_t functions = job->def[MODEL_FUNCTION].count;
    const uint32_t applies = job->def[MODEL_APPLY].count;
    if (!job->nested || !job->complete || applies > MANY_APPLIES)
        return;
    uint64_t *inclusive = calloc(functions, sizeof(*inclusive));
    uint64_t *inner = calloc(applies, sizeof(*inner));
    for (uint32_t i = 0; inclusive && inner && i < applies; i++) {
        const struct model_apply_def *def = model_job_apply(job, i);
        inclusive[def->function] = model_state_plus(
            inclusive[def->function], time_of(&job->apply_value[i], def->exclusive));
    }
    if (inclusive && inner)
        model_inside_sum(job, inclusive, inner);
    free(inclusive);
    free(inner);
}

uint64_t model_inside_own(struct model_job *job, uint32_t function, uint64_t own_ns)
{
    struct model_inside *inside = &job->inside[function];
    if (!inside->known || own_ns == MODEL_UNKNOWN)
        return own_ns;
    if (own_ns < inside->own_ns || (job->amid && inside->own_ns > 0))
        return inside->own_ns;
    if (!job->amid)
        inside->own_ns = own_ns;
    return own_ns;
}
