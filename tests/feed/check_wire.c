/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_wire.c: feed/protocol/: frames that are written are read again, and malformed frames are
 * refused.
 */
#include <float.h>
#include <string.h>

#include "rows.h"

static uint8_t space[WIRE_FRAME_MAX + 64];
static struct wire_frame frame, other;

static void put_head(struct wire_writer *w, const uint32_t *defs)
{
    static const enum wire_field numbers[] = {WIRE_F_EPOCH, WIRE_F_SEQ, WIRE_F_TICK, WIRE_F_MONO,
                                              WIRE_F_WALL};
    wire_put_u64(w, WIRE_F_VER, WIRE_VERSION);
    wire_put_bin16(w, WIRE_F_INST, inst);
    for (unsigned i = 0; i < 5; i++)
        wire_put_u64(w, numbers[i], 1000 * i + 1);
    wire_put_counts(w, WIRE_F_DEFS, defs);
}

static void begin(struct wire_writer *w, enum wire_stream stream)
{
    wire_begin(w, space, WIRE_FRAME_MAX, stream, 3);
    put_head(w, wire_table_max);
}

/* -------------------------------------------------------------------------------------- the schema
 */

START_TEST(schema_is_whole)
{
    for (unsigned f = 0; f < WIRE_FIELDS; f++) {
        ck_assert_int_ne(wire_fields[f].key[0], 0);
        ck_assert_int_ne(wire_fields[f].type, WIRE_NONE);
        for (unsigned g = 0; g < f; g++)
            ck_assert_str_ne(wire_fields[f].key, wire_fields[g].key);
        for (unsigned g = 0; g < WIRE_GROUPS; g++)
            ck_assert_str_ne(wire_fields[f].key, wire_groups[g].key);
    }
    for (unsigned g = 0; g < WIRE_GROUPS; g++) {
        const struct wire_column_row *col = wire_groups[g].column;
        ck_assert_uint_ge(wire_wide(&wire_groups[g]), 1);
        ck_assert_uint_le(wire_wide(&wire_groups[g]), WIRE_COLUMNS);
        for (unsigned c = 0; c < WIRE_COLUMNS && col[c].key; c++) {
            ck_assert_int_ne(col[c].type, WIRE_NONE);
            ck_assert_str_ne(col[c].key, "n");
            ck_assert_str_ne(col[c].key, "from");
            for (unsigned d = 0; d < c; d++)
                ck_assert_str_ne(col[c].key, col[d].key);
        }
    }
}
END_TEST

START_TEST(errors_have_texts)
{
    for (unsigned e = 0; e <= WIRE_ERRORS; e++)
        ck_assert_uint_gt(strlen(wire_error_text(e)), 10);
    ck_assert_str_ne(wire_error_text(WIRE_E_ID), wire_error_text(WIRE_E_ORDER));
}
END_TEST

/* ------------------------------------------------------------------------------------ there and
 * back */

START_TEST(field_returns)
{
    enum wire_field k = (enum wire_field)_i;
    static const uint64_t values[] = {
        0, 1, 127, 128, 255, 256, 65535, 65536, UINT32_MAX, UINT64_C(1) << 32, UINT64_C(1) << 62};
    static const double doubles[] = {0, -1.5, DBL_MAX, DBL_MIN, 0x1p-1074};
    static const size_t sizes[] = {0, 1, 31, 32, 255, 256, WIRE_TEXT_MAX};
    uint32_t counts[WIRE_TABLES] = {1, 2, 3, 4000000, 5, 6, 7, 60000};
    static char text[WIRE_TEXT_MAX + 1];
    for (unsigned i = 0; i < 11; i++) {
        struct wire_writer w;
        begin(&w, WIRE_HELLO);
        uint16_t head = w.entries;
        memset(text, 'a', sizeof text);
        text[sizes[i % 7]] = 0;
        enum wire_type type = wire_fields[k].type;
        if (k == WIRE_F_DEFS || (k < WIRE_F_DEFS && i > 0))
            return; /* begin() wrote it */
        if (type == WIRE_U64 && k > WIRE_F_DEFS)
            wire_put_u64(&w, k, values[i]);
        else if (type == WIRE_F64)
            wire_put_f64(&w, k, doubles[i % 5]);
        else if (type == WIRE_TEXT)
            wire_put_text(&w, k, text);
        else if (type == WIRE_BIN16 && k > WIRE_F_DEFS)
            wire_put_bin16(&w, k, inst);
        else if (type == WIRE_COUNTS)
            wire_put_counts(&w, k, counts);
        ck_assert_int_eq(read_exact(space, wire_end(&w), &frame), WIRE_OK);
        const struct wire_value *v = &frame.field[k];
        ck_assert(v->present);
        ck_assert_int_eq(w.entries, k > WIRE_F_DEFS ? head + 1 : head);
        if (type == WIRE_U64 && k > WIRE_F_DEFS)
            ck_assert_uint_eq(v->u, values[i]);
        if (type == WIRE_F64)
            ck_assert_double_eq(v->d, doubles[i % 5]);
        if (type == WIRE_TEXT) {
            ck_assert_uint_eq(v->text.size, strlen(text));
            ck_assert_mem_eq(v->text.data, text, v->text.size);
        }
        if (type == WIRE_BIN16)
            ck_assert_mem_eq(v->text.data, inst, 16);
        if (type == WIRE_COUNTS)
            ck_assert_mem_eq(frame.from, counts, sizeof counts);
        for (unsigned f = WIRE_F_DEFS + 1; f < WIRE_FIELDS; f++)
            ck_assert_int_eq(frame.field[f].present, f == k);
    }
}
END_TEST

static struct random_rows rows;

static void write_random(enum wire_group g, uint32_t n, uint32_t from, unsigned bits,
                         struct wire_writer *w)
{
    begin(w, wire_groups[g].stream);
    rows_fill(&rows, g, n, bits);
    wire_put_group(w, g, from, n, rows.source);
}

START_TEST(group_returns)
{
    enum wire_group g = (enum wire_group)_i;
    static const uint32_t counts[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 255, 256, 1000, 4000};
    for (unsigned k = 0; k < 13 * 62; k += tap_stride()) {
        struct wire_writer w;
        uint32_t n = counts[k % 13], from = wire_groups[g].defines ? (uint32_t)(draw() % 9999) : 0;
        unsigned bits = k / 13 + 1;
        if (n > 20 && bits % 8 != 0)
            continue;
        write_random(g, n, from, bits, &w);
        size_t size = wire_end(&w);
        if (size == 0) { /* 4,000 rows of nine wide columns may not fit */
            ck_assert_uint_eq(n, 4000);
            continue;
        }
        memset(&frame, 0xa5, sizeof frame); /* no old contents may remain */
        ck_assert_int_eq(read_exact(space, size, &frame), WIRE_OK);
        const struct wire_rows *read = &frame.group[g];
        ck_assert(read->present);
        ck_assert_uint_eq(read->count, n);
        bool ids = wire_groups[g].column[0].type == WIRE_ID;
        ck_assert_uint_eq(read->from, ids && n > 0 ? rows.u[0][0] : from);
        for (unsigned c = 0; c < WIRE_COLUMNS; c++) {
            if (c < wire_wide(&wire_groups[g]))
                rows_check(&rows, &read->column[c], c, n);
            else
                ck_assert_int_eq(read->column[c].type, WIRE_NONE);
        }
        for (unsigned k2 = 0; k2 < WIRE_GROUPS; k2++)
            ck_assert_int_eq(frame.group[k2].present, k2 == g);
    }
}
END_TEST

START_TEST(width_is_least)
{
    unsigned bytes = (unsigned)_i + 1; /* of the largest value */
    uint64_t id = 5, calls = bytes < 8 ? (UINT64_C(1) << 8 * bytes) - 1 : UINT64_C(1) << 62;
    uint64_t opt = calls - 1,
             over = calls; /* the optional column needs a byte more: its values are raised by 1 */
    struct wire_source source[] = {{&id, NULL}, {&calls, NULL}, {&opt, NULL}, {&over, NULL}};
    struct wire_writer w;
    begin(&w, WIRE_APPLIES);
    wire_put_group(&w, WIRE_G_V, 0, 1, source);
    ck_assert_int_eq(read_exact(space, wire_end(&w), &frame), WIRE_OK);
    const struct wire_column *col = frame.group[WIRE_G_V].column;
    ck_assert_uint_eq(col[0].width, 1);
    ck_assert_uint_eq(col[1].width, bytes);
    ck_assert_uint_eq(col[3].width, bytes < 8 ? bytes + 1 : 8);
    wire_column_read(&col[2], 0, 1, &over, NULL);
    ck_assert_uint_eq(over, opt);
}
END_TEST

START_TEST(long_text_is_cut_at_a_character)
{
    static char text[WIRE_TEXT_MAX + 8];
    memset(text, 'x', sizeof text);
    memcpy(text + WIRE_TEXT_MAX - 1, "\xe2\x82\xac", 3); /* one character over the limit */
    text[WIRE_TEXT_MAX + 2] = 0;
    struct wire_writer w;
    begin(&w, WIRE_HELLO);
    wire_put_text(&w, WIRE_F_HOST, text);
    wire_put_text(&w, WIRE_F_ROLE, NULL);
    ck_assert_int_eq(read_exact(space, wire_end(&w), &frame), WIRE_OK);
    ck_assert_uint_eq(frame.field[WIRE_F_HOST].text.size, WIRE_TEXT_MAX - 1);
    ck_assert(!frame.field[WIRE_F_ROLE].present);
}
END_TEST

/* At every capacity: a row or field that does not fit is left out completely, and nothing is
 * written behind the end. */
START_TEST(writer_keeps_to_its_memory)
{
    enum { ROOM = 700 };
    static uint8_t small[ROOM + 16];
    rows_fill(&rows, WIRE_G_V, 20, 30);
    size_t least = 0;
    for (size_t capacity = 0; capacity <= ROOM; capacity++) {
        struct wire_writer w;
        memset(small, 0xee, sizeof small);
        wire_begin(&w, small, capacity, WIRE_APPLIES, 3);
        put_head(&w, wire_table_max);
        size_t before = w.size;
        wire_put_group(&w, WIRE_G_V, 0, 20, rows.source);
        ck_assert_int_eq(w.full, w.size == before);
        size_t size = wire_end(&w);
        size_t kept = capacity;
        while (kept < sizeof small && small[kept] == 0xee)
            kept++;
        ck_assert_uint_eq(kept, sizeof small);
        ck_assert_int_eq(size == 0, w.full);
        if (size == 0) {
            ck_assert_uint_eq(least, 0);
            continue;
        }
        least = least ? least : capacity;
        ck_assert_uint_eq(size, least);
        ck_assert_int_eq(read_exact(small, size, &frame), WIRE_OK);
    }
    ck_assert_uint_gt(least, 100);
}
END_TEST

START_TEST(writer_knows_the_limits)
{
    static uint8_t large[2 * WIRE_FRAME_MAX];
    static char text[WIRE_TEXT_MAX + 1];
    struct wire_writer w;
    memset(text, 'x', WIRE_TEXT_MAX);
    wire_begin(&w, large, sizeof large, WIRE_HELLO, 0);
    for (unsigned i = 0; i < 20; i++)
        wire_put_text(&w, WIRE_F_HOST, text);
    ck_assert_uint_eq(wire_end(&w), 0);
    ck_assert_uint_le(w.size, WIRE_FRAME_MAX);
    wire_begin(&w, large, sizeof large, WIRE_RESERVED, 0);
    wire_put_u64(&w, WIRE_F_VER, 1);
    ck_assert_uint_eq(wire_end(&w), 0);
}
END_TEST

/* ----------------------------------------------------------------------------------- broken frames
 */

START_TEST(each_required_key_is_missed)
{
    static const uint8_t of_job[] = {WIRE_F_VER,  WIRE_F_INST, WIRE_F_EPOCH, WIRE_F_SEQ,
                                     WIRE_F_TICK, WIRE_F_MONO, WIRE_F_WALL,  WIRE_F_DEFS};
    for (unsigned missing = 0; missing <= 8; missing++) {
        struct wire_writer w;
        wire_begin(&w, space, sizeof space, WIRE_HELLO, 0);
        for (unsigned i = 0; i < 8; i++) {
            enum wire_type type = wire_fields[of_job[i]].type;
            if (i == missing)
                continue;
            if (type == WIRE_BIN16)
                wire_put_bin16(&w, of_job[i], inst);
            else if (type == WIRE_COUNTS)
                wire_put_counts(&w, of_job[i], wire_table_max);
            else
                wire_put_u64(&w, of_job[i], 1);
        }
        ck_assert_int_eq(read_exact(space, wire_end(&w), &frame),
                         missing < 8 ? WIRE_E_MISSING : WIRE_OK);
    }
    for (unsigned missing = 0; missing <= 3; missing++) {
        struct wire_writer w;
        wire_begin(&w, space, sizeof space, WIRE_REQUEST, 0);
        if (missing != 0)
            wire_put_u64(&w, WIRE_F_VER, 1);
        if (missing != 1)
            wire_put_text(&w, WIRE_F_Q, "hello");
        if (missing != 2)
            wire_put_u64(&w, WIRE_F_REQ, 1);
        ck_assert_int_eq(read_exact(space, wire_end(&w), &frame),
                         missing < 3 ? WIRE_E_MISSING : WIRE_OK);
    }
}
END_TEST

START_TEST(every_prefix_is_refused)
{
    struct wire_writer w;
    write_random((enum wire_group)_i, 9, 0, 30, &w);
    size_t size = wire_end(&w);
    ck_assert_uint_gt(size, 100);
    for (size_t n = 0; n < size; n += tap_stride())
        ck_assert_int_ne(read_exact(space, n, &frame), WIRE_OK);
    memcpy(space + size, "\xc0", 1);
    ck_assert_int_eq(read_exact(space, size + 1, &frame), WIRE_E_TRAIL);
}
END_TEST

/* Every changed byte gives an error, or a frame that keeps all guarantees (read_exact checks them)
 * and can be written again. */
START_TEST(every_changed_byte_is_harmless)
{
    static uint8_t again[WIRE_FRAME_MAX];
    struct wire_writer w;
    write_random((enum wire_group)_i, 5, 0, 30, &w);
    size_t size = wire_end(&w), accepted = 0;
    for (size_t at = 0; at < size; at += tap_stride()) {
        uint8_t was = space[at];
        for (unsigned flip = 1; flip < 256; flip += flip < 8 ? 1 : 31) {
            space[at] = (uint8_t)(was ^ flip);
            if (read_exact(space, size, &frame) != WIRE_OK || frame.stream == WIRE_RESERVED)
                continue;
            accepted++;
            size_t n = wire_again(&frame, again, sizeof again);
            ck_assert_int_eq(wire_read(again, n, &other), WIRE_OK);
            ck_assert_pstr_eq(wire_differ(&frame, &other), NULL);
        }
        space[at] = was;
    }
    ck_assert_uint_gt(accepted, 10);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("wire");
    tap_add(s, "schema_is_whole", schema_is_whole);
    tap_add(s, "errors_have_texts", errors_have_texts);
    tap_add_loop(s, "field_returns", field_returns, WIRE_FIELDS);
    tap_add_loop(s, "group_returns", group_returns, WIRE_GROUPS);
    tap_add_loop(s, "width_is_least", width_is_least, 8);
    tap_add(s, "long_text_is_cut_at_a_character", long_text_is_cut_at_a_character);
    tap_add(s, "writer_keeps_to_its_memory", writer_keeps_to_its_memory);
    tap_add(s, "writer_knows_the_limits", writer_knows_the_limits);
    tap_add(s, "each_required_key_is_missed", each_required_key_is_missed);
    tap_add_loop(s, "every_prefix_is_refused", every_prefix_is_refused, WIRE_GROUPS);
    tap_add_loop(s, "every_changed_byte_is_harmless", every_changed_byte_is_harmless, WIRE_GROUPS);
    return s;
}

TAP_MAIN(suite)
