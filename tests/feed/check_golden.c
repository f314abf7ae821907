/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_golden.c: reads and writes the golden bytes of docs/protocol.md with our reader and writer.
 * The expected values are copied from the page by hand, not printed by the code.
 */
#include <string.h>

#include "frames.h"
#include "golden.h"

static struct wire_frame frame;
static struct golden *goldens;
static size_t goldens_n;

#define UNKNOWN WIRE_UNKNOWN
#define SOME    WIRE_UNKNOWN /* field present; its value is checked elsewhere */

struct field_row {
    const char *golden;
    enum wire_field field;
    uint64_t u;
    const char *text;
};

/* Fields beside the eight that every frame of a job has. */
static const struct field_row fields[] = {
    {"hello", WIRE_F_REQ, 1, NULL},
    {"hello", WIRE_F_LO, 1, NULL},
    {"hello", WIRE_F_HI, 1, NULL},
    {"hello", WIRE_F_HOST, 0, "node7"},
    {"hello", WIRE_F_PID, 4711, NULL},
    {"hello", WIRE_F_START, 123456, NULL},
    {"hello", WIRE_F_PROGRAM, 0, "train"},
    {"hello", WIRE_F_FRAMEWORK, 0, "example"},
    {"hello", WIRE_F_FWVER, 0, "0.1"},
    {"hello", WIRE_F_LIB, 0, "0.1.0"},
    {"hello", WIRE_F_RANK, 0, NULL},
    {"hello", WIRE_F_SIZE, 2, NULL},
    {"hello", WIRE_F_ROLE, 0, "worker"},
    {"hello", WIRE_F_LOCAL, 0, NULL},
    {"hello", WIRE_F_BATCH, 0, "815"},
    {"hello", WIRE_F_PARENT, 0, "\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f"},
    {"hello", WIRE_F_ROUTE, 0, "library"},
    {"hello", WIRE_F_CLOCK, 0, "monotonic"},
    {"hello", WIRE_F_OPENS, 1, NULL},
    {"hello", WIRE_F_TICKMS, 100, NULL},
    {"hello", WIRE_F_COLLECT, 0, NULL},
    {"hello", WIRE_F_ASKER, 0, "anna, process 4711 on node7"},
    {"hello", WIRE_F_FACTS, 0, "linker=cvm\nprofiling.n_ops=3"},
    {"hello", WIRE_F_ONLY, 0, "train, valid*"},
    {"hello", WIRE_F_MUTE, 4, NULL},
    {"hello", WIRE_F_LOST, 0, "phases=2\ncalls=1\n"},
    {"hello", WIRE_F_COUNTED, 70301, NULL},
    {"hello", WIRE_F_REFUSED, 0, NULL},
    {"hello", WIRE_F_INSECURE, 1, NULL},
    {"hello", WIRE_F_VIEWERS, 2, NULL},
    {"hello", WIRE_F_DROPPED, 3, NULL},
    {"hello", WIRE_F_INVALID, 1, NULL},
    {"hello", WIRE_F_MISUSE, 0, NULL},
    {"hello", WIRE_F_RESTARTS, 0, NULL},
    {"hello", WIRE_F_COST, SOME, NULL},
    {"hello", WIRE_F_OWN, 12345, NULL},
    {"hello", WIRE_F_OWNERR, 678, NULL},
    {"hello", WIRE_F_LEAST, SOME, NULL},
    {"hello", WIRE_F_BUDGET, SOME, NULL},
    {"hello", WIRE_F_COST_SYMBOLIC, SOME, NULL},
    {"hello", WIRE_F_COST_IMPERATIVE, SOME, NULL},
    {"hello", WIRE_F_COST_API, SOME, NULL},
    {"hello", WIRE_F_COST_MEMORY, SOME, NULL},
    {"bye", WIRE_F_BYE, 1, NULL},
    {"bye", WIRE_F_LAST_H, 8, NULL},
    {"bye", WIRE_F_LAST_D, 1, NULL},
    {"bye", WIRE_F_LAST_F, 2, NULL},
    {"bye", WIRE_F_LAST_N, 4, NULL},
    {"bye", WIRE_F_LAST_E, 0, NULL},
    {"bye", WIRE_F_LAST_R, 3, NULL},
    {"bye", WIRE_F_LAST_I, 2, NULL},
    {"bye", WIRE_F_LAST_C, 6, NULL},
    {"bye", WIRE_F_LAST_S, 5, NULL},
    {"bye", WIRE_F_LAST_M, 4, NULL},
    {"ask-hello", WIRE_F_REQ, 1, NULL},
    {"ask-hello", WIRE_F_Q, 0, "hello"},
    {"ask-snapshot", WIRE_F_REQ, 2, NULL},
    {"ask-snapshot", WIRE_F_INST, SOME, NULL},
    {"ask-snapshot", WIRE_F_Q, 0, "snapshot"},
    {"ask-snapshot", WIRE_F_WANT, 0, "DFANERICSMP"},
    {"ask-snapshot", WIRE_F_FROM, SOME, NULL},
    {"ask-snapshot", WIRE_F_CREDIT, 4, NULL},
    {"ask-more", WIRE_F_REQ, 2, NULL},
    {"ask-more", WIRE_F_Q, 0, "more"},
    {"ask-more", WIRE_F_CREDIT, 1, NULL},
    {"ask-ack", WIRE_F_REQ, 3, NULL},
    {"ask-ack", WIRE_F_Q, 0, "ack"},
    {"ask-control", WIRE_F_REQ, 4, NULL},
    {"ask-control", WIRE_F_Q, 0, "control"},
    {"ask-control", WIRE_F_WHAT, 0, "set_config"},
    {"ask-control", WIRE_F_ARG, 0, "profile_memory\n0\nprofile_api\n0"},
    {"ask-control", WIRE_F_USER, 0, "anna"},
    {"ask-control", WIRE_F_PID, 4711, NULL},
    {"ask-control", WIRE_F_HOST, 0, "node7"},
    {"reply-refused", WIRE_F_REQ, 4, NULL},
    {"reply-refused", WIRE_F_RE, 0, "control"},
    {"reply-refused", WIRE_F_OK, 0, NULL},
    {"reply-refused", WIRE_F_NO, 0, "refused"},
    {"reply-refused", WIRE_F_TEXT, 0, "PROFTOP_CONTROL=0 forbids it"},
    {"reply-done", WIRE_F_REQ, 2, NULL},
    {"reply-done", WIRE_F_RE, 0, "snapshot"},
    {"reply-done", WIRE_F_OK, 1, NULL},
    {"reply-done", WIRE_F_CHUNKS, 5, NULL},
    {"ask-text", WIRE_F_REQ, 5, NULL},
    {"ask-text", WIRE_F_Q, 0, "text"},
    {"ask-text", WIRE_F_AT, 7, NULL},
    {"reply-report", WIRE_F_REQ, 4, NULL},
    {"reply-report", WIRE_F_RE, 0, "control"},
    {"reply-report", WIRE_F_OK, 1, NULL},
    {"reply-report", WIRE_F_BYTES, 70000, NULL},
    {"reply-report", WIRE_F_ROWS, 3, NULL},
    {"reply-part", WIRE_F_REQ, 5, NULL},
    {"reply-part", WIRE_F_RE, 0, "text"},
    {"reply-part", WIRE_F_OK, 1, NULL},
    {"reply-part", WIRE_F_AT, 7, NULL},
    {"reply-part", WIRE_F_BYTES, 70000, NULL},
    {"reply-unsupported", WIRE_F_REQ, 9, NULL},
    {"reply-unsupported", WIRE_F_RE, 0, "dance"},
    {"reply-unsupported", WIRE_F_OK, 0, NULL},
    {"reply-unsupported", WIRE_F_TEXT, 0, "unsupported"},
};

struct group_row {
    const char *golden;
    enum wire_group group;
    uint32_t n, from;
    struct {
        uint64_t u[5];
        const char *text[5];
    } column[WIRE_COLUMNS];
};

#define U(...)                                                                                     \
    {                                                                                              \
        {__VA_ARGS__},                                                                             \
        {                                                                                          \
            NULL                                                                                   \
        }                                                                                          \
    }
#define T(...)                                                                                     \
    {                                                                                              \
        {0},                                                                                       \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
static const struct group_row groups[] = {
    {"definitions", WIRE_G_CLASS, 2, 0, {T("Dot", "Elemwise")}},
    {"definitions", WIRE_G_OP, 3, 0, {U(0, 1, 1), T("dot", "Elemwise{add}", "Elemwise{\u03c3}")}},
    {"definitions",
     WIRE_G_FUNCTION,
     2,
     0,
     {T("train", "step"), T("mlp.c", ""), U(12, 0), U(0, 5), U(0, 1), U(0, 3)}},
    {"definitions",
     WIRE_G_APPLY,
     4,
     1,
     {U(0, 1, 1, 0), U(0, 1, 2, 2), U(0, 0, 300, 1), T("", "add.0", "", ""),
      T("mlp.c:40", "", "", ""), U(0, 1, 2, 0), U(0, 0, 1, 2), U(1, 2, 3, 0), U(0, 1, 0, 0)}},
    {"definitions", WIRE_G_THREAD, 1, 1, {T("worker"), U(4712)}},
    {"definitions", WIRE_G_DISPLAY, 1, 0, {U(2), T("sqr(i0) + i1")}},
    {"definitions", WIRE_G_WAITS, 2, 2, {U(2, 4), U(1, 2)}},
    {"functions",
     WIRE_G_CALLS,
     2,
     0,
     {U(0, 1), U(70000, UNKNOWN), U(254, 255), U(UNKNOWN, UNKNOWN), U(2999999000, UNKNOWN)}},
    {"functions",
     WIRE_G_COMPILE,
     1,
     1,
     {U(1), U(1099511627776), U(4294967296), U(65534), U(65535), U(UNKNOWN)}},
    {"values",
     WIRE_G_V,
     3,
     1,
     {U(1, 2, 4), U(1, 300, 70000), U(5, 1099511627776, 4611686018427387904),
      U(7, UNKNOWN, 65535)}},
    {"values", WIRE_G_X, 2, 1, {U(1, 4), U(5, 0), U(5, 16777215), U(UNKNOWN, 69999)}},
    {"values", WIRE_G_OPEN, 1, 2, {U(2), U(1000000)}},
    {"now", WIRE_G_NOW, 2, 0, {U(0, 1), U(0, 5), U(2999999000, 2999999999)}},
    {"now-none", WIRE_G_NOW, 0, 0, {U(0)}},
    {"notices",
     WIRE_G_NOTICE,
     2,
     0,
     {U(1700000000000000000, 1), U(1, 0), T("out of descriptors", "well again")}},
    {"percentiles", WIRE_G_P, 4, 0, {U(2, 2, 2, 0), U(0, 24, 152, 0), U(3, 70000, 1, 0)}},
    {"rewrites",
     WIRE_G_PHASE,
     3,
     0,
     {U(0, 1, 2), U(1, 3, 1), U(1, 1, 0), U(0, 1, 0), U(0, 1, 3),
      T("canonicalize", "merge", "link"), U(0, 300, 1), U(UNKNOWN, 70000, 255),
      U(UNKNOWN, 254, UNKNOWN), U(54, 0, UNKNOWN), U(UNKNOWN, 51, UNKNOWN),
      U(2999999000, UNKNOWN, UNKNOWN)}},
    {"details",
     WIRE_G_DETAIL,
     2,
     0,
     {U(4, 1), U(1, 2), U(65536, UNKNOWN), U(65536, UNKNOWN), U(300, UNKNOWN), T("cpu0", ""),
      T("mlp.c:40", ""), U(1, 0), U(100, 0), U(2, 1), U(1, 0), T("", "fusion")}},
    {"details",
     WIRE_G_VALUE,
     4,
     0,
     {T("float32", "float32", "float32", ""), T("[256,2]", "[]", "[256,64]", ""),
      U(2048, 4, 65536, UNKNOWN), U(0, 1, 0, 2), U(0, 1, 0, 0), U(0, 0, 2, 0), U(0, 0, 1, 0),
      T("[4,1024]", "[]", "[256,-4]", "")}},
    {"details", WIRE_G_LIBRARY, 1, 0, {U(1), T("lib.py:7")}},
    {"details", WIRE_G_METRIC, 2, 0, {T("cache misses", "peak"), T("", "bytes"), U(0, 1)}},
    {"details", WIRE_G_M, 3, 0, {U(4, 0, 1), U(0, 1, 1), U(3, 1, 2), U(1099511627776, 0, 4096)}},
    {"objects",
     WIRE_G_COUNTER,
     5,
     0,
     {T("io", "io", "gpu/0", "gpu/0", "io"), T("rows", "load", "pool", "pool", "none"),
      T("", "", "", "net:", ""), T("rows", "", "bytes", "bytes", ""), U(0, 1, 2, 2, 0)}},
    {"objects", WIRE_G_SPAN, 3, 0, {T("io", "io", "event"), T("read", "pass", "read"), U(0, 1, 2)}},
    {"objects", WIRE_G_MARKER, 1, 1, {T("io"), T("here")}},
    /* Zigzag integers and bits of doubles: -3, the minimum and the maximum; -1.5. */
    {"counters",
     WIRE_G_INT,
     1,
     0,
     {U(0), U(5), U(UINT64_MAX), U(UINT64_MAX - 1), U(3), U(0xbff8000000000000)}},
    {"counters",
     WIRE_G_REAL,
     1,
     1,
     {U(1), U(0x4004000000000000), U(0xbfd0000000000000), U(0x7e37e43c8800759c), U(70000),
      U(0x3fe0000000000000)}},
    {"counters",
     WIRE_G_MEMORY,
     2,
     2,
     {U(2, 3), U(1048576, 0), U(4194304, 65536), U(4294967296, UNKNOWN), U(3, 2)}},
    {"counters",
     WIRE_G_USAGE,
     2,
     2,
     {U(2, 3), U(300, 0), U(0x40f0000800000000, 0x3fd0000000000000)}},
    {"spans",
     WIRE_G_RUNS,
     3,
     0,
     {U(0, 1, 2), U(6, 100, 0), U(70000, 4294967296, 0), U(300, 4294967296, 0),
      U(255, 16000000, UNKNOWN), U(UNKNOWN, 2999999000, 2999999999)}},
    {"spans",
     WIRE_G_EDGES,
     2,
     0,
     {U(0, 1), U(1, 15000000), U(65535, 40000000), U(1000000000, 2000000000),
      U(2500000000, 2999999500)}},
    {"spans", WIRE_G_BY, 3, 0, {U(0, 0, 1), U(1, 2, 0), U(3, 3, 100), U(69000, 1000, 4294967296)}},
    {"spans", WIRE_G_SLOW, 2, 0, {U(1, 1), U(42, 7), U(40000000, 17000000)}},
    {"markers",
     WIRE_G_MARK,
     2,
     0,
     {U(300, 301), U(1, 0), U(3, 1), U(2999999000, 2999999999), U(2, 0), U(1, 0)}},
    {"timeline",
     WIRE_G_WINDOW,
     1,
     0,
     {U(2), U(2000000000), U(UNKNOWN), U(0), U(2999999990), U(70009), U(3), U(1), U(0)}},
    {"timeline",
     WIRE_G_APPLIED,
     3,
     0,
     {U(4, 0, 4), U(70000, 300, 0), U(65536, 255, 1), U(2, 0, 1), U(0, 1, 2)}},
    {"timeline", WIRE_G_CALLED, 1, 0, {U(1), U(4294967296), U(2147483648), U(1), U(0)}},
    {"timeline", WIRE_G_RAN, 2, 0, {U(1, 0), U(500, 400), U(90, 80), U(2, 0), U(0, 2), U(42, 0)}},
    {"timeline", WIRE_G_MARKED, 1, 0, {U(1), U(12), U(3), U(2), U(1)}},
    {"timeline", WIRE_G_VALUED, 2, 0, {U(0, 1), U(9, 8), U(5, 0), U(0, 0x4004000000000000)}},
    {"reply-part", WIRE_G_PART, 2, 0, {T("operator", "")}},
    {"bye", WIRE_G_LAST, 2, 0, {U(0, 1), U(260, 9)}},
    {"of-a-stranger", WIRE_G_NOW, 1, 0, {U(0), U(0), U(9)}},
};

static const struct {
    const char *golden;
    enum wire_stream stream;
    char letter;
    uint32_t function;
    uint64_t seq;
    bool own; /* our writer gives the same bytes */
} frames[] = {
    {"hello", WIRE_HELLO, 'H', 0, 7, true},
    {"definitions", WIRE_DEFS, 'D', 0, 1, true},
    {"functions", WIRE_FUNCTIONS, 'F', 0, 2, true},
    {"values", WIRE_APPLIES, 'A', 1, 9, true},
    {"now", WIRE_NOW, 'N', 0, 3, true},
    {"now-none", WIRE_NOW, 'N', 0, 4, true},
    {"notices", WIRE_NOTICES, 'E', 0, 1, true},
    {"rewrites", WIRE_REWRITES, 'R', 0, 3, true},
    {"details", WIRE_DETAILS, 'I', 0, 2, true},
    {"objects", WIRE_DEFS, 'D', 0, 2, true},
    {"counters", WIRE_COUNTERS, 'C', 0, 6, true},
    {"spans", WIRE_SPANS, 'S', 0, 5, true},
    {"markers", WIRE_MARKERS, 'M', 0, 4, true},
    {"percentiles", WIRE_PERCENTILES, 'P', 0, 1, true},
    {"timeline", WIRE_TIMELINE, 'T', 0, 3, true},
    {"bye", WIRE_HELLO, 'H', 0, 8, true},
    {"ask-hello", WIRE_REQUEST, 'Q', 0, 0, true},
    {"ask-snapshot", WIRE_REQUEST, 'Q', 0, 0, true},
    {"ask-more", WIRE_REQUEST, 'Q', 0, 0, true},
    {"ask-ack", WIRE_REQUEST, 'Q', 0, 0, true},
    {"ask-control", WIRE_REQUEST, 'Q', 0, 0, true},
    {"reply-refused", WIRE_REPLY, 'Y', 0, 0, true},
    {"reply-done", WIRE_REPLY, 'Y', 0, 0, true},
    {"reply-unsupported", WIRE_REPLY, 'Y', 0, 0, true},
    {"ask-text", WIRE_REQUEST, 'Q', 0, 0, true},
    {"reply-report", WIRE_REPLY, 'Y', 0, 0, true},
    {"reply-part", WIRE_REPLY, 'Y', 0, 0, true},
    {"of-a-stranger", WIRE_NOW, 'N', 0, 2, false},
    {"reserved", WIRE_RESERVED, 'L', 0, 1, false},
};

static const struct golden *find(const char *name)
{
    for (size_t i = 0; i < goldens_n; i++)
        if (!goldens[i].bad && strcmp(goldens[i].name, name) == 0)
            return &goldens[i];
    ck_abort_msg("docs/protocol.md has no golden bytes named %s", name);
}

static void load(void)
{
    goldens = golden_read(&goldens_n);
    ck_assert_ptr_nonnull(goldens);
}

static void unload(void)
{
    golden_free(goldens, goldens_n);
}

static void check_text(const struct wire_text *text, const char *want, size_t size)
{
    ck_assert_uint_eq(text->size, size);
    ck_assert_mem_eq(text->data, want, size);
}

/* Counters, spans and markers are defined in some frames only. */
static void check_defs(const char *name, bool stranger)
{
    static const char *const objects[] = {"objects", "counters", "spans", "markers", "timeline"};
    uint32_t defs[WIRE_TABLES] = {2, 3, 2, 5, 0, 0, 0, 2};
    for (unsigned i = 0; i < 5; i++)
        if (strcmp(name, objects[i]) == 0)
            memcpy(&defs[WIRE_T_COUNTER], (uint32_t[]){5, 3, 2}, 3 * sizeof defs[0]);
    for (unsigned t = 0; t < WIRE_TABLES; t++)
        ck_assert_uint_eq(frame.defs[t], stranger ? 1 : defs[t]);
}

static void check_head(bool stranger)
{
    static const enum wire_field keys[] = {WIRE_F_VER, WIRE_F_EPOCH, WIRE_F_TICK, WIRE_F_MONO,
                                           WIRE_F_WALL};
    static const uint64_t usual[] = {1, 1, 300, 3000000000, 1700000000000000000};
    static const uint64_t strange[] = {1, 1, 3, 4, 5};
    for (unsigned i = 0; i < 5; i++)
        ck_assert_uint_eq(frame.field[keys[i]].u, (stranger ? strange : usual)[i]);
    check_text(&frame.field[WIRE_F_INST].text, "\0\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17", 16);
}

static void check_fields(const char *name, bool request)
{
    unsigned expected = request ? 1 : 8, found = 0;
    for (unsigned f = 0; f < WIRE_FIELDS; f++)
        found += frame.field[f].present;
    for (int i = 0; i < TAP_ROWS(fields); i++) {
        const struct field_row *row = &fields[i];
        if (strcmp(row->golden, name) != 0)
            continue;
        expected++;
        ck_assert(frame.field[row->field].present);
        if (row->text)
            check_text(&frame.field[row->field].text, row->text, strlen(row->text));
        else if (row->u != SOME)
            ck_assert_uint_eq(frame.field[row->field].u, row->u);
    }
    ck_assert_uint_eq(found, expected);
    if (frame.field[WIRE_F_COST].present)
        ck_assert_double_eq(frame.field[WIRE_F_COST].d, 1.0 / 512);
    if (frame.field[WIRE_F_LEAST].present)
        ck_assert_double_eq(frame.field[WIRE_F_LEAST].d, 1.0 / 1024);
    if (frame.field[WIRE_F_BUDGET].present)
        ck_assert_double_eq(frame.field[WIRE_F_BUDGET].d, 1.0 / 32);
    if (frame.field[WIRE_F_COST_MEMORY].present)
        ck_assert_double_eq(frame.field[WIRE_F_COST_MEMORY].d, 1.0 / 2048);
    ck_assert_uint_eq(frame.from[WIRE_T_APPLY], frame.field[WIRE_F_FROM].present ? 1000 : 0);
}

static void check_group(const struct group_row *row)
{
    const struct wire_rows *rows = &frame.group[row->group];
    ck_assert(rows->present);
    ck_assert_uint_eq(rows->count, row->n);
    ck_assert_uint_eq(rows->from, row->from);
    for (unsigned c = 0; c < WIRE_COLUMNS && wire_groups[row->group].column[c].key; c++) {
        const struct wire_column *col = &rows->column[c];
        const uint8_t *cursor = col->data;
        struct wire_text text;
        if (col->type != WIRE_TEXT)
            check_integers(col, row->column[c].u, row->n);
        for (uint32_t i = 0; col->type == WIRE_TEXT && i < row->n; i++) {
            ck_assert(wire_text_next(col, &cursor, &text));
            check_text(&text, row->column[c].text[i], strlen(row->column[c].text[i]));
        }
    }
}

START_TEST(whole_frame)
{
    const char *name = frames[_i].golden;
    const struct golden *g = find(name);
    ck_assert_int_eq(wire_read(g->bytes, g->size, &frame), WIRE_OK);
    ck_assert_pstr_eq(wire_flaw(&frame, g->bytes, g->size), NULL);
    ck_assert_int_eq(frame.stream, frames[_i].stream);
    ck_assert_int_eq(frame.letter, frames[_i].letter);
    ck_assert_uint_eq(frame.function, frames[_i].function);
    ck_assert_uint_eq(frame.field[WIRE_F_SEQ].u, frames[_i].seq);
    bool request = frame.stream == WIRE_REQUEST;
    if (!request)
        check_head(strcmp(name, "of-a-stranger") == 0);
    if (!request)
        check_defs(name, strcmp(name, "of-a-stranger") == 0);
    check_fields(name, request);
    unsigned expected = 0, found = 0;
    for (unsigned k = 0; k < WIRE_GROUPS; k++)
        found += frame.group[k].present;
    for (int i = 0; i < TAP_ROWS(groups); i++) {
        if (strcmp(groups[i].golden, name) != 0)
            continue;
        expected++;
        check_group(&groups[i]);
    }
    ck_assert_uint_eq(found, expected);
}
END_TEST

START_TEST(same_bytes_are_written)
{
    static uint8_t again[WIRE_FRAME_MAX];
    const struct golden *g = find(frames[_i].golden);
    if (!frames[_i].own)
        return;
    ck_assert_int_eq(wire_read(g->bytes, g->size, &frame), WIRE_OK);
    ck_assert_uint_eq(wire_again(&frame, again, sizeof again), g->size);
    ck_assert_mem_eq(again, g->bytes, g->size);
}
END_TEST

/* Names of the errors on the page. */
static const char *const names[WIRE_ERRORS] = {
    "",        "size",  "topic", "trunc", "form", "depth", "twice", "missing",
    "version", "width", "rows",  "order", "id",   "value", "trail",
};

START_TEST(bad_frames_are_refused)
{
    unsigned found = 0;
    for (size_t i = 0; i < goldens_n; i++) {
        if (!goldens[i].bad || strcmp(goldens[i].name, names[_i]) != 0)
            continue;
        found++;
        ck_assert_int_eq(wire_read(goldens[i].bytes, goldens[i].size, &frame), _i);
    }
    ck_assert_uint_ge(found, 1);
}
END_TEST

START_TEST(every_block_is_expected)
{
    for (size_t i = 0; i < goldens_n; i++) {
        bool known = false;
        for (unsigned e = 1; e < WIRE_ERRORS && goldens[i].bad; e++)
            known |= strcmp(goldens[i].name, names[e]) == 0;
        for (int f = 0; f < TAP_ROWS(frames) && !goldens[i].bad; f++)
            known |= strcmp(goldens[i].name, frames[f].golden) == 0;
        ck_assert_msg(known, "nothing is expected of the golden bytes %s", goldens[i].name);
    }
}
END_TEST

static void add_case(Suite *s, const char *name, const TTest *test, int first, int end)
{
    TCase *one = tcase_create(name);
    tcase_add_checked_fixture(one, load, unload);
    tcase_add_loop_test(one, test, first, end);
    suite_add_tcase(s, one);
}

static Suite *suite(void)
{
    Suite *s = suite_create("golden");
    add_case(s, "whole_frame", whole_frame, 0, TAP_ROWS(frames));
    add_case(s, "same_bytes_are_written", same_bytes_are_written, 0, TAP_ROWS(frames));
    add_case(s, "bad_frames_are_refused", bad_frames_are_refused, 1, WIRE_ERRORS);
    add_case(s, "every_block_is_expected", every_block_is_expected, 0, 1);
    return s;
}

TAP_MAIN(suite)
