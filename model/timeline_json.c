/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * timeline_json.c: writes the events of a trace in Chrome's trace format ("Trace Event Format"):
 * one object with `traceEvents`, times in microseconds with three decimals. Calls and runs of a
 * thread that are nested are complete events ("X"); one that overlaps another is a pair ("b", "e"),
 * since a viewer of traces would cut it.
 */
#include "model/timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/job_private.h"
#include "model/trace_writer.h"

enum { SHAPES = 256 };

/* -------------------------------------------------------------------------------------- sorting */

/* Enclosing events first. Functions enclose applies that took as long. */
static int compare_times(const struct model_timeline_event *a, const struct model_timeline_event *b)
{
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    const bool times = a->kind <= MODEL_AT_RUN && b->kind <= MODEL_AT_RUN;
    if (times && a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return (a->kind < b->kind) - (a->kind > b->kind);
}

static int by_time(const void *left, const void *right)
{
    return compare_times(left, right);
}

static int by_thread(const void *left, const void *right)
{
    const struct model_timeline_event *a = left, *b = right;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return compare_times(a, b);
}

static uint64_t end_of(const struct model_timeline_event *event)
{
    return event->start_ns + event->value;
}

/* Marks the events that are not nested. `around`: ends of the enclosing events. */
static void find_overlaps(struct model_timeline *timeline, uint64_t *around)
{
    size_t deep = 0;
    uint32_t thread = MODEL_NONE;
    for (size_t i = 0; i < timeline->count; i++) {
        struct model_timeline_event *event = &timeline->event[i];
        event->overlaps = false;
        if (event->kind > MODEL_AT_RUN)
            continue;
        deep = event->thread == thread ? deep : 0;
        thread = event->thread;
        while (deep > 0 && around[deep - 1] <= event->start_ns)
            deep--;
        event->overlaps = deep > 0 && end_of(event) > around[deep - 1];
        if (!event->overlaps)
            around[deep++] = end_of(event);
    }
}

/* Sorts by time. Without memory for it all events are pairs. */
static void sort(struct model_timeline *timeline)
{
    uint64_t *around = malloc(timeline->count * sizeof *around + 1);
    if (timeline->count > 1)
        qsort(timeline->event, timeline->count, sizeof *timeline->event, by_thread);
    if (around)
        find_overlaps(timeline, around);
    for (size_t i = 0; !around && i < timeline->count; i++)
        timeline->event[i].overlaps = true;
    free(around);
    if (timeline->count > 1)
        qsort(timeline->event, timeline->count, sizeof *timeline->event, by_time);
}

/* ---------------------------------------------------------------------------------------- parts */

/* The name, category and arguments of an event. */
struct words {
    struct model_text name, category;
};

/* Returns the name and the category of an event. A domain is the category. */
static struct words words_of(const struct model_job *job, const struct model_timeline_event *event)
{
    const uint32_t id = event->id;
    static char function[] = "function";
    static const struct model_text functions = {.raw = function, .raw_size = sizeof function - 1};
    switch (event->kind) {
    case MODEL_AT_APPLY:
        return (struct words){
            *model_trace_op(job, id),
            model_job_class(job, model_job_op(job, model_job_apply(job, id)->op)->op_class)->name};
    case MODEL_AT_FUNCTION:
        return (struct words){model_job_function(job, id)->name, functions};
    case MODEL_AT_RUN:
        return (struct words){model_job_span(job, id)->name, model_job_span(job, id)->domain};
    case MODEL_AT_MARK:
        return (struct words){model_job_marker(job, id)->name, model_job_marker(job, id)->domain};
    default:
        return (struct words){model_job_counter(job, id)->name, model_job_counter(job, id)->domain};
    }
}

static uint64_t tid_of(const struct model_job *job, uint32_t thread)
{
    return thread == MODEL_NONE ? 0 : model_job_thread(job, thread)->tid;
}

/* Begins an event, up to its time. */
static void begin(struct model_put *p, const struct model_job *job,
                  const struct model_timeline_event *event, const char *phase, uint64_t at_ns)
{
    const struct words words = words_of(job, event);
    model_trace_put_begin(p);
    model_trace_put_text(p, "name", &words.name);
    model_trace_put_text(p, "cat", &words.category);
    model_trace_put_word(p, "ph", phase);
    model_trace_put_number(p, "pid", model_job_identity(job)->pid);
    model_trace_put_number(p, "tid", tid_of(job, event->thread));
    model_trace_put_time(p, "ts", at_ns);
}

static void put_apply_args(struct model_put *p, const struct model_job *job, uint32_t apply)
{
    const struct model_apply_def *def = model_job_apply(job, apply);
    const struct model_about *about = model_job_about(job, apply);
    const struct model_text *line = &model_job_line(job, def->line)->text;
    char shapes[SHAPES];
    model_trace_put_number(p, "apply", apply);
    model_trace_put_text(p, "function", &model_job_function(job, def->function)->name);
    if (line->raw_size)
        model_trace_put_text(p, "line", line);
    if (about && model_about_shapes(about, shapes, sizeof shapes) > 0)
        model_trace_put_word(p, "shapes", shapes);
}

static void put_args(struct model_put *p, const struct model_job *job,
                     const struct model_timeline_event *event)
{
    static const char *const kinds[] = {"task", "frame", "event"};
    model_trace_put_args(p);
    if (event->kind == MODEL_AT_APPLY)
        put_apply_args(p, job, event->id);
    if (event->kind == MODEL_AT_FUNCTION && model_job_function(job, event->id)->file.raw_size)
        model_trace_put_text(p, "file", &model_job_function(job, event->id)->file);
    if (event->kind == MODEL_AT_RUN)
        model_trace_put_word(p, "kind", kinds[model_job_span(job, event->id)->kind]);
    if (event->kind == MODEL_AT_RUN && event->extra)
        model_trace_put_number(p, "frame", event->extra);
    if (event->how == MODEL_HOW_GIVEN)
        model_trace_put_word(p, "time", "given");
    if (event->how == MODEL_HOW_OPEN) {
        model_put_key(p, "open");
        model_put_bool(p, true);
    }
    model_trace_put_end(p);
}

/* ----------------------------------------------------------------------------------- the events */

static void put_interval(struct model_put *p, const struct model_job *job,
                         const struct model_timeline_event *event, size_t number)
{
    if (!event->overlaps) {
        begin(p, job, event, "X", event->start_ns);
        model_trace_put_time(p, "dur", event->value);
        put_args(p, job, event);
        return;
    }
    for (int end = 0; end < 2; end++) {
        begin(p, job, event, end ? "e" : "b", end ? end_of(event) : event->start_ns);
        model_trace_put_number(p, "id", number + 1);
        put_args(p, job, event);
    }
}

/* Scopes in Chrome's traces: g for all processes, p for one, t for a thread. */
static void put_mark(struct model_put *p, const struct model_job *job,
                     const struct model_timeline_event *event)
{
    static const char *const scopes[MODEL_MARK_SCOPES] = {"g", "p", "t", "t", "p"};
    begin(p, job, event, "i", event->start_ns);
    model_trace_put_word(p, "s", scopes[event->how]);
    model_trace_put_args(p);
    model_trace_put_word(p, "scope", model_mark_scopes[event->how]);
    if (event->extra && event->extra <= model_job_count(job, MODEL_SPAN))
        model_trace_put_text(p, "task", &model_job_span(job, (uint32_t)event->extra - 1)->name);
    model_trace_put_end(p);
}

enum { NAME_MAX_SHOWN = 200 };

static int shown(const struct model_text *text)
{
    return text->raw_size < NAME_MAX_SHOWN ? (int)text->raw_size : NAME_MAX_SHOWN;
}

/* Viewers of traces tell counters apart by name alone, so the name contains the domain. */
static void put_value(struct model_put *p, const struct model_job *job,
                      const struct model_timeline_event *event)
{
    const struct model_counter_def *def = model_job_counter(job, event->id);
    char name[512];
    union model_number value;
    value.u = event->value;
    const int size =
        snprintf(name, sizeof name, "%.*s%s%.*s", shown(&def->domain), model_text_raw(&def->domain),
                 def->name.raw_size ? ": " : "", shown(&def->name), model_text_raw(&def->name));
    model_trace_put_begin(p);
    model_put_key(p, "name");
    model_put_string(p, name, (size_t)size);
    model_trace_put_text(p, "cat", &def->domain);
    model_trace_put_word(p, "ph", "C");
    model_trace_put_number(p, "pid", model_job_identity(job)->pid);
    model_trace_put_number(p, "tid", 0);
    model_trace_put_time(p, "ts", event->start_ns);
    model_trace_put_args(p);
    model_put_key(p, def->kind == MODEL_MEMORY ? "bytes" : "value");
    if (def->kind == MODEL_F64)
        model_put_f64(p, value.d);
    else if (def->kind == MODEL_I64)
        model_put_i64(p, value.i);
    else
        model_put_u64(p, value.u);
    model_trace_put_end(p);
}

static void put_names(struct model_put *p, const struct model_job *job)
{
    const struct model_identity *who = model_job_identity(job);
    model_trace_put_name(p, "process_name", who->pid, 0, model_text_raw(&who->program),
                         who->program.raw_size);
    for (uint32_t id = 0; id < model_job_count(job, MODEL_THREAD); id++) {
        const struct model_thread_def *thread = model_job_thread(job, id);
        if (thread->name.raw_size)
            model_trace_put_name(p, "thread_name", who->pid, thread->tid,
                                 model_text_raw(&thread->name), thread->name.raw_size);
    }
}

/* ------------------------------------------------------------------------------------ the facts */

static const char *const ends[MODEL_TRACE_ENDS] = {
    [MODEL_TRACE_RUNS] = "unknown: the last events did not come",
    [MODEL_TRACE_TIME] = "the time was over",
    [MODEL_TRACE_STOPPED] = "a viewer asked for it",
    [MODEL_TRACE_UNHEARD] = "no viewer listened",
    [MODEL_TRACE_CLOSED] = "the job ended",
};

/* Counts the applies without events: their values are set as sums by somebody else. */
static uint64_t applies_without(const struct model_job *job)
{
    uint64_t count = 0;
    for (uint32_t id = 0; id < model_job_count(job, MODEL_APPLY); id++)
        count += model_job_apply(job, id)->source == MODEL_SET;
    return count;
}

static void put_facts(struct model_put *p, const struct model_job *job, uint64_t wall_ns)
{
    static const char *const kinds[MODEL_AT_KINDS] = {"op_events", "function_events", "span_events",
                                                      "instants", "counter_values"};
    const struct model_timeline *timeline = &job->timeline;
    const struct model_identity *who = model_job_identity(job);
    const bool ended = timeline->until_ns != MODEL_UNKNOWN;
    model_put_open(p);
    model_trace_put_word(p, "program", "proftop");
    model_trace_put_text(p, "job", &who->program);
    model_trace_put_text(p, "host", &who->host);
    model_trace_put_text(p, "framework", &who->framework);
    model_trace_put_word(p, "clock", "CLOCK_MONOTONIC of the job");
    model_trace_put_number(p, "begin_ns", timeline->begin_ns);
    model_put_key(p, "end_ns");
    model_put_known(p, timeline->until_ns);
    model_put_key(p, "seconds");
    model_put_f64(p, ended ? (double)(timeline->until_ns - timeline->begin_ns) / 1e9 : NAN);
    model_trace_put_number(p, "wall_minus_clock_ns", wall_ns);
    model_trace_put_word(p, "ended_because", ends[timeline->why]);
    for (unsigned i = 0; i < MODEL_AT_KINDS; i++)
        model_trace_put_number(p, kinds[i], timeline->kinds[i]);
    model_trace_put_number(p, "open_at_end", timeline->open);
    model_trace_put_number(p, "lost_events", model_timeline_lost(timeline));
    model_trace_put_number(p, "calls_without_event", timeline->untimed);
    model_trace_put_number(p, "applies_without_events", applies_without(job));
    model_put_close(p);
}

void model_timeline_write(struct model_job *job, uint64_t wall_ns, const struct model_sink *sink)
{
    /* Perfetto (v52) takes the quote behind an escaped backslash for an escaped one. */
    struct model_put p = {.sink = sink, .first = true, .hex = true};
    struct model_timeline *timeline = &job->timeline;
    sort(timeline);
    model_put_word(&p, "{\"displayTimeUnit\":\"ns\",\"otherData\":");
    put_facts(&p, job, wall_ns);
    model_put_word(&p, ",\n\"traceEvents\":[\n");
    p.rows = false;
    put_names(&p, job);
    for (size_t i = 0; i < timeline->count; i++) {
        const struct model_timeline_event *event = &timeline->event[i];
        if (event->kind == MODEL_AT_VALUE)
            put_value(&p, job, event);
        else if (event->kind == MODEL_AT_MARK)
            put_mark(&p, job, event);
        else
            put_interval(&p, job, event, i);
    }
    model_put_word(&p, "\n]}\n");
    model_put_flush(&p);
}
