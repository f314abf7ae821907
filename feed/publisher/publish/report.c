/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * report.c: what a job has counted, as rows of its own report and as a file.
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

/* What the applies of one op have counted: run by graphs or by hand, and calls of an interface. */
struct tally {
    uint64_t calls, total, min, max;
    bool vague;
};

static const struct feed_apply_row *apply_at(const struct feed_publisher *p, uint32_t id)
{
    return feed_book_row(&p->core->book, FEED_T_APPLY, id);
}

static void count_apply(const struct feed_row *row, struct tally *tally)
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

/* Ops of C++ namespaces are those that users registered: so MXNet tells them apart. */
static bool is_custom(struct wire_text name)
{
    return memmem(name.data, name.size, "::", 2) != NULL;
}

static void add_op(struct feed_publisher *p, uint32_t op, bool api, const struct tally *tally,
                   struct feed_report *report)
{
    const struct feed_op_row *def = feed_book_row(&p->core->book, FEED_T_OP, op);
    const char *category = api ? "API" : is_custom(def->text) ? "Custom Operator" : "operator";
    feed_report_add_time(report, feed_text_of(category), def->text, tally->calls, tally->total,
                         tally->vague ? WIRE_UNKNOWN : tally->min, tally->max);
}

void feed_dump_collect(struct feed_publisher *p, struct feed_report *report)
{
    uint32_t ops = p->defs[WIRE_T_OP], applies = p->defs[WIRE_T_APPLY];
    struct tally *tally = ops == 0 ? NULL : calloc((size_t)ops * 2, sizeof *tally);
    const _Atomic bool *stop = &p->core->life.stop;
    report->failed = report->failed || (ops != 0 && tally == NULL);
    for (uint32_t id = 0; tally != NULL && id < applies && !*stop; id++) {
        const struct feed_row *row = feed_scan_apply(&p->scan, id);
        const struct feed_apply_row *def = apply_at(p, id);
        if (row != NULL)
            count_apply(row, &tally[def->op * 2 + (def->kind == PROFTOP_CALL)]);
    }
    for (uint32_t at = 0; tally != NULL && at < ops * 2 && !*stop; at++)
        add_op(p, at / 2, at % 2 != 0, &tally[at], report);
    free(tally);
    feed_dump_objects(p, report);
}

/* ------------------------------------------------------------------------------- the file */

static void print_functions(struct feed_publisher *p, struct feed_print *out)
{
    static const char *const parts[FEED_PARTS] = {
        [FEED_COMPILE] = "compile_ns",
        [FEED_REWRITE] = "rewrite_ns",
        [FEED_VALIDATE] = "validate_ns",
        [FEED_LINK] = "link_ns",
    };
    feed_print(out, "\"functions\": [");
    for (uint32_t id = 0; id < p->defs[WIRE_T_FUNCTION]; id++) {
        const struct feed_function_row *def = feed_book_row(&p->core->book, FEED_T_FUNCTION, id);
        const struct feed_call_row *row = feed_scan_function(&p->scan, id);
        if (row == NULL)
            continue;
        feed_print(out, "%s\n  {\"id\": %u", id == 0 ? "" : ",", id);
        feed_print_named(out, "name", def->name);
        feed_print_known(out, "calls", row->calls);
        feed_print_known(out, "call_ns", row->ns);
        feed_print_known(out, "vm_ns", row->vm);
        for (int part = 0; part < FEED_PARTS; part++)
            feed_print_known(out, parts[part], row->part[part]);
        feed_print(out, "}");
    }
    feed_print(out, "]");
}

static void print_apply(struct feed_publisher *p, uint32_t id, const struct feed_row *row,
                        struct feed_print *out)
{
    const struct feed_apply_row *def = apply_at(p, id);
    const struct feed_op_row *op = feed_book_row(&p->core->book, FEED_T_OP, def->op);
    const struct feed_class_row *op_class =
        feed_book_row(&p->core->book, FEED_T_CLASS, op->op_class);
    feed_print(out, "{\"id\": %u, \"function\": %u, \"index\": %u", id, def->function, def->index);
    feed_print_named(out, "class", op_class->name);
    feed_print_named(out, "op", op->text);
    feed_print_named(out, "name", def->text.size == 0 ? op->text : def->text);
    feed_print_known(out, "calls", row->calls);
    feed_print_known(out, "total_ns", row->total);
    feed_print_known(out, "min_ns", row->min);
    feed_print_known(out, "max_ns", row->max);
    feed_print(out, "}");
}

/* Gives how many applies have been called. */
static uint32_t print_applies(struct feed_publisher *p, struct feed_print *out)
{
    uint32_t rows = 0;
    feed_print(out, "\"applies\": [");
    for (uint32_t id = 0; id < p->defs[WIRE_T_APPLY] && !out->failed; id++) {
        const struct feed_row *row = feed_scan_apply(&p->scan, id);
        if (row == NULL || row->calls == 0)
            continue;
        feed_print(out, "%s\n  ", rows++ == 0 ? "" : ",");
        print_apply(p, id, row, out);
    }
    feed_print(out, "]");
    return rows;
}

/* How many events there are of each kind, and how many were not kept. */
static void print_events(const struct feed_publisher *p, const struct feed_trace_counts *counts,
                         struct feed_print *out)
{
    feed_print(out, "\"events\": {\"sampled_ms\": %" PRIu32, p->tick_ms);
    feed_print_known(out, "runs", counts->runs);
    feed_print_known(out, "runs_open", counts->runs_open);
    feed_print_known(out, "runs_dropped", counts->runs_lost);
    feed_print_known(out, "instants", counts->instants);
    feed_print_known(out, "instants_dropped", counts->instants_lost);
    feed_print_known(out, "samples", counts->samples);
    feed_print_known(out, "samples_dropped", counts->samples_lost);
    feed_print(out, "},\n");
}

/* A Chrome trace with what a trace can't hold beside its events: viewers skip what they don't
 * know. */
uint32_t feed_dump_print(struct feed_publisher *p, struct feed_print *out)
{
    const struct feed_identity *me = &p->core->me;
    struct feed_trace_counts counts;
    feed_print(out,
               "{\"displayTimeUnit\": \"ms\",\n\"traceEvents\": [{\"ph\": \"M\", \"name\": "
               "\"process_name\", \"pid\": %" PRIu64 ", \"tid\": 0, \"args\": {\"name\": ",
               me->pid);
    feed_print_quoted(out, feed_text_of(me->program));
    feed_print(out,
               "}}");
    feed_trace_print(p, out, &counts);
    feed_print(out,
               "],\n\"proftop\": {\"schema\": \"proftop-dump-1\", \"epoch\": %" PRIu64
               ", \"wall_ns\": %" PRIu64 ", \"mono_ns\": %" PRIu64 ",\n",
               p->epoch, feed_clock_wall_ns(), feed_clock_ns());
    print_events(p, &counts, out);
    print_functions(p, out);
    feed_print(out, ",\n");
    uint32_t rows = print_applies(p, out);
    feed_print(out, ",\n");
    rows += feed_dump_rows(p, out);
    feed_print(out, "}}\n");
    return rows;
}

/* Takes the text. Where the feed is closed meanwhile, no draft is left. */
static bool write_text(struct feed_print *out, const char *name, char *why)
{
    const size_t size = out->size;
    const _Atomic bool *stop = out->stop;
    char *text = feed_print_take(out);
    if (text == NULL)
        snprintf(why, FEED_ERROR_SIZE, "there is no memory for %s", name);
    bool written =
        text != NULL && feed_file_write(name, text, size, true, stop, why, FEED_ERROR_SIZE);
    free(text);
    return written;
}

/* The memory of devices, if there is any. */
static bool write_memory(struct feed_publisher *p, const struct feed_settings *settings, char *why)
{
    struct feed_print out = {.stop = &p->core->life.stop};
    char name[FEED_FILE_MAX + 32];
    if (settings->memory_prefix[0] == 0 || feed_dump_memory(p, &out) == 0) {
        feed_print_release(&out);
        return true;
    }
    snprintf(name, sizeof name, "%s-pid_%" PRIu64 ".csv", settings->memory_prefix, p->core->me.pid);
    return write_text(&out, name, why);
}

bool feed_dump_write(struct feed_publisher *p, const struct feed_settings *settings, char *why)
{
    const char *name = settings->filename;
    struct feed_print out = {.stop = &p->core->life.stop};
    why[0] = 0;
    uint32_t rows = name[0] == 0 ? 1 : feed_dump_print(p, &out);
    if (name[0] != 0 && !write_text(&out, name, why))
        return false;
    if (rows == 0)
        snprintf(why, FEED_ERROR_SIZE, "nothing has been counted yet: %s has no rows", name);
    return write_memory(p, settings, why);
}
