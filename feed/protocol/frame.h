/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * frame.h: frames to bytes and back. docs/protocol.md is the contract.
 *
 * A frame is a topic ("A/3/") followed by one MessagePack map of fields (one value each) and groups
 * (columns of equal length). The two tables of schema.c define all fields and groups and their
 * types. This layer knows no socket, no model and no clock, allocates nothing, and never reads
 * outside the given bytes.
 */
#ifndef FEED_PROTOCOL_FRAME_H
#define FEED_PROTOCOL_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/protocol/limits.h"

#define WIRE_UNKNOWN UINT64_MAX /* unknown value of a WIRE_OPT column */

/* Streams by the letter of their topic, in the order of the table in schema.c. */
enum wire_stream {
    WIRE_HELLO,       /* H */
    WIRE_DEFS,        /* D */
    WIRE_FUNCTIONS,   /* F */
    WIRE_APPLIES,     /* A, one topic per function */
    WIRE_NOW,         /* N */
    WIRE_NOTICES,     /* E */
    WIRE_REWRITES,    /* R: compile phases */
    WIRE_DETAILS,     /* I: details of applies, and their metrics */
    WIRE_REQUEST,     /* Q: viewer to job */
    WIRE_REPLY,       /* Y: job to viewer */
    WIRE_COUNTERS,    /* C */
    WIRE_SPANS,       /* S */
    WIRE_MARKERS,     /* M */
    WIRE_PERCENTILES, /* P: call durations of ops, in buckets */
    WIRE_TIMELINE,    /* T: single events, while a trace runs */
    WIRE_RESERVED,    /* letters of later versions; read as a frame without groups */
    WIRE_STREAMS
};

/* Tables of definitions, in the order of the field `defs`. */
enum wire_table {
    WIRE_T_CLASS, WIRE_T_OP, WIRE_T_FUNCTION, WIRE_T_APPLY,
    WIRE_T_COUNTER, WIRE_T_SPAN, WIRE_T_MARKER, WIRE_T_THREAD,
    WIRE_TABLES
};

/* THE table of fields: FIELD(name of WIRE_F_..., key on the wire, type). Frames may have the fields
 * in any order; our writer and the golden bytes (docs/protocol.md, 7) have them in this one. */
#define WIRE_FIELD_TABLE(FIELD)                                                                    \
    FIELD(VER, "ver", U64)                                                                         \
    FIELD(INST, "inst", BIN16)                                                                     \
    FIELD(EPOCH, "epoch", U64)                                                                     \
    FIELD(SEQ, "seq", U64)                                                                         \
    FIELD(TICK, "tick", U64)                                                                       \
    FIELD(MONO, "mono", U64)                                                                       \
    FIELD(WALL, "wall", U64)                                                                       \
    FIELD(DEFS, "defs", COUNTS)                                                                    \
    FIELD(REQ, "req", U64)                                                                         \
    /* H */                                                                                        \
    FIELD(LO, "lo", U64)                                                                           \
    FIELD(HI, "hi", U64)                                                                           \
    FIELD(HOST, "host", TEXT)                                                                      \
    FIELD(PID, "pid", U64)                                                                         \
    FIELD(START, "start", U64)                                                                     \
    FIELD(PROGRAM, "program", TEXT)                                                                \
    FIELD(FRAMEWORK, "framework", TEXT)                                                            \
    FIELD(FWVER, "fwver", TEXT)                                                                    \
    FIELD(LIB, "lib", TEXT)                                                                        \
    FIELD(RANK, "rank", U64)                                                                       \
    FIELD(SIZE, "size", U64)                                                                       \
    FIELD(ROLE, "role", TEXT)                                                                      \
    FIELD(LOCAL, "local", U64)                                                                     \
    FIELD(BATCH, "batch", TEXT)                                                                    \
    FIELD(PARENT, "parent", BIN16)                                                                 \
    FIELD(ROUTE, "route", TEXT)                                                                    \
    FIELD(CLOCK, "clock", TEXT)                                                                    \
    FIELD(OPENS, "opens", U64)                                                                     \
    FIELD(TICKMS, "tickms", U64)                                                                   \
    FIELD(COLLECT, "collect", U64)                                                                 \
    FIELD(ASKER, "asker", TEXT)                                                                    \
    FIELD(FACTS, "facts", TEXT)                                                                    \
    FIELD(ONLY, "only", TEXT)                                                                      \
    FIELD(MUTE, "mute", U64)                                                                       \
    FIELD(LOST, "lost", TEXT)                                                                      \
    FIELD(COUNTED, "counted", U64)                                                                 \
    FIELD(VIEWERS, "viewers", U64)                                                                 \
    FIELD(REFUSED, "refused", U64)                                                                 \
    FIELD(INSECURE, "insecure", U64)                                                               \
    FIELD(GARBAGE, "garbage", U64)                                                                 \
    FIELD(FLOODED, "flooded", U64)                                                                 \
    FIELD(FULL, "full", U64)                                                                       \
    FIELD(DENIED, "denied", U64)                                                                   \
    FIELD(CROWDED, "crowded", U64)                                                                 \
    FIELD(CUT, "cut", U64)                                                                         \
    FIELD(TOPICS, "topics", U64)                                                                   \
    FIELD(DROPPED, "dropped", U64)                                                                 \
    FIELD(INVALID, "invalid", U64)                                                                 \
    FIELD(MISUSE, "misuse", U64)                                                                   \
    FIELD(RESTARTS, "restarts", U64)                                                               \
    FIELD(COST, "cost", F64)                                                                       \
    FIELD(OWN, "own", U64)                                                                         \
    FIELD(OWNERR, "ownerr", U64)                                                                   \
    FIELD(LEAST, "least", F64)                                                                     \
    FIELD(BUDGET, "budget", F64)                                                                   \
    FIELD(COST_SYMBOLIC, "costsym", F64)                                                           \
    FIELD(COST_IMPERATIVE, "costimp", F64)                                                         \
    FIELD(COST_API, "costapi", F64)                                                                \
    FIELD(COST_MEMORY, "costmem", F64)                                                             \
    FIELD(SHARE, "share", F64)                                                                     \
    FIELD(BYE, "bye", U64)                                                                         \
    FIELD(LAST_H, "lasth", U64)                                                                    \
    FIELD(LAST_D, "lastd", U64)                                                                    \
    FIELD(LAST_F, "lastf", U64)                                                                    \
    FIELD(LAST_N, "lastn", U64)                                                                    \
    FIELD(LAST_E, "laste", U64)                                                                    \
    FIELD(LAST_R, "lastr", U64)                                                                    \
    FIELD(LAST_I, "lasti", U64)                                                                    \
    FIELD(LAST_C, "lastc", U64)                                                                    \
    FIELD(LAST_S, "lasts", U64)                                                                    \
    FIELD(LAST_M, "lastm", U64)                                                                    \
    /* Q and Y */                                                                                  \
    FIELD(Q, "q", TEXT)                                                                            \
    FIELD(WANT, "want", TEXT)                                                                      \
    FIELD(FROM, "from", COUNTS)                                                                    \
    FIELD(CREDIT, "credit", U64)                                                                   \
    FIELD(WHAT, "what", TEXT)                                                                      \
    FIELD(ARG, "arg", TEXT)                                                                        \
    FIELD(USER, "user", TEXT)                                                                      \
    FIELD(RE, "re", TEXT)                                                                          \
    FIELD(OK, "ok", U64)                                                                           \
    FIELD(NO, "no", TEXT)                                                                          \
    FIELD(TEXT, "text", TEXT)                                                                      \
    FIELD(CHUNKS, "chunks", U64)                                                                   \
    FIELD(AT, "at", U64)                                                                           \
    FIELD(BYTES, "bytes", U64)                                                                     \
    FIELD(ROWS, "rows", U64)

#define WIRE_FIELD_ENUM(name, key, type) WIRE_F_##name,
enum wire_field { WIRE_FIELD_TABLE(WIRE_FIELD_ENUM) WIRE_FIELDS };
#undef WIRE_FIELD_ENUM

enum wire_group {
    /* D */
    WIRE_G_CLASS,
    WIRE_G_OP,
    WIRE_G_FUNCTION,
    WIRE_G_APPLY,
    WIRE_G_THREAD,
    WIRE_G_COUNTER,
    WIRE_G_SPAN,
    WIRE_G_MARKER,
    WIRE_G_DISPLAY,
    WIRE_G_WAITS,
    WIRE_G_CALLS,
    WIRE_G_SAMPLED,
    WIRE_G_COMPILE, /* F */
    WIRE_G_V,
    WIRE_G_X,
    WIRE_G_ERR,
    WIRE_G_OPEN,   /* A */
    WIRE_G_NOW,    /* N */
    WIRE_G_NOTICE, /* E */
    WIRE_G_PHASE,  /* R */
    WIRE_G_DETAIL,
    WIRE_G_VALUE,
    WIRE_G_LIBRARY,
    WIRE_G_METRIC,
    WIRE_G_M,    /* I */
    WIRE_G_P,    /* P */
    WIRE_G_LAST, /* H, with `bye` */
    WIRE_G_INT,
    WIRE_G_REAL,
    WIRE_G_MEMORY,
    WIRE_G_USAGE, /* C */
    WIRE_G_RUNS,
    WIRE_G_EDGES,
    WIRE_G_BY,
    WIRE_G_SLOW, /* S */
    WIRE_G_MARK, /* M */
    WIRE_G_WINDOW,
    WIRE_G_APPLIED,
    WIRE_G_CALLED,
    WIRE_G_RAN,
    WIRE_G_MARKED,
    WIRE_G_VALUED, /* T */
    WIRE_G_PART,   /* Y */
    WIRE_GROUPS
};

enum { WIRE_COLUMNS = 12 }; /* columns of the widest group */

/* Meaning of the integers or texts of a column. */
enum wire_type {
    WIRE_NONE,
    WIRE_U64,    /* unsigned integer */
    WIRE_OPT,    /* unsigned integer or unknown; the wire holds value + 1, or 0 */
    WIRE_ID,     /* strictly ascending ids of a table; the wire holds the differences, and `from` */
    WIRE_REF,    /* id of a table, in any order */
    WIRE_REFOPT, /* id of a table plus 1, or 0 for none; passed on unchanged */
    WIRE_I64,    /* signed integer, folded: wire_fold_i64(); passed on unchanged */
    WIRE_TEXT,   /* array of UTF-8 texts */
    WIRE_BIN16,  /* fields only: 16 bytes */
    WIRE_F64,    /* a finite double; in columns its bits, always 8 bytes */
    WIRE_COUNTS, /* fields only: array of WIRE_TABLES unsigned integers */
};

struct wire_column_row {
    const char *key;
    enum wire_type type;
    enum wire_table table; /* for WIRE_ID, WIRE_REF, WIRE_REFOPT */
};

struct wire_group_row {
    const char *key;
    const struct wire_column_row *column; /* at most WIRE_COLUMNS, then one with WIRE_NONE */
    enum wire_stream stream;
    bool defines;          /* rows `from` .. `from` + n - 1 of `table` are defined here */
    enum wire_table table; /* the defined table; else unused */
};

struct wire_field_row {
    char key[12]; /* inline: a pointer would take four times the space, with its relocation */
    enum wire_type type;
};

extern const char wire_letters[WIRE_STREAMS + 1]; /* by enum wire_stream */
extern const struct wire_field_row wire_fields[WIRE_FIELDS];
extern const struct wire_group_row wire_groups[WIRE_GROUPS];
extern const uint32_t wire_table_max[WIRE_TABLES];

/* Number of columns of a group in the schema. */
static inline unsigned wire_wide(const struct wire_group_row *row)
{
    unsigned wide = 0;
    while (row->column[wide].type != WIRE_NONE)
        wide++;
    return wide;
}

/* Why bytes are not a frame. wire_error_text() returns the sentence. */
enum wire_error {
    WIRE_OK,
    WIRE_E_SIZE,    /* longer than WIRE_FRAME_MAX */
    WIRE_E_TOPIC,   /* no known topic in front */
    WIRE_E_TRUNC,   /* ends inside a value */
    WIRE_E_FORM,    /* not the MessagePack type that the schema requires */
    WIRE_E_DEPTH,   /* nested too deep, or a map too large */
    WIRE_E_TWICE,   /* a key twice */
    WIRE_E_MISSING, /* a required key is missing */
    WIRE_E_VERSION, /* of another version */
    WIRE_E_WIDTH,   /* size of a column is not rows times 1..8 */
    WIRE_E_ROWS,    /* more rows than the bytes or the tables can hold */
    WIRE_E_ORDER,   /* ids not strictly ascending */
    WIRE_E_ID,      /* id at or above the frame's own `defs` */
    WIRE_E_VALUE,   /* NaN, infinite, or above 2^62 */
    WIRE_E_TRAIL,   /* bytes after the map */
    WIRE_ERRORS
};
const char *wire_error_text(enum wire_error error);

/* Bytes borrowed from the frame; not NUL-terminated. */
struct wire_text {
    const char *data;
    uint32_t size;
};

struct wire_value {
    bool present;
    uint64_t u;            /* WIRE_U64 */
    double d;              /* WIRE_F64 */
    struct wire_text text; /* WIRE_TEXT, WIRE_BIN16 */
};

/* A column of a decoded group. Integers: `data` holds count values of `width` bytes. Texts: `data`
 * is the first element of the array. Borrowed from the frame. */
struct wire_column {
    const uint8_t *data;
    const uint8_t *end;
    uint32_t count;
    uint32_t base; /* base of the first difference of WIRE_ID */
    uint8_t width;
    uint8_t type; /* enum wire_type */
};

struct wire_rows {
    bool present;
    uint32_t from;  /* first id, of a defining group */
    uint32_t count; /* rows */
    struct wire_column column[WIRE_COLUMNS]; /* if present; type is WIRE_NONE beyond the schema's */
};

/* A decoded frame. All of it is checked; all pointers are into the given bytes. */
struct wire_frame {
    enum wire_stream stream;
    char letter;            /* of the topic */
    uint32_t function;      /* of an A topic */
    uint32_t defs[WIRE_TABLES];
    uint32_t from[WIRE_TABLES]; /* of a request */
    struct wire_value field[WIRE_FIELDS];
    struct wire_rows group[WIRE_GROUPS];
};

/* Reads one frame. `bytes` is borrowed by `*frame`. On an error the contents of `*frame` are
 * unspecified, except that WIRE_E_VERSION leaves field[WIRE_F_VER] set. Time: linear in size.
 * Allocates nothing. */
enum wire_error wire_read(const void *bytes, size_t size, struct wire_frame *frame);

/* The same for a request (WIRE_REQUEST, which has no groups). Any other frame is a WIRE_E_TOPIC. A
 * program that calls only this one, such as a job, links no code that reads columns. */
enum wire_error wire_read_request(const void *bytes, size_t size, struct wire_frame *frame);

/* Decodes rows [first, first + n) of an integer column into `out`. WIRE_ID yields absolute ids, so
 * the column must be read from the front: `*carry` holds the last id between calls (NULL if first
 * is 0 and no more will be read). WIRE_OPT yields WIRE_UNKNOWN for unknown. */
void wire_column_read(const struct wire_column *column, uint32_t first, uint32_t n, uint64_t *out,
                      uint64_t *carry);

/* Walks a text column: `*cursor` starts as column->data. False at the end. */
bool wire_text_next(const struct wire_column *column, const uint8_t **cursor,
                    struct wire_text *text);

/* ---------------------------------------------------------------------------------- writing */

/* Writes into the caller's memory. A write that does not fit sets `full` and writes nothing; later
 * writes are ignored. */
struct wire_writer {
    uint8_t *data;
    size_t size;
    size_t capacity;
    size_t map_at;    /* place of the count of the open map */
    uint16_t entries; /* of the open map */
    bool full;
};

/* Folds a signed integer into an unsigned one, small near 0: 0, -1, 1, -2 become 0, 1, 2, 3. */
static inline uint64_t wire_fold_i64(int64_t value)
{
    return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

static inline int64_t wire_unfold_i64(uint64_t folded)
{
    return (int64_t)(folded >> 1 ^ (folded & 1 ? UINT64_MAX : 0));
}

/* One column to write: `u` for integers (WIRE_ID: absolute ids; WIRE_OPT: WIRE_UNKNOWN allowed),
 * `text` for texts. Borrowed. */
struct wire_source {
    const uint64_t *u;
    const struct wire_text *text;
};

void wire_begin(struct wire_writer *w, void *buffer, size_t capacity, enum wire_stream stream,
                uint32_t function);
void wire_put_u64(struct wire_writer *w, enum wire_field field, uint64_t value);
void wire_put_f64(struct wire_writer *w, enum wire_field field, double value);
void wire_put_text(struct wire_writer *w, enum wire_field field, const char *text);
void wire_put_bin16(struct wire_writer *w, enum wire_field field, const uint8_t bytes[16]);
void wire_put_counts(struct wire_writer *w, enum wire_field field,
                     const uint32_t counts[WIRE_TABLES]);
/* Writes a group of n rows. Only defining groups use `from`. n may be 0. */
void wire_put_group(struct wire_writer *w, enum wire_group group, uint32_t from, uint32_t n,
                    const struct wire_source *columns);
/* Closes the frame. Returns its size, or 0 if it did not fit. */
size_t wire_end(struct wire_writer *w);

#endif
