/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * report_objects.c: counters, spans and memory as rows of the job's own report, in the categories
 * that MXNet's profiler has for them; and its file of device memory.
 */
#include "config.h"

#include "feed/publisher/publish/publisher.h"
#include "feed/publisher/record/objects.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Bits of a counter as the report has them. */
static union feed_number number(const struct feed_counter *counter, uint64_t bits)
{
    if (counter->kind == FEED_COUNTER_F64)
        return (union feed_number){.d = feed_double(bits)};
    return (union feed_number){.i = (int64_t)bits};
}

static const struct feed_counter_row *counter_row(const struct feed_publisher *p, uint32_t id)
{
    return feed_book_row(&p->core->book, FEED_T_COUNTER, id);
}

/* A counter, or a pool as a whole; scopes of it are in the other file. */
static void add_counter(struct feed_publisher *p, uint32_t id, struct feed_report *report)
{
    const struct feed_counter *counter = feed_counter_at(p->core->objects, id);
    const struct feed_counter_row *row = counter_row(p, id);
    const struct feed_counter_view *view = &counter->noted;
    bool memory = counter->kind == FEED_MEMORY;
    if (view->updates == 0 || row->scope.size != 0)
        return;
    struct feed_stat stat = {.category = memory ? feed_text_of("Device Storage") : row->domain,
                             .name = row->name,
                             .unit = memory ? FEED_UNIT_MEMORY : FEED_UNIT_VALUE,
                             .real = counter->kind == FEED_COUNTER_F64,
                             .count = view->updates,
                             .total = number(counter, view->value),
                             .min = number(counter, view->min),
                             .max = number(counter, view->max),
                             .mean = view->mean};
    if (memory)
        stat.name = row->report;
    feed_report_add(report, &stat);
}

static void add_span(struct feed_publisher *p, uint32_t id, struct feed_report *report)
{
    const struct feed_span *span = feed_span_at(p->core->objects, id);
    const struct feed_span_row *row = feed_book_row(&p->core->book, FEED_T_SPAN, id);
    const struct feed_span_view *view = &span->noted;
    feed_report_add_time(report, row->category, row->name, view->calls, view->total, view->min,
                         view->max);
}

void feed_dump_objects(struct feed_publisher *p, struct feed_report *report)
{
    for (uint32_t id = 0; id < p->defs[WIRE_T_COUNTER]; id++)
        add_counter(p, id, report);
    for (uint32_t id = 0; id < p->defs[WIRE_T_SPAN]; id++)
        add_span(p, id, report);
}

/* A cell of CSV: quotes inside are doubled. */
static void print_cell(struct feed_print *out, struct wire_text text)
{
    feed_print(out, "\"");
    for (const char *quote; text.size > 0 && (quote = memchr(text.data, '"', text.size)) != NULL;) {
        const uint32_t size = (uint32_t)(quote - text.data) + 1;
        feed_print_text(out, (struct wire_text){.data = text.data, .size = size});
        feed_print(out, "\"");
        text = (struct wire_text){.data = text.data + size, .size = text.size - size};
    }
    feed_print_text(out, text);
    feed_print(out, "\"");
}

/* A row of memory, or NULL. */
static const struct feed_counter *memory_at(struct feed_publisher *p, uint32_t id)
{
    const struct feed_counter *counter = feed_counter_at(p->core->objects, id);
    return counter->kind == FEED_MEMORY ? counter : NULL;
}

/* The bytes of a scope, or those of a pool that are in none. */
static uint64_t bytes_of(const struct feed_counter *memory)
{
    const uint64_t outside = feed_get(&memory->outside);
    if (memory->pool_plus_1 != 0)
        return memory->noted.value;
    return outside >> 63 ? 0 : outside;
}

uint32_t feed_dump_memory(struct feed_publisher *p, struct feed_print *out)
{
    uint32_t rows = 0;
    feed_print(out, "\"Attribute Name\",\"Requested Size\",\"Device\",\"Actual Size\","
                    "\"Reuse?\"\n");
    for (uint32_t id = 0; id < p->defs[WIRE_T_COUNTER]; id++) {
        const struct feed_counter *memory = memory_at(p, id);
        const struct feed_counter_row *row = counter_row(p, id);
        const uint64_t bytes = memory == NULL ? 0 : bytes_of(memory);
        if (bytes == 0)
            continue;
        print_cell(out, row->scope.size != 0 ? row->scope : feed_text_of(FEED_NO_SCOPE));
        feed_print(out, ",\"%" PRIu64 "\",", bytes);
        print_cell(out, row->domain);
        feed_print(out, ",\"%" PRIu64 "\",\"0\"\n", bytes);
        rows++;
    }
    return rows;
}

/* ------------------------------------------------------------------------- the dump file */

static void print_number(struct feed_print *out, const char *key, bool real, bool known,
                         uint64_t bits)
{
    if (!known)
        feed_print_known(out, key, PROFTOP_UNKNOWN);
    else if (real)
        feed_print(out, ", \"%s\": %.17g", key, feed_double(bits));
    else
        feed_print(out, ", \"%s\": %" PRId64, key, (int64_t)bits);
}

/* Begins one more row of a list: what it is, before what is counted of it. */
static void begin_row(struct feed_print *out, uint32_t *rows, uint64_t id, const char *group,
                      const struct wire_text *of, const struct wire_text *name)
{
    feed_print(out, "%s\n  {\"id\": %" PRIu64, (*rows)++ == 0 ? "" : ",", id);
    feed_print_named(out, group, *of);
    feed_print_named(out, "name", *name);
}

static void print_counter(struct feed_publisher *p, uint32_t id, struct feed_print *out,
                          uint32_t *rows)
{
    const struct feed_counter *counter = feed_counter_at(p->core->objects, id);
    const struct feed_counter_row *row = counter_row(p, id);
    const struct feed_counter_view *view = &counter->noted;
    const bool real = counter->kind == FEED_COUNTER_F64, counted = view->updates != 0;
    if (!view->known)
        return;
    begin_row(out, rows, id, "domain", &row->domain, &row->name);
    feed_print_named(out, "scope", row->scope);
    feed_print_known(out, "updates", view->updates);
    print_number(out, "value", real, true, view->value);
    print_number(out, "min", real, counted, view->min);
    print_number(out, "max", real, counted || counter->kind == FEED_MEMORY, view->max);
    print_number(out, "mean", true, counted, feed_bits(view->mean));
    feed_print(out, "}");
}

static void print_slowest(struct feed_span *span, struct feed_print *out)
{
    struct feed_frame_pass slowest[FEED_SLOWEST];
    const uint32_t found = feed_frames_slowest(span, span->noted.max, slowest, FEED_SLOWEST);
    for (uint32_t i = 0; i < found; i++)
        feed_print(out, "%s{\"number\": %" PRIu64 ", \"ns\": %" PRIu64 "}",
                   i == 0 ? ", \"slowest\": [" : ", ", slowest[i].number, slowest[i].ns);
    if (found != 0)
        feed_print(out, "]");
}

static void print_span(struct feed_publisher *p, uint32_t id, struct feed_print *out,
                       uint32_t *rows)
{
    struct feed_span *span = feed_span_at(p->core->objects, id);
    const struct feed_span_view *view = &span->noted;
    const struct feed_span_row *row = feed_book_row(&p->core->book, FEED_T_SPAN, id);
    if (view->calls == 0)
        return;
    begin_row(out, rows, id, "category", &row->category, &row->name);
    feed_print_known(out, "calls", view->calls);
    feed_print_known(out, "total_ns", view->total);
    feed_print_known(out, "self_ns", view->self);
    feed_print_known(out, "min_ns", view->min);
    feed_print_known(out, "max_ns", view->max);
    feed_print_known(out, "last_ns", view->last);
    print_slowest(span, out);
    feed_print(out, "}");
}

/* One of the instants whose columns are those of a frame (encode_objects.c). Its place is `at`. */
static void print_mark(struct feed_publisher *p, uint32_t at, struct feed_print *out,
                       uint32_t *rows)
{
    const struct feed_book *book = &p->core->book;
    uint64_t(*c)[WIRE_FRAME_ROWS] = p->column;
    const uint32_t thread = (uint32_t)c[4][at], task = (uint32_t)c[5][at];
    const struct feed_marker_row *row = feed_book_row(book, FEED_T_MARKER, (uint32_t)c[1][at]);
    begin_row(out, rows, c[0][at], "domain", &row->domain, &row->name);
    feed_print_named(out, "scope", feed_text_of(feed_mark_scopes[c[2][at]]));
    feed_print_known(out, "mono_ns", c[3][at]);
    if (thread != 0) {
        const struct feed_thread_row *on = feed_book_row(book, FEED_T_THREAD, thread - 1);
        feed_print_known(out, "tid", on->tid);
    }
    if (task != 0) {
        const struct feed_span_row *in = feed_book_row(book, FEED_T_SPAN, task - 1);
        feed_print_named(out, "task", in->name);
    }
    feed_print(out, "}");
}

uint32_t feed_dump_rows(struct feed_publisher *p, struct feed_print *out)
{
    uint32_t counters = 0, spans = 0, marks = 0, n;
    uint64_t from = 0;
    feed_print(out, "\"counters\": [");
    for (uint32_t id = 0; id < p->defs[WIRE_T_COUNTER]; id++)
        print_counter(p, id, out, &counters);
    feed_print(out, "],\n\"spans\": [");
    for (uint32_t id = 0; id < p->defs[WIRE_T_SPAN]; id++)
        print_span(p, id, out, &spans);
    feed_print(out, "],\n\"markers\": [");
    /* No more than are kept, though a program may mark faster than this prints. */
    while (marks < FEED_MARKS && (n = feed_tell_take_marks(p, &from)) != 0)
        for (uint32_t at = 0; at < n && marks < FEED_MARKS; at++)
            print_mark(p, at, out, &marks);
    feed_print(out, "]");
    return counters + spans + marks;
}
