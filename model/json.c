/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json.c: a state as JSON. Each table of the report is a const table of keys and writers; what is
 * measured comes from THE column table.
 */
#include "json.h"

#include <string.h>

#include "view.h"

struct json {
    const struct model_report *report;
    const struct model_state *state;
    const struct model_sink *sink;
    struct model_view view[MODEL_ROW_TABLES]; /* what the getters of columns look at */
    const struct model_row *row;              /* of the table being written */
    size_t at;                                /* of a list: position */
    bool first;                               /* nothing stands in the open object or list */
    size_t used;
    char buffer[8192];
};

/* --------------------------------------------------------------------------------- values */

static void flush(struct json *j)
{
    if (j->used)
        j->sink->write(j->sink->to, j->buffer, j->used);
    j->used = 0;
}

static void put(struct json *j, const char *bytes, size_t size)
{
    while (size > 0) {
        size_t room = sizeof(j->buffer) - j->used;
        size_t part = size < room ? size : room;
        memcpy(j->buffer + j->used, bytes, part);
        j->used += part;
        bytes += part;
        size -= part;
        if (j->used == sizeof(j->buffer))
            flush(j);
    }
}

static void put_word(struct json *j, const char *word)
{
    put(j, word, strlen(word));
}

static void put_u64(struct json *j, uint64_t value)
{
    char digits[20];
    size_t at = sizeof(digits);
    do
        digits[--at] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    put(j, digits + at, sizeof(digits) - at);
}

static void put_known(struct json *j, uint64_t value)
{
    if (value == MODEL_UNKNOWN)
        put_word(j, "null");
    else
        put_u64(j, value);
}

static void put_id(struct json *j, uint32_t id)
{
    put_known(j, id == MODEL_NONE ? MODEL_UNKNOWN : id);
}

static void put_bool(struct json *j, bool value)
{
    put_word(j, value ? "true" : "false");
}

static void put_string(struct json *j, const char *bytes, size_t size)
{
    put(j, "\"", 1);
    size_t done = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7F)
            continue;
        char escape[6] = {
            '\\', 'u', '0', '0', "0123456789abcdef"[c >> 4], "0123456789abcdef"[c & 15]};
        put(j, bytes + done, i - done);
        if (c == '"' || c == '\\') {
            escape[1] = (char)c;
            put(j, escape, 2);
        } else {
            put(j, escape, sizeof(escape));
        }
        done = i + 1;
    }
    put(j, bytes + done, size - done);
    put(j, "\"", 1);
}

static void put_quoted(struct json *j, const char *word)
{
    put_string(j, word, strlen(word));
}

/* The empty text is one that nobody gave. */
static void put_text(struct json *j, const struct model_text *text)
{
    if (text && text->raw_size)
        put_string(j, text->raw, text->raw_size);
    else
        put_word(j, "null");
}

static void put_hex(struct json *j, const uint8_t bytes[16])
{
    static const char digit[] = "0123456789abcdef";
    char hex[32];
    for (unsigned i = 0; i < 16; i++) {
        hex[2 * i] = digit[bytes[i] >> 4];
        hex[2 * i + 1] = digit[bytes[i] & 15];
    }
    put_string(j, hex, sizeof(hex));
}

static void put_key(struct json *j, const char *key)
{
    if (!j->first)
        put(j, ",", 1);
    j->first = false;
    put(j, "\"", 1);
    put_word(j, key);
    put(j, "\":", 2);
}

/* ---------------------------------------------------------------------------------- fields */

struct field {
    const char *key;
    void (*put)(struct json *j);
};

#define FIELD(name) static void name(struct json *j)

static void put_fields(struct json *j, const struct field *field)
{
    for (; field->key; field++) {
        put_key(j, field->key);
        field->put(j);
    }
}

FIELD(nothing)
{
    put_word(j, "null");
}

/* One job in a report, so far. */
FIELD(job_id)
{
    put(j, "0", 1);
}

/* ------------------------------------------------------------------------------------ jobs */

#define FEED(name, member)                                                                         \
    FIELD(name)                                                                                    \
    {                                                                                              \
        put_u64(j, j->report->link->member);                                                       \
    }
FEED(feed_frames, frames)
FEED(feed_gaps, gaps)
FEED(feed_malformed, malformed)
FEED(feed_over_limit, over_limit)
FEED(feed_falls, falls)
FEED(feed_other_version, other_version)
FEED(feed_snapshots, snapshots)
FEED(feed_lag, lag_ns)

static const struct field feed_fields[] = {
    {"frames", feed_frames},         {"gaps", feed_gaps},   {"malformed", feed_malformed},
    {"over_limit", feed_over_limit}, {"falls", feed_falls}, {"other_version", feed_other_version},
    {"snapshots", feed_snapshots},   {"lag_ns", feed_lag},  {NULL, NULL},
};

FIELD(job_feed)
{
    put(j, "{", 1);
    j->first = true;
    put_fields(j, feed_fields);
    put(j, "}", 1);
    j->first = false;
}

static const struct model_identity *who(const struct json *j)
{
    return j->state ? model_job_identity(j->state->job) : NULL;
}

FIELD(job_pid)
{
    put_known(j, who(j) && who(j)->pid ? who(j)->pid : MODEL_UNKNOWN);
}

FIELD(job_parent)
{
    static const uint8_t none[16];
    if (who(j) && memcmp(who(j)->parent, none, sizeof(none)) != 0)
        put_hex(j, who(j)->parent);
    else
        nothing(j);
}

FIELD(job_host)
{
    put_text(j, who(j) ? &who(j)->host : NULL);
}

FIELD(job_framework)
{
    put_text(j, who(j) ? &who(j)->framework : NULL);
}

FIELD(job_version)
{
    put_text(j, who(j) ? &who(j)->framework_version : NULL);
}

FIELD(job_instance)
{
    if (who(j))
        put_hex(j, who(j)->instance);
    else
        nothing(j);
}

FIELD(job_epoch)
{
    put_known(j, j->state ? j->state->epoch : MODEL_UNKNOWN);
}

FIELD(job_rank)
{
    put_known(j, who(j) ? who(j)->rank : MODEL_UNKNOWN);
}

FIELD(job_role)
{
    put_text(j, who(j) ? &who(j)->role : NULL);
}

FIELD(job_state)
{
    put_quoted(j, model_link_word(j->report->link->state));
}

FIELD(job_collect)
{
    if (who(j))
        put_quoted(j, who(j)->collecting ? "run" : "stop");
    else
        nothing(j);
}

FIELD(job_mono)
{
    put_known(j, j->state && j->state->mono_ns ? j->state->mono_ns : MODEL_UNKNOWN);
}

static const struct field job_fields[] = {
    {"id", job_id},
    {"pid", job_pid},
    {"parent", job_parent},
    {"host", job_host},
    {"framework", job_framework},
    {"version", job_version},
    {"instance", job_instance},
    {"epoch", job_epoch},
    {"rank", job_rank},
    {"role", job_role},
    {"state", job_state},
    {"collect", job_collect},
    {"mono_ns", job_mono},
    {"overhead_ns", nothing},
    {"feed", job_feed},
    {NULL, NULL},
};

/* ------------------------------------------------------------------------------- functions */

FIELD(row_id)
{
    put_u64(j, j->row->id);
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
    put_text(j, &function_def(j)->name);
}

FIELD(function_file)
{
    put_text(j, &function_def(j)->file);
}

FIELD(function_line)
{
    put_known(j, function_def(j)->line ? function_def(j)->line : MODEL_UNKNOWN);
}

FIELD(function_group)
{
    put_known(j, function_def(j)->group ? function_def(j)->group : MODEL_UNKNOWN);
}

FIELD(function_parent)
{
    put_id(j, function_def(j)->parent);
}

FIELD(function_thunk)
{
    put_known(j, j->row->total_ns);
}

#define FUNCTION(name, member)                                                                     \
    FIELD(name)                                                                                    \
    {                                                                                              \
        put_known(j, function_value(j)->member);                                                   \
    }
FUNCTION(function_calls, calls)
FUNCTION(function_call, call_ns)
FUNCTION(function_vm, vm_ns)
FUNCTION(function_compile, compile_ns)
FUNCTION(function_rewrite, rewrite_ns)
FUNCTION(function_validate, validate_ns)
FUNCTION(function_link, link_ns)
FUNCTION(function_open, open_since_ns)

static const struct field function_fields[] = {
    {"id", row_id},
    {"job", job_id},
    {"name", function_name},
    {"file", function_file},
    {"line", function_line},
    {"group", function_group},
    {"alias", nothing},
    {"parent", function_parent},
    {"calls", function_calls},
    {"call_ns", function_call},
    {"vm_ns", function_vm},
    {"thunk_ns", function_thunk},
    {"compile_ns", function_compile},
    {"rewrite_ns", function_rewrite},
    {"validate_ns", function_validate},
    {"link_ns", function_link},
    {"open_since_ns", function_open},
    {NULL, NULL},
};

/* -------------------------------------------------------------------- classes, ops, applies */

static const struct field class_fields[] = {
    {"id", row_id},
    {"job", job_id},
    {NULL, NULL},
};

FIELD(op_class)
{
    put_u64(j, model_job_op(j->state->job, j->row->id)->op_class);
}

static const struct field op_fields[] = {
    {"id", row_id},      {"job", job_id},     {"class", op_class}, {"p50_ns", nothing},
    {"p90_ns", nothing}, {"p99_ns", nothing}, {NULL, NULL},
};

static const struct model_apply_def *apply_def(const struct json *j)
{
    return model_job_apply(j->state->job, j->row->id);
}

FIELD(apply_function)
{
    put_u64(j, apply_def(j)->function);
}

FIELD(apply_op)
{
    put_u64(j, apply_def(j)->op);
}

FIELD(apply_kind)
{
    static const char *const word[] = {"symbolic", "imperative", "call"};
    put_quoted(j, word[apply_def(j)->kind]);
}

FIELD(apply_source)
{
    static const char *const word[] = {"timed", "given", "set"};
    put_quoted(j, word[apply_def(j)->source]);
}

static const struct field apply_fields[] = {
    {"id", row_id},      {"job", job_id},      {"function", apply_function},
    {"op", apply_op},    {"kind", apply_kind}, {"source", apply_source},
    {"shapes", nothing}, {"bytes", nothing},   {NULL, NULL},
};

static void put_cell(struct json *j, enum model_unit unit, const struct model_cell *cell)
{
    if (!cell->known)
        nothing(j);
    else if (unit == MODEL_UNIT_TEXT)
        put_text(j, cell->text);
    else
        put_u64(j, cell->u);
}

/* The columns that JSON has of this table; functions have fields of their own. */
static void put_columns(struct json *j, enum model_table table)
{
    for (unsigned i = 0; i < model_columns_count; i++) {
        const struct model_column *column = &model_columns[i];
        if (!column->json || !(column->json_in >> table & 1))
            continue;
        struct model_cell cell = column->get(&j->view[table], j->row, 0);
        put_key(j, column->json);
        put_cell(j, column->unit, &cell);
    }
}

static void put_rows(struct json *j, enum model_table table, const struct field *field)
{
    bool any = false;
    for (uint32_t i = 0; j->state && i < j->state->count[table]; i++) {
        j->row = &j->state->row[table][i];
        if (!j->row->in_scope)
            continue;
        put_word(j, any ? ",{" : "{");
        any = j->first = true;
        put_fields(j, field);
        put_columns(j, table);
        put(j, "}", 1);
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
        put_text(j, &def->name);
        return;
    }
    put(j, "\"", 1);
    put_u64(j, def->tid);
    put(j, "\"", 1);
}

FIELD(now_apply)
{
    put_u64(j, open_apply(j)->apply);
}

FIELD(now_since)
{
    put_known(j, open_apply(j)->since_ns);
}

static const struct field now_fields[] = {
    {"job", job_id},         {"thread", now_thread}, {"apply", now_apply},
    {"since_ns", now_since}, {NULL, NULL},
};

static const struct model_notice *notice(const struct json *j)
{
    return model_job_notice(j->state->job, j->at);
}

FIELD(notice_time)
{
    put_u64(j, notice(j)->wall_ns);
}

FIELD(notice_level)
{
    static const char *const word[] = {"info", "warning", "error"};
    put_quoted(j, word[notice(j)->level]);
}

FIELD(notice_text)
{
    put_string(j, notice(j)->text.raw, notice(j)->text.raw_size);
}

static const struct field notice_fields[] = {
    {"time_ns", notice_time},
    {"level", notice_level},
    {"text", notice_text},
    {NULL, NULL},
};

static void put_list(struct json *j, size_t count, const struct field *field)
{
    for (j->at = 0; j->at < count; j->at++) {
        put_word(j, j->at ? ",{" : "{");
        j->first = true;
        put_fields(j, field);
        put(j, "}", 1);
    }
}

FIELD(jobs)
{
    put_list(j, 1, job_fields);
}

FIELD(now)
{
    put_list(j, j->state ? j->state->now_count : 0, now_fields);
}

FIELD(notices)
{
    put_list(j, j->state ? model_job_notices(j->state->job) : 0, notice_fields);
}

/* ---------------------------------------------------------------------------------- report */

/* What later versions will fill is there as an empty list. */
FIELD(empty)
{
    (void)j;
}

static const struct field sections[] = {
    {"jobs", jobs},      {"functions", functions}, {"classes", classes},
    {"ops", ops},        {"applies", applies},     {"now", now},
    {"counters", empty}, {"spans", empty},         {"markers", empty},
    {"memory", empty},   {"rewrites", empty},      {"notices", notices},
    {NULL, NULL},
};

void model_json_write(const struct model_report *report, const struct model_sink *sink)
{
    struct json j = {.report = report, .state = report->state, .sink = sink};
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++)
        j.view[table] = (struct model_view){.table = table, .state = report->state};
    put_word(&j, "{\"schema\":\"proftop-1\",\"time_ns\":");
    put_u64(&j, report->time_ns);
    put_word(&j, ",\"state\":");
    put_quoted(&j, report->word);
    put_word(&j, ",\"final\":");
    put_bool(&j, report->final);
    for (const struct field *section = sections; section->key; section++) {
        j.first = false;
        put_key(&j, section->key);
        put(&j, "[", 1);
        section->put(&j);
        put(&j, "]", 1);
    }
    put_word(&j, "}\n");
    flush(&j);
}
