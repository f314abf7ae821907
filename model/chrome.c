/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * chrome.c: writes the sums of a report as bars of Chrome's trace format.
 */
#include "model/chrome.h"

#include <stdlib.h>

#include "model/state.h"
#include "model/trace_writer.h"

/* Functions in functions. Deeper ones are left out, and their time is in the bar around them. */
enum { DEEPEST = 64 };

/* An apply with a bar. */
struct bar {
    uint64_t ns; /* its time, with what runs inside */
    uint32_t apply, function;
    bool aside;
};

/* The bars of one job. Lists by function are runs of `bar`; lists by apply are linked. */
struct icicle {
    const struct model_state *state;
    uint64_t pid;
    struct bar *bar;
    size_t bars;
    size_t *first;          /* by function: its first bar; one more ends the last run */
    uint32_t *inner;        /* by apply: the first function that runs inside, or MODEL_NONE */
    uint32_t *next;         /* by function: the next one in the same apply, or MODEL_NONE */
    uint64_t *function_ns;  /* by function: length of its bar */
    uint32_t unknown, none; /* applies of unknown time, and of none */
};

static void drop(struct icicle *of)
{
    free(of->bar);
    free(of->first);
    free(of->inner);
    free(of->next);
    free(of->function_ns);
}

/* By function; a function's work before what is aside, and most time first. */
static int by_function(const void *left, const void *right)
{
    const struct bar *a = left, *b = right;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    if (a->aside != b->aside)
        return a->aside ? 1 : -1;
    if (a->ns != b->ns)
        return a->ns > b->ns ? -1 : 1;
    return (a->apply > b->apply) - (a->apply < b->apply);
}

static void collect(struct icicle *of)
{
    const struct model_state *state = of->state;
    for (uint32_t id = 0; id < state->count[MODEL_APPLY]; id++) {
        const struct model_row *row = &state->row[MODEL_APPLY][id];
        if (!row->in_scope)
            continue;
        of->unknown += row->total_ns == MODEL_UNKNOWN;
        of->none += row->total_ns == 0;
        /* An apply without time may hold functions that have some. */
        if (row->total_ns == MODEL_UNKNOWN || (row->total_ns == 0 && of->inner[id] == MODEL_NONE))
            continue;
        of->bar[of->bars++] = (struct bar){.ns = row->total_ns,
                                           .apply = id,
                                           .function = model_job_apply(state->job, id)->function,
                                           .aside = row->does & MODEL_DOES_ASIDE};
    }
    qsort(of->bar, of->bars, sizeof *of->bar, by_function);
    size_t at = 0;
    for (uint32_t f = 0; f <= state->count[MODEL_FUNCTION]; f++) {
        while (at < of->bars && of->bar[at].function < f)
            at++;
        of->first[f] = at;
    }
}

static void link_functions(struct icicle *of)
{
    const struct model_state *state = of->state;
    for (uint32_t id = 0; id < state->count[MODEL_APPLY]; id++)
        of->inner[id] = MODEL_NONE;
    for (uint32_t f = state->count[MODEL_FUNCTION]; f-- > 0;) {
        const uint32_t parent = model_job_function(state->job, f)->parent;
        of->next[f] = MODEL_NONE;
        if (parent == MODEL_NONE || parent >= state->count[MODEL_APPLY] ||
            state->part[f] != MODEL_PART_INSIDE)
            continue;
        of->next[f] = of->inner[parent];
        of->inner[parent] = f;
    }
}

static uint64_t measure(struct icicle *of, uint32_t f, unsigned deep);

/* Length of the bar of an apply. */
static uint64_t length_of(struct icicle *of, const struct bar *bar, unsigned deep)
{
    uint64_t inside_ns = 0;
    for (uint32_t f = of->inner[bar->apply]; f != MODEL_NONE && deep < DEEPEST; f = of->next[f])
        inside_ns = model_state_plus(inside_ns, of->function_ns[f] != MODEL_UNKNOWN
                                                    ? of->function_ns[f]
                                                    : measure(of, f, deep + 1));
    return inside_ns > bar->ns ? inside_ns : bar->ns;
}

static uint64_t call_ns(const struct model_state *state, uint32_t f)
{
    return state->function[f].call_ns;
}

static uint64_t measure(struct icicle *of, uint32_t f, unsigned deep)
{
    uint64_t ns = 0;
    of->function_ns[f] = 0; /* of a function that runs inside itself */
    for (size_t i = of->first[f]; i < of->first[f + 1]; i++)
        if (!of->bar[i].aside)
            ns = model_state_plus(ns, length_of(of, &of->bar[i], deep));
    const uint64_t own_ns = call_ns(of->state, f);
    ns = own_ns != MODEL_UNKNOWN && own_ns > ns ? own_ns : ns;
    of->function_ns[f] = ns;
    return ns;
}

/* ---------------------------------------------------------------------------------------- bars */

/* Begins a bar, up to its length. */
static void begin(struct model_put *p, const struct icicle *of, uint64_t tid,
                  const struct model_text *name, const struct model_text *class, uint64_t at_ns,
                  uint64_t ns)
{
    model_trace_begin(p);
    model_trace_text(p, "name", name);
    if (class)
        model_trace_text(p, "cat", class);
    else
        model_trace_word(p, "cat", "function");
    model_trace_word(p, "ph", "X");
    model_trace_number(p, "pid", of->pid);
    model_trace_number(p, "tid", tid);
    model_trace_time(p, "ts", at_ns);
    model_trace_time(p, "dur", ns);
    model_trace_args(p);
}

static void put_known(struct model_put *p, const char *key, uint64_t value)
{
    model_put_key(p, key);
    model_put_known(p, value);
}

static void put_estimated(struct model_put *p, bool estimated)
{
    if (!estimated)
        return;
    model_put_key(p, "estimated");
    model_put_bool(p, true);
}

static void put_function(struct model_put *p, struct icicle *of, uint32_t f, uint64_t tid,
                         uint64_t at_ns, unsigned deep);

static void put_bar(struct model_put *p, struct icicle *of, const struct bar *bar, uint64_t tid,
                    uint64_t at_ns, unsigned deep)
{
    const struct model_job *job = of->state->job;
    const struct model_apply_def *def = model_job_apply(job, bar->apply);
    const struct model_row *row = &of->state->row[MODEL_APPLY][bar->apply];
    const struct model_text *line = &model_job_line(job, def->line)->text;
    begin(p, of, tid, model_trace_op(job, bar->apply),
          &model_job_class(job, model_job_op(job, def->op)->op_class)->name, at_ns,
          length_of(of, bar, deep));
    put_known(p, "calls", row->calls);
    model_trace_number(p, "time_ns", bar->ns);
    model_trace_number(p, "apply", bar->apply);
    model_trace_text(p, "text", &def->text);
    if (line->raw_size)
        model_trace_text(p, "line", line);
    if (row->does & MODEL_DOES_WAIT)
        model_trace_word(p, "does", "wait");
    put_estimated(p, row->estimated);
    model_trace_close(p);
    for (uint32_t f = of->inner[bar->apply]; f != MODEL_NONE && deep < DEEPEST; f = of->next[f]) {
        put_function(p, of, f, tid, at_ns, deep + 1);
        at_ns = model_state_plus(at_ns, of->function_ns[f]);
    }
}

static void put_bars(struct model_put *p, struct icicle *of, uint32_t f, bool aside, uint64_t tid,
                     uint64_t at_ns, unsigned deep)
{
    for (size_t i = of->first[f]; i < of->first[f + 1]; i++) {
        if (of->bar[i].aside != aside)
            continue;
        put_bar(p, of, &of->bar[i], tid, at_ns, deep);
        at_ns = model_state_plus(at_ns, length_of(of, &of->bar[i], deep));
    }
}

static void put_function(struct model_put *p, struct icicle *of, uint32_t f, uint64_t tid,
                         uint64_t at_ns, unsigned deep)
{
    const struct model_state *state = of->state;
    if (of->function_ns[f] == 0)
        return;
    begin(p, of, tid, &model_job_function(state->job, f)->name, NULL, at_ns, of->function_ns[f]);
    put_known(p, "calls", state->function[f].calls);
    put_known(p, "time_ns", call_ns(state, f));
    put_estimated(p, state->share < 1 || model_function_estimated(&state->function[f]));
    model_trace_close(p);
    put_bars(p, of, f, false, tid, at_ns, deep);
}

/* ----------------------------------------------------------------------------------------- jobs */

static bool arrange(struct icicle *of)
{
    const size_t applies = of->state->count[MODEL_APPLY],
                 functions = of->state->count[MODEL_FUNCTION];
    of->bar = malloc((applies + 1) * sizeof *of->bar);
    of->inner = malloc((applies + 1) * sizeof *of->inner);
    of->first = malloc((functions + 1) * sizeof *of->first);
    of->next = malloc((functions + 1) * sizeof *of->next);
    of->function_ns = malloc((functions + 1) * sizeof *of->function_ns);
    if (!of->bar || !of->inner || !of->first || !of->next || !of->function_ns)
        return false;
    link_functions(of);
    collect(of);
    for (uint32_t f = 0; f < functions; f++)
        of->function_ns[f] = MODEL_UNKNOWN;
    for (uint32_t f = 0; f < functions; f++)
        if (of->function_ns[f] == MODEL_UNKNOWN)
            measure(of, f, 0);
    return true;
}

static bool has_aside(const struct icicle *of, uint32_t f)
{
    const size_t end = of->first[f + 1];
    return of->first[f] < end && of->bar[end - 1].aside;
}

static void put_tracks(struct model_put *p, struct icicle *of)
{
    const struct model_state *state = of->state;
    static char word[] = "aside";
    static const struct model_text aside = {.raw = word, .raw_size = sizeof word - 1};
    model_trace_name(p, "process_name", of->pid, 0, &model_job_identity(state->job)->program);
    for (uint32_t f = 0; f < state->count[MODEL_FUNCTION]; f++) {
        const uint64_t tid = 2 * (uint64_t)f + 1;
        if (state->part[f] == MODEL_PART_OUTER && of->function_ns[f] > 0) {
            model_trace_name(p, "thread_name", of->pid, tid,
                             &model_job_function(state->job, f)->name);
            put_function(p, of, f, tid, 0, 0);
        }
        if (has_aside(of, f)) {
            model_trace_name(p, "thread_name", of->pid, tid + 1, &aside);
            put_bars(p, of, f, true, tid + 1, 0, 0);
        }
    }
}

static void put_facts(struct model_put *p, const struct model_report *report,
                      const struct icicle *jobs, size_t count)
{
    uint64_t unknown = 0, none = 0;
    for (size_t i = 0; i < count; i++) {
        unknown += jobs[i].unknown;
        none += jobs[i].none;
    }
    model_put_open(p);
    model_trace_word(p, "program", "proftop");
    model_trace_word(p, MODEL_CHROME_KEY, "sums, laid end to end: where the time went, not when");
    model_trace_number(p, "report_time_ns", report->time_ns);
    model_trace_number(p, "jobs", count);
    model_trace_number(p, "applies_without_time", none);
    model_trace_number(p, "applies_of_unknown_time", unknown);
    model_put_close(p);
}

bool model_chrome_write(const struct model_report *report, const struct model_sink *sink)
{
    struct model_put p = {.sink = sink, .first = true, .hex = true};
    const size_t most = report->jobs ? report->jobs : 1;
    struct icicle *jobs = calloc(most, sizeof *jobs);
    size_t count = 0;
    bool fine = jobs != NULL;
    for (size_t i = 0; fine && i < most; i++) {
        const struct model_state *state = report->jobs ? report->job[i].state : report->state;
        if (!state)
            continue;
        /* Jobs of several machines may have the same process id. */
        jobs[count].pid = report->jobs ? i + 1 : model_job_identity(state->job)->pid;
        jobs[count].state = state;
        fine = arrange(&jobs[count++]);
    }
    if (fine) {
        model_put_word(&p, "{\"displayTimeUnit\":\"ns\",\"otherData\":");
        put_facts(&p, report, jobs, count);
        model_put_word(&p, ",\n\"traceEvents\":[\n");
        p.rows = false;
        for (size_t i = 0; i < count; i++)
            put_tracks(&p, &jobs[i]);
        model_put_word(&p, "\n]}\n");
        model_put_flush(&p);
    }
    for (size_t i = 0; i < count; i++)
        drop(&jobs[i]);
    free(jobs);
    return fine;
}
