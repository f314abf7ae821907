/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * timeline.c: keeps the events of a trace.
 */
#include "model/timeline.h"

#include <stdlib.h>

#include "model/job_private.h"

void model_job_keep_timeline(struct model_job *job, uint64_t limit)
{
    job->timeline.keeps = true;
    job->timeline.limit = limit;
}

const struct model_timeline *model_job_timeline(const struct model_job *job)
{
    return &job->timeline;
}

void model_timeline_release(struct model_timeline *timeline)
{
    free(timeline->event);
    *timeline = (struct model_timeline){0};
}

void model_job_set_timeline(struct model_job *job, const struct model_timeline *said)
{
    struct model_timeline *timeline = &job->timeline;
    if (!timeline->keeps)
        return;
    if (said->number != timeline->number) {
        const uint64_t limit = timeline->limit;
        model_timeline_release(timeline);
        model_job_keep_timeline(job, limit);
    }
    timeline->number = said->number;
    timeline->begin_ns = said->begin_ns;
    timeline->until_ns = said->until_ns;
    timeline->why = said->why;
    timeline->events = said->events;
    timeline->dropped = said->dropped;
    timeline->missed = said->missed;
    timeline->untimed = said->untimed;
}

/* Makes space for one more event. */
static bool has_room(struct model_timeline *timeline)
{
    if (timeline->count < timeline->capacity)
        return true;
    const size_t capacity = timeline->capacity + timeline->capacity / 2 + 1024;
    struct model_timeline_event *grown =
        realloc(timeline->event, capacity * sizeof *timeline->event);
    if (!grown)
        return false;
    timeline->event = grown;
    timeline->capacity = capacity;
    return true;
}

void model_job_add_event(struct model_job *job, const struct model_timeline_event *event)
{
    static const enum model_table tables[MODEL_AT_KINDS] = {MODEL_APPLY, MODEL_FUNCTION, MODEL_SPAN,
                                                            MODEL_MARKER, MODEL_COUNTER};
    struct model_timeline *timeline = &job->timeline;
    if (!timeline->keeps)
        return;
    const bool known =
        event->id < model_job_count(job, tables[event->kind]) &&
        (event->thread == MODEL_NONE || event->thread < model_job_count(job, MODEL_THREAD));
    if (!known || timeline->count >= timeline->limit || !has_room(timeline)) {
        timeline->refused++;
        return;
    }
    timeline->event[timeline->count++] = *event;
    timeline->kinds[event->kind]++;
    timeline->open += event->kind <= MODEL_AT_RUN && event->how == MODEL_HOW_OPEN;
}

uint64_t model_timeline_lost(const struct model_timeline *timeline)
{
    const uint64_t came = timeline->count + timeline->refused;
    const uint64_t gone = timeline->events > came ? timeline->events - came : 0;
    return timeline->dropped + timeline->missed + timeline->refused + gone;
}
