/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_objects.c: counters, spans, markers and memory of one job as JSON.
 */
#include "model/json_objects.h"

/* The current row. */
struct line {
    struct model_put *out;
    const struct model_state *state;
    size_t job; /* id of the job */
    uint32_t id;
};

struct field {
    const char *key;
    void (*put)(const struct line *line);
};

#define FIELD(name) static void name(const struct line *line)

static void put_line(const struct line *line, const struct field *field)
{
    model_put_row(line->out);
    for (; field->key; field++) {
        model_put_key(line->out, field->key);
        field->put(line);
    }
    model_put_close(line->out);
}

FIELD(job_id)
{
    model_put_u64(line->out, line->job);
}

FIELD(row_id)
{
    model_put_u64(line->out, line->id);
}

static void put_nothing(const struct line *line)
{
    model_put_word(line->out, "null");
}

/* Writes a thread by name, or by number. */
static void put_thread(const struct line *line, uint32_t thread)
{
    const struct model_thread_def *def = model_job_thread(line->state->job, thread);
    if (!def) {
        put_nothing(line);
    } else if (def->name.raw_size) {
        model_put_text(line->out, &def->name);
    } else {
        model_put_bytes(line->out, "\"", 1);
        model_put_u64(line->out, def->tid);
        model_put_bytes(line->out, "\"", 1);
    }
}

/* --------------------------------------------------------------------------- counters, memory */

static const struct model_counter_def *counter_def(const struct line *line)
{
    return model_job_counter(line->state->job, line->id);
}

static const struct model_counter_value *counter(const struct line *line)
{
    return &line->state->objects.counter[line->id];
}

/* Writes a number of the counter's kind. */
static void put_number(const struct line *line, union model_number number, bool known)
{
    const uint8_t kind = counter_def(line)->kind;
    if (!known)
        put_nothing(line);
    else if (kind == MODEL_F64)
        model_put_f64(line->out, number.d);
    else if (kind == MODEL_I64)
        model_put_i64(line->out, number.i);
    else
        model_put_known(line->out, number.u);
}

static bool is_memory(const struct line *line)
{
    return counter_def(line)->kind == MODEL_MEMORY;
}

/* An older job reports neither mean nor minimum of memory. */
static bool has_mean(const struct line *line)
{
    return counter(line)->updates > 0 && counter(line)->mean == counter(line)->mean;
}

FIELD(counter_domain)
{
    model_put_text(line->out, &counter_def(line)->domain);
}

FIELD(counter_name)
{
    model_put_text(line->out, &counter_def(line)->name);
}

FIELD(counter_unit)
{
    model_put_text(line->out, &counter_def(line)->unit);
}

FIELD(counter_value)
{
    put_number(line, counter(line)->value, counter(line)->known);
}

FIELD(counter_min)
{
    put_number(line, counter(line)->min, has_mean(line));
}

FIELD(counter_max)
{
    put_number(line, counter(line)->max, counter(line)->updates > 0);
}

FIELD(counter_updates)
{
    model_put_u64(line->out, counter(line)->updates);
}

FIELD(counter_mean)
{
    if (has_mean(line))
        model_put_f64(line->out, counter(line)->mean);
    else
        put_nothing(line);
}

static const struct field counter_fields[] = {
    {"id", row_id},
    {"job", job_id},
    {"domain", counter_domain},
    {"name", counter_name},
    {"unit", counter_unit},
    {"value", counter_value},
    {"min", counter_min},
    {"max", counter_max},
    {"updates", counter_updates},
    {"mean", counter_mean},
    {NULL, NULL},
};

const char *model_json_counter_key(unsigned at)
{
    return counter_fields[at].key;
}

/* A whole memory pool is also a counter. */
void model_json_counters(struct model_put *out, const struct model_state *state, size_t job)
{
    struct line line = {.out = out, .state = state, .job = job};
    for (; line.id < state->objects.counters; line.id++)
        if (!is_memory(&line) || counter_def(&line)->scope.raw_size == 0)
            put_line(&line, counter_fields);
}

FIELD(memory_scope)
{
    model_put_text(line->out, &counter_def(line)->scope);
}

FIELD(memory_peak)
{
    put_number(line, counter(line)->max, counter(line)->known);
}

FIELD(memory_limit)
{
    model_put_known(line->out, counter(line)->limit);
}

static const struct field memory_fields[] = {
    {"job", job_id},
    {"device", counter_domain},
    {"pool", counter_name},
    {"scope", memory_scope},
    {"bytes", counter_value},
    {"peak_bytes", memory_peak},
    {"limit_bytes", memory_limit},
    {NULL, NULL},
};

const char *model_json_memory_key(unsigned at)
{
    return memory_fields[at].key;
}

void model_json_memory(struct model_put *out, const struct model_state *state, size_t job)
{
    struct line line = {.out = out, .state = state, .job = job};
    for (; line.id < state->objects.counters; line.id++)
        if (is_memory(&line))
            put_line(&line, memory_fields);
}

/* --------------------------------------------------------------------------------------- spans */

static const struct model_span_def *span_def(const struct line *line)
{
    return model_job_span(line->state->job, line->id);
}

static const struct model_span_value *span(const struct line *line)
{
    return &line->state->objects.span[line->id];
}

FIELD(span_domain)
{
    model_put_text(line->out, &span_def(line)->domain);
}

FIELD(span_kind)
{
    static const char *const word[MODEL_SPAN_KINDS] = {"task", "frame", "event"};
    model_put_quoted(line->out, word[span_def(line)->kind]);
}

FIELD(span_name)
{
    model_put_text(line->out, &span_def(line)->name);
}

#define SPAN(name, member)                                                                         \
    FIELD(name)                                                                                    \
    {                                                                                              \
        model_put_known(line->out, span(line)->member);                                            \
    }
SPAN(span_calls, calls)
SPAN(span_total, total_ns)
SPAN(span_self, self_ns)
SPAN(span_min, min_ns)
SPAN(span_max, max_ns)
SPAN(span_last, last_ns)
SPAN(span_open, open_since_ns)

static void put_rate(const struct line *line, bool known, double rate)
{
    if (known && span_def(line)->kind == MODEL_FRAME)
        model_put_f64(line->out, rate);
    else
        put_nothing(line);
}

FIELD(span_rate)
{
    double rate = 0;
    bool known = model_span_rate(span(line), &rate);
    put_rate(line, known, rate);
}

FIELD(span_interval_rate)
{
    double rate = 0;
    bool known = model_span_interval_rate(span(line), &rate);
    put_rate(line, known, rate);
}

FIELD(span_slowest)
{
    if (span_def(line)->kind != MODEL_FRAME) {
        put_nothing(line);
        return;
    }
    model_put_bytes(line->out, "[", 1);
    for (uint32_t i = 0; i < span(line)->slowest; i++) {
        model_put_word(line->out, i ? "," : "");
        model_put_open(line->out);
        model_put_key(line->out, "number");
        model_put_u64(line->out, span(line)->slow[i].number);
        model_put_key(line->out, "ns");
        model_put_u64(line->out, span(line)->slow[i].ns);
        model_put_close(line->out);
    }
    model_put_bytes(line->out, "]", 1);
    line->out->first = false;
}

FIELD(span_threads)
{
    model_put_bytes(line->out, "[", 1);
    for (uint32_t i = 0; i < span(line)->threads; i++) {
        model_put_word(line->out, i ? "," : "");
        model_put_open(line->out);
        model_put_key(line->out, "thread");
        put_thread(line, (uint32_t)span(line)->thread[i].thread);
        model_put_key(line->out, "calls");
        model_put_u64(line->out, span(line)->thread[i].calls);
        model_put_key(line->out, "total_ns");
        model_put_u64(line->out, span(line)->thread[i].total_ns);
        model_put_close(line->out);
    }
    model_put_bytes(line->out, "]", 1);
    line->out->first = false;
}

static const struct field span_fields[] = {
    {"id", row_id},
    {"job", job_id},
    {"domain", span_domain},
    {"kind", span_kind},
    {"name", span_name},
    {"calls", span_calls},
    {"total_ns", span_total},
    {"self_ns", span_self},
    {"min_ns", span_min},
    {"max_ns", span_max},
    {"last_ns", span_last},
    {"rate", span_rate},
    {"interval_rate", span_interval_rate},
    {"slowest", span_slowest},
    {"threads", span_threads},
    {"open_since_ns", span_open},
    {NULL, NULL},
};

const char *model_json_span_key(unsigned at)
{
    return span_fields[at].key;
}

void model_json_spans(struct model_put *out, const struct model_state *state, size_t job)
{
    struct line line = {.out = out, .state = state, .job = job};
    for (; line.id < state->objects.spans; line.id++)
        put_line(&line, span_fields);
}

/* ------------------------------------------------------------------------------------- markers */

static const struct model_mark *mark(const struct line *line)
{
    return &line->state->objects.mark[line->id];
}

static const struct model_marker_def *marker_def(const struct line *line)
{
    return model_job_marker(line->state->job, mark(line)->marker);
}

FIELD(mark_domain)
{
    model_put_text(line->out, &marker_def(line)->domain);
}

FIELD(mark_name)
{
    model_put_text(line->out, &marker_def(line)->name);
}

FIELD(mark_scope)
{
    model_put_quoted(line->out, model_mark_scopes[mark(line)->scope]);
}

FIELD(mark_thread)
{
    put_thread(line, mark(line)->thread);
}

FIELD(mark_task)
{
    const struct model_span_def *task = model_job_span(line->state->job, mark(line)->task);
    model_put_text(line->out, task ? &task->name : NULL);
}

FIELD(mark_mono)
{
    model_put_u64(line->out, mark(line)->mono_ns);
}

static const struct field mark_fields[] = {
    {"job", job_id},         {"domain", mark_domain}, {"name", mark_name},
    {"scope", mark_scope},   {"thread", mark_thread}, {"task", mark_task},
    {"mono_ns", mark_mono}, {NULL, NULL},
};

const char *model_json_marker_key(unsigned at)
{
    return mark_fields[at].key;
}

void model_json_markers(struct model_put *out, const struct model_state *state, size_t job)
{
    struct line line = {.out = out, .state = state, .job = job};
    for (; line.id < state->objects.marks; line.id++)
        put_line(&line, mark_fields);
}
