/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_wire_raw.c: feed/protocol/reader.c with bytes that writer.c never writes.
 */
#include "frames.h"
#include "raw.h"

static struct wire_frame frame;
static uint64_t column[4][1000];

/* Writes a topic and a map with the fields of every frame, and space for `more` entries. */
static void raw_head(const char *topic, unsigned more, const uint32_t *defs)
{
    static const char *const numbers[] = {"epoch", "seq", "tick", "mono", "wall"};
    uint8_t map[] = {0xde, (uint8_t)((8 + more) >> 8), (uint8_t)(8 + more)};
    raw.size = 0;
    add(topic, strlen(topic));
    add(map, sizeof map);
    add_key("ver");
    add("\x01", 1);
    for (unsigned i = 0; i < 5; i++) {
        add_key(numbers[i]);
        add_u64(i + 1);
    }
    add_key("inst");
    add("\xc4\x10", 2);
    add(inst, 16);
    add_key("defs");
    add("\x98", 1);
    for (unsigned i = 0; i < WIRE_TABLES; i++)
        add_u64(defs[i]);
}

static enum wire_error read_raw(void)
{
    return read_exact(raw.data, raw.size, &frame);
}

/* Writes one group `v` of n rows with all columns `width` bytes wide. */
static void raw_v(const uint32_t *defs, uint32_t n, unsigned width, uint64_t from)
{
    raw_head("A/3/", 1, defs);
    add_key("v");
    add("\x86", 1);
    for (unsigned c = 0; c < 4; c++) {
        add_key(wire_groups[WIRE_G_V].column[c].key);
        add_bin(column[c], n, width);
    }
    add_key("n"); /* at the end, since the order is free */
    add_u64(n);
    add_key("from");
    add_u64(from);
}

static void add_request(const char *word)
{
    raw.size = 0;
    add("Q/\x83", 3);
    add_key("ver");
    add("\x01", 1);
    add_key("req");
    add("\x07", 1);
    add_key("q");
    add_key(word);
}

START_TEST(every_width_is_read)
{
    unsigned width = (unsigned)_i + 1;
    static const uint32_t counts[] = {1, 2, 3, 4, 7, 8, 9, 10, 31, 1000};
    static uint64_t ids[1000];
    for (unsigned k = 0; k < 10; k++) {
        uint32_t n = counts[k];
        uint64_t id = 7000;
        for (uint32_t i = 0; i < n; i++) {
            column[0][i] = 1 + draw() % 200;
            ids[i] = id += column[0][i];
            for (unsigned c = 1; c < 4; c++)
                column[c][i] = draw() >> (width < 8 ? 64 - 8 * width : 2);
        }
        raw_v(wire_table_max, n, width, 7000);
        ck_assert_int_eq(read_raw(), WIRE_OK);
        const struct wire_rows *rows = &frame.group[WIRE_G_V];
        ck_assert_uint_eq(rows->count, n);
        ck_assert_uint_eq(rows->column[2].width, width);
        memcpy(column[0], ids, n * sizeof *ids);
        for (uint32_t i = 0; i < n; i++)
            column[3][i]--; /* 0 means unknown, which is the largest number */
        for (unsigned c = 0; c < 4; c++)
            check_integers(&rows->column[c], column[c], n);
    }
}
END_TEST

/* A wrong value is found in every row, at every width: the loops handle three kinds of rows. */
START_TEST(wrong_value_is_found_anywhere)
{
    unsigned width = (unsigned)_i + 1;
    enum { N = 21, DEFS = 90 };
    uint32_t defs[WIRE_TABLES] = {0, 0, 4, DEFS};
    for (unsigned at = 0; at < N; at++) {
        for (unsigned i = 0; i < N; i++) {
            column[0][i] = 3;
            column[1][i] = column[2][i] = column[3][i] = 1;
        }
        raw_v(defs, N, width, 0); /* ids 3, 6 ... 63 */
        ck_assert_int_eq(read_raw(), WIRE_OK);
        column[0][at] = DEFS - 3 * (N - 1) - 1; /* the last id is defs - 1 */
        raw_v(defs, N, width, 0);
        ck_assert_int_eq(read_raw(), WIRE_OK);
        column[0][at]++;
        raw_v(defs, N, width, 0);
        ck_assert_int_eq(read_raw(), WIRE_E_ID);
        column[0][at] = UINT64_MAX; /* a step back, if sums overflow */
        raw_v(defs, N, width, 0);
        ck_assert_int_eq(read_raw(), WIRE_E_ID);
        column[0][at] = 0;
        raw_v(defs, N, width, 0);
        ck_assert_int_eq(read_raw(), at == 0 ? WIRE_OK : WIRE_E_ORDER);
        column[0][at] = 3;
        for (unsigned c = 1; c < 4 && width == 8; c++) {
            column[c][at] = (UINT64_C(1) << 62) + (c == 3);
            raw_v(defs, N, width, 0);
            ck_assert_int_eq(read_raw(), WIRE_OK);
            column[c][at]++;
            raw_v(defs, N, width, 0);
            ck_assert_int_eq(read_raw(), WIRE_E_VALUE);
            column[c][at] = 1;
        }
    }
}
END_TEST

/* The start of the ids is checked as well as the differences. */
START_TEST(first_id_is_added)
{
    static const struct {
        uint64_t from, step;
        enum wire_error error;
    } rows[] = {{0, 0, WIRE_OK},
                {89, 0, WIRE_OK},
                {80, 9, WIRE_OK},
                {90, 0, WIRE_E_ID},
                {80, 10, WIRE_E_ID},
                {91, 0, WIRE_E_ID},
                {UINT32_MAX, 1, WIRE_E_ID},
                {UINT64_MAX, 1, WIRE_E_ID}};
    uint32_t defs[WIRE_TABLES] = {0, 0, 4, 90};
    for (unsigned i = 0; i < 8; i++) {
        uint64_t id = 0;
        column[0][0] = rows[i].step;
        column[1][0] = column[2][0] = column[3][0] = 1;
        raw_v(defs, 1, 1, rows[i].from);
        ck_assert_int_eq(read_raw(), rows[i].error);
        if (rows[i].error != WIRE_OK)
            continue;
        wire_column_read(&frame.group[WIRE_G_V].column[0], 0, 1, &id, NULL);
        ck_assert_uint_eq(id, rows[i].from + rows[i].step);
    }
}
END_TEST

/* Eight steps of 2^61 wrap around to the start. */
START_TEST(sum_of_steps_cannot_wrap)
{
    uint32_t defs[WIRE_TABLES] = {0, 0, 4, 90};
    for (unsigned i = 0; i < 9; i++) {
        column[0][i] = i == 0 ? 1 : UINT64_C(1) << 61;
        column[1][i] = column[2][i] = column[3][i] = 1;
    }
    raw_v(defs, 9, 8, 0);
    ck_assert_int_eq(read_raw(), WIRE_E_ID);
}
END_TEST

/* A short array of texts must not take the bytes that follow it as texts. */
START_TEST(texts_are_as_many_as_rows)
{
    for (unsigned n = 1; n <= 3; n++) {
        raw_head("D/", 1, wire_table_max);
        add_key("class");
        add("\x84\xa1n", 3);
        add_u64(n);
        add_key("name");
        add("\x92\xa1x\xa1y", 5);
        add_key("from");
        add_u64(0);
        add_key("later");
        add("\xa0", 1);
        ck_assert_int_eq(read_raw(), n == 2 ? WIRE_OK : WIRE_E_WIDTH);
    }
}
END_TEST

/* Group `now` holds an optional ref, group `op` a ref. */
START_TEST(wrong_ref_is_found_anywhere)
{
    unsigned width = (unsigned)_i + 1;
    enum { N = 19 };
    uint32_t defs[WIRE_TABLES] = {77, N, 0, 55, 0, 0, 0, N};
    uint64_t ones[N] = {0}, refs[N];
    for (unsigned k = 0; k < 4 * N; k++) {
        unsigned at = k / 4, wrong = k % 2;
        bool now = k % 4 < 2;
        for (unsigned i = 0; i < N; i++) {
            ones[i] = i > 0;
            refs[i] = 7;
        }
        refs[at] = (now ? 55 : 76) + wrong;
        raw_head(now ? "N/" : "D/", 1, defs);
        add_key(now ? "now" : "op");
        add(now ? "\x85" : "\x84", 1);
        add_key("n");
        add_u64(N);
        add_key("from");
        add_u64(0);
        if (now) {
            add_key("id");
            add_bin(ones, N, width);
        }
        add_key(now ? "apply" : "class");
        add_bin(refs, N, width);
        add_key(now ? "since" : "text");
        if (now)
            add_bin(refs, N, width);
        else
            add("\xdc\x00\x13\xa0\xa0\xa0\xa0\xa0\xa0\xa0\xa0\xa0\xa0\xa0\xa0\xa0\xa0\xa0\xa0\xa0"
                "\xa0\xa0",
                3 + N);
        ck_assert_int_eq(read_raw(), wrong ? WIRE_E_ID : WIRE_OK);
    }
}
END_TEST

/* ---------------------------------------------------------------------------------- topics and
 * keys */

static const struct {
    const char *topic;
    enum wire_error error;
    enum wire_stream stream;
    uint32_t function;
} topics[] = {
    {"H/", WIRE_OK, WIRE_HELLO, 0},
    {"D/", WIRE_OK, WIRE_DEFS, 0},
    {"F/", WIRE_OK, WIRE_FUNCTIONS, 0},
    {"A/0/", WIRE_OK, WIRE_APPLIES, 0},
    {"A/65535/", WIRE_OK, WIRE_APPLIES, 65535},
    {"N/", WIRE_OK, WIRE_NOW, 0},
    {"E/", WIRE_OK, WIRE_NOTICES, 0},
    {"Y/", WIRE_OK, WIRE_REPLY, 0},
    {"P/", WIRE_OK, WIRE_PERCENTILES, 0},
    {"L/12/", WIRE_OK, WIRE_RESERVED, 12},
    {"T/", WIRE_OK, WIRE_TIMELINE, 0},
    {"T/12/", WIRE_E_TOPIC, 0, 0},
    {"R/", WIRE_OK, WIRE_REWRITES, 0},
    {"I/", WIRE_OK, WIRE_DETAILS, 0},
    {"S/", WIRE_OK, WIRE_SPANS, 0},
    {"M/", WIRE_OK, WIRE_MARKERS, 0},
    {"C/", WIRE_OK, WIRE_COUNTERS, 0},
    {"", WIRE_E_TOPIC, 0, 0},
    {"/", WIRE_E_TOPIC, 0, 0},
    {"H", WIRE_E_TOPIC, 0, 0},
    {"H//", WIRE_E_TOPIC, 0, 0},
    {"H/1/", WIRE_E_TOPIC, 0, 0},
    {"A/", WIRE_E_TOPIC, 0, 0},
    {"A//", WIRE_E_TOPIC, 0, 0},
    {"A/1", WIRE_E_TOPIC, 0, 0},
    {"A/x/", WIRE_E_TOPIC, 0, 0},
    {"A/1/2/", WIRE_E_TOPIC, 0, 0},
    {"A/01/", WIRE_E_TOPIC, 0, 0},
    {"A/65536/", WIRE_E_TOPIC, 0, 0},
    {"A/4294967297/", WIRE_E_TOPIC, 0, 0},
    {"A/18446744073709551616/", WIRE_E_TOPIC, 0, 0},
    {"X/", WIRE_E_TOPIC, 0, 0},
    {"?/", WIRE_E_TOPIC, 0, 0},
    {"h/", WIRE_E_TOPIC, 0, 0},
    {" H/", WIRE_E_TOPIC, 0, 0},
    {"HELLO/", WIRE_E_TOPIC, 0, 0},
};

START_TEST(topic)
{
    raw_head(topics[_i].topic, 0, wire_table_max);
    ck_assert_int_eq(read_raw(), topics[_i].error);
    if (topics[_i].error == WIRE_OK) {
        ck_assert_int_eq(frame.stream, topics[_i].stream);
        ck_assert_int_eq(frame.letter, topics[_i].topic[0]);
        ck_assert_uint_eq(frame.function, topics[_i].function);
    }
}
END_TEST

/* Every kind of MessagePack value under an unknown key, in the frame and in a group. */
static const struct {
    const char *bytes;
    size_t size;
    enum wire_error error;
} strangers[] = {
#define STRANGER(text, error)                                                                      \
    {                                                                                              \
        text, sizeof text - 1, error                                                               \
    }
    STRANGER("\x00", WIRE_OK),
    STRANGER("\xc0", WIRE_OK),
    STRANGER("\xc2", WIRE_OK),
    STRANGER("\xc3", WIRE_OK),
    STRANGER("\xe0", WIRE_OK),
    STRANGER("\xff", WIRE_OK),
    STRANGER("\xca\x7f\xc0\x00\x00", WIRE_OK),
    STRANGER("\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00", WIRE_OK),
    STRANGER("\xcc\xff", WIRE_OK),
    STRANGER("\xcf\xff\xff\xff\xff\xff\xff\xff\xff", WIRE_OK),
    STRANGER("\xd0\x80", WIRE_OK),
    STRANGER("\xd1\x80\x00", WIRE_OK),
    STRANGER("\xd2\x80\x00\x00\x00", WIRE_OK),
    STRANGER("\xd3\x80\x00\x00\x00\x00\x00\x00\x00", WIRE_OK),
    STRANGER("\xd4\x01\xc1", WIRE_OK),
    STRANGER("\xd5\x01\xc1\xc1", WIRE_OK),
    STRANGER("\xd6\xff\xc1\xc1\xc1\xc1", WIRE_OK),
    STRANGER("\xd7\xff\xc1\xc1\xc1\xc1\xc1\xc1\xc1\xc1", WIRE_OK),
    STRANGER("\xd8\x01\xc1\xc1\xc1\xc1\xc1\xc1\xc1\xc1\xc1\xc1\xc1\xc1\xc1\xc1\xc1\xc1", WIRE_OK),
    STRANGER("\xc7\x00\x05", WIRE_OK),
    STRANGER("\xc8\x00\x01\x05\xc1", WIRE_OK),
    STRANGER("\xc9\x00\x00\x00\x02\x05\xc1\xc1", WIRE_OK),
    STRANGER("\xc4\x01\xc1", WIRE_OK),
    STRANGER("\xc5\x00\x00", WIRE_OK),
    STRANGER("\xc6\x00\x00\x00\x01\xc1", WIRE_OK),
    STRANGER("\xd9\x01\xc1", WIRE_OK),
    STRANGER("\xda\x00\x01\xc1", WIRE_OK),
    STRANGER("\xdb\x00\x00\x00\x00", WIRE_OK),
    STRANGER("\xdc\x00\x02\x01\x93\x01\x02\x03", WIRE_OK),
    STRANGER("\xdd\x00\x00\x00\x01\x80", WIRE_OK),
    STRANGER("\xde\x00\x01\x07\xc0", WIRE_OK),
    STRANGER("\xdf\x00\x00\x00\x01\x90\x81\x01\x02", WIRE_OK),
    STRANGER("\xc1", WIRE_E_FORM),
    STRANGER("\x92\x01\xc1", WIRE_E_FORM),
    STRANGER("\xc7\xff\x05", WIRE_E_TRUNC),
    STRANGER("\xd8\x01", WIRE_E_TRUNC),
    STRANGER("\xdb\xff\xff\xff\xff", WIRE_E_TRUNC),
    STRANGER("\xc6\xff\xff\xff\xff", WIRE_E_TRUNC),
    STRANGER("\xdd\xff\xff\xff\xff", WIRE_E_TRUNC),
    STRANGER("\xdd\x0f\xff\xff\xff\x01", WIRE_E_TRUNC),
    STRANGER("\xde\x01\x01", WIRE_E_DEPTH),
    STRANGER("\xdf\xff\xff\xff\xff", WIRE_E_DEPTH),
};

START_TEST(unknown_key_is_skipped)
{
    raw_head("N/", 1, wire_table_max);
    add_key("later");
    add(strangers[_i].bytes, strangers[_i].size);
    ck_assert_int_eq(read_raw(), strangers[_i].error);
    raw_head("N/", 1, wire_table_max);
    add_key("now");
    add("\x86\xa4"
        "from\x00",
        7);
    for (unsigned c = 0; c < 3; c++) {
        add_key(wire_groups[WIRE_G_NOW].column[c].key);
        add("\xc4\x00", 2);
    }
    add_key("n");
    add("\x00", 1);
    add_key("later");
    add(strangers[_i].bytes, strangers[_i].size);
    ck_assert_int_eq(read_raw(), strangers[_i].error);
    if (strangers[_i].error == WIRE_OK)
        ck_assert(frame.group[WIRE_G_NOW].present);
}
END_TEST

START_TEST(depth_is_bounded)
{
    for (unsigned depth = 0; depth < 300; depth++) {
        raw_head("N/", 1, wire_table_max);
        add_key("later");
        for (unsigned i = 0; i < depth; i++)
            add(i % 2 ? "\x91" : "\x81\x01", i % 2 ? 1 : 2);
        add("\x01", 1);
        ck_assert_int_eq(read_raw(), depth <= WIRE_DEPTH_MAX ? WIRE_OK : WIRE_E_DEPTH);
    }
}
END_TEST

START_TEST(map_is_bounded)
{
    for (unsigned more = 247; more <= 249; more++) {
        raw_head("N/", more, wire_table_max);
        for (unsigned i = 0; i < more; i++)
            add("\xa2zz\x01", 4); /* unknown keys may occur twice */
        ck_assert_int_eq(read_raw(), more <= 248 ? WIRE_OK : WIRE_E_DEPTH);
    }
}
END_TEST

/* A group in a stream where it does not belong is an unknown key. */
START_TEST(foreign_group_is_skipped)
{
    raw_head("N/", 2, wire_table_max);
    add_key("v");
    add("\x05", 1);
    add_key("now");
    add("\x85\xa4"
        "from\x00\xa1n\x00\xa2id\xc4\x00\xa5"
        "apply\xc4\x00\xa5since\xc4\x00",
        31);
    ck_assert_int_eq(read_raw(), WIRE_OK);
    ck_assert(!frame.group[WIRE_G_V].present);
    ck_assert(frame.group[WIRE_G_NOW].present);
    raw.data[0] = 'F';
    ck_assert_int_eq(read_raw(), WIRE_OK);
    ck_assert(!frame.group[WIRE_G_NOW].present);
}
END_TEST

START_TEST(version_is_judged_first)
{
    static const char bytes[] = "H/\x83\xa3ver\x02\xa4inst\x05\x00\xc1";
    ck_assert_int_eq(read_exact(bytes, sizeof bytes - 1, &frame), WIRE_E_VERSION);
    ck_assert_uint_eq(frame.field[WIRE_F_VER].u, 2);
}
END_TEST

START_TEST(each_column_is_missed_and_not_twice)
{
    for (unsigned odd = 0; odd <= 6; odd++) { /* the entry that is omitted, or written twice */
        for (unsigned twice = 0; twice < 2; twice++) {
            raw_head("A/3/", 1, wire_table_max);
            add_key("v");
            raw.data[raw.size++] = (uint8_t)(0x86 + (odd == 6 ? 0 : twice ? 1 : -1));
            for (unsigned c = 0; c < 6; c++) {
                const char *key = c == 5   ? "from"
                                  : c == 4 ? "n"
                                           : wire_groups[WIRE_G_V].column[c].key;
                for (unsigned i = 0; i < (c != odd ? 1 : 2 * twice); i++) {
                    add_key(key);
                    c >= 4 ? add("\x00", 1) : add("\xc4\x00", 2);
                }
            }
            ck_assert_int_eq(read_raw(), odd == 6 ? WIRE_OK
                                         : twice  ? WIRE_E_TWICE
                                                  : WIRE_E_MISSING);
        }
    }
}
END_TEST

/* ------------------------------------------------------------------------------------------ limits
 */

START_TEST(frame_size_is_bounded)
{
    for (size_t over = 0; over < 2; over++) {
        raw_head("H/", 1, wire_table_max);
        add_key("later");
        size_t rest = WIRE_FRAME_MAX - raw.size - 5 + over;
        uint8_t head[] = {0xc6, 0, (uint8_t)(rest >> 16), (uint8_t)(rest >> 8), (uint8_t)rest};
        add(head, 5);
        memset(raw.data + raw.size, 0, rest);
        raw.size += rest;
        ck_assert_int_eq(read_raw(), over ? WIRE_E_SIZE : WIRE_OK);
        raw.data[0] = 'Q';
        ck_assert_int_eq(read_raw(), WIRE_E_SIZE);
    }
}
END_TEST

START_TEST(text_is_bounded)
{
    for (size_t over = 0; over < 2; over++) {
        size_t n = WIRE_TEXT_MAX + over;
        uint8_t head[] = {0xda, (uint8_t)(n >> 8), (uint8_t)n};
        raw_head("H/", 1, wire_table_max);
        add_key("host");
        add(head, 3);
        memset(raw.data + raw.size, 'x', n);
        raw.size += n;
        ck_assert_int_eq(read_raw(), over ? WIRE_E_FORM : WIRE_OK);
        raw_head("D/", 1, wire_table_max);
        add_key("class");
        add("\x83\xa1n\x01\xa4"
            "from\x00\xa4name\x91",
            16);
        add(head, 3);
        memset(raw.data + raw.size, 'x', n);
        raw.size += n;
        ck_assert_int_eq(read_raw(), over ? WIRE_E_FORM : WIRE_OK);
    }
}
END_TEST

START_TEST(rows_are_bounded)
{
    for (uint32_t n = WIRE_FRAME_ROWS; n <= WIRE_FRAME_ROWS + 1; n++) {
        static uint64_t ones[WIRE_FRAME_ROWS + 1];
        for (uint32_t i = 0; i < n; i++)
            ones[i] = 1;
        raw_head("F/", 1, wire_table_max);
        add_key("compile");
        add("\x88\xa4"
            "from\x00\xa1n",
            9);
        add_u64(n);
        for (unsigned c = 0; c < 6; c++) {
            add_key(wire_groups[WIRE_G_COMPILE].column[c].key);
            add_bin(ones, n, 1);
        }
        ck_assert_int_eq(read_raw(), n > WIRE_FRAME_ROWS ? WIRE_E_ROWS : WIRE_OK);
    }
}
END_TEST

START_TEST(tables_are_bounded)
{
    uint32_t defs[WIRE_TABLES];
    memcpy(defs, wire_table_max, sizeof defs);
    raw_head("H/", 0, defs);
    ck_assert_int_eq(read_raw(), WIRE_OK);
    defs[_i]++;
    raw_head("H/", 0, defs);
    ck_assert_int_eq(read_raw(), WIRE_E_ROWS);
}
END_TEST

/* Defined rows must end at or below defs, wherever they begin. */
START_TEST(defined_rows_stay_below_defs)
{
    static const struct {
        uint64_t n, from;
        enum wire_error error;
    } rows[] = {{2, 3, WIRE_OK},
                {2, 0, WIRE_OK},
                {0, 5, WIRE_OK},
                {2, 4, WIRE_E_ID},
                {0, 6, WIRE_E_ID},
                {2, UINT64_MAX, WIRE_E_ID},
                {2, UINT32_MAX, WIRE_E_ID},
                {65537, 0, WIRE_E_ROWS},
                {UINT64_MAX, 0, WIRE_E_ROWS}};
    uint32_t defs[WIRE_TABLES] = {5};
    for (unsigned i = 0; i < 9; i++) {
        raw_head("D/", 1, defs);
        add_key("class");
        add("\x83\xa1n", 3);
        add_u64(rows[i].n);
        add_key("from");
        add_u64(rows[i].from);
        add_key("name");
        add(rows[i].n ? "\x92\xa0\xa0" : "\x90", rows[i].n ? 3 : 1);
        ck_assert_int_eq(read_raw(), rows[i].error);
    }
}
END_TEST

static enum wire_error read_as_request(void)
{
    return wire_read_request(raw.data, raw.size, &frame);
}

START_TEST(request_reader_reads_nothing_else)
{
    add_request("hello");
    ck_assert_int_eq(read_as_request(), WIRE_OK);
    ck_assert_uint_eq(frame.field[WIRE_F_REQ].u, 7);
    ck_assert_uint_eq(frame.field[WIRE_F_Q].text.size, 5);
    ck_assert(!frame.group[WIRE_G_V].present);
    raw.size--;
    ck_assert_int_eq(read_as_request(), WIRE_E_TRUNC);
    raw_v(wire_table_max, 1, 1, 0);
    ck_assert_int_eq(read_raw(), WIRE_OK);
    ck_assert_int_eq(read_as_request(), WIRE_E_TOPIC);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("wire_raw");
    tap_add_loop(s, "every_width_is_read", every_width_is_read, 8);
    tap_add_loop(s, "wrong_value_is_found_anywhere", wrong_value_is_found_anywhere, 8);
    tap_add(s, "sum_of_steps_cannot_wrap", sum_of_steps_cannot_wrap);
    tap_add(s, "texts_are_as_many_as_rows", texts_are_as_many_as_rows);
    tap_add(s, "first_id_is_added", first_id_is_added);
    tap_add_loop(s, "wrong_ref_is_found_anywhere", wrong_ref_is_found_anywhere, 8);
    tap_add_loop(s, "topic", topic, TAP_ROWS(topics));
    tap_add_loop(s, "unknown_key_is_skipped", unknown_key_is_skipped, TAP_ROWS(strangers));
    tap_add(s, "depth_is_bounded", depth_is_bounded);
    tap_add(s, "map_is_bounded", map_is_bounded);
    tap_add(s, "foreign_group_is_skipped", foreign_group_is_skipped);
    tap_add(s, "version_is_judged_first", version_is_judged_first);
    tap_add(s, "each_column_is_missed_and_not_twice", each_column_is_missed_and_not_twice);
    tap_add(s, "frame_size_is_bounded", frame_size_is_bounded);
    tap_add(s, "text_is_bounded", text_is_bounded);
    tap_add(s, "rows_are_bounded", rows_are_bounded);
    tap_add_loop(s, "tables_are_bounded", tables_are_bounded, WIRE_TABLES);
    tap_add(s, "request_reader_reads_nothing_else", request_reader_reads_nothing_else);
    tap_add(s, "defined_rows_stay_below_defs", defined_rows_stay_below_defs);
    return s;
}

TAP_MAIN(suite)
