/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * dump_objects.c: counters, spans and memory as rows of the job's own report, in the categories
 * that MXNet's profiler has for them; and its file of device memory.
 */
#include "config.h"

#include "object.h"
#include "publish.h"

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

/* A counter, or a pool as a whole; scopes of it are in the other file. A device with more pools
 * than one is one row, as in the original. */
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
    for (uint32_t i = 0; i < text.size; i++) {
        if (text.data[i] == '"')
            feed_print(out, "\"");
        feed_print_text(out, (struct wire_text){.data = text.data + i, .size = 1});
    }
    feed_print(out, "\"");
}

/* A row of memory, or NULL. */
static struct feed_counter *memory_at(struct feed_publisher *p, uint32_t id)
{
    struct feed_counter *counter = feed_counter_at(p->core->objects, id);
    return counter->kind == FEED_MEMORY ? counter : NULL;
}

/* What each pool has in scopes. */
static void add_scopes(struct feed_publisher *p)
{
    for (uint32_t id = 0; id < p->defs[WIRE_T_COUNTER]; id++) {
        const struct feed_counter *memory = memory_at(p, id);
        if (memory != NULL && memory->pool_plus_1 != 0)
            memory_at(p, memory->pool_plus_1 - 1)->scoped += memory->noted.value;
    }
}

/* Takes the bytes of a scope, or those of a pool that are in none. The values of a pool and of its
 * scopes are not of one moment. */
static uint64_t take_bytes(struct feed_counter *memory)
{
    const uint64_t scoped = memory->scoped, bytes = memory->noted.value;
    memory->scoped = 0;
    return bytes > scoped ? bytes - scoped : 0;
}

uint32_t feed_dump_memory(struct feed_publisher *p, struct feed_print *out)
{
    uint32_t rows = 0;
    add_scopes(p);
    feed_print(out, "\"Attribute Name\",\"Requested Size\",\"Device\",\"Actual Size\","
                    "\"Reuse?\"\n");
    for (uint32_t id = 0; id < p->defs[WIRE_T_COUNTER]; id++) {
        struct feed_counter *memory = memory_at(p, id);
        const struct feed_counter_row *row = counter_row(p, id);
        const uint64_t bytes = memory == NULL ? 0 : take_bytes(memory);
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

static void print_number(struct feed_print *out, const struct feed_counter *counter, uint64_t bits)
{
    if (counter->kind == FEED_COUNTER_F64)
        feed_print(out, "%.17g", feed_double(bits));
    else
        feed_print(out, "%" PRId64, (int64_t)bits);
}

static void print_counter(struct feed_publisher *p, uint32_t id, struct feed_print *out)
{
    const struct feed_counter *counter = feed_counter_at(p->core->objects, id);
    const struct feed_counter_row *row = counter_row(p, id);
    feed_print(out, "{\"id\": %u, \"domain\": ", id);
    feed_print_quoted(out, row->domain);
    feed_print(out, ", \"name\": ");
    feed_print_quoted(out, row->name);
    feed_print(out, ", \"scope\": ");
    feed_print_quoted(out, row->scope);
    feed_print(out, ", \"updates\": %" PRIu64 ", \"value\": ", counter->noted.updates);
    print_number(out, counter, counter->noted.value);
    feed_print(out, ", \"max\": ");
    print_number(out, counter, counter->noted.max);
    feed_print(out, "}");
}

static void print_span(struct feed_publisher *p, uint32_t id, struct feed_print *out)
{
    const struct feed_span_view *view = &feed_span_at(p->core->objects, id)->noted;
    const struct feed_span_row *row = feed_book_row(&p->core->book, FEED_T_SPAN, id);
    feed_print(out, "{\"id\": %u, \"category\": ", id);
    feed_print_quoted(out, row->category);
    feed_print(out, ", \"name\": ");
    feed_print_quoted(out, row->name);
    feed_print(out,
               ", \"calls\": %" PRIu64 ", \"total_ns\": %" PRIu64 ", \"self_ns\": %" PRIu64 "}",
               view->calls, view->total, view->self);
}

uint32_t feed_dump_rows(struct feed_publisher *p, struct feed_print *out)
{
    uint32_t rows = 0;
    feed_print(out, "\"counters\": [");
    for (uint32_t id = 0; id < p->defs[WIRE_T_COUNTER]; id++) {
        if (!feed_counter_at(p->core->objects, id)->noted.known)
            continue;
        feed_print(out, "%s\n  ", rows++ == 0 ? "" : ",");
        print_counter(p, id, out);
    }
    feed_print(out, "],\n\"spans\": [");
    const uint32_t counters = rows;
    for (uint32_t id = 0; id < p->defs[WIRE_T_SPAN]; id++) {
        if (feed_span_at(p->core->objects, id)->noted.calls == 0)
            continue;
        feed_print(out, "%s\n  ", rows++ == counters ? "" : ",");
        print_span(p, id, out);
    }
    feed_print(out, "]");
    return rows;
}
