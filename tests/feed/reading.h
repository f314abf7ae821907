/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * reading.h: reads counters, spans and markers of a feed as a viewer does, for the tests of the
 * publisher: each reading asks for a snapshot, or for a hello. docs/protocol.md describes their
 * columns (3.3, and 3.10 to 3.13).
 */
#ifndef TESTS_FEED_READING_H
#define TESTS_FEED_READING_H

#include "client.h"

/* A counter, or memory: its bytes are the value, and its peak is the maximum. */
struct counter_view {
    bool known; /* it has a value, else all of these are 0 */
    uint64_t value, min, max, updates;
    double mean;
    uint64_t limit; /* of memory, or PROFTOP_UNKNOWN */
};

struct span_view {
    uint64_t calls, total, self;
    uint64_t last, min, max, first, until; /* PROFTOP_UNKNOWN without calls */
    uint64_t open;                         /* since when one is open, or PROFTOP_UNKNOWN */
};

struct span_thread_view {
    uint64_t thread_plus_1; /* 0: all threads that have no row of their own */
    uint64_t calls, total;
};

struct slow_view {
    uint64_t number, ns;
};

struct mark_view {
    uint64_t number, marker, scope, mono_ns, thread_plus_1, task_plus_1;
};

/* The connection that the first reading makes, and the rows of the group that was read last. */
static struct {
    struct client client;
    bool open;
    uint64_t req, frames;
    uint64_t u[WIRE_COLUMNS][WIRE_FRAME_ROWS];
} reader;

static inline struct client *reading_client(struct proftop *feed)
{
    ck_assert(proftop_is_on(feed));
    if (!reader.open)
        client_open(&reader.client, getpid());
    reader.open = true;
    return &reader.client;
}

/* Ends the connection. To be called before the feed is closed. */
static inline void reading_end(void)
{
    if (reader.open)
        client_close(&reader.client);
    reader.open = false;
}

/* Asks for a snapshot. reading_next() receives its frames. */
static inline void reading_ask(struct proftop *feed, const char *want)
{
    struct client *c = reading_client(feed);
    reader.frames = 0;
    client_pace(c);
    client_ask(c, (struct client_request){
                      .q = "snapshot", .want = want, .req = ++reader.req, .credit = WIRE_CREDIT});
}

/* Receives the next frame. Returns false after the last one. */
static inline bool reading_next(void)
{
    struct client *c = &reader.client;
    do /* skip frames of an earlier request */
        ck_assert_msg(client_receive(c, c->dealer, CLIENT_PATIENCE_MS), "the snapshot stopped");
    while (c->frame.field[WIRE_F_REQ].u != reader.req);
    if (c->frame.stream == WIRE_REPLY) {
        ck_assert_uint_eq(c->frame.field[WIRE_F_OK].u, 1);
        ck_assert_uint_eq(c->frame.field[WIRE_F_CHUNKS].u, reader.frames);
        return false;
    }
    reader.frames++;
    client_pace(c);
    client_ask(c, (struct client_request){.q = "more", .req = reader.req, .credit = 1});
    return true;
}

/* Reads the numbers of a group of this frame. Returns how many rows it has. */
static inline uint32_t reading_rows(enum wire_group group)
{
    const struct wire_rows *rows = &reader.client.frame.group[group];
    for (unsigned c = 0; rows->present && c < wire_wide(&wire_groups[group]); c++)
        if (rows->column[c].type != WIRE_TEXT)
            wire_column_read(&rows->column[c], 0, rows->count, reader.u[c], NULL);
    return rows->present ? rows->count : 0;
}

/* Finds the row of an id in a group of this frame, and reads the numbers of the group. Returns the
 * number of the row, or UINT32_MAX if there is none. */
static inline uint32_t reading_find(enum wire_group group, uint32_t id)
{
    const uint32_t n = reading_rows(group);
    for (uint32_t i = 0; i < n; i++)
        if (reader.u[0][i] == id)
            return i;
    return UINT32_MAX;
}

/* Number of definitions of a table. */
static inline uint32_t objects_defined(struct proftop *feed, enum wire_table table)
{
    for (reading_ask(feed, "D"); reading_next();)
        continue;
    return reader.client.frame.defs[table];
}

/* A text of a definition, valid until the next call. */
static inline const char *objects_text(struct proftop *feed, enum wire_group group, unsigned column,
                                       uint32_t id)
{
    static char out[WIRE_TEXT_MAX + 1];
    bool found = false;
    for (reading_ask(feed, "D"); reading_next();) {
        const struct wire_rows *rows = &reader.client.frame.group[group];
        if (!rows->present || id < rows->from || id - rows->from >= rows->count)
            continue;
        const uint8_t *cursor = rows->column[column].data;
        struct wire_text text = {0};
        for (uint32_t i = rows->from; i <= id; i++)
            ck_assert(wire_text_next(&rows->column[column], &cursor, &text));
        ck_assert_uint_lt(text.size, sizeof out);
        memcpy(out, text.data, text.size);
        out[text.size] = 0;
        found = true;
    }
    ck_assert_msg(found, "there is no %s %u", wire_groups[group].key, (unsigned)id);
    return out;
}

/* A number of a definition. */
static inline uint64_t objects_number(struct proftop *feed, enum wire_group group, unsigned column,
                                      uint32_t id)
{
    uint64_t number = PROFTOP_UNKNOWN;
    for (reading_ask(feed, "D"); reading_next();) {
        const uint32_t n = reading_rows(group), from = reader.client.frame.group[group].from;
        if (n > 0 && id >= from && id - from < n)
            number = reader.u[column][id - from];
    }
    ck_assert_uint_ne(number, PROFTOP_UNKNOWN);
    return number;
}

static inline double objects_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Puts the values of row `i` of the group that was read last into a view. */
static inline void reading_counter(struct counter_view *view, enum wire_group group, uint32_t i)
{
    uint64_t *const to[] = {&view->value, &view->min, &view->max};
    for (int c = 0; c < 3; c++) {
        const uint64_t u = reader.u[1 + c][i];
        *to[c] = group == WIRE_G_INT ? (uint64_t)wire_unfold_i64(u) : u;
    }
    view->known = true;
    view->updates = reader.u[4][i];
    view->mean = objects_double(reader.u[5][i]);
}

static inline void reading_memory(struct counter_view *view, uint32_t i)
{
    view->known = true;
    view->value = reader.u[1][i];
    view->max = reader.u[2][i];
    view->limit = reader.u[3][i];
    view->updates = reader.u[4][i];
}

static inline struct counter_view objects_counter(struct proftop *feed, uint32_t id)
{
    struct counter_view view = {.limit = PROFTOP_UNKNOWN};
    uint32_t i;
    for (reading_ask(feed, "C"); reading_next();) {
        if ((i = reading_find(WIRE_G_INT, id)) != UINT32_MAX)
            reading_counter(&view, WIRE_G_INT, i);
        if ((i = reading_find(WIRE_G_REAL, id)) != UINT32_MAX)
            reading_counter(&view, WIRE_G_REAL, i);
        if ((i = reading_find(WIRE_G_MEMORY, id)) != UINT32_MAX)
            reading_memory(&view, i);
        if ((i = reading_find(WIRE_G_USAGE, id)) != UINT32_MAX) {
            view.min = reader.u[1][i];
            view.mean = objects_double(reader.u[2][i]);
        }
    }
    ck_assert_uint_lt(id, reader.client.frame.defs[WIRE_T_COUNTER]);
    return view;
}

static inline struct span_view objects_span(struct proftop *feed, uint32_t id)
{
    struct span_view view = {.min = PROFTOP_UNKNOWN,
                             .max = PROFTOP_UNKNOWN,
                             .first = PROFTOP_UNKNOWN,
                             .until = PROFTOP_UNKNOWN};
    bool found = false;
    uint32_t i;
    for (reading_ask(feed, "S"); reading_next();) {
        if ((i = reading_find(WIRE_G_RUNS, id)) != UINT32_MAX) {
            found = true;
            view.calls = reader.u[1][i];
            view.total = reader.u[2][i];
            view.self = reader.u[3][i];
            view.last = reader.u[4][i];
            view.open = reader.u[5][i];
        }
        if ((i = reading_find(WIRE_G_EDGES, id)) != UINT32_MAX) {
            view.min = reader.u[1][i];
            view.max = reader.u[2][i];
            view.first = reader.u[3][i];
            view.until = reader.u[4][i];
        }
    }
    ck_assert_msg(found, "there is no span %u", (unsigned)id);
    return view;
}

/* Time since which a span is open, or PROFTOP_UNKNOWN. */
static inline uint64_t objects_open(struct proftop *feed, uint32_t id)
{
    return objects_span(feed, id).open;
}

/* The threads that a span ran on, at most `most`. Returns how many rows there are. */
static inline uint32_t objects_threads(struct proftop *feed, uint32_t id,
                                       struct span_thread_view *threads, uint32_t most)
{
    uint32_t n = 0;
    for (reading_ask(feed, "S"); reading_next();) {
        const uint32_t rows = reading_rows(WIRE_G_BY);
        for (uint32_t i = 0; i < rows; i++) {
            if (reader.u[0][i] != id)
                continue;
            if (n < most)
                threads[n] =
                    (struct span_thread_view){reader.u[1][i], reader.u[2][i], reader.u[3][i]};
            n++;
        }
    }
    return n;
}

/* The slowest frames of a span, as objects_threads(). */
static inline uint32_t objects_slowest(struct proftop *feed, uint32_t id, struct slow_view *slowest,
                                       uint32_t most)
{
    uint32_t n = 0;
    for (reading_ask(feed, "S"); reading_next();) {
        const uint32_t rows = reading_rows(WIRE_G_SLOW);
        for (uint32_t i = 0; i < rows; i++) {
            if (reader.u[0][i] != id)
                continue;
            if (n < most)
                slowest[n] = (struct slow_view){reader.u[1][i], reader.u[2][i]};
            n++;
        }
    }
    return n;
}

/* The instants that are kept, at most `most` of them. Returns how many there are. */
static inline uint32_t objects_marks(struct proftop *feed, struct mark_view *marks, uint32_t most)
{
    uint32_t n = 0;
    for (reading_ask(feed, "M"); reading_next();) {
        const uint32_t rows = reading_rows(WIRE_G_MARK);
        for (uint32_t i = 0; i < rows; i++, n++)
            if (n < most)
                marks[n] = (struct mark_view){reader.u[0][i], reader.u[1][i], reader.u[2][i],
                                              reader.u[3][i], reader.u[4][i], reader.u[5][i]};
    }
    return n;
}

/* A number of the hello. */
static inline uint64_t reading_hello(struct proftop *feed, enum wire_field field)
{
    struct client *c = reading_client(feed);
    client_hello(c);
    ck_assert(c->frame.field[field].present);
    return c->frame.field[field].u;
}

/* Number of invalid uses, all threads together. */
static inline uint64_t objects_invalid(struct proftop *feed)
{
    return reading_hello(feed, WIRE_F_INVALID);
}

static inline uint64_t objects_misuse(struct proftop *feed)
{
    return reading_hello(feed, WIRE_F_MISUSE);
}

/* What was not kept, by kind: lines of name=count. Valid until the next call. */
static inline const char *objects_lost(struct proftop *feed)
{
    static char lines[512];
    reading_hello(feed, WIRE_F_DROPPED);
    const struct wire_value *lost = &reader.client.frame.field[WIRE_F_LOST];
    const uint32_t size = lost->present ? lost->text.size : 0;
    ck_assert_uint_lt(size, sizeof lines);
    if (size > 0)
        memcpy(lines, lost->text.data, size);
    lines[size] = 0;
    return lines;
}

#endif
