/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * definitions.h: the definitions of a feed: append-only tables whose rows never move. Rows are
 * added under the feed's lock; whoever has read a table's count may read the rows below it without
 * the lock.
 */
#ifndef FEED_PUBLISHER_RECORD_DEFINITIONS_H
#define FEED_PUBLISHER_RECORD_DEFINITIONS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/protocol/frame.h"
#include "feed/protocol/limits.h"

#define PUBLISHER_NONE UINT32_MAX

enum publisher_table {
    PUBLISHER_DEF_CLASS,
    PUBLISHER_DEF_OP,
    PUBLISHER_DEF_FUNCTION,
    PUBLISHER_DEF_APPLY,
    PUBLISHER_DEF_THREAD,
    PUBLISHER_DEF_COUNTER,
    PUBLISHER_DEF_SPAN,
    PUBLISHER_DEF_MARKER,
    PUBLISHER_TABLES
};

/* Every row begins with `born`: its place among all definitions of the feed. In that order each
 * row comes after those that it refers to. */
struct publisher_class_row {
    uint64_t born;
    struct wire_text name;
};

struct publisher_op_row {
    uint64_t born;
    struct wire_text text, display; /* display: what screens call it; empty: the same */
    uint32_t op_class;
};

/* Times of compilation: each the value plus 1, or 0 for unknown. */
enum publisher_part {
    PUBLISHER_COMPILE,
    PUBLISHER_REWRITE,
    PUBLISHER_VALIDATE,
    PUBLISHER_LINK,
    PUBLISHER_PARTS
};

struct publisher_function_row {
    uint64_t born;
    struct wire_text name, file;
    uint32_t line, parent_plus_1, group, source;
    /* Source as viewers know it while it has no calls: absent if it was left out when it was
     * defined, or nobody sees its calls as was found out later. */
    _Atomic uint32_t told;
    bool left_out; /* it is not counted, nor are its applies */
    uint32_t first, last; /* its applies, chained; PUBLISHER_NONE: none. Under the lock */
    /* Compilations that overlap: begins without their end, and of the ends since the first of them
     * whether one came without times, the sum that others gave, when the last came, and when what
     * they ended began first. Under the lock. */
    uint32_t compiling;
    bool untimed;
    uint64_t given_ns, ended_ns, from_ns;
    _Atomic uint64_t part[PUBLISHER_PARTS];
    _Atomic uint64_t compile_since; /* the first of the open begins; 0: none is open */
};

struct publisher_apply_row {
    uint64_t born;
    struct wire_text text, where;
    uint32_t function, op, index;
    uint8_t source, kind, impl, exclusive, waits;
    _Atomic uint32_t next; /* apply of the same function plus 1, or 0; ids ascend */
};

struct publisher_thread_row {
    uint64_t born;
    struct wire_text name;
    uint64_t tid;
};

/* Of memory: its device, its pool, and the scope, empty for the pool as a whole. */
struct publisher_counter_row {
    uint64_t born;
    struct wire_text domain, name, scope, unit;
    struct wire_text report; /* of memory: its name in reports */
    uint32_t kind;           /* as on the wire */
};

struct publisher_span_row {
    uint64_t born;
    struct wire_text domain, name;
    struct wire_text category; /* in reports: the domain, of frames "domain,frame" */
    uint32_t kind;             /* as on the wire */
};

struct publisher_marker_row {
    uint64_t born;
    struct wire_text domain, name;
};

enum { PUBLISHER_DEFINITIONS_CHUNK = 1024 };

struct publisher_list {
    _Atomic uint32_t count;
    void **chunk; /* pointers to PUBLISHER_DEFINITIONS_CHUNK rows each; room for the whole table */
};

struct publisher_arena;

struct publisher_definitions {
    struct publisher_list list[PUBLISHER_TABLES];
    struct publisher_arena *texts;
    uint64_t born;
};

/* False when out of memory; then nothing is held. */
bool publisher_definitions_init(struct publisher_definitions *book);
void publisher_definitions_release(struct publisher_definitions *book);

uint32_t publisher_definitions_count(const struct publisher_definitions *book,
                                     enum publisher_table table);
/* Row of a table; the id is below a count that was read before. Borrowed. */
void *publisher_definitions_row(const struct publisher_definitions *book,
                                enum publisher_table table, uint32_t id);

/* A new row, zeroed but for `born`; it counts only after publisher_definitions_commit(). NULL: the
 * table is full or memory is. */
void *publisher_definitions_add(struct publisher_definitions *book, enum publisher_table table);
/* Gives its id. */
uint32_t publisher_definitions_commit(struct publisher_definitions *book,
                                      enum publisher_table table);

/* Copies a text, cut to WIRE_TEXT_MAX bytes at a character. NULL is the empty text. False when out
 * of memory. */
bool publisher_definitions_text(struct publisher_definitions *book, const char *text,
                                struct wire_text *copy);

/* Counts of all tables, in the order of the wire. */
void publisher_definitions_counts(const struct publisher_definitions *book,
                                  uint32_t counts[WIRE_TABLES]);

/* Bytes of `text` that fit into `limit` without cutting a character. */
size_t publisher_text_cut(const char *text, size_t limit);

#endif
