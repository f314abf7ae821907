/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * definitions.h: the definitions table of a feed: append-only lists whose rows never move. Rows are
 * added under the feed's lock. A thread that has read a list's count may read the rows below that
 * count without the lock.
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

/* Every row begins with `born`: its place in the order of all definitions of the feed. In that
 * order, each row comes after the rows that it refers to. */
struct publisher_class_row {
    uint64_t born;
    struct wire_text name;
};

struct publisher_op_row {
    uint64_t born;
    struct wire_text text, display; /* display: name on screens; empty: `text` */
    uint32_t op_class;
};

/* Times of compilation. Each is kept as the value plus 1; 0 means unknown. */
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
    /* The source that viewers receive while the function has no calls. PROFTOP_ABSENT if it was
     * left out when defined, or if the program found later that it cannot see the calls. */
    _Atomic uint32_t sent_source;
    bool left_out;        /* neither the function nor its applies are counted */
    uint32_t first, last; /* its applies, chained; PUBLISHER_NONE: none. Under the feed's lock */
    /* Compilations of this function that overlap: `compiling` counts begins without an end yet. The
     * others cover the time since `compiling` was last 0. `untimed`: an end came without times.
     * `given_ns`: sum of the times that the ends gave. `ended_ns`: when the last end came.
     * `from_ns`: earliest begin of the ended compilations. Under the feed's lock. */
    uint32_t compiling;
    bool untimed;
    uint64_t given_ns, ended_ns, from_ns;
    _Atomic uint64_t part[PUBLISHER_PARTS];
    _Atomic uint64_t compile_since; /* time of the first open begin; 0: none is open */
};

/* Value of `exclusive` of an apply whose runs end by proftop_end_nested(). */
enum { PUBLISHER_NESTS = 2 };

struct publisher_apply_row {
    uint64_t born;
    struct wire_text text, where;
    uint32_t function, op, index;
    uint8_t source, kind, impl, exclusive, waits;
    _Atomic uint32_t next; /* next apply of the same function plus 1, or 0; ids ascend */
};

struct publisher_thread_row {
    uint64_t born;
    struct wire_text name;
    uint64_t tid;
};

/* A counter, or memory: `domain` is then the device, `name` the pool, and `scope` is empty for the
 * whole pool. */
struct publisher_counter_row {
    uint64_t born;
    struct wire_text domain, name, scope, unit;
    struct wire_text report; /* memory: its name in reports */
    uint32_t kind;           /* as on the wire */
};

struct publisher_span_row {
    uint64_t born;
    struct wire_text domain, name;
    struct wire_text category; /* in reports: the domain; frames: "domain,frame" */
    uint32_t kind;             /* as on the wire */
};

struct publisher_marker_row {
    uint64_t born;
    struct wire_text domain, name;
};

enum { PUBLISHER_DEFINITIONS_CHUNK = 1024 };

struct publisher_list {
    _Atomic uint32_t count;
    void **chunk; /* pointers to PUBLISHER_DEFINITIONS_CHUNK rows each, enough for a full table */
};

struct publisher_arena;

struct publisher_definitions {
    struct publisher_list list[PUBLISHER_TABLES];
    struct publisher_arena *texts;
    uint64_t born;
    bool nested;                     /* a function runs inside a node */
    struct publisher_black_box *box; /* new rows are written there, too; NULL: nowhere */
};

/* Returns false if out of memory; nothing is then to be released. */
bool publisher_definitions_init(struct publisher_definitions *definitions);
void publisher_definitions_release(struct publisher_definitions *definitions);

uint32_t publisher_definitions_count(const struct publisher_definitions *definitions,
                                     enum publisher_table table);
/* Returns a row of a table, borrowed. The id must be below a count that the caller has read. */
void *publisher_definitions_row(const struct publisher_definitions *definitions,
                                enum publisher_table table, uint32_t id);

/* Returns a new row, zeroed except for `born`. publisher_definitions_commit() makes it part of the
 * table. Returns NULL if the table is full, or if out of memory. */
void *publisher_definitions_add(struct publisher_definitions *definitions,
                                enum publisher_table table);
/* Adds the new row to the table, and returns its id. */
uint32_t publisher_definitions_commit(struct publisher_definitions *definitions,
                                      enum publisher_table table);

/* Writes a row to the black box, if there is one. Under the feed's lock. keep_unseen(): that the
 * calls of a function cannot be seen. */
void publisher_definitions_keep(const struct publisher_definitions *definitions,
                                enum publisher_table table, uint32_t id);
void publisher_definitions_keep_unseen(const struct publisher_definitions *definitions,
                                       uint32_t function);

/* Copies a text, cut to WIRE_TEXT_MAX bytes between characters. NULL means the empty text. Returns
 * false if out of memory. */
bool publisher_definitions_text(struct publisher_definitions *definitions, const char *text,
                                struct wire_text *copy);

/* Gives the counts of all tables, in the order of the wire. */
void publisher_definitions_counts(const struct publisher_definitions *definitions,
                                  uint32_t counts[WIRE_TABLES]);

/* Returns how many bytes of `text` fit into `limit` without cutting a character. */
size_t publisher_text_cut(const char *text, size_t limit);

#endif
