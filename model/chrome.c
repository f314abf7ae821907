/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * chrome.c: writes the sums of a report as bars of Chrome's trace format.
 */
#include "model/chrome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/multi_job.h"
#include "model/state.h"
#include "model/trace_writer.h"

enum { DEEPEST = 64 }; /* functions inside each other, at most */

/* The bar of an apply. */
struct bar {
    uint64_t ns; /* its length: 0: it is not drawn */
    uint32_t apply, function;
    bool aside;
    bool estimated; /* its length is */
};

/* The bars of one job. The bars of a function stand together. */
struct icicle {
    const struct model_state *state;
    uint64_t pid;
    struct bar *bar;
    size_t bars;
    size_t *first;                /* by function: its first bar; one more ends the last */
    uint32_t *inner;              /* by apply: the first function that runs inside, or MODEL_NONE */
    uint32_t *next;               /* by function: the next one in the same apply, or MODEL_NONE */
    uint8_t *depth;               /* by function: functions around it, DEEPEST at most */
    uint64_t *function_ns;        /* by function: length of its bar, */
    bool *estimated;              /* and whether that is an estimate */
    uint64_t unknown, none, deep; /* applies without a bar: of unknown time, of none, too deep */
};

static void drop(struct icicle *of)
{
    free(of->bar);
    free(of->first);
    free(of->inner);
    free(of->next);
    free(of->depth);
    free(of->function_ns);
    free(of->estimated);
}

/* ------------------------------------------------------------------------------------- lengths */

/* Finds what runs inside what. A function inside an apply has a higher id than the function of the
 * apply. */
static void link_functions(struct icicle *of)
{
    const struct model_state *state = of->state;
    for (uint32_t id = 0; id < state->count[MODEL_APPLY]; id++)
        of->inner[id] = MODEL_NONE;
    for (uint32_t f = 0; f < state->count[MODEL_FUNCTION]; f++) {
        of->next[f] = MODEL_NONE;
        of->depth[f] = 0;
        if (state->part[f] != MODEL_PART_INSIDE)
            continue;
        const uint32_t parent = model_job_function(state->job, f)->parent;
        const uint8_t around = of->depth[model_job_apply(state->job, parent)->function];
        of->depth[f] = around < DEEPEST ? around + 1 : DEEPEST;
        if (of->depth[f] == DEEPEST)
            continue;
        of->next[f] = of->inner[parent];
        of->inner[parent] = f;
    }
}

static int by_function(const void *left, const void *right)
{
    const struct bar *a = left, *b = right;
    return (a->function > b->function) - (a->function < b->function);
}

/* Work before what is aside, and most time first. */
static int by_length(const void *left, const void *right)
{
    const struct bar *a = left, *b = right;
    if (a->aside != b->aside)
        return a->aside ? 1 : -1;
    if (a->ns != b->ns)
        return a->ns > b->ns ? -1 : 1;
    return (a->apply > b->apply) - (a->apply < b->apply);
}

static void collect(struct icicle *of)
{
    const struct model_state *state = of->state;
    for (uint32_t id = 0; id < state->count[MODEL_APPLY]; id++)
        if (state->row[MODEL_APPLY][id].in_scope)
            of->bar[of->bars++] =
                (struct bar){.apply = id,
                             .function = model_job_apply(state->job, id)->function,
                             .aside = state->row[MODEL_APPLY][id].does & MODEL_DOES_ASIDE};
    qsort(of->bar, of->bars, sizeof *of->bar, by_function);
    size_t at = 0;
    for (uint32_t f = 0; f <= state->count[MODEL_FUNCTION]; f++) {
        while (at < of->bars && of->bar[at].function < f)
            at++;
        of->first[f] = at;
    }
}

/* Length of a bar: the row's own time, or the sum of the bars inside it if that is longer. Sets
 * `estimated` to whether the one that is taken is an estimate. */
static uint64_t length(uint64_t own_ns, bool own_estimated, uint64_t inside_ns,
                       bool inside_estimated, bool *estimated)
{
    const bool is_own = own_ns != MODEL_UNKNOWN && own_ns >= inside_ns;
    *estimated = is_own ? own_estimated : inside_estimated;
    return is_own ? own_ns : inside_ns;
}

static void measure_bar(struct icicle *of, struct bar *bar)
{
    const struct model_row *row = &of->state->row[MODEL_APPLY][bar->apply];
    uint64_t inside_ns = 0;
    bool estimated = false;
    for (uint32_t f = of->inner[bar->apply]; f != MODEL_NONE; f = of->next[f]) {
        inside_ns = model_state_plus(inside_ns, of->function_ns[f]);
        estimated |= of->estimated[f];
    }
    bar->ns = length(row->total_ns, row->estimated, inside_ns, estimated, &bar->estimated);
    if (of->depth[bar->function] == DEEPEST)
        of->deep++;
    else if (bar->ns == 0)
        *(row->total_ns == MODEL_UNKNOWN ? &of->unknown : &of->none) += 1;
}

/* Measures each function after those inside its applies. */
static void measure(struct icicle *of)
{
    const struct model_state *state = of->state;
    for (uint32_t f = state->count[MODEL_FUNCTION]; f-- > 0;) {
        const struct model_function_value *value = &state->function[f];
        uint64_t inside_ns = 0;
        bool estimated = false;
        for (size_t i = of->first[f]; i < of->first[f + 1]; i++) {
            struct bar *bar = &of->bar[i];
            measure_bar(of, bar);
            inside_ns = model_state_plus(inside_ns, bar->aside ? 0 : bar->ns);
            estimated |= bar->estimated && !bar->aside;
        }
        of->function_ns[f] =
            length(value->call_ns, state->share < 1 || model_function_estimated(value), inside_ns,
                   estimated, &of->estimated[f]);
        qsort(of->bar + of->first[f], of->first[f + 1] - of->first[f], sizeof *of->bar, by_length);
    }
}

static bool arrange(struct icicle *of)
{
    const size_t applies = of->state->count[MODEL_APPLY],
                 functions = of->state->count[MODEL_FUNCTION];
    of->bar = malloc((applies + 1) * sizeof *of->bar);
    of->inner = malloc((applies + 1) * sizeof *of->inner);
    of->first = malloc((functions + 1) * sizeof *of->first);
    of->next = malloc((functions + 1) * sizeof *of->next);
    of->depth = malloc((functions + 1) * sizeof *of->depth);
    of->function_ns = malloc((functions + 1) * sizeof *of->function_ns);
    of->estimated = malloc((functions + 1) * sizeof *of->estimated);
    if (!of->bar || !of->inner || !of->first || !of->next || !of->depth || !of->function_ns ||
        !of->estimated)
        return false;
    link_functions(of);
    collect(of);
    measure(of);
    return true;
}

/* ---------------------------------------------------------------------------------------- bars */

static void put_known(struct model_put *p, const char *key, uint64_t value)
{
    model_put_key(p, key);
    model_put_known(p, value);
}

static void put_true(struct model_put *p, const char *key, bool is)
{
    if (!is)
        return;
    model_put_key(p, key);
    model_put_bool(p, true);
}

/* Writes a bar up to its length. Its name and its category come before. */
static void put_place(struct model_put *p, const struct icicle *of, uint64_t tid, uint64_t at_ns,
                      uint64_t ns)
{
    model_trace_put_word(p, "ph", "X");
    model_trace_put_number(p, "pid", of->pid);
    model_trace_put_number(p, "tid", tid);
    model_trace_put_time(p, "ts", at_ns);
    model_trace_put_time(p, "dur", ns);
    model_trace_put_args(p);
}

/* Writes what the row says, and what the length of its bar is. */
static void put_figures(struct model_put *p, uint64_t calls, uint64_t time_ns, uint64_t ns,
                        bool estimated)
{
    put_known(p, "calls", calls);
    put_known(p, "time_ns", time_ns);
    put_true(p, "longer_than_its_time", time_ns != MODEL_UNKNOWN && time_ns < ns);
    put_true(p, "estimated", estimated);
}

static void put_function(struct model_put *p, const struct icicle *of, uint32_t f, uint64_t tid,
                         uint64_t at_ns);

static void put_bar(struct model_put *p, const struct icicle *of, const struct bar *bar,
                    uint64_t tid, uint64_t at_ns)
{
    const struct model_job *job = of->state->job;
    const struct model_apply_def *def = model_job_apply(job, bar->apply);
    const struct model_row *row = &of->state->row[MODEL_APPLY][bar->apply];
    const struct model_text *line = &model_job_line(job, def->line)->text;
    if (bar->ns == 0)
        return;
    model_trace_put_begin(p);
    model_trace_put_text(p, "name", model_trace_op(job, bar->apply));
    model_trace_put_text(p, "cat",
                         &model_job_class(job, model_job_op(job, def->op)->op_class)->name);
    put_place(p, of, tid, at_ns, bar->ns);
    put_figures(p, row->calls, row->total_ns, bar->ns, bar->estimated);
    model_trace_put_number(p, "apply", bar->apply);
    model_trace_put_text(p, "text", &def->text);
    if (line->raw_size)
        model_trace_put_text(p, "line", line);
    if (row->does & MODEL_DOES_WAIT)
        model_trace_put_word(p, "does", "wait");
    model_trace_put_end(p);
    for (uint32_t f = of->inner[bar->apply]; f != MODEL_NONE; f = of->next[f]) {
        put_function(p, of, f, tid, at_ns);
        at_ns = model_state_plus(at_ns, of->function_ns[f]);
    }
}

static void put_bars(struct model_put *p, const struct icicle *of, uint32_t f, bool aside,
                     uint64_t tid, uint64_t at_ns)
{
    for (size_t i = of->first[f]; i < of->first[f + 1]; i++) {
        if (of->bar[i].aside != aside)
            continue;
        put_bar(p, of, &of->bar[i], tid, at_ns);
        at_ns = model_state_plus(at_ns, of->bar[i].ns);
    }
}

static void put_function(struct model_put *p, const struct icicle *of, uint32_t f, uint64_t tid,
                         uint64_t at_ns)
{
    const struct model_state *state = of->state;
    char label[MODEL_SCOPE_LABEL];
    if (of->function_ns[f] == 0)
        return;
    model_trace_put_begin(p);
    model_trace_put_word(p, "name", model_scope_label(state->job, f, label));
    model_trace_put_word(p, "cat", "function");
    put_place(p, of, tid, at_ns, of->function_ns[f]);
    put_figures(p, state->function[f].calls, state->function[f].call_ns, of->function_ns[f],
                of->estimated[f]);
    model_trace_put_number(p, "function", f);
    model_trace_put_end(p);
    put_bars(p, of, f, false, tid, at_ns);
}

/* --------------------------------------------------------------------------------------- tracks */

static bool has_aside(const struct icicle *of, uint32_t f)
{
    for (size_t i = of->first[f]; i < of->first[f + 1]; i++)
        if (of->bar[i].aside && of->bar[i].ns > 0)
            return true;
    return false;
}

static void put_tracks(struct model_put *p, const struct icicle *of)
{
    const struct model_state *state = of->state;
    for (uint32_t f = 0; f < state->count[MODEL_FUNCTION]; f++) {
        const uint64_t tid = 2 * (uint64_t)f + 1;
        char name[MODEL_SCOPE_LABEL + sizeof " (aside)"];
        if (of->depth[f] == DEEPEST)
            continue;
        model_scope_label(state->job, f, name);
        if (state->part[f] == MODEL_PART_OUTER && of->function_ns[f] > 0) {
            model_trace_put_name(p, "thread_name", of->pid, tid, name, strlen(name));
            put_function(p, of, f, tid, 0);
        }
        if (has_aside(of, f)) {
            strcat(name, " (aside)");
            model_trace_put_name(p, "thread_name", of->pid, tid + 1, name, strlen(name));
            put_bars(p, of, f, true, tid + 1, 0);
        }
    }
}

static void put_job(struct model_put *p, const struct icicle *of, bool several)
{
    const struct model_identity *who = model_job_identity(of->state->job);
    char label[MODEL_LABEL_MAX];
    if (several) {
        model_multi_job_label(who, label);
        model_trace_put_name(p, "process_name", of->pid, 0, label, strlen(label));
    } else
        model_trace_put_name(p, "process_name", of->pid, 0, model_text_raw(&who->program),
                             who->program.raw_size);
    put_tracks(p, of);
}

static void put_facts(struct model_put *p, const struct model_report *report,
                      const struct icicle *jobs, size_t count, size_t most)
{
    uint64_t unknown = 0, none = 0, deep = 0;
    for (size_t i = 0; i < count; i++) {
        unknown += jobs[i].unknown;
        none += jobs[i].none;
        deep += jobs[i].deep;
    }
    model_put_open(p);
    model_trace_put_word(p, "program", "proftop");
    model_trace_put_word(p, MODEL_CHROME_KEY,
                         "sums, laid end to end: where the time went, not when");
    model_trace_put_number(p, "report_time_ns", report->time_ns);
    model_trace_put_number(p, "jobs", count);
    model_trace_put_number(p, "jobs_without_figures", most - count);
    model_trace_put_number(p, "jobs_not_attached", report->lefts);
    model_trace_put_number(p, "applies_without_time", none);
    model_trace_put_number(p, "applies_of_unknown_time", unknown);
    model_trace_put_number(p, "applies_too_deep", deep);
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
        put_facts(&p, report, jobs, count, most);
        model_put_word(&p, ",\n\"traceEvents\":[\n");
        p.rows = false;
        for (size_t i = 0; i < count; i++)
            put_job(&p, &jobs[i], report->jobs > 0);
        model_put_word(&p, "\n]}\n");
        model_put_flush(&p);
    }
    for (size_t i = 0; i < count; i++)
        drop(&jobs[i]);
    free(jobs);
    return fine;
}
