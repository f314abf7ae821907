/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * encode.c: encodes a job's definitions and sums as frames.
 */
#include "config.h"

#include "feed/publisher/collect/aggregate.h"
#include "feed/publisher/publish/encode.h"
#include "feed/publisher/record/clock.h"

#include <string.h>

enum {
    HEADER_SIZE = 1024, /* bytes reserved for fields and keys */
    AHEAD = 32,         /* rows to prefetch */
};

/* Not called for each row of applies: optimise for size. */
#define RARE __attribute__((cold))

/* `defs`: number of definitions of each kind that a reader needs for this frame. */
RARE static void begin(struct publisher *p, struct wire_writer *w, enum wire_stream stream,
                       uint32_t function, uint64_t seq, uint64_t request, const uint32_t *defs)
{
    wire_begin(w, p->frame.bytes, WIRE_FRAME_MAX, stream, function);
    wire_put_u64(w, WIRE_F_VER, WIRE_VERSION);
    wire_put_bin16(w, WIRE_F_INST, p->core->me.instance);
    wire_put_u64(w, WIRE_F_EPOCH, p->epoch);
    wire_put_u64(w, WIRE_F_SEQ, seq);
    wire_put_u64(w, WIRE_F_TICK, p->tick);
    wire_put_u64(w, WIRE_F_MONO, publisher_clock_ns());
    wire_put_u64(w, WIRE_F_WALL, publisher_clock_wall_ns());
    wire_put_counts(w, WIRE_F_DEFS, defs);
    if (request != 0)
        wire_put_u64(w, WIRE_F_REQ, request);
}

void publisher_encode_begin(struct publisher *p, struct wire_writer *w, enum wire_stream stream,
                            uint32_t function, uint64_t seq, uint64_t request)
{
    begin(p, w, stream, function, seq, request, p->defs);
}

/* ----------------------------------------------------------------------------- definitions */

/* How one table is encoded: the size limit of a row, and how a row fills the columns. */
struct writer_row {
    enum publisher_table table;
    enum wire_table counted;
    enum wire_group group;
    uint32_t fixed; /* largest size of its integers and of the heads of its texts, in bytes */
    uint32_t (*words)(const void *row); /* size of its texts, in bytes */
    void (*take)(struct publisher *p, uint32_t at, const void *row);
    struct {
        bool text;
        uint8_t column;
    } source[PUBLISHER_COLUMNS];
};

static uint32_t class_words(const void *row)
{
    return ((const struct publisher_class_row *)row)->name.size;
}

static void take_class(struct publisher *p, uint32_t at, const void *row)
{
    p->frame.words[0][at] = ((const struct publisher_class_row *)row)->name;
}

static uint32_t op_words(const void *row)
{
    const struct publisher_op_row *op = row;
    return op->text.size + op->display.size;
}

static void take_op(struct publisher *p, uint32_t at, const void *row)
{
    const struct publisher_op_row *op = row;
    p->frame.column[0][at] = op->op_class;
    p->frame.words[0][at] = op->text;
}

static uint32_t function_words(const void *row)
{
    const struct publisher_function_row *function = row;
    return function->name.size + function->file.size;
}

static void take_function(struct publisher *p, uint32_t at, const void *row)
{
    const struct publisher_function_row *function = row;
    p->frame.words[0][at] = function->name;
    p->frame.words[1][at] = function->file;
    p->frame.column[0][at] = function->line;
    p->frame.column[1][at] = function->parent_plus_1;
    p->frame.column[2][at] = function->group;
    p->frame.column[3][at] = function->sent_source;
}

static uint32_t apply_words(const void *row)
{
    const struct publisher_apply_row *apply = row;
    return apply->text.size + apply->where.size;
}

static void take_apply(struct publisher *p, uint32_t at, const void *row)
{
    const struct publisher_apply_row *apply = row;
    p->frame.column[0][at] = apply->function;
    p->frame.column[1][at] = apply->op;
    p->frame.column[2][at] = apply->index;
    p->frame.words[0][at] = apply->text;
    p->frame.words[1][at] = apply->where;
    p->frame.column[3][at] = apply->source;
    p->frame.column[4][at] = apply->kind;
    p->frame.column[5][at] = apply->impl;
    p->frame.column[6][at] = apply->exclusive != 0;
}

static uint32_t thread_words(const void *row)
{
    return ((const struct publisher_thread_row *)row)->name.size;
}

static void take_thread(struct publisher *p, uint32_t at, const void *row)
{
    const struct publisher_thread_row *thread = row;
    p->frame.words[0][at] = thread->name;
    p->frame.column[0][at] = thread->tid;
}

static uint32_t counter_words(const void *row)
{
    const struct publisher_counter_row *counter = row;
    return counter->domain.size + counter->name.size + counter->scope.size + counter->unit.size;
}

static void take_counter(struct publisher *p, uint32_t at, const void *row)
{
    const struct publisher_counter_row *counter = row;
    p->frame.words[0][at] = counter->domain;
    p->frame.words[1][at] = counter->name;
    p->frame.words[2][at] = counter->scope;
    p->frame.words[3][at] = counter->unit;
    p->frame.column[0][at] = counter->kind;
}

static uint32_t span_words(const void *row)
{
    const struct publisher_span_row *span = row;
    return span->domain.size + span->name.size;
}

static void take_span(struct publisher *p, uint32_t at, const void *row)
{
    const struct publisher_span_row *span = row;
    p->frame.words[0][at] = span->domain;
    p->frame.words[1][at] = span->name;
    p->frame.column[0][at] = span->kind;
}

static uint32_t marker_words(const void *row)
{
    const struct publisher_marker_row *marker = row;
    return marker->domain.size + marker->name.size;
}

static void take_marker(struct publisher *p, uint32_t at, const void *row)
{
    const struct publisher_marker_row *marker = row;
    p->frame.words[0][at] = marker->domain;
    p->frame.words[1][at] = marker->name;
}

#define I(n)                                                                                       \
    {                                                                                              \
        false, n                                                                                   \
    }
#define T(n)                                                                                       \
    {                                                                                              \
        true, n                                                                                    \
    }
static const struct writer_row writers[PUBLISHER_TABLES] = {
    {PUBLISHER_DEF_CLASS, WIRE_T_CLASS, WIRE_G_CLASS, 5, class_words, take_class, {T(0)}},
    {PUBLISHER_DEF_OP, WIRE_T_OP, WIRE_G_OP, 18, op_words, take_op, {I(0), T(0)}},
    {PUBLISHER_DEF_FUNCTION,
     WIRE_T_FUNCTION,
     WIRE_G_FUNCTION,
     26,
     function_words,
     take_function,
     {T(0), T(1), I(0), I(1), I(2), I(3)}},
    {PUBLISHER_DEF_APPLY,
     WIRE_T_APPLY,
     WIRE_G_APPLY,
     43, /* with its row of group `waits` */
     apply_words,
     take_apply,
     {I(0), I(1), I(2), T(0), T(1), I(3), I(4), I(5), I(6)}},
    {PUBLISHER_DEF_THREAD,
     WIRE_T_THREAD,
     WIRE_G_THREAD,
     13,
     thread_words,
     take_thread,
     {T(0), I(0)}},
    {PUBLISHER_DEF_COUNTER,
     WIRE_T_COUNTER,
     WIRE_G_COUNTER,
     21,
     counter_words,
     take_counter,
     {T(0), T(1), T(2), T(3), I(0)}},
    {PUBLISHER_DEF_SPAN, WIRE_T_SPAN, WIRE_G_SPAN, 11, span_words, take_span, {T(0), T(1), I(0)}},
    {PUBLISHER_DEF_MARKER,
     WIRE_T_MARKER,
     WIRE_G_MARKER,
     10,
     marker_words,
     take_marker,
     {T(0), T(1)}},
};
#undef I
#undef T

/* Returns the table with the oldest row that is left; NULL if no row is left. */
RARE static const struct writer_row *next_table(const struct publisher *p,
                                                const uint32_t at[WIRE_TABLES])
{
    const struct writer_row *best = NULL;
    uint64_t oldest = UINT64_MAX;
    for (int i = 0; i < PUBLISHER_TABLES; i++) {
        const struct writer_row *writer = &writers[i];
        if (at[writer->counted] >= p->defs[writer->counted])
            continue;
        uint64_t born;
        memcpy(&born,
               publisher_definitions_row(&p->core->definitions, writer->table, at[writer->counted]),
               sizeof born);
        if (best == NULL || born < oldest) {
            best = writer;
            oldest = born;
        }
    }
    return best;
}

/* Advances `at` over the rows that fit into one frame, oldest first. So each row comes after the
 * rows that it refers to, in whatever table they are. */
RARE static void choose(const struct publisher *p, uint32_t at[WIRE_TABLES])
{
    size_t bytes = HEADER_SIZE;
    const struct writer_row *writer;
    for (uint32_t rows = 0; rows < WIRE_FRAME_ROWS; rows++) {
        writer = next_table(p, at);
        if (writer == NULL)
            return;
        bytes += writer->fixed + writer->words(publisher_definitions_row(
                                     &p->core->definitions, writer->table, at[writer->counted]));
        if (bytes > WIRE_FRAME_MAX)
            return;
        at[writer->counted]++;
    }
}

RARE static void put_table(struct publisher *p, struct wire_writer *w,
                           const struct writer_row *writer, uint32_t from, uint32_t to)
{
    struct wire_source source[PUBLISHER_COLUMNS] = {{0}};
    for (uint32_t id = from; id < to; id++)
        writer->take(p, id - from,
                     publisher_definitions_row(&p->core->definitions, writer->table, id));
    for (int i = 0; i < PUBLISHER_COLUMNS; i++) {
        uint8_t column = writer->source[i].column;
        if (writer->source[i].text)
            source[i].text = p->frame.words[column];
        else
            source[i].u = p->frame.column[column];
    }
    wire_put_group(w, writer->group, from, to - from, source);
}

/* Puts the ops that have a display name of their own. */
RARE static void put_displays(struct publisher *p, struct wire_writer *w, uint32_t from,
                              uint32_t to)
{
    uint32_t n = 0;
    for (uint32_t id = from; id < to; id++) {
        const struct publisher_op_row *op =
            publisher_definitions_row(&p->core->definitions, PUBLISHER_DEF_OP, id);
        if (op->display.size == 0)
            continue;
        p->frame.column[0][n] = id;
        p->frame.words[0][n++] = op->display;
    }
    const struct wire_source source[] = {{.u = p->frame.column[0]}, {.text = p->frame.words[0]}};
    if (n > 0)
        wire_put_group(w, WIRE_G_DISPLAY, 0, n, source);
}

/* Puts the applies whose time is not work. */
RARE static void put_waits(struct publisher *p, struct wire_writer *w, uint32_t from, uint32_t to)
{
    uint32_t n = 0;
    for (uint32_t id = from; id < to; id++) {
        const struct publisher_apply_row *apply =
            publisher_definitions_row(&p->core->definitions, PUBLISHER_DEF_APPLY, id);
        if (apply->waits == PROFTOP_WORKS)
            continue;
        p->frame.column[0][n] = id;
        p->frame.column[1][n++] = apply->waits;
    }
    const struct wire_source source[] = {{.u = p->frame.column[0]}, {.u = p->frame.column[1]}};
    if (n > 0)
        wire_put_group(w, WIRE_G_WAITS, 0, n, source);
}

RARE size_t publisher_encode_defs(struct publisher *p, uint64_t seq, uint64_t request,
                                  uint32_t from[WIRE_TABLES])
{
    struct wire_writer w;
    uint32_t end[WIRE_TABLES];
    memcpy(end, from, sizeof end);
    choose(p, end);
    if (memcmp(end, from, sizeof end) == 0)
        return 0;
    begin(p, &w, WIRE_DEFS, 0, seq, request, end);
    for (int i = 0; i < PUBLISHER_TABLES; i++) {
        enum wire_table table = writers[i].counted;
        if (end[table] > from[table])
            put_table(p, &w, &writers[i], from[table], end[table]);
    }
    put_displays(p, &w, from[WIRE_T_OP], end[WIRE_T_OP]);
    put_waits(p, &w, from[WIRE_T_APPLY], end[WIRE_T_APPLY]);
    memcpy(from, end, sizeof end);
    return wire_end(&w);
}

/* ---------------------------------------------------------------------------------- values */

/* True if group x has data for the row: how long calls took, or that no call was timed. PROFTOP_SET
 * rows have none; their values do not describe single calls. */
static bool has_extremes(const struct publisher_row *row)
{
    return row->timed != 0 || (row->calls != 0 && row->source != PROFTOP_SET);
}

/* Adds group err of these rows to a frame of A, if a row has an error. */
static void encode_errors(struct publisher *p, struct wire_writer *w, const uint32_t *id, size_t n)
{
    uint32_t rows = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t error_ns = publisher_aggregate_error(&p->aggregate, id[i]);
        if (error_ns == PROFTOP_UNKNOWN)
            continue;
        p->frame.column[0][rows] = id[i];
        p->frame.column[1][rows++] = error_ns;
    }
    const struct wire_source columns[] = {{.u = p->frame.column[0]}, {.u = p->frame.column[1]}};
    if (rows != 0)
        wire_put_group(w, WIRE_G_ERR, 0, rows, columns);
}

size_t publisher_encode_applies(struct publisher *p, uint64_t seq, uint64_t request,
                                uint32_t function, const uint32_t *id, size_t n, bool all)
{
    uint64_t(*c)[WIRE_FRAME_ROWS] = p->frame.column;
    uint32_t values = 0, extremes = 0, open = 0;
    for (size_t i = 0; i < n; i++) {
        const struct publisher_rows *rows = p->aggregate.applies[id[i] >> PUBLISHER_CHUNK_SHIFT];
        const uint32_t at = id[i] % PUBLISHER_CHUNK;
        if (i + AHEAD < n)
            __builtin_prefetch(publisher_aggregate_apply_at(&p->aggregate, id[i + AHEAD]));
        if (rows == NULL || !publisher_bit(&rows->known, at))
            continue;
        const struct publisher_row *row = &rows->row[at];
        c[0][values] = id[i];
        c[1][values] = row->calls;
        c[2][values] = row->total;
        c[3][values++] = row->last;
        if (row->is_open) {
            c[8][open] = id[i];
            c[9][open++] = row->open;
        }
        if (!(all || publisher_bit(&rows->extremes, at)) || !has_extremes(row))
            continue;
        c[4][extremes] = id[i];
        c[5][extremes] = row->min;
        c[6][extremes] = row->max;
        c[7][extremes++] = publisher_sent_timed(row->calls, row->timed);
    }
    if (values == 0)
        return 0;
    struct wire_writer w;
    const struct wire_source v[] = {{.u = c[0]}, {.u = c[1]}, {.u = c[2]}, {.u = c[3]}};
    const struct wire_source x[] = {{.u = c[4]}, {.u = c[5]}, {.u = c[6]}, {.u = c[7]}};
    publisher_encode_begin(p, &w, WIRE_APPLIES, function, seq, request);
    wire_put_group(&w, WIRE_G_V, 0, values, v);
    if (extremes != 0)
        wire_put_group(&w, WIRE_G_X, 0, extremes, x);
    if (open != 0)
        wire_put_group(&w, WIRE_G_OPEN, 0, open, (struct wire_source[]){{.u = c[8]}, {.u = c[9]}});
    if (p->aggregate.estimates)
        encode_errors(p, &w, id, n);
    return wire_end(&w);
}

RARE size_t publisher_encode_functions(struct publisher *p, uint64_t seq, uint64_t request,
                                       const uint32_t *id, size_t n)
{
    uint64_t(*c)[WIRE_FRAME_ROWS] = p->frame.column;
    struct wire_writer w;
    uint32_t rows = 0, sampled = 0;
    for (size_t i = 0; i < n; i++)
        if (publisher_aggregate_function(&p->aggregate, id[i]) != NULL)
            c[0][rows++] = id[i];
    if (rows == 0)
        return 0;
    publisher_encode_begin(p, &w, WIRE_FUNCTIONS, 0, seq, request);
    for (uint32_t i = 0; i < rows; i++) {
        const struct publisher_call_row *row =
            publisher_aggregate_function(&p->aggregate, (uint32_t)c[0][i]);
        c[1][i] = row->calls;
        c[2][i] = row->ns;
        c[3][i] = row->vm;
        c[4][i] = row->open;
        if (row->timed == row->calls)
            continue;
        c[6][sampled] = c[0][i];
        c[7][sampled] = row->timed;
        c[8][sampled++] = row->half;
    }
    const struct wire_source columns[] = {{.u = c[0]}, {.u = c[1]}, {.u = c[2]},
                                          {.u = c[3]}, {.u = c[4]}, {.u = c[5]},
                                          {.u = c[6]}, {.u = c[7]}, {.u = c[8]}};
    wire_put_group(&w, WIRE_G_CALLS, 0, rows, columns);
    if (sampled != 0)
        wire_put_group(&w, WIRE_G_SAMPLED, 0, sampled, &columns[6]);
    for (uint32_t i = 0; i < rows; i++) {
        const struct publisher_call_row *row =
            publisher_aggregate_function(&p->aggregate, (uint32_t)c[0][i]);
        for (int part = 0; part < PUBLISHER_PARTS; part++)
            c[1 + part][i] = row->part[part];
        c[5][i] = row->compile_open;
    }
    wire_put_group(&w, WIRE_G_COMPILE, 0, rows, columns);
    return wire_end(&w);
}

/* Inserts (thread, apply, since), ordered by thread. */
RARE static void insert_now(struct publisher *p, size_t n, const uint64_t now[3])
{
    size_t at = n;
    for (; at > 0 && p->frame.column[0][at - 1] > now[0]; at--)
        for (int c = 0; c < 3; c++)
            p->frame.column[c][at] = p->frame.column[c][at - 1];
    for (int c = 0; c < 3; c++)
        p->frame.column[c][at] = now[c];
}

/* Puts the buckets of one op. An op with incomplete buckets gets one bucket of 0 calls. */
RARE static uint32_t put_share(struct publisher *p, uint32_t n, uint32_t op,
                               const struct publisher_share *share)
{
    uint64_t(*c)[WIRE_FRAME_ROWS] = p->frame.column;
    bool whole = publisher_share_is_whole(share);
    for (uint32_t i = 0; i < PUBLISHER_BUCKETS; i++) {
        if (whole ? share->count[i] == 0 : i != 0)
            continue;
        c[0][n] = op;
        c[1][n] = i;
        c[2][n++] = whole ? share->count[i] : 0;
    }
    return n;
}

RARE size_t publisher_encode_percentiles(struct publisher *p, uint64_t seq, uint64_t request,
                                         uint32_t *from, bool all)
{
    uint32_t n = 0;
    const uint32_t defined = p->defs[WIRE_T_OP], counted = p->percentiles.ops;
    const uint32_t ops = defined < counted ? defined : counted;
    for (; *from < ops && n + PUBLISHER_BUCKETS <= WIRE_FRAME_ROWS; ++*from) {
        struct publisher_share *share = p->percentiles.op[*from];
        if (share == NULL || share->timed == 0 || !(all || share->due))
            continue;
        n = put_share(p, n, *from, share);
        share->due = share->due && all;
    }
    if (n == 0)
        return 0;
    struct wire_writer w;
    const struct wire_source columns[] = {
        {.u = p->frame.column[0]}, {.u = p->frame.column[1]}, {.u = p->frame.column[2]}};
    publisher_encode_begin(p, &w, WIRE_PERCENTILES, 0, seq, request);
    wire_put_group(&w, WIRE_G_P, 0, n, columns);
    return wire_end(&w);
}

/* Gets the apply that a thread runs, and since when by the monotonic clock. Returns false if it
 * runs none. */
static bool runs(const struct publisher *p, const struct publisher_block *block, uint32_t *apply,
                 uint64_t *since)
{
    uint64_t clock = block->ticks ? publisher_ticks_stamp() : publisher_clock_ns();
    if (!publisher_block_now(block, clock, apply, since))
        return false;
    if (block->ticks)
        *since = publisher_ticks_instant_ns(&p->core->ticks, *since);
    return true;
}

RARE size_t publisher_encode_now(struct publisher *p, uint64_t seq, uint64_t request, size_t *rows)
{
    struct publisher_block *block = atomic_load_explicit(&p->core->blocks, memory_order_acquire);
    size_t n = 0;
    publisher_ticks_settle(&p->core->ticks);
    for (; block != NULL && n < WIRE_FRAME_ROWS; block = block->next) {
        uint32_t defined = atomic_load_explicit(&block->defined, memory_order_acquire), apply;
        uint64_t since;
        if (defined == 0 || defined > p->defs[WIRE_T_THREAD] || !runs(p, block, &apply, &since) ||
            apply >= p->defs[WIRE_T_APPLY])
            continue;
        insert_now(p, n++, (uint64_t[]){defined - 1, apply + 1, since});
    }
    struct wire_writer w;
    const struct wire_source columns[] = {
        {.u = p->frame.column[0]}, {.u = p->frame.column[1]}, {.u = p->frame.column[2]}};
    publisher_encode_begin(p, &w, WIRE_NOW, 0, seq, request);
    wire_put_group(&w, WIRE_G_NOW, 0, (uint32_t)n, columns);
    *rows = n;
    return wire_end(&w);
}

RARE size_t publisher_encode_notices(struct publisher *p, uint64_t seq, uint64_t request,
                                     uint64_t from, uint64_t *end)
{
    struct wire_writer w;
    uint32_t n = 0;
    size_t size = 0;
    pthread_mutex_lock(&p->core->handle->lock);
    uint64_t made = p->core->notices;
    if (made > PUBLISHER_NOTICES && from < made - PUBLISHER_NOTICES)
        from = made - PUBLISHER_NOTICES;
    for (uint64_t at = from; at < made; at++, n++) {
        const struct publisher_notice *notice = &p->core->notice[at % PUBLISHER_NOTICES];
        p->frame.column[0][n] = notice->wall_ns;
        p->frame.column[1][n] = notice->level;
        p->frame.words[0][n] = (struct wire_text){.data = notice->text, .size = notice->size};
    }
    if (n != 0) {
        const struct wire_source columns[] = {
            {.u = p->frame.column[0]}, {.u = p->frame.column[1]}, {.text = p->frame.words[0]}};
        publisher_encode_begin(p, &w, WIRE_NOTICES, 0, seq, request);
        wire_put_group(&w, WIRE_G_NOTICE, 0, n, columns);
        size = wire_end(&w);
    }
    pthread_mutex_unlock(&p->core->handle->lock);
    *end = made;
    return size;
}
