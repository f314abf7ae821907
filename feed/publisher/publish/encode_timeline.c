/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * encode_timeline.c: encodes the frames of a trace. Times are told by how long they are before the
 * frame's `base`, so that a column needs four bytes a row, not eight.
 */
#include "config.h"

#include "feed/publisher/publish/encode.h"
#include "feed/publisher/publish/encode_timeline.h"
#include "feed/publisher/record/objects.h"

/* First column of each group. Runs and instants have frames without the others. */
enum { APPLIED = 0, CALLED = 5, VALUED = 10, RAN = 0, MARKED = 6, MARKS = 0 };
_Static_assert(VALUED + 4 <= PUBLISHER_COLUMNS && MARKED + 5 <= PUBLISHER_COLUMNS, "columns");

static uint64_t ago(const struct publisher_trace_rows *rows, uint64_t start_ns)
{
    return start_ns < rows->base_ns ? rows->base_ns - start_ns : 0;
}

static void put(struct publisher *p, unsigned first, uint32_t at, const uint64_t value[5])
{
    for (unsigned i = 0; i < 5; i++)
        p->frame.column[first + i][at] = value[i];
}

void publisher_trace_put_apply(struct publisher *p, struct publisher_trace_rows *rows,
                               uint32_t apply, uint64_t start_ns, uint64_t ns, uint32_t thread,
                               unsigned how)
{
    put(p, APPLIED, rows->applied++,
        (const uint64_t[]){apply, ago(rows, start_ns), ns, thread, how});
}

void publisher_trace_put_call(struct publisher *p, struct publisher_trace_rows *rows,
                              uint32_t function, uint64_t start_ns, uint64_t ns, uint32_t thread,
                              unsigned how)
{
    put(p, CALLED, rows->called++,
        (const uint64_t[]){function, ago(rows, start_ns), ns, thread, how});
}

void publisher_trace_put_value(struct publisher *p, struct publisher_trace_rows *rows,
                               uint32_t counter, uint64_t at_ns, uint64_t bits)
{
    const bool real =
        publisher_counter_at(p->core->objects, counter)->kind == PUBLISHER_COUNTER_F64;
    uint64_t(*c)[WIRE_FRAME_ROWS] = p->frame.column;
    const uint32_t at = rows->valued++;
    c[VALUED][at] = counter;
    c[VALUED + 1][at] = ago(rows, at_ns);
    c[VALUED + 2][at] = wire_fold_i64(real ? 0 : (int64_t)bits);
    c[VALUED + 3][at] = real ? bits : 0;
}

void publisher_trace_put_run(struct publisher *p, struct publisher_trace_rows *rows,
                             const struct publisher_still_open *run, uint64_t ns, unsigned how)
{
    p->frame.column[RAN + 5][rows->ran] = run->frame;
    put(p, RAN, rows->ran++,
        (const uint64_t[]){run->id, ago(rows, run->start), ns, run->thread_plus_1, how});
}

void publisher_trace_put_marks(struct publisher *p, struct publisher_trace_rows *rows, uint32_t n)
{
    uint64_t(*c)[WIRE_FRAME_ROWS] = p->frame.column;
    for (uint32_t i = 0; i < n; i++)
        put(p, MARKED, rows->marked++,
            (const uint64_t[]){c[MARKS + 1][i], ago(rows, c[MARKS + 3][i]), c[MARKS + 2][i],
                               c[MARKS + 4][i], c[MARKS + 5][i]});
}

static void put_group(struct publisher *p, struct wire_writer *w, enum wire_group group,
                      unsigned first, uint32_t n)
{
    struct wire_source source[WIRE_COLUMNS];
    for (unsigned i = 0; i < wire_wide(&wire_groups[group]); i++)
        source[i] = (struct wire_source){.u = p->frame.column[first + i]};
    if (n != 0)
        wire_put_group(w, group, 0, n, source);
}

size_t publisher_encode_trace(struct publisher *p, uint64_t seq,
                              const struct publisher_trace_rows *rows)
{
    const struct publisher_timeline *t = &p->timeline;
    const uint64_t window[] = {t->number,
                               t->begin_ns,
                               t->on ? WIRE_UNKNOWN : t->until_ns,
                               t->on || t->sends ? PUBLISHER_TRACE_RUNS : t->why,
                               rows->base_ns,
                               t->events + publisher_trace_rows_all(rows),
                               t->dropped,
                               t->missed,
                               t->on ? 0 : t->untimed};
    enum { WIDE = sizeof window / sizeof window[0] };
    struct wire_source source[WIDE];
    struct wire_writer w;
    for (unsigned i = 0; i < WIDE; i++)
        source[i] = (struct wire_source){.u = &window[i]};
    publisher_encode_begin(p, &w, WIRE_TIMELINE, 0, seq, 0);
    wire_put_group(&w, WIRE_G_WINDOW, 0, 1, source);
    put_group(p, &w, WIRE_G_APPLIED, APPLIED, rows->applied);
    put_group(p, &w, WIRE_G_CALLED, CALLED, rows->called);
    put_group(p, &w, WIRE_G_VALUED, VALUED, rows->valued);
    put_group(p, &w, WIRE_G_RAN, RAN, rows->ran);
    put_group(p, &w, WIRE_G_MARKED, MARKED, rows->marked);
    return wire_end(&w);
}
