/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * report.c: the job's own report and dump file of all that was counted.
 */
#include "config.h"

#include "feed/publisher/record/objects.h"
#include "feed/publisher/publish/encode_objects.h"
#include "feed/publisher/collect/read_objects.h"
#include "feed/publisher/publish/trace.h"
#include "feed/publisher/publish/report.h"
#include "feed/publisher/record/clock.h"
#include "feed/shared/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ----------------------------------------------------------------------- counters, spans, memory
 */

/* Converts the bits of a counter to a number of the report. */
static union shared_number number(const struct publisher_counter *counter, uint64_t bits)
{
    if (counter->kind == PUBLISHER_COUNTER_F64)
        return (union shared_number){.d = publisher_double(bits)};
    return (union shared_number){.i = (int64_t)bits};
}

static const struct publisher_counter_row *counter_row(const struct publisher *p, uint32_t id)
{
    return publisher_definitions_row(&p->core->definitions, PUBLISHER_DEF_COUNTER, id);
}

/* Adds a counter, or a pool as a whole; scopes of a pool are in the file of device memory. */
static void add_counter(struct publisher *p, uint32_t id, struct shared_report *report)
{
    const struct publisher_counter *counter = publisher_counter_at(p->core->objects, id);
    const struct publisher_counter_row *row = counter_row(p, id);
    const struct publisher_counter_view *view = &counter->noted;
    bool memory = counter->kind == PUBLISHER_MEMORY;
    if (view->updates == 0 || row->scope.size != 0)
        return;
    struct shared_stat stat = {.category = memory ? shared_text_of("Device Storage") : row->domain,
                               .name = row->name,
                               .unit = memory ? SHARED_UNIT_MEMORY : SHARED_UNIT_VALUE,
                               .real = counter->kind == PUBLISHER_COUNTER_F64,
                               .count = view->updates,
                               .total = number(counter, view->value),
                               .min = number(counter, view->min),
                               .max = number(counter, view->max),
                               .mean = view->mean};
    if (memory)
        stat.name = row->report;
    shared_report_add(report, &stat);
}

static void add_span(struct publisher *p, uint32_t id, struct shared_report *report)
{
    const struct publisher_span *span = publisher_span_at(p->core->objects, id);
    const struct publisher_span_row *row =
        publisher_definitions_row(&p->core->definitions, PUBLISHER_DEF_SPAN, id);
    const struct publisher_span_view *view = &span->noted;
    shared_report_add_time(report, row->category, row->name, view->calls, view->total, view->min,
                           view->max);
}

/* Collects the statistics of counters, spans and memory, as noted by the last aggregation. */
static void collect_objects(struct publisher *p, struct shared_report *report)
{
    for (uint32_t id = 0; id < p->defs[WIRE_T_COUNTER]; id++)
        add_counter(p, id, report);
    for (uint32_t id = 0; id < p->defs[WIRE_T_SPAN]; id++)
        add_span(p, id, report);
}

/* Prints a CSV cell: doubles the quotes inside. */
static void print_cell(struct shared_text *out, struct wire_text text)
{
    shared_text_printf(out, "\"");
    for (const char *quote; text.size > 0 && (quote = memchr(text.data, '"', text.size)) != NULL;) {
        const uint32_t size = (uint32_t)(quote - text.data) + 1;
        shared_text_add(out, (struct wire_text){.data = text.data, .size = size});
        shared_text_printf(out, "\"");
        text = (struct wire_text){.data = text.data + size, .size = text.size - size};
    }
    shared_text_add(out, text);
    shared_text_printf(out, "\"");
}

/* Returns a counter of memory, or NULL if it is of another kind. */
static const struct publisher_counter *memory_at(struct publisher *p, uint32_t id)
{
    const struct publisher_counter *counter = publisher_counter_at(p->core->objects, id);
    return counter->kind == PUBLISHER_MEMORY ? counter : NULL;
}

/* Returns the bytes of a scope, or the bytes of a pool that are in no scope. */
static uint64_t bytes_of(const struct publisher_counter *memory)
{
    const uint64_t outside = publisher_load(&memory->outside);
    if (memory->pool_plus_1 != 0)
        return memory->noted.value;
    return outside >> 63 ? 0 : outside;
}

/* Writes device memory as lines of a CSV file: each scope, and for each pool the bytes outside of
 * all scopes. Returns how many lines there are. */
static uint32_t print_memory(struct publisher *p, struct shared_text *out)
{
    uint32_t rows = 0;
    shared_text_printf(out, "\"Attribute Name\",\"Requested Size\",\"Device\",\"Actual Size\","
                            "\"Reuse?\"\n");
    for (uint32_t id = 0; id < p->defs[WIRE_T_COUNTER]; id++) {
        const struct publisher_counter *memory = memory_at(p, id);
        const struct publisher_counter_row *row = counter_row(p, id);
        const uint64_t bytes = memory == NULL ? 0 : bytes_of(memory);
        if (bytes == 0)
            continue;
        print_cell(out, row->scope.size != 0 ? row->scope : shared_text_of(PUBLISHER_NO_SCOPE));
        shared_text_printf(out, ",\"%" PRIu64 "\",", bytes);
        print_cell(out, row->domain);
        shared_text_printf(out, ",\"%" PRIu64 "\",\"0\"\n", bytes);
        rows++;
    }
    return rows;
}

/* ------------------------------------------------------------------------- the dump file */

static void print_number(struct shared_text *out, const char *key, bool real, bool known,
                         uint64_t bits)
{
    if (!known)
        shared_text_known(out, key, PROFTOP_UNKNOWN);
    else if (real)
        shared_text_printf(out, ", \"%s\": %.17g", key, publisher_double(bits));
    else
        shared_text_printf(out, ", \"%s\": %" PRId64, key, (int64_t)bits);
}

/* Begins a row of a list with its identity; values follow. */
static void begin_row(struct shared_text *out, uint32_t *rows, uint64_t id, const char *group,
                      const struct wire_text *of, const struct wire_text *name)
{
    shared_text_printf(out, "%s\n  {\"id\": %" PRIu64, (*rows)++ == 0 ? "" : ",", id);
    shared_text_named(out, group, *of);
    shared_text_named(out, "name", *name);
}

static void print_counter(struct publisher *p, uint32_t id, struct shared_text *out, uint32_t *rows)
{
    const struct publisher_counter *counter = publisher_counter_at(p->core->objects, id);
    const struct publisher_counter_row *row = counter_row(p, id);
    const struct publisher_counter_view *view = &counter->noted;
    const bool real = counter->kind == PUBLISHER_COUNTER_F64, counted = view->updates != 0;
    if (!view->known)
        return;
    begin_row(out, rows, id, "domain", &row->domain, &row->name);
    shared_text_named(out, "scope", row->scope);
    shared_text_known(out, "updates", view->updates);
    print_number(out, "value", real, true, view->value);
    print_number(out, "min", real, counted, view->min);
    print_number(out, "max", real, counted || counter->kind == PUBLISHER_MEMORY, view->max);
    print_number(out, "mean", true, counted, publisher_bits(view->mean));
    shared_text_printf(out, "}");
}

static void print_slowest(struct publisher_span *span, struct shared_text *out)
{
    struct publisher_frame_pass slowest[PUBLISHER_SLOWEST];
    const uint32_t found =
        publisher_frames_slowest(span, span->noted.max, slowest, PUBLISHER_SLOWEST);
    for (uint32_t i = 0; i < found; i++)
        shared_text_printf(out, "%s{\"number\": %" PRIu64 ", \"ns\": %" PRIu64 "}",
                           i == 0 ? ", \"slowest\": [" : ", ", slowest[i].number, slowest[i].ns);
    if (found != 0)
        shared_text_printf(out, "]");
}

static void print_span(struct publisher *p, uint32_t id, struct shared_text *out, uint32_t *rows)
{
    struct publisher_span *span = publisher_span_at(p->core->objects, id);
    const struct publisher_span_view *view = &span->noted;
    const struct publisher_span_row *row =
        publisher_definitions_row(&p->core->definitions, PUBLISHER_DEF_SPAN, id);
    if (view->calls == 0)
        return;
    begin_row(out, rows, id, "category", &row->category, &row->name);
    shared_text_known(out, "calls", view->calls);
    shared_text_known(out, "total_ns", view->total);
    shared_text_known(out, "self_ns", view->self);
    shared_text_known(out, "min_ns", view->min);
    shared_text_known(out, "max_ns", view->max);
    shared_text_known(out, "last_ns", view->last);
    print_slowest(span, out);
    shared_text_printf(out, "}");
}

/* Prints the instant in row `at` of the columns of a frame (encode_objects.c). */
static void print_mark(struct publisher *p, uint32_t at, struct shared_text *out, uint32_t *rows)
{
    const struct publisher_definitions *definitions = &p->core->definitions;
    uint64_t(*c)[WIRE_FRAME_ROWS] = p->frame.column;
    const uint32_t thread = (uint32_t)c[4][at], task = (uint32_t)c[5][at];
    const struct publisher_marker_row *row =
        publisher_definitions_row(definitions, PUBLISHER_DEF_MARKER, (uint32_t)c[1][at]);
    begin_row(out, rows, c[0][at], "domain", &row->domain, &row->name);
    shared_text_named(out, "scope", shared_text_of(publisher_mark_scopes[c[2][at]]));
    shared_text_known(out, "mono_ns", c[3][at]);
    if (thread != 0) {
        const struct publisher_thread_row *on =
            publisher_definitions_row(definitions, PUBLISHER_DEF_THREAD, thread - 1);
        shared_text_known(out, "tid", on->tid);
    }
    if (task != 0) {
        const struct publisher_span_row *in =
            publisher_definitions_row(definitions, PUBLISHER_DEF_SPAN, task - 1);
        shared_text_named(out, "task", in->name);
    }
    shared_text_printf(out, "}");
}

/* Writes the objects into the file of a dump, with memory by scope, and the instants that are kept.
 * Returns how many rows have values. */
static uint32_t print_object_rows(struct publisher *p, struct shared_text *out)
{
    uint32_t counters = 0, spans = 0, marks = 0, n;
    uint64_t from = 0;
    shared_text_printf(out, "\"counters\": [");
    for (uint32_t id = 0; id < p->defs[WIRE_T_COUNTER]; id++)
        print_counter(p, id, out, &counters);
    shared_text_printf(out, "],\n\"spans\": [");
    for (uint32_t id = 0; id < p->defs[WIRE_T_SPAN]; id++)
        print_span(p, id, out, &spans);
    shared_text_printf(out, "],\n\"markers\": [");
    /* Prints no more instants than are kept: a program may mark faster than this loop prints. */
    while (marks < PUBLISHER_MARKS && (n = publisher_encode_mark_columns(p, &from)) != 0)
        for (uint32_t at = 0; at < n && marks < PUBLISHER_MARKS; at++)
            print_mark(p, at, out, &marks);
    shared_text_printf(out, "]");
    return counters + spans + marks;
}

/* ------------------------------------------------------------------------------------- applies */

/* Sums over the applies of one op: those run by graphs or by hand, and calls of an interface. */
struct tally {
    uint64_t calls, total, min, max;
    bool vague;
};

static const struct publisher_apply_row *apply_at(const struct publisher *p, uint32_t id)
{
    return publisher_definitions_row(&p->core->definitions, PUBLISHER_DEF_APPLY, id);
}

static void count_apply(const struct publisher_row *row, struct tally *tally)
{
    bool timed = row->min != PROFTOP_UNKNOWN && row->max != PROFTOP_UNKNOWN;
    if (row->calls == 0)
        return;
    if (timed && (tally->calls == 0 || row->min < tally->min))
        tally->min = row->min;
    if (timed && row->max > tally->max)
        tally->max = row->max;
    tally->vague = tally->vague || !timed;
    tally->calls += row->calls;
    tally->total += row->total;
}

/* Ops in C++ namespaces are registered by users: MXNet uses the same test. */
static bool is_custom(struct wire_text name)
{
    return memmem(name.data, name.size, "::", 2) != NULL;
}

static void add_op(struct publisher *p, uint32_t op, bool api, const struct tally *tally,
                   struct shared_report *report)
{
    const struct publisher_op_row *def =
        publisher_definitions_row(&p->core->definitions, PUBLISHER_DEF_OP, op);
    const char *category = api ? "API" : is_custom(def->text) ? "Custom Operator" : "operator";
    shared_report_add_time(report, shared_text_of(category), def->text, tally->calls, tally->total,
                           tally->vague ? WIRE_UNKNOWN : tally->min, tally->max);
}

void publisher_dump_collect(struct publisher *p, struct shared_report *report)
{
    uint32_t ops = p->defs[WIRE_T_OP], applies = p->defs[WIRE_T_APPLY];
    struct tally *tally = ops == 0 ? NULL : calloc((size_t)ops * 2, sizeof *tally);
    const _Atomic bool *stop = &p->core->life.stop;
    report->failed = report->failed || (ops != 0 && tally == NULL);
    for (uint32_t id = 0; tally != NULL && id < applies && !*stop; id++) {
        const struct publisher_row *row = publisher_aggregate_apply(&p->aggregate, id);
        const struct publisher_apply_row *def = apply_at(p, id);
        if (row != NULL)
            count_apply(row, &tally[def->op * 2 + (def->kind == PROFTOP_CALL)]);
    }
    for (uint32_t at = 0; tally != NULL && at < ops * 2 && !*stop; at++)
        add_op(p, at / 2, at % 2 != 0, &tally[at], report);
    free(tally);
    collect_objects(p, report);
}

/* ------------------------------------------------------------------------------- the file */

static void print_functions(struct publisher *p, struct shared_text *out)
{
    static const char *const parts[PUBLISHER_PARTS] = {
        [PUBLISHER_COMPILE] = "compile_ns",
        [PUBLISHER_REWRITE] = "rewrite_ns",
        [PUBLISHER_VALIDATE] = "validate_ns",
        [PUBLISHER_LINK] = "link_ns",
    };
    shared_text_printf(out, "\"functions\": [");
    for (uint32_t id = 0; id < p->defs[WIRE_T_FUNCTION]; id++) {
        const struct publisher_function_row *def =
            publisher_definitions_row(&p->core->definitions, PUBLISHER_DEF_FUNCTION, id);
        const struct publisher_call_row *row = publisher_aggregate_function(&p->aggregate, id);
        if (row == NULL)
            continue;
        shared_text_printf(out, "%s\n  {\"id\": %u", id == 0 ? "" : ",", id);
        shared_text_named(out, "name", def->name);
        shared_text_known(out, "calls", row->calls);
        shared_text_known(out, "call_ns", row->ns);
        shared_text_known(out, "vm_ns", row->vm);
        for (int part = 0; part < PUBLISHER_PARTS; part++)
            shared_text_known(out, parts[part], row->part[part]);
        shared_text_printf(out, "}");
    }
    shared_text_printf(out, "]");
}

static void print_apply(struct publisher *p, uint32_t id, const struct publisher_row *row,
                        struct shared_text *out)
{
    const struct publisher_apply_row *def = apply_at(p, id);
    const struct publisher_op_row *op =
        publisher_definitions_row(&p->core->definitions, PUBLISHER_DEF_OP, def->op);
    const struct publisher_class_row *op_class =
        publisher_definitions_row(&p->core->definitions, PUBLISHER_DEF_CLASS, op->op_class);
    shared_text_printf(out, "{\"id\": %u, \"function\": %u, \"index\": %u", id, def->function,
                       def->index);
    shared_text_named(out, "class", op_class->name);
    shared_text_named(out, "op", op->text);
    shared_text_named(out, "name", def->text.size == 0 ? op->text : def->text);
    shared_text_known(out, "calls", row->calls);
    shared_text_known(out, "total_ns", row->total);
    shared_text_known(out, "min_ns", row->min);
    shared_text_known(out, "max_ns", row->max);
    shared_text_printf(out, "}");
}

/* Returns how many applies have been called. */
static uint32_t print_applies(struct publisher *p, struct shared_text *out)
{
    uint32_t rows = 0;
    shared_text_printf(out, "\"applies\": [");
    for (uint32_t id = 0; id < p->defs[WIRE_T_APPLY] && !out->failed; id++) {
        const struct publisher_row *row = publisher_aggregate_apply(&p->aggregate, id);
        if (row == NULL || row->calls == 0)
            continue;
        shared_text_printf(out, "%s\n  ", rows++ == 0 ? "" : ",");
        print_apply(p, id, row, out);
    }
    shared_text_printf(out, "]");
    return rows;
}

/* Prints the number of events of each kind, and how many were not kept. */
static void print_events(const struct publisher *p, const struct publisher_trace_counts *counts,
                         struct shared_text *out)
{
    shared_text_printf(out, "\"events\": {\"sampled_ms\": %" PRIu32, p->tick_ms);
    shared_text_known(out, "runs", counts->runs);
    shared_text_known(out, "runs_open", counts->runs_open);
    shared_text_known(out, "runs_dropped", counts->runs_lost);
    shared_text_known(out, "instants", counts->instants);
    shared_text_known(out, "instants_dropped", counts->instants_lost);
    shared_text_known(out, "samples", counts->samples);
    shared_text_known(out, "samples_dropped", counts->samples_lost);
    shared_text_printf(out, "},\n");
}

/* Prints a Chrome trace, with extra data beside its events: trace viewers skip unknown keys. */
uint32_t publisher_dump_print(struct publisher *p, struct shared_text *out)
{
    const struct publisher_identity *me = &p->core->me;
    struct publisher_trace_counts counts;
    shared_text_printf(out,
                       "{\"displayTimeUnit\": \"ms\",\n\"traceEvents\": [{\"ph\": \"M\", \"name\": "
                       "\"process_name\", \"pid\": %" PRIu64 ", \"tid\": 0, \"args\": {\"name\": ",
                       me->pid);
    shared_text_quoted(out, shared_text_of(me->program));
    shared_text_printf(out, "}}");
    publisher_trace_print(p, out, &counts);
    shared_text_printf(out,
                       "],\n\"proftop\": {\"schema\": \"proftop-dump-1\", \"epoch\": %" PRIu64
                       ", \"wall_ns\": %" PRIu64 ", \"mono_ns\": %" PRIu64 ",\n",
                       p->epoch, publisher_clock_wall_ns(), publisher_clock_ns());
    print_events(p, &counts, out);
    print_functions(p, out);
    shared_text_printf(out, ",\n");
    uint32_t rows = print_applies(p, out);
    shared_text_printf(out, ",\n");
    rows += print_object_rows(p, out);
    shared_text_printf(out, "}}\n");
    return rows;
}

/* Takes the text and writes it to a file. If the feed is closed meanwhile, leaves no draft. */
static bool write_text(struct shared_text *out, const char *name, char *why)
{
    const size_t size = out->size;
    const _Atomic bool *stop = out->stop;
    char *text = shared_text_take(out);
    if (text == NULL)
        snprintf(why, PUBLISHER_ERROR_SIZE, "there is no memory for %s", name);
    bool written =
        text != NULL && shared_file_write(name, text, size, true, stop, why, PUBLISHER_ERROR_SIZE);
    free(text);
    return written;
}

/* Writes the file of device memory, if any is in use. */
static bool write_memory(struct publisher *p, const struct publisher_settings *settings, char *why)
{
    struct shared_text out = {.stop = &p->core->life.stop};
    char name[PUBLISHER_FILE_MAX + 32];
    if (settings->memory_prefix[0] == 0 || print_memory(p, &out) == 0) {
        shared_text_release(&out);
        return true;
    }
    snprintf(name, sizeof name, "%s-pid_%" PRIu64 ".csv", settings->memory_prefix, p->core->me.pid);
    return write_text(&out, name, why);
}

bool publisher_dump_write(struct publisher *p, const struct publisher_settings *settings, char *why)
{
    const char *name = settings->filename;
    struct shared_text out = {.stop = &p->core->life.stop};
    why[0] = 0;
    uint32_t rows = name[0] == 0 ? 1 : publisher_dump_print(p, &out);
    if (name[0] != 0 && !write_text(&out, name, why))
        return false;
    if (rows == 0)
        snprintf(why, PUBLISHER_ERROR_SIZE, "nothing has been counted yet: %s has no rows", name);
    return write_memory(p, settings, why);
}
