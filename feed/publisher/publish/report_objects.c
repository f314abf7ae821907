/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * report_objects.c: counters, spans and memory as rows of the job's own report, in the categories
 * of MXNet's profiler; and its file of device memory.
 */
#include "config.h"

#include "feed/publisher/publish/publisher.h"
#include "feed/publisher/record/objects.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Converts the bits of a counter to a number of the report. */
static union shared_number number(const struct publisher_counter *counter, uint64_t bits)
{
    if (counter->kind == PUBLISHER_COUNTER_F64)
        return (union shared_number){.d = publisher_double(bits)};
    return (union shared_number){.i = (int64_t)bits};
}

static const struct publisher_counter_row *counter_row(const struct publisher_sender *p,
                                                       uint32_t id)
{
    return publisher_definitions_row(&p->core->book, PUBLISHER_DEF_COUNTER, id);
}

/* Adds a counter, or a pool as a whole; scopes of a pool are in the file of device memory. */
static void add_counter(struct publisher_sender *p, uint32_t id, struct shared_report *report)
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

static void add_span(struct publisher_sender *p, uint32_t id, struct shared_report *report)
{
    const struct publisher_span *span = publisher_span_at(p->core->objects, id);
    const struct publisher_span_row *row =
        publisher_definitions_row(&p->core->book, PUBLISHER_DEF_SPAN, id);
    const struct publisher_span_view *view = &span->noted;
    shared_report_add_time(report, row->category, row->name, view->calls, view->total, view->min,
                           view->max);
}

void publisher_dump_objects(struct publisher_sender *p, struct shared_report *report)
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
static const struct publisher_counter *memory_at(struct publisher_sender *p, uint32_t id)
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

uint32_t publisher_dump_memory(struct publisher_sender *p, struct shared_text *out)
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

static void print_counter(struct publisher_sender *p, uint32_t id, struct shared_text *out,
                          uint32_t *rows)
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

static void print_span(struct publisher_sender *p, uint32_t id, struct shared_text *out,
                       uint32_t *rows)
{
    struct publisher_span *span = publisher_span_at(p->core->objects, id);
    const struct publisher_span_view *view = &span->noted;
    const struct publisher_span_row *row =
        publisher_definitions_row(&p->core->book, PUBLISHER_DEF_SPAN, id);
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
static void print_mark(struct publisher_sender *p, uint32_t at, struct shared_text *out,
                       uint32_t *rows)
{
    const struct publisher_definitions *book = &p->core->book;
    uint64_t(*c)[WIRE_FRAME_ROWS] = p->column;
    const uint32_t thread = (uint32_t)c[4][at], task = (uint32_t)c[5][at];
    const struct publisher_marker_row *row =
        publisher_definitions_row(book, PUBLISHER_DEF_MARKER, (uint32_t)c[1][at]);
    begin_row(out, rows, c[0][at], "domain", &row->domain, &row->name);
    shared_text_named(out, "scope", shared_text_of(publisher_mark_scopes[c[2][at]]));
    shared_text_known(out, "mono_ns", c[3][at]);
    if (thread != 0) {
        const struct publisher_thread_row *on =
            publisher_definitions_row(book, PUBLISHER_DEF_THREAD, thread - 1);
        shared_text_known(out, "tid", on->tid);
    }
    if (task != 0) {
        const struct publisher_span_row *in =
            publisher_definitions_row(book, PUBLISHER_DEF_SPAN, task - 1);
        shared_text_named(out, "task", in->name);
    }
    shared_text_printf(out, "}");
}

uint32_t publisher_dump_rows(struct publisher_sender *p, struct shared_text *out)
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
