/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * inside.c: tracks the time of functions inside uncounted calls of an apply.
 */
#include "model/inside.h"

#include <stdlib.h>

#include "model/job_private.h"
#include "model/state_private.h"

/* In a job with more than MANY_APPLIES applies, rows may be older than their frame by up to
 * LATE_NS. A call that has already ended or started may not show it yet. */
enum { MANY_APPLIES = 8192, LATE_NS = 1500000000 };

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* True if the job reports open calls of the apply. It cannot for values from an external
 * counter. */
static bool reports_open(const struct model_job *job, uint32_t apply)
{
    return job->identity.open == 1 && model_job_apply(job, apply)->source == MODEL_TIMED;
}

static uint64_t time_of(const struct model_apply_value *value, bool exclusive)
{
    const bool open = !exclusive && value->open_ns != MODEL_UNKNOWN;
    return open ? model_state_plus(value->total_ns, value->open_ns) : value->total_ns;
}

static void begin(struct model_inside *inside, const struct model_apply_value *value,
                  uint64_t inner_ns, bool reported)
{
    const bool none = reported && value->calls == 0 && value->open_ns == MODEL_UNKNOWN;
    *inside = (struct model_inside){
        .calls = value->calls, .base_ns = inner_ns, .beside_ns = none ? inner_ns : 0,
        .uncounted = none && inner_ns > 0, .known = true};
}

/* Records that `ns` of the function's new time belongs to no counted call of the apply. */
static void leave_out(struct model_inside *inside, uint64_t ns)
{
    inside->beside_ns += ns;
    inside->base_ns += ns;
}

/* Detects a failed call: the open calls became shorter and none was counted. Pending time beyond
 * the calls open now was inside the failed call. The failed call's time is no longer in the apply's
 * own time. */
static void follow_open(struct model_inside *inside, uint64_t open_ns, uint64_t pending_ns)
{
    const bool failed = open_ns == MODEL_UNKNOWN ? inside->open_ns > 0 : open_ns < inside->open_ns;
    if (failed)
        inside->own_ns = 0;
    if (failed && open_ns != MODEL_UNKNOWN)
        leave_out(inside, less(pending_ns, open_ns));
    inside->open_ns = open_ns == MODEL_UNKNOWN ? 0 : open_ns;
}

/* Advances to the new values: updates `beside_ns` and `left_ns`. */
static void follow(struct model_job *job, uint32_t function, uint64_t inner_ns)
{
    const uint32_t apply = model_job_function(job, function)->parent;
    const struct model_apply_value *value = &job->values.apply[apply];
    struct model_inside *inside = &job->values.inside[function];
    const bool reported = reports_open(job, apply), open = value->open_ns != MODEL_UNKNOWN;
    model_touch(job, MODEL_V_INSIDE, function);
    const uint64_t whole_ns = time_of(value, false);
    if (!inside->known)
        begin(inside, value, inner_ns, reported);
    const bool counted = value->calls != inside->calls;
    /* The new time belongs to the uncounted call, except for the time of counted calls. */
    if (inside->uncounted)
        leave_out(inside, less(less(inner_ns, inside->base_ns),
                               less(whole_ns, inside->whole_ns)));
    inside->uncounted = inside->uncounted && !counted && !open;
    if (counted) {
        inside->calls = value->calls;
        inside->base_ns = inner_ns;
        inside->open_ns = 0;
    }
    follow_open(inside, value->open_ns, less(inner_ns, inside->base_ns));
    const uint64_t pending_ns = less(inner_ns, inside->base_ns);
    inside->left_ns = inside->beside_ns;
    if (open || pending_ns == 0) {
        inside->idle_ns = 0;
        return;
    }
    /* The function has run, but no call of the apply is open or was counted. If the job does not
     * report open calls, one may be open. That call will be counted, with this time inside. */
    inside->left_ns += pending_ns;
    if (inside->idle_ns == 0)
        inside->idle_ns = job->mono_ns;
    const bool late = job->def[MODEL_APPLY].count > MANY_APPLIES;
    if (!reported || (late && less(job->mono_ns, inside->idle_ns) < LATE_NS))
        return;
    leave_out(inside, pending_ns);
    inside->uncounted = true;
    inside->whole_ns = whole_ns;
}

bool model_inside_any(const struct model_job *job)
{
    return job->nested;
}

uint64_t model_inside_whole(const struct model_job *job, uint32_t apply, uint64_t inner_ns)
{
    const bool exclusive = model_job_apply(job, apply)->exclusive;
    const uint64_t total_ns = time_of(&job->values.apply[apply], exclusive);
    if (exclusive)
        return model_state_plus(total_ns, inner_ns);
    return total_ns > inner_ns ? total_ns : inner_ns;
}

/* An apply is defined before the function it runs, so the apply's function has the lower id.
 * Iterating downwards completes the inclusive time of a function before it is passed on. */
void model_inside_sum(struct model_job *job, uint64_t *inclusive, uint64_t *inner)
{
    const bool follows = job->complete && !job->amid && !job->followed;
    for (uint32_t f = job->def[MODEL_FUNCTION].count; f-- > 0;) {
        const uint32_t apply = model_job_function(job, f)->parent;
        if (apply == MODEL_NONE)
            continue;
        const struct model_apply_def *def = model_job_apply(job, apply);
        const uint64_t before_ns = model_inside_whole(job, apply, inner[apply]);
        if (follows && !def->exclusive)
            follow(job, f, inclusive[f]);
        const uint64_t beside_ns = job->values.inside[f].left_ns;
        inner[apply] = model_state_plus(inner[apply], less(inclusive[f], beside_ns));
        inclusive[def->function] = model_state_plus(
            inclusive[def->function],
            model_inside_whole(job, apply, inner[apply]) - before_ns + beside_ns);
    }
    job->followed |= follows;
}

uint64_t model_inside_beside(const struct model_job *job, uint32_t function)
{
    return job->values.inside[function].left_ns;
}

void model_inside_follow(struct model_job *job)
{
    const uint32_t functions = job->def[MODEL_FUNCTION].count;
    const uint32_t applies = job->def[MODEL_APPLY].count;
    if (!job->nested || !job->complete || job->followed || applies > MANY_APPLIES)
        return;
    uint64_t *inclusive = calloc(functions, sizeof(*inclusive));
    uint64_t *inner = calloc(applies, sizeof(*inner));
    for (uint32_t i = 0; inclusive && inner && i < applies; i++) {
        const struct model_apply_def *def = model_job_apply(job, i);
        inclusive[def->function] = model_state_plus(inclusive[def->function],
                                                    time_of(&job->values.apply[i], def->exclusive));
    }
    if (inclusive && inner)
        model_inside_sum(job, inclusive, inner);
    free(inclusive);
    free(inner);
}

uint64_t model_inside_own(struct model_job *job, uint32_t function, uint64_t own_ns)
{
    struct model_inside *inside = &job->values.inside[function];
    if (!inside->known || own_ns == MODEL_UNKNOWN)
        return own_ns;
    if (own_ns < inside->own_ns || (job->amid && inside->own_ns > 0))
        return inside->own_ns;
    if (!job->amid && inside->own_ns != own_ns) {
        model_touch(job, MODEL_V_INSIDE, function);
        inside->own_ns = own_ns;
    }
    return own_ns;
}
