/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * encode_objects.c: decides which counters, spans and markers a tick sends, and encodes their
 * frames.
 */
#include "config.h"

#include "feed/publisher/collect/read_objects.h"
#include "feed/publisher/publish/encode_objects.h"
#include "feed/publisher/collect/sum.h"
#include "feed/publisher/publish/encode.h"
#include "feed/publisher/record/objects.h"

#include <stdlib.h>
#include <string.h>

enum { FRAMES_A_TICK = 4 }; /* of counters, and of spans; the rest waits */

void publisher_objects_sent_release(struct publisher_objects_sent *sent)
{
    free(sent->counters.ended);
    free(sent->spans.ended);
    free(sent->open);
    memset(sent, 0, sizeof *sent);
}

/* -------------------------------------------------------------------------------- dirty rows */

/* A table of rows with values: how to find and encode its rows. */
struct kind {
    enum wire_stream stream;
    enum wire_table table;
    uint32_t rows; /* of one frame */
    const struct publisher_update_count *(*turn)(struct publisher_objects *objects, uint32_t id);
    size_t (*frame)(struct publisher *p, uint64_t seq, uint64_t request, const uint32_t *id,
                    size_t n);
};

static const struct publisher_update_count *counter_turn(struct publisher_objects *objects,
                                                         uint32_t id)
{
    return &publisher_counter_at(objects, id)->turn;
}

static const struct publisher_update_count *span_turn(struct publisher_objects *objects,
                                                      uint32_t id)
{
    return &publisher_span_at(objects, id)->turn;
}

static const struct kind counters = {WIRE_COUNTERS, WIRE_T_COUNTER, PUBLISHER_COUNTER_ROWS,
                                     counter_turn, publisher_encode_counters};
static const struct kind spans = {WIRE_SPANS, WIRE_T_SPAN, PUBLISHER_SPAN_ROWS, span_turn,
                                  publisher_encode_spans};

/* New rows start with 0 updates sent; an unused row has no update either. */
static bool reserve_rows(struct publisher_last_sent *sent, uint32_t count)
{
    if (count <= sent->capacity)
        return true;
    uint32_t capacity = count * 2;
    uint32_t *grown = realloc(sent->ended, capacity * sizeof *grown);
    if (grown == NULL)
        return false;
    memset(grown + sent->capacity, 0, (capacity - sent->capacity) * sizeof *grown);
    sent->ended = grown;
    sent->capacity = capacity;
    return true;
}

/* Lists dirty rows from *at on, below `end`, and marks them as sent: later changes make them dirty
 * again. */
static size_t take_due(struct publisher *p, const struct kind *kind,
                       struct publisher_last_sent *sent, uint32_t *at, uint32_t end, uint32_t *id)
{
    size_t n = 0;
    for (; *at < end && n < kind->rows; ++*at) {
        const struct publisher_update_count *turn = kind->turn(p->core->objects, *at);
        uint32_t ended = atomic_load_explicit(&turn->ended, memory_order_acquire);
        bool rolls = ended != 0 && *at % WIRE_ROLL == p->tick % WIRE_ROLL;
        if (ended == sent->ended[*at] && !rolls)
            continue;
        sent->ended[*at] = ended;
        id[n++] = *at;
    }
    return n;
}

/* Goes on from where the last tick ended to the end of the table, then from its start. */
static void send_due(struct publisher *p, const struct kind *kind, struct publisher_last_sent *sent,
                     bool last)
{
    uint32_t id[PUBLISHER_COUNTER_ROWS], count = p->defs[kind->table];
    if (count == 0 || !publisher_sender_is_subscribed(&p->sender, kind->stream) ||
        !reserve_rows(sent, count))
        return;
    uint32_t begin = sent->next < count ? sent->next : 0, at = begin, end = count;
    for (int frames = 0; last || frames < FRAMES_A_TICK;) {
        size_t n = take_due(p, kind, sent, &at, end, id);
        uint64_t seq = p->sender.seq[kind->stream] + 1;
        size_t size = n == 0 ? 0 : kind->frame(p, seq, 0, id, n);
        if (size != 0 && !publisher_sender_send(&p->sender, kind->stream, p->frame.bytes, size))
            break;
        frames += size != 0;
        if (at == end && end == begin)
            break;
        if (at == end) {
            at = 0;
            end = begin;
        }
    }
    sent->next = at;
}

void publisher_encode_due_counters(struct publisher *p, bool last)
{
    send_due(p, &counters, &p->objects.counters, last);
}

void publisher_encode_due_spans(struct publisher *p, bool last)
{
    send_due(p, &spans, &p->objects.spans, last);
}

/* ------------------------------------------------------------------------------------- counters */

enum { COUNTER_KINDS = 3 };

/* Puts one counter into row n of the columns of its kind. */
static void take_counter(struct publisher *p, uint32_t id, unsigned kind,
                         const struct publisher_counter_view *view, uint32_t n)
{
    bool counted = view->updates != 0;
    uint64_t min = counted ? view->min : view->value, max = counted ? view->max : view->value;
    uint64_t(*c)[WIRE_FRAME_ROWS] = p->frame.column;
    c[0][n] = id;
    c[1][n] = view->value;
    c[2][n] = min;
    c[3][n] = max;
    c[4][n] = publisher_sum_bounded(view->updates);
    c[5][n] = publisher_bits(view->mean);
    if (kind == PUBLISHER_COUNTER_I64)
        for (int i = 1; i <= 3; i++)
            c[i][n] = wire_fold_i64((int64_t)c[i][n]);
    if (kind != PUBLISHER_MEMORY)
        return;
    c[1][n] = publisher_sum_bounded(view->value);
    c[2][n] = publisher_sum_bounded(view->max);
    c[3][n] = view->limit;
}

/* Puts the minimum and the mean of memory that has updates. They have a group of their own, which
 * old viewers skip. */
static void take_usage(struct publisher *p, uint32_t id, const struct publisher_counter_view *view,
                       uint32_t *rows)
{
    if (view->updates == 0)
        return;
    p->frame.column[6][*rows] = id;
    p->frame.column[7][*rows] = publisher_sum_bounded(view->min);
    p->frame.column[8][(*rows)++] = publisher_bits(view->mean);
}

/* Encodes the counters of one kind among n counters. */
static bool put_counters(struct publisher *p, struct wire_writer *w, unsigned kind,
                         const uint32_t *id, size_t n)
{
    static const enum wire_group group[COUNTER_KINDS] = {WIRE_G_INT, WIRE_G_REAL, WIRE_G_MEMORY};
    uint32_t rows = 0, used = 0;
    for (size_t i = 0; i < n; i++) {
        const struct publisher_counter *counter = publisher_counter_at(p->core->objects, id[i]);
        struct publisher_counter_view view;
        if (counter->kind != kind)
            continue;
        publisher_counter_read(counter, &view);
        if (!view.known)
            continue;
        take_counter(p, id[i], kind, &view, rows++);
        if (kind == PUBLISHER_MEMORY)
            take_usage(p, id[i], &view, &used);
    }
    if (rows == 0)
        return false;
    struct wire_source source[6];
    for (int i = 0; i < 6; i++)
        source[i] = (struct wire_source){.u = p->frame.column[i]};
    wire_put_group(w, group[kind], 0, rows, source);
    const struct wire_source usage[] = {
        {.u = p->frame.column[6]}, {.u = p->frame.column[7]}, {.u = p->frame.column[8]}};
    if (used > 0)
        wire_put_group(w, WIRE_G_USAGE, 0, used, usage);
    return true;
}

size_t publisher_encode_counters(struct publisher *p, uint64_t seq, uint64_t request,
                                 const uint32_t *id, size_t n)
{
    struct wire_writer w;
    bool any = false;
    publisher_encode_begin(p, &w, WIRE_COUNTERS, 0, seq, request);
    for (unsigned kind = 0; kind < COUNTER_KINDS; kind++)
        any |= put_counters(p, &w, kind, id, n);
    return any ? wire_end(&w) : 0;
}

/* ---------------------------------------------------------------------------------------- spans */

static bool find_open(struct publisher *p)
{
    struct publisher_objects_sent *sent = &p->objects;
    uint32_t count = p->defs[WIRE_T_SPAN];
    if (count > sent->open_capacity) {
        uint64_t *grown = realloc(sent->open, count * 2 * sizeof *grown);
        if (grown == NULL)
            return false;
        sent->open = grown;
        sent->open_capacity = count * 2;
    }
    publisher_runs_open(p->core->objects, count, sent->open);
    return true;
}

static void put_runs(struct publisher *p, struct wire_writer *w, const uint32_t *id, size_t n)
{
    uint64_t(*c)[WIRE_FRAME_ROWS] = p->frame.column;
    uint32_t rows = 0;
    for (size_t i = 0; i < n; i++) {
        struct publisher_span_view view;
        publisher_span_read(publisher_span_at(p->core->objects, id[i]), &view);
        c[0][i] = id[i];
        c[1][i] = publisher_sum_bounded(view.calls);
        c[2][i] = publisher_sum_bounded(view.total);
        c[3][i] = publisher_sum_bounded(view.self);
        c[4][i] = view.last;
        c[5][i] = p->objects.open[id[i]];
        bool known = view.min != PROFTOP_UNKNOWN && view.first != PROFTOP_UNKNOWN;
        if (view.calls == 0 || !known)
            continue;
        c[6][rows] = id[i];
        c[7][rows] = view.min;
        c[8][rows] = view.max;
        c[9][rows] = view.first;
        c[10][rows++] = view.until;
    }
    const struct wire_source runs[] = {{.u = c[0]}, {.u = c[1]}, {.u = c[2]},
                                       {.u = c[3]}, {.u = c[4]}, {.u = c[5]}};
    const struct wire_source edges[] = {
        {.u = c[6]}, {.u = c[7]}, {.u = c[8]}, {.u = c[9]}, {.u = c[10]}};
    wire_put_group(w, WIRE_G_RUNS, 0, (uint32_t)n, runs);
    if (rows != 0)
        wire_put_group(w, WIRE_G_EDGES, 0, rows, edges);
}

/* Puts the threads that each span ran on. A thread that is newer than this frame's definitions
 * waits for the next frame. */
static void put_threads(struct publisher *p, struct wire_writer *w, const uint32_t *id, size_t n)
{
    uint64_t(*c)[WIRE_FRAME_ROWS] = p->frame.column;
    uint32_t rows = 0;
    for (size_t i = 0; i < n; i++) {
        const struct publisher_span *span = publisher_span_at(p->core->objects, id[i]);
        for (int k = 0; k <= PUBLISHER_SPAN_THREADS; k++) {
            const struct publisher_span_thread *by = &span->thread[k];
            uint32_t thread = atomic_load_explicit(&by->thread_plus_1, memory_order_acquire);
            uint64_t calls, total;
            publisher_span_thread_read(by, &calls, &total);
            if (calls == 0)
                continue;
            if (thread > p->defs[WIRE_T_THREAD]) {
                if (id[i] < p->objects.spans.capacity)
                    p->objects.spans.ended[id[i]]--; /* dirty again */
                continue;
            }
            c[0][rows] = id[i];
            c[1][rows] = thread;
            c[2][rows] = publisher_sum_bounded(calls);
            c[3][rows++] = publisher_sum_bounded(total);
        }
    }
    const struct wire_source by[] = {{.u = c[0]}, {.u = c[1]}, {.u = c[2]}, {.u = c[3]}};
    if (rows != 0)
        wire_put_group(w, WIRE_G_BY, 0, rows, by);
}

static void put_slowest(struct publisher *p, struct wire_writer *w, const uint32_t *id, size_t n)
{
    uint64_t(*c)[WIRE_FRAME_ROWS] = p->frame.column;
    uint32_t rows = 0;
    for (size_t i = 0; i < n; i++) {
        struct publisher_frame_pass slowest[PUBLISHER_SLOWEST];
        struct publisher_span *span = publisher_span_at(p->core->objects, id[i]);
        uint32_t found = publisher_frames_slowest(span, UINT64_MAX, slowest, PUBLISHER_SLOWEST);
        for (uint32_t k = 0; k < found; k++) {
            c[0][rows] = id[i];
            c[1][rows] = slowest[k].number;
            c[2][rows++] = slowest[k].ns;
        }
    }
    const struct wire_source slow[] = {{.u = c[0]}, {.u = c[1]}, {.u = c[2]}};
    if (rows != 0)
        wire_put_group(w, WIRE_G_SLOW, 0, rows, slow);
}

size_t publisher_encode_spans(struct publisher *p, uint64_t seq, uint64_t request,
                              const uint32_t *id, size_t n)
{
    struct wire_writer w;
    if (!find_open(p))
        return 0;
    publisher_encode_begin(p, &w, WIRE_SPANS, 0, seq, request);
    put_runs(p, &w, id, n);
    put_threads(p, &w, id, n);
    put_slowest(p, &w, id, n);
    return wire_end(&w);
}

/* -------------------------------------------------------------------------------------- markers */

/* Returns the number of the first instant that is kept. Under the feed's lock. */
static uint64_t first_mark(const struct publisher_objects *objects)
{
    return objects->marks > PUBLISHER_MARKS ? objects->marks - PUBLISHER_MARKS + 1 : 1;
}

/* Puts an instant into row n. Returns false if it refers to newer definitions. */
static bool take_mark(struct publisher *p, uint64_t number, uint32_t n)
{
    const uint32_t *defs = p->defs;
    const struct publisher_mark *mark = &p->core->objects->mark[(number - 1) % PUBLISHER_MARKS];
    uint64_t(*c)[WIRE_FRAME_ROWS] = p->frame.column;
    if (mark->marker >= defs[WIRE_T_MARKER] || mark->thread_plus_1 > defs[WIRE_T_THREAD] ||
        mark->task_plus_1 > defs[WIRE_T_SPAN])
        return false;
    c[0][n] = number;
    c[1][n] = mark->marker;
    c[2][n] = mark->scope;
    c[3][n] = mark->mono_ns;
    c[4][n] = mark->thread_plus_1;
    c[5][n] = mark->task_plus_1;
    return true;
}

static size_t put_marks(struct publisher *p, uint64_t seq, uint64_t request, uint32_t rows)
{
    struct wire_writer w;
    struct wire_source source[6];
    if (rows == 0)
        return 0;
    for (int i = 0; i < 6; i++)
        source[i] = (struct wire_source){.u = p->frame.column[i]};
    publisher_encode_begin(p, &w, WIRE_MARKERS, 0, seq, request);
    wire_put_group(&w, WIRE_G_MARK, 0, rows, source);
    return wire_end(&w);
}

uint32_t publisher_encode_mark_columns(struct publisher *p, uint64_t *from)
{
    uint32_t rows = 0;
    if (p->defs[WIRE_T_MARKER] == 0)
        return 0;
    struct publisher_objects *objects = p->core->objects;
    pthread_mutex_lock(&p->core->handle->lock);
    if (*from + 1 < first_mark(objects))
        *from = first_mark(objects) - 1;
    while (*from < objects->marks && rows < WIRE_FRAME_ROWS && take_mark(p, *from + 1, rows)) {
        rows++;
        ++*from;
    }
    pthread_mutex_unlock(&p->core->handle->lock);
    return rows;
}

size_t publisher_encode_marks(struct publisher *p, uint64_t seq, uint64_t request, uint64_t *from)
{
    return put_marks(p, seq, request, publisher_encode_mark_columns(p, from));
}

/* Repeats the sent instants whose turn it is. */
static size_t roll_marks(struct publisher *p, uint64_t seq, uint64_t sent)
{
    struct publisher_objects *objects = p->core->objects;
    uint32_t rows = 0;
    pthread_mutex_lock(&p->core->handle->lock);
    for (uint64_t number = first_mark(objects); number <= sent; number++)
        if (number % WIRE_ROLL == p->tick % WIRE_ROLL)
            rows += take_mark(p, number, rows);
    pthread_mutex_unlock(&p->core->handle->lock);
    return put_marks(p, seq, 0, rows);
}

/* Counts instants as lost that were overwritten before they were sent, while a viewer was
 * subscribed. */
static void count_lost(struct publisher *p)
{
    struct publisher_objects *objects = p->core->objects;
    pthread_mutex_lock(&p->core->handle->lock);
    uint64_t first = first_mark(objects), sent = p->objects.mark;
    if (sent + 1 < first)
        __atomic_fetch_add(&p->core->handle->lost[PUBLISHER_LOST_INSTANTS], first - sent - 1,
                           __ATOMIC_RELAXED);
    pthread_mutex_unlock(&p->core->handle->lock);
}

static uint64_t marks_made(struct publisher *p)
{
    pthread_mutex_lock(&p->core->handle->lock);
    uint64_t made = p->core->objects->marks;
    pthread_mutex_unlock(&p->core->handle->lock);
    return made;
}

void publisher_encode_due_marks(struct publisher *p, bool last)
{
    if (p->defs[WIRE_T_MARKER] == 0)
        return;
    if (!publisher_sender_is_subscribed(&p->sender, WIRE_MARKERS)) {
        p->objects.mark = marks_made(p);
        return;
    }
    count_lost(p);
    uint64_t sent = p->objects.mark;
    size_t size = roll_marks(p, p->sender.seq[WIRE_MARKERS] + 1, sent);
    if (size != 0)
        publisher_sender_send(&p->sender, WIRE_MARKERS, p->frame.bytes, size);
    do
        size = publisher_encode_marks(p, p->sender.seq[WIRE_MARKERS] + 1, 0, &p->objects.mark);
    while (size != 0 && publisher_sender_send(&p->sender, WIRE_MARKERS, p->frame.bytes, size) &&
           last);
}
