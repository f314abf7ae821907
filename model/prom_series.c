/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * prom_series.c: the metrics for Prometheus: of jobs, of the rows that THE column table describes,
 * and of functions, spans, counters and memory.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/prom_private.h"

#define GETTER(name) static struct model_cell name(const struct model_prom_of *of)

static struct model_cell number(uint64_t u)
{
    return (struct model_cell){.known = u != MODEL_UNKNOWN, .u = u};
}

static struct model_cell real(double d)
{
    return (struct model_cell){.known = isfinite(d), .d = d};
}

/* ------------------------------------------------------------------------------ jobs as a whole */

static const struct model_identity *who(const struct model_prom_of *of)
{
    return of->state ? model_job_identity(of->state->job) : NULL;
}

GETTER(job_up)
{
    return number(of->link->state == MODEL_LIVE || of->link->state == MODEL_LAGGING);
}

GETTER(job_collecting)
{
    return number(who(of) ? who(of)->collecting : MODEL_UNKNOWN);
}

#define IDENTITY(name, member)                                                                     \
    GETTER(name)                                                                                   \
    {                                                                                              \
        return number(who(of) ? who(of)->member : MODEL_UNKNOWN);                                  \
    }
IDENTITY(job_overhead, own_ns)
IDENTITY(job_dropped, dropped)
IDENTITY(job_invalid, invalid)
IDENTITY(job_refused, refused)

GETTER(job_missing)
{
    return number(of->state ? model_job_missing_calls(of->state->job) : MODEL_UNKNOWN);
}

GETTER(job_share)
{
    return real(who(of) && who(of)->share >= 0 ? who(of)->share : (double)NAN);
}

#define LINK(name, member)                                                                         \
    GETTER(name)                                                                                   \
    {                                                                                              \
        return number(of->link->member);                                                           \
    }
LINK(feed_frames, frames)
LINK(feed_gaps, gaps)
LINK(feed_malformed, malformed)
LINK(feed_over_limit, over_limit)
LINK(feed_falls, falls)
LINK(feed_reconnects, reconnects)

GETTER(feed_lag)
{
    return number(of->link->frames > 0 ? of->link->lag_ns : MODEL_UNKNOWN);
}

static const struct model_prom_series job_series[] = {
    {"job_up", "1 if the job sends, 0 if it is silent or over", MODEL_UNIT_COUNT, false, -1,
     job_up},
    {"job_collecting", "1 if the job counts, 0 if it was told to stop", MODEL_UNIT_COUNT, false, -1,
     job_collecting},
    {"job_counting_ratio", "part of the run time in which the job counts", MODEL_UNIT_PERCENT,
     false, -1, job_share},
    {"job_overhead_seconds_total", "time that counting itself took, estimated", MODEL_UNIT_NS, true,
     -1, job_overhead},
    {"job_dropped_total", "what the job could not keep", MODEL_UNIT_COUNT, true, -1, job_dropped},
    {"job_invalid_total", "calls with wrong arguments", MODEL_UNIT_COUNT, true, -1, job_invalid},
    {"job_refused_total", "requests of viewers that the job refused", MODEL_UNIT_COUNT, true, -1,
     job_refused},
    {"job_missing_calls", "calls that the job has counted and not sent yet", MODEL_UNIT_COUNT,
     false, -1, job_missing},
    {"feed_frames_total", "frames that came from the job", MODEL_UNIT_COUNT, true, -1, feed_frames},
    {"feed_gaps_total", "frames that never came; figures heal by themselves", MODEL_UNIT_COUNT,
     true, -1, feed_gaps},
    {"feed_malformed_total", "frames that break the protocol", MODEL_UNIT_COUNT, true, -1,
     feed_malformed},
    {"feed_over_limit_total", "frames or rows refused at a limit", MODEL_UNIT_COUNT, true, -1,
     feed_over_limit},
    {"feed_falls_total", "rows refused because a count fell", MODEL_UNIT_COUNT, true, -1,
     feed_falls},
    {"feed_reconnects_total", "times that the connection was made again", MODEL_UNIT_COUNT, true,
     -1, feed_reconnects},
    {"feed_lag_seconds", "delay of the newest update beyond the fastest of the last minute",
     MODEL_UNIT_NS, false, -1, feed_lag},
};

unsigned model_prom_job_series(const struct model_prom_series **series)
{
    *series = job_series;
    return sizeof job_series / sizeof job_series[0];
}

/* ----------------------------------------------------------------------------------------- rows */

static const struct model_function_value *function(const struct model_prom_of *of)
{
    return &of->state->function[of->id];
}

GETTER(function_calls)
{
    return number(function(of)->calls);
}

GETTER(function_seconds)
{
    return number(function(of)->call_ns);
}

GETTER(function_compile)
{
    return number(function(of)->compile_ns);
}

static const struct model_span_value *span(const struct model_prom_of *of)
{
    return &of->state->objects.span[of->id];
}

GETTER(span_runs)
{
    return number(span(of)->known ? span(of)->calls : MODEL_UNKNOWN);
}

GETTER(span_seconds)
{
    return number(span(of)->known ? span(of)->total_ns : MODEL_UNKNOWN);
}

static const struct model_counter_value *counter(const struct model_prom_of *of)
{
    return &of->state->objects.counter[of->id];
}

GETTER(counter_value)
{
    const uint8_t kind = model_job_counter(of->state->job, of->id)->kind;
    if (!counter(of)->known)
        return real((double)NAN);
    return real(kind == MODEL_F64 ? counter(of)->value.d : (double)counter(of)->value.i);
}

GETTER(memory_bytes)
{
    return number(counter(of)->known ? counter(of)->value.u : MODEL_UNKNOWN);
}

GETTER(memory_peak)
{
    return number(counter(of)->updates > 0 ? counter(of)->max.u : MODEL_UNKNOWN);
}

GETTER(memory_limit)
{
    return number(counter(of)->limit);
}

/* Metrics of tables that THE column table does not describe. */
static const struct {
    enum model_prom_table table;
    struct model_prom_series series;
} others[] = {
    {MODEL_PROM_FUNCTION,
     {"function_calls_total", "calls since the job's last reset", MODEL_UNIT_COUNT, true, -1,
      function_calls}},
    {MODEL_PROM_FUNCTION,
     {"function_seconds_total", "time of the calls that have ended", MODEL_UNIT_NS, true, -1,
      function_seconds}},
    {MODEL_PROM_FUNCTION,
     {"function_compile_seconds_total", "time of its compilations", MODEL_UNIT_NS, true, -1,
      function_compile}},
    {MODEL_PROM_SPAN,
     {"span_runs_total", "runs that have ended, as the steps of a frame", MODEL_UNIT_COUNT, true,
      -1, span_runs}},
    {MODEL_PROM_SPAN,
     {"span_seconds_total", "time of the runs that have ended", MODEL_UNIT_NS, true, -1,
      span_seconds}},
    {MODEL_PROM_COUNTER,
     {"counter_value", "value of a counter of the job, in its own unit", MODEL_UNIT_PERCENT, false,
      -1, counter_value}},
    {MODEL_PROM_MEMORY,
     {"memory_bytes", "memory in use", MODEL_UNIT_BYTES, false, -1, memory_bytes}},
    {MODEL_PROM_MEMORY,
     {"memory_peak_bytes", "most memory that was in use", MODEL_UNIT_BYTES, false, -1,
      memory_peak}},
    {MODEL_PROM_MEMORY,
     {"memory_limit_bytes", "size of the pool", MODEL_UNIT_BYTES, false, -1, memory_limit}},
};

static const struct {
    const char *word;
    enum model_table table; /* MODEL_TABLES: rows without columns */
} tables[MODEL_PROM_TABLES] = {
    {"class", MODEL_CLASS}, {"op", MODEL_OP},          {"function", MODEL_FUNCTION},
    {"span", MODEL_TABLES}, {"counter", MODEL_TABLES}, {"memory", MODEL_TABLES},
};

/* Writes the name of a column's metric: total_ns of ops is op_seconds_total. */
static void name_column(const struct model_column *column, const char *table, char out[64])
{
    char key[40];
    snprintf(key, sizeof key, "%s", strcmp(column->json, "total_ns") == 0 ? "ns" : column->json);
    char *end = key + strlen(key);
    const bool ns = end - key >= 2 && strcmp(end - 2, "ns") == 0;
    if (ns)
        end[-2] = '\0';
    snprintf(out, 64, "%s_%s%s%s", table, key, ns ? "seconds" : "", column->counts ? "_total" : "");
}

unsigned model_prom_table_series(enum model_prom_table table,
                                 struct model_prom_series series[MODEL_PROM_SERIES])
{
    const enum model_table of = tables[table].table;
    unsigned count = 0;
    for (unsigned i = 0; of != MODEL_TABLES && i < model_columns_count; i++) {
        const struct model_column *column = &model_columns[i];
        const bool interval = model_column_total(i, of) != i;
        if (!column->json || !(column->json_in >> of & 1) || column->unit == MODEL_UNIT_TEXT ||
            interval || count == MODEL_PROM_SERIES)
            continue;
        series[count] = (struct model_prom_series){
            .help = column->help, .unit = column->unit, .counts = column->counts, .column = (int)i};
        name_column(column, tables[table].word, series[count++].name);
    }
    for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].table == table && count < MODEL_PROM_SERIES)
            series[count++] = others[i].series;
    return count;
}

const char *model_prom_table_word(enum model_prom_table table)
{
    return tables[table].word;
}

uint32_t model_prom_rows(const struct model_state *state, enum model_prom_table table)
{
    if (table == MODEL_PROM_SPAN)
        return state->objects.spans;
    return tables[table].table == MODEL_TABLES ? state->objects.counters
                                               : state->count[tables[table].table];
}

bool model_prom_is_row(const struct model_state *state, enum model_prom_table table, uint32_t id)
{
    if (table == MODEL_PROM_SPAN)
        return true;
    if (tables[table].table == MODEL_TABLES)
        return (model_job_counter(state->job, id)->kind == MODEL_MEMORY) ==
               (table == MODEL_PROM_MEMORY);
    return state->row[tables[table].table][id].in_scope;
}

uint64_t model_prom_rank(const struct model_state *state, enum model_prom_table table, uint32_t id)
{
    if (tables[table].table == MODEL_TABLES)
        return 0;
    const uint64_t ns = model_state_time(state, &state->row[tables[table].table][id]);
    return ns == MODEL_UNKNOWN ? 0 : ns;
}

void model_prom_labels(const struct model_state *state, enum model_prom_table table, uint32_t id,
                       struct model_prom_label label[MODEL_PROM_LABELS])
{
    static const char *const kinds[] = {
        [MODEL_TASK] = "task", [MODEL_FRAME] = "frame", [MODEL_EVENT] = "event"};
    const struct model_job *job = state->job;
    memset(label, 0, MODEL_PROM_LABELS * sizeof *label);
    if (table == MODEL_PROM_CLASS) {
        label[0] = (struct model_prom_label){"class", &model_job_class(job, id)->name, NULL};
    } else if (table == MODEL_PROM_OP) {
        label[0] = (struct model_prom_label){"op", &model_job_op(job, id)->label, NULL};
    } else if (table == MODEL_PROM_FUNCTION) {
        label[0] = (struct model_prom_label){"function", &model_job_function(job, id)->name, NULL};
    } else if (table == MODEL_PROM_SPAN) {
        const struct model_span_def *def = model_job_span(job, id);
        label[0] = (struct model_prom_label){"domain", &def->domain, NULL};
        label[1] = (struct model_prom_label){"name", &def->name, NULL};
        label[2] = (struct model_prom_label){"kind", NULL, kinds[def->kind]};
    } else {
        const struct model_counter_def *def = model_job_counter(job, id);
        const bool memory = table == MODEL_PROM_MEMORY;
        label[0] = (struct model_prom_label){memory ? "device" : "domain", &def->domain, NULL};
        label[1] = (struct model_prom_label){memory ? "pool" : "name", &def->name, NULL};
        label[2] = (struct model_prom_label){memory ? "scope" : "unit",
                                             memory ? &def->scope : &def->unit, NULL};
    }
}

struct model_cell model_prom_cell(const struct model_prom_series *series,
                                  const struct model_prom_of *of)
{
    if (series->column < 0)
        return series->get(of);
    const struct model_row *row = &of->state->row[of->view.table][of->id];
    return model_columns[series->column].get(&of->view, row, 0);
}
