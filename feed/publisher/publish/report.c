/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * report.c: the job's own report and dump file of all that was counted.
 */
#include "config.h"

#include "feed/publisher/publish/publisher.h"
#include "feed/publisher/record/clock.h"
#include "feed/shared/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sums over the applies of one op: those run by graphs or by hand, and calls of an interface. */
struct tally {
    uint64_t calls, total, min, max;
    bool vague;
};

static const struct publisher_apply_row *apply_at(const struct publisher_sender *p, uint32_t id)
{
    return publisher_definitions_row(&p->core->book, PUBLISHER_DEF_APPLY, id);
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

static void add_op(struct publisher_sender *p, uint32_t op, bool api, const struct tally *tally,
                   struct shared_report *report)
{
    const struct publisher_op_row *def =
        publisher_definitions_row(&p->core->book, PUBLISHER_DEF_OP, op);
    const char *category = api ? "API" : is_custom(def->text) ? "Custom Operator" : "operator";
    shared_report_add_time(report, shared_text_of(category), def->text, tally->calls, tally->total,
                           tally->vague ? WIRE_UNKNOWN : tally->min, tally->max);
}

void publisher_dump_collect(struct publisher_sender *p, struct shared_report *report)
{
    uint32_t ops = p->defs[WIRE_T_OP], applies = p->defs[WIRE_T_APPLY];
    struct tally *tally = ops == 0 ? NULL : calloc((size_t)ops * 2, sizeof *tally);
    const _Atomic bool *stop = &p->core->life.stop;
    report->failed = report->failed || (ops != 0 && tally == NULL);
    for (uint32_t id = 0; tally != NULL && id < applies && !*stop; id++) {
        const struct publisher_row *row = publisher_aggregate_apply(&p->scan, id);
        const struct publisher_apply_row *def = apply_at(p, id);
        if (row != NULL)
            count_apply(row, &tally[def->op * 2 + (def->kind == PROFTOP_CALL)]);
    }
    for (uint32_t at = 0; tally != NULL && at < ops * 2 && !*stop; at++)
        add_op(p, at / 2, at % 2 != 0, &tally[at], report);
    free(tally);
    publisher_dump_objects(p, report);
}

/* ------------------------------------------------------------------------------- the file */

static void print_functions(struct publisher_sender *p, struct shared_text *out)
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
            publisher_definitions_row(&p->core->book, PUBLISHER_DEF_FUNCTION, id);
        const struct publisher_call_row *row = publisher_aggregate_function(&p->scan, id);
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

static void print_apply(struct publisher_sender *p, uint32_t id, const struct publisher_row *row,
                        struct shared_text *out)
{
    const struct publisher_apply_row *def = apply_at(p, id);
    const struct publisher_op_row *op =
        publisher_definitions_row(&p->core->book, PUBLISHER_DEF_OP, def->op);
    const struct publisher_class_row *op_class =
        publisher_definitions_row(&p->core->book, PUBLISHER_DEF_CLASS, op->op_class);
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
static uint32_t print_applies(struct publisher_sender *p, struct shared_text *out)
{
    uint32_t rows = 0;
    shared_text_printf(out, "\"applies\": [");
    for (uint32_t id = 0; id < p->defs[WIRE_T_APPLY] && !out->failed; id++) {
        const struct publisher_row *row = publisher_aggregate_apply(&p->scan, id);
        if (row == NULL || row->calls == 0)
            continue;
        shared_text_printf(out, "%s\n  ", rows++ == 0 ? "" : ",");
        print_apply(p, id, row, out);
    }
    shared_text_printf(out, "]");
    return rows;
}

/* Prints the number of events of each kind, and how many were not kept. */
static void print_events(const struct publisher_sender *p,
                         const struct publisher_trace_counts *counts, struct shared_text *out)
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
uint32_t publisher_dump_print(struct publisher_sender *p, struct shared_text *out)
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
    rows += publisher_dump_rows(p, out);
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
static bool write_memory(struct publisher_sender *p, const struct publisher_settings *settings,
                         char *why)
{
    struct shared_text out = {.stop = &p->core->life.stop};
    char name[PUBLISHER_FILE_MAX + 32];
    if (settings->memory_prefix[0] == 0 || publisher_dump_memory(p, &out) == 0) {
        shared_text_release(&out);
        return true;
    }
    snprintf(name, sizeof name, "%s-pid_%" PRIu64 ".csv", settings->memory_prefix, p->core->me.pid);
    return write_text(&out, name, why);
}

bool publisher_dump_write(struct publisher_sender *p, const struct publisher_settings *settings,
                          char *why)
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
