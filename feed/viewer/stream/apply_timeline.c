/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * apply_timeline.c: applies the events of a trace. The rows of all groups have the id first, and
 * then how long before the frame's base they began.
 */
#include "config.h"

#include "feed/viewer/stream/apply_timeline.h"
#include "model/objects.h"

enum { BASE = 4 }; /* column of group `window` */

static uint64_t read_column(const struct wire_rows *rows, unsigned column, uint32_t at)
{
    uint64_t value;
    wire_column_read(&rows->column[column], at, 1, &value, NULL);
    return value;
}

static void say(struct model_job *job, const struct wire_rows *rows)
{
    uint64_t u[WIRE_COLUMNS];
    for (unsigned c = 0; c < WIRE_COLUMNS && rows->column[c].type != WIRE_NONE; c++)
        u[c] = read_column(rows, c, 0);
    const struct model_timeline said = {.number = u[0],
                                        .begin_ns = u[1],
                                        .until_ns = u[2],
                                        .why = u[3] < MODEL_TRACE_ENDS ? (enum model_trace_end)u[3]
                                                                       : MODEL_TRACE_STOPPED,
                                        .events = u[5],
                                        .dropped = u[6],
                                        .missed = u[7],
                                        .untimed = u[8]};
    model_job_set_timeline(job, &said);
}

static uint32_t thread_of(uint64_t thread_plus_1)
{
    return thread_plus_1 > 0 ? (uint32_t)(thread_plus_1 - 1) : MODEL_NONE;
}

/* Fills the fields that differ by group, from the columns after the first two. */
typedef void take_fn(const struct model_job *job, struct model_timeline_event *event,
                     const uint64_t *u);

static void take_call(const struct model_job *job, struct model_timeline_event *event,
                      const uint64_t *u)
{
    (void)job;
    event->value = u[2];
    event->thread = thread_of(u[3]);
    event->how = u[4] < MODEL_HOWS ? (uint8_t)u[4] : MODEL_HOW_TIMED;
}

static void take_run(const struct model_job *job, struct model_timeline_event *event,
                     const uint64_t *u)
{
    take_call(job, event, u);
    event->extra = u[5];
}

static void take_mark(const struct model_job *job, struct model_timeline_event *event,
                      const uint64_t *u)
{
    (void)job;
    event->how = u[2] < MODEL_MARK_SCOPES ? (uint8_t)u[2] : 0;
    event->thread = thread_of(u[3]);
    event->extra = u[4];
}

static void take_value(const struct model_job *job, struct model_timeline_event *event,
                       const uint64_t *u)
{
    const bool known = event->id < model_job_count(job, MODEL_COUNTER);
    const bool real = known && model_job_counter(job, event->id)->kind == MODEL_F64;
    event->value = real ? u[3] : (uint64_t)wire_unfold_i64(u[2]);
    event->thread = MODEL_NONE;
}

static const struct {
    enum wire_group group;
    enum model_timeline_kind kind;
    take_fn *take;
} groups[] = {
    {WIRE_G_APPLIED, MODEL_AT_APPLY, take_call}, {WIRE_G_CALLED, MODEL_AT_FUNCTION, take_call},
    {WIRE_G_RAN, MODEL_AT_RUN, take_run},        {WIRE_G_MARKED, MODEL_AT_MARK, take_mark},
    {WIRE_G_VALUED, MODEL_AT_VALUE, take_value},
};

void viewer_apply_timeline(struct model_job *job, const struct wire_frame *frame)
{
    const struct wire_rows *window = &frame->group[WIRE_G_WINDOW];
    if (!window->present || window->count == 0 || !model_job_timeline(job)->keeps)
        return;
    say(job, window);
    const uint64_t base_ns = read_column(window, BASE, 0);
    for (unsigned g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        const struct wire_rows *rows = &frame->group[groups[g].group];
        for (uint32_t i = 0; rows->present && i < rows->count; i++) {
            uint64_t u[WIRE_COLUMNS];
            for (unsigned c = 0; c < WIRE_COLUMNS && rows->column[c].type != WIRE_NONE; c++)
                u[c] = read_column(rows, c, i);
            struct model_timeline_event event = {.kind = (uint8_t)groups[g].kind,
                                                 .id = (uint32_t)u[0],
                                                 .start_ns = base_ns > u[1] ? base_ns - u[1] : 0};
            groups[g].take(job, &event, u);
            model_job_add_event(job, &event);
        }
    }
}
