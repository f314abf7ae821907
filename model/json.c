/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json.c: a state as JSON. Each table of the report is a const table of keys and writers. THE
 * column table supplies the measured values.
 */
#include "model/json.h"

#include "model/job_info.h"
#include "model/json_objects.h"
#include "model/json_private.h"
#include "model/waiting.h"

void model_json_fields(struct json *j, const struct field *field)
{
    for (; field->key; field++) {
        model_put_key(&j->out, field->key);
        field->put(j);
    }
}

void model_json_nothing(struct json *j)
{
    model_put_word(&j->out, "null");
}

void model_json_word(struct json *j, const char *word)
{
    if (word[0])
        model_put_quoted(&j->out, word);
    else
        model_json_nothing(j);
}

void model_json_job(struct json *j)
{
    model_put_u64(&j->out, j->job);
}

/* ------------------------------------------------------------------------------- functions */

FIELD(row_id)
{
    model_put_u64(&j->out, j->row->id);
}

static const struct model_function_def *function_def(const struct json *j)
{
    return model_job_function(j->state->job, j->row->id);
}

static const struct model_function_value *function_value(const struct json *j)
{
    return &j->state->function[j->row->id];
}

FIELD(function_name)
{
    model_put_text(&j->out, &function_def(j)->name);
}

FIELD(function_alias)
{
    model_put_text(&j->out, &function_def(j)->alias);
}

FIELD(function_mode)
{
    const struct model_identity *who = model_job_identity(j->state->job);
    size_t size = 0;
    const char *mode = model_fact_of(who, "mode", j->row->id, &size);
    if (mode)
        model_put_string(&j->out, mode, size);
    else
        model_json_nothing(j);
}

FIELD(function_file)
{
    model_put_text(&j->out, &function_def(j)->file);
}

FIELD(function_line)
{
    model_put_known(&j->out, function_def(j)->line ? function_def(j)->line : MODEL_UNKNOWN);
}

FIELD(function_group)
{
    model_put_known(&j->out, function_def(j)->group ? function_def(j)->group : MODEL_UNKNOWN);
}

FIELD(function_parent)
{
    model_put_id(&j->out, function_def(j)->parent);
}

FIELD(function_thunk)
{
    model_put_known(&j->out, j->row->total_ns);
}

FIELD(function_wait)
{
    model_put_known(&j->out, model_state_waited(j->state, MODEL_FUNCTION, j->row).ns);
}

FIELD(function_aside)
{
    model_put_known(&j->out, model_state_waited(j->state, MODEL_FUNCTION, j->row).aside_ns);
}

#define FUNCTION(name, member)                                                                     \
    FIELD(name)                                                                                    \
    {                                                                                              \
        model_put_known(&j->out, function_value(j)->member);                                       \
    }
FUNCTION(function_calls, calls)
FUNCTION(function_call, call_ns)
FUNCTION(function_call_error, error_ns)
FUNCTION(function_vm, vm_ns)
FUNCTION(function_compile, compile_ns)
FUNCTION(function_rewrite, rewrite_ns)
FUNCTION(function_validate, validate_ns)
FUNCTION(function_link, link_ns)
FUNCTION(function_compiling, compile_since_ns)
FUNCTION(function_open, open_since_ns)

/* As `timed` of an apply: all calls unless another number is known; unknown if the calls have no
 * time. */
FIELD(function_timed)
{
    const struct model_function_value *value = function_value(j);
    const uint64_t every = value->call_ns == MODEL_UNKNOWN ? MODEL_UNKNOWN : value->calls;
    model_put_known(&j->out, model_function_estimated(value) ? value->timed : every);
}

FIELD(function_sampled)
{
    model_put_bool(&j->out, model_function_estimated(function_value(j)));
}

static const struct field function_fields[] = {
    {"id", row_id},
    {"job", model_json_job},
    {"name", function_name},
    {"file", function_file},
    {"line", function_line},
    {"group", function_group},
    {"alias", function_alias},
    {"mode", function_mode},
    {"parent", function_parent},
    {"calls", function_calls},
    {"timed", function_timed},
    {"sampled", function_sampled},
    {"call_error_ns", function_call_error},
    {"call_ns", function_call},
    {"vm_ns", function_vm},
    {"thunk_ns", function_thunk},
    {"wait_ns", function_wait},
    {"aside_ns", function_aside},
    {"compile_ns", function_compile},
    {"rewrite_ns", function_rewrite},
    {"validate_ns", function_validate},
    {"link_ns", function_link},
    {"compiling_since_ns", function_compiling},
    {"open_since_ns", function_open},
    {NULL, NULL},
};

/* -------------------------------------------------------------------- classes, ops, applies */

FIELD(row_sampled)
{
    model_put_bool(&j->out, model_row_sampled(j->row) || j->state->share < 1);
}

static const struct field class_fields[] = {
    {"id", row_id},
    {"job", model_json_job},
    {"sampled", row_sampled},
    {"metrics", model_json_metrics},
    {NULL, NULL},
};

FIELD(op_class)
{
    model_put_u64(&j->out, model_job_op(j->state->job, j->row->id)->op_class);
}

/* The computation of the op; null if the name already says it. */
FIELD(op_display)
{
    model_put_text(&j->out, &model_job_op(j->state->job, j->row->id)->display);
}

static void put_figure(struct json *j, unsigned figure)
{
    model_put_known(&j->out,
                    j->state->quantile ? j->state->quantile[j->row->id][figure] : MODEL_UNKNOWN);
}

FIELD(op_long_calls)
{
    put_figure(j, MODEL_LONG_CALLS);
}

FIELD(op_long_ns)
{
    put_figure(j, MODEL_LONG_NS);
}

static const struct field op_fields[] = {
    {"id", row_id},          {"job", model_json_job},         {"class", op_class},
    {"display", op_display}, {"sampled", row_sampled},        {"long_calls", op_long_calls},
    {"long_ns", op_long_ns}, {"metrics", model_json_metrics}, {NULL, NULL},
};

static const struct model_apply_def *apply_def(const struct json *j)
{
    return model_job_apply(j->state->job, j->row->id);
}

FIELD(apply_function)
{
    model_put_u64(&j->out, apply_def(j)->function);
}

FIELD(apply_op)
{
    model_put_u64(&j->out, apply_def(j)->op);
}

FIELD(apply_line)
{
    model_put_u64(&j->out, apply_def(j)->line);
}

FIELD(apply_kind)
{
    static const char *const word[] = {"symbolic", "imperative", "call"};
    model_put_quoted(&j->out, word[apply_def(j)->kind]);
}

FIELD(apply_source)
{
    static const char *const word[] = {"timed", "given", "set"};
    model_put_quoted(&j->out, word[apply_def(j)->source]);
}

FIELD(apply_waits)
{
    model_put_quoted(&j->out, model_waits_words[apply_def(j)->waits]);
}

static const struct field apply_fields[] = {
    {"id", row_id},
    {"job", model_json_job},
    {"function", apply_function},
    {"op", apply_op},
    {"line", apply_line},
    {"kind", apply_kind},
    {"source", apply_source},
    {"waits", apply_waits},
    {"sampled", row_sampled},
    {NULL, NULL},
};

static void put_cell(struct json *j, enum model_unit unit, const struct model_cell *cell)
{
    if (!cell->known)
        model_json_nothing(j);
    else if (unit == MODEL_UNIT_TEXT)
        model_put_text(&j->out, cell->text);
    else if (model_unit_is_real(unit))
        model_put_f64(&j->out, cell->d);
    else
        model_put_u64(&j->out, cell->u);
}

/* Writes the columns of this table that JSON has. Functions have their own fields. */
static void put_columns(struct json *j, enum model_table table)
{
    for (unsigned i = 0; i < model_columns_count; i++) {
        const struct model_column *column = &model_columns[i];
        if (!column->json || !(column->json_in >> table & 1))
            continue;
        struct model_cell cell = column->get(&j->view[table], j->row, 0);
        model_put_key(&j->out, column->json);
        put_cell(j, column->unit, &cell);
    }
}

static void put_rows(struct json *j, enum model_table table, const struct field *field)
{
    j->table = table;
    for (uint32_t i = 0; j->state && i < j->state->count[table]; i++) {
        j->row = &j->state->row[table][i];
        if (!j->row->in_scope)
            continue;
        model_put_row(&j->out);
        model_json_fields(j, field);
        put_columns(j, table);
        if (table == MODEL_APPLY)
            model_json_fields(j, model_json_about);
        model_put_close(&j->out);
    }
}

FIELD(functions)
{
    put_rows(j, MODEL_FUNCTION, function_fields);
}

FIELD(classes)
{
    put_rows(j, MODEL_CLASS, class_fields);
}

FIELD(ops)
{
    put_rows(j, MODEL_OP, op_fields);
}

FIELD(lines)
{
    put_rows(j, MODEL_LINE, class_fields);
}

FIELD(applies)
{
    put_rows(j, MODEL_APPLY, apply_fields);
}

/* --------------------------------------------------------------------------- now, notices */

static const struct model_now *open_apply(const struct json *j)
{
    return &j->state->now[j->at];
}

FIELD(now_thread)
{
    const struct model_thread_def *def = model_job_thread(j->state->job, open_apply(j)->thread);
    if (def->name.raw_size) {
        model_put_text(&j->out, &def->name);
        return;
    }
    model_put_bytes(&j->out, "\"", 1);
    model_put_u64(&j->out, def->tid);
    model_put_bytes(&j->out, "\"", 1);
}

FIELD(now_apply)
{
    model_put_u64(&j->out, open_apply(j)->apply);
}

FIELD(now_since)
{
    model_put_known(&j->out, open_apply(j)->since_ns);
}

static const struct field now_fields[] = {
    {"job", model_json_job}, {"thread", now_thread}, {"apply", now_apply},
    {"since_ns", now_since}, {NULL, NULL},
};

static const struct model_notice *notice(const struct json *j)
{
    return model_job_notice(j->state->job, j->at);
}

FIELD(notice_time)
{
    model_put_u64(&j->out, notice(j)->wall_ns);
}

FIELD(notice_level)
{
    static const char *const word[] = {"info", "warning", "error"};
    model_put_quoted(&j->out, word[notice(j)->level]);
}

FIELD(notice_text)
{
    model_put_string(&j->out, notice(j)->text.raw, notice(j)->text.raw_size);
}

FIELD(notice_times)
{
    model_put_u64(&j->out, model_job_notice_times(j->state->job, j->at));
}

static const struct field notice_fields[] = {
    {"job", model_json_job}, {"time_ns", notice_time},   {"level", notice_level},
    {"text", notice_text},   {"times", notice_times}, {NULL, NULL},
};

void model_json_list(struct json *j, size_t count, const struct field *field)
{
    for (j->at = 0; j->at < count; j->at++) {
        model_put_row(&j->out);
        model_json_fields(j, field);
        model_put_close(&j->out);
    }
}

FIELD(jobs)
{
    model_json_list(j, 1, model_json_jobs);
}

FIELD(now)
{
    model_json_list(j, j->state ? j->state->now_count : 0, now_fields);
}

/* Writes repeated notices once, with the time of the last. */
FIELD(notices)
{
    const struct model_job *job = j->state ? j->state->job : NULL;
    for (j->at = 0; job && j->at < model_job_notices(job); j->at++) {
        if (model_job_notice_times(job, j->at) == 0)
            continue;
        model_put_row(&j->out);
        model_json_fields(j, notice_fields);
        model_put_close(&j->out);
    }
}

/* ---------------------------------------------------------------------------------- report */

#define OBJECTS(name)                                                                              \
    FIELD(name)                                                                                    \
    {                                                                                              \
        if (j->state)                                                                              \
            model_json_##name(&j->out, j->state, j->job);                                          \
    }
OBJECTS(counters)
OBJECTS(spans)
OBJECTS(markers)
OBJECTS(memory)

static const struct model_report_left *left(const struct json *j)
{
    return &j->report->left[j->at];
}

FIELD(left_pid)
{
    model_put_known(&j->out, left(j)->pid ? left(j)->pid : MODEL_UNKNOWN);
}

FIELD(left_program)
{
    model_json_word(j, left(j)->program);
}

FIELD(left_why)
{
    model_put_quoted(&j->out, left(j)->why);
}

static const struct field left_fields[] = {
    {"pid", left_pid},
    {"program", left_program},
    {"why", left_why},
    {NULL, NULL},
};

FIELD(left_out)
{
    model_json_list(j, j->report->lefts, left_fields);
}

/* One section of the report, and the keys of its rows. */
struct section {
    const char *key;
    void (*put)(struct json *j);
    const struct field *fields, *more;  /* before and after the columns; or NULL */
    const char *(*key_at)(unsigned at); /* instead of fields; NULL after the last key */
    bool columns;                       /* the rows have the columns of `table` */
    enum model_table table;
    bool all_jobs; /* about all jobs together */
};

/* clang-format off */
static const struct section sections[] = {
    {"jobs", jobs, .fields = model_json_jobs},
    {"functions", functions, .fields = function_fields, .columns = true, .table = MODEL_FUNCTION},
    {"classes", classes, .fields = class_fields, .columns = true, .table = MODEL_CLASS},
    {"ops", ops, .fields = op_fields, .columns = true, .table = MODEL_OP},
    {"lines", lines, .fields = class_fields, .columns = true, .table = MODEL_LINE},
    {"applies", applies, .fields = apply_fields, .more = model_json_about, .columns = true,
     .table = MODEL_APPLY},
    {"now", now, .fields = now_fields},
    {"counters", counters, .key_at = model_json_counter_key},
    {"spans", spans, .key_at = model_json_span_key},
    {"markers", markers, .key_at = model_json_marker_key},
    {"memory", memory, .key_at = model_json_memory_key},
    {"peaks", model_json_peaks, .key_at = model_json_peak_key},
    {"rewrites", model_json_rewrites, .fields = model_json_phase_fields},
    {"metrics", model_json_declared, .fields = model_json_metric_fields},
    {"notices", notices, .fields = notice_fields},
    {"ranks", model_json_ranks, .fields = model_json_rank_fields, .all_jobs = true},
    {"suspects", model_json_suspects, .fields = model_json_suspect_fields, .all_jobs = true},
    {"waiters", model_json_waiters, .fields = model_json_waiter_fields, .all_jobs = true},
    {"left_out", left_out, .fields = left_fields, .all_jobs = true},
};
/* clang-format on */
enum { SECTIONS = sizeof sections / sizeof sections[0] };

static void take_fields(const struct field *field, void (*take)(void *to, const char *key),
                        void *to)
{
    for (; field && field->key; field++)
        take(to, field->key);
}

const char *model_json_section(unsigned at, void (*take)(void *to, const char *key), void *to)
{
    if (at >= SECTIONS)
        return NULL;
    const struct section *section = &sections[at];
    if (!take)
        return section->key;
    take_fields(section->fields, take, to);
    for (unsigned i = 0; section->columns && i < model_columns_count; i++)
        if (model_columns[i].json && (model_columns[i].json_in >> section->table & 1))
            take(to, model_columns[i].json);
    take_fields(section->more, take, to);
    for (unsigned i = 0; section->key_at && section->key_at(i); i++)
        take(to, section->key_at(i));
    return section->key;
}

const char *model_json_section_of(enum model_table table)
{
    if (table == MODEL_COMPILE)
        return "rewrites";
    for (unsigned i = 0; i < SECTIONS; i++)
        if (sections[i].columns && sections[i].table == model_table_rows(table))
            return sections[i].key;
    return NULL;
}

static void choose(struct json *j, size_t job)
{
    const struct model_report *report = j->report;
    j->job = job;
    j->state = report->jobs ? report->job[job].state : report->state;
    j->link = report->jobs ? report->job[job].link : report->link;
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++)
        j->view[table] = (struct model_view){.table = table, .state = j->state};
}

static void put_section(struct json *j, const struct section *section, size_t jobs)
{
    j->out.first = j->out.rows = false;
    model_put_key(&j->out, section->key);
    model_put_bytes(&j->out, "[", 1);
    for (size_t job = 0; job < jobs; job++) {
        choose(j, job);
        section->put(j);
    }
    model_put_bytes(&j->out, "]", 1);
}

void model_json_write(const struct model_report *report, const struct model_sink *sink)
{
    struct json j = {.report = report, .out.sink = sink};
    model_put_word(&j.out, "{\"schema\":\"proftop-1\",\"time_ns\":");
    model_put_u64(&j.out, report->time_ns);
    model_put_word(&j.out, ",\"state\":");
    model_put_quoted(&j.out, report->word);
    model_put_word(&j.out, ",\"final\":");
    model_put_bool(&j.out, report->final);
    for (unsigned i = 0; i < SECTIONS; i++)
        put_section(&j, &sections[i], report->jobs && !sections[i].all_jobs ? report->jobs : 1);
    model_put_word(&j.out, "}\n");
    model_put_flush(&j.out);
}
