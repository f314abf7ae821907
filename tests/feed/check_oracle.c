/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_oracle.c: msgpack-c reads our frames, and we read frames packed by msgpack-c. It gets only
 * our own frames: it would trust every length in hostile bytes.
 */

#include <msgpack.h>

#include "rows.h"

static uint8_t space[WIRE_FRAME_MAX];
static struct random_rows rows;
static struct wire_frame frame;

static const uint32_t counts[] = {0, 1, 2, 15, 16, 17, 255, 256, 300, 2000};
enum { COUNTS = sizeof counts / sizeof counts[0] };
static const uint64_t numbers[] = {WIRE_VERSION, 127, 128, 65536, UINT64_C(1) << 62, 255};
static const enum wire_field number_of[] = {WIRE_F_VER,  WIRE_F_EPOCH, WIRE_F_SEQ,
                                            WIRE_F_TICK, WIRE_F_MONO,  WIRE_F_WALL};

/* ----------------------------------------------------------------------------- it reads what we
 * write */

static const msgpack_object *find(const msgpack_object *map, const char *key)
{
    ck_assert_int_eq(map->type, MSGPACK_OBJECT_MAP);
    for (uint32_t i = 0; i < map->via.map.size; i++) {
        const msgpack_object_kv *kv = &map->via.map.ptr[i];
        if (kv->key.via.str.size == strlen(key) &&
            memcmp(kv->key.via.str.ptr, key, strlen(key)) == 0)
            return &kv->val;
    }
    ck_abort_msg("msgpack-c finds no key %s", key);
}

static uint64_t number(const msgpack_object *map, const char *key)
{
    const msgpack_object *o = find(map, key);
    ck_assert_int_eq(o->type, MSGPACK_OBJECT_POSITIVE_INTEGER);
    return o->via.u64;
}

/* An independent decoder of columns, byte by byte as in docs/protocol.md. */
static void compare_bin(const msgpack_object *bin, enum wire_type type, unsigned c, uint32_t n,
                        uint64_t last)
{
    ck_assert_int_eq(bin->type, MSGPACK_OBJECT_BIN);
    uint32_t width = n > 0 ? bin->via.bin.size / n : 1;
    ck_assert_uint_eq(bin->via.bin.size, width * n);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t u = 0;
        for (uint32_t b = width; b-- > 0;)
            u = u << 8 | (uint8_t)bin->via.bin.ptr[i * width + b];
        if (type == WIRE_ID)
            u = last += u;
        if (type == WIRE_OPT)
            u = u == 0 ? WIRE_UNKNOWN : u - 1;
        if (u != rows.u[c][i])
            ck_abort_msg("row %u of column %u is not the same", i, c);
    }
}

static void compare_array(const msgpack_object *array, unsigned c, uint32_t n)
{
    ck_assert_int_eq(array->type, MSGPACK_OBJECT_ARRAY);
    ck_assert_uint_eq(array->via.array.size, n);
    for (uint32_t i = 0; i < n; i++) {
        const msgpack_object *o = &array->via.array.ptr[i];
        const struct wire_text *want = &rows.text[c][i];
        if (o->type != MSGPACK_OBJECT_STR || o->via.str.size != want->size ||
            memcmp(o->via.str.ptr, want->data, want->size) != 0)
            ck_abort_msg("text %u of column %u is not the same", i, c);
    }
}

static size_t write_frame(enum wire_group g, uint32_t n)
{
    struct wire_writer w;
    wire_begin(&w, space, sizeof space, wire_groups[g].stream, 12);
    for (unsigned i = 0; i < 6; i++)
        wire_put_u64(&w, number_of[i], numbers[i]);
    wire_put_bin16(&w, WIRE_F_INST, inst);
    wire_put_counts(&w, WIRE_F_DEFS, wire_table_max);
    wire_put_f64(&w, WIRE_F_COST, -0.3);
    wire_put_text(&w, WIRE_F_TEXT, "a sentence that is longer than a fixstr");
    wire_put_group(&w, g, 77, n, rows.source);
    return wire_end(&w);
}

static void compare_frame(const msgpack_object *map, enum wire_group g, uint32_t n)
{
    for (unsigned i = 0; i < 6; i++)
        ck_assert_uint_eq(number(map, wire_fields[number_of[i]].key), numbers[i]);
    ck_assert_mem_eq(find(map, "inst")->via.bin.ptr, inst, 16);
    ck_assert_double_eq(find(map, "cost")->via.f64, -0.3);
    ck_assert_uint_eq(find(map, "text")->via.str.size, 39);
    for (unsigned t = 0; t < WIRE_TABLES; t++)
        ck_assert_uint_eq(find(map, "defs")->via.array.ptr[t].via.u64, wire_table_max[t]);
    uint64_t from = 0;
    const msgpack_object *group = find(map, wire_groups[g].key);
    ck_assert_uint_eq(number(group, "n"), n);
    bool ids = wire_groups[g].column[0].type == WIRE_ID;
    if (wire_groups[g].defines)
        ck_assert_uint_eq(number(group, "from"), 77);
    else if (ids)
        from = number(group, "from");
    for (unsigned c = 0; c < WIRE_COLUMNS && wire_groups[g].column[c].key; c++) {
        const struct wire_column_row *col = &wire_groups[g].column[c];
        if (col->type == WIRE_TEXT)
            compare_array(find(group, col->key), c, n);
        else
            compare_bin(find(group, col->key), col->type, c, n, from);
    }
}

START_TEST(it_reads_what_we_write)
{
    enum wire_group g = (enum wire_group)_i;
    for (unsigned k = 0; k < COUNTS * 8; k++) {
        uint32_t n = counts[k % COUNTS];
        rows_fill(&rows, g, n, 7 * (k / COUNTS) + 6);
        size_t size = write_frame(g, n), at = wire_groups[g].stream == WIRE_APPLIES ? 5 : 2;
        ck_assert_uint_gt(size, at);
        msgpack_unpacked result;
        msgpack_unpacked_init(&result);
        ck_assert_int_eq(msgpack_unpack_next(&result, (const char *)space, size, &at),
                         MSGPACK_UNPACK_SUCCESS);
        ck_assert_uint_eq(at, size);
        compare_frame(&result.data, g, n);
        msgpack_unpacked_destroy(&result);
    }
}
END_TEST

/* ----------------------------------------------------------------------------- we read what it
 * packs */

static void pack_key(msgpack_packer *pk, const char *key)
{
    msgpack_pack_str_with_body(pk, key, strlen(key));
}

/* Any sufficient width: a reader accepts the output of a simple writer. */
static void pack_integers(msgpack_packer *pk, enum wire_type type, unsigned c, uint32_t n)
{
    static uint8_t bytes[8 * ROWS_MAX];
    uint64_t any = 0, last = 0;
    static uint64_t raw[ROWS_MAX];
    for (uint32_t i = 0; i < n; i++) {
        raw[i] = rows.u[c][i] + (type == WIRE_OPT) - (type == WIRE_ID ? last : 0);
        last = rows.u[c][i];
        any |= raw[i];
    }
    uint32_t width = 1;
    while (width < 8 && any >> 8 * width)
        width++;
    width = type == WIRE_F64 && n > 0 ? 8 : width + (uint32_t)(draw() % (9 - width));
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t b = 0; b < width; b++)
            bytes[i * width + b] = (uint8_t)(raw[i] >> 8 * b);
    msgpack_pack_bin_with_body(pk, bytes, (size_t)n * width);
}

static void pack_texts(msgpack_packer *pk, unsigned c, uint32_t n)
{
    msgpack_pack_array(pk, n);
    for (uint32_t i = 0; i < n; i++)
        msgpack_pack_str_with_body(pk, rows.text[c][i].data, rows.text[c][i].size);
}

static void pack_group(msgpack_packer *pk, enum wire_group g, uint32_t n)
{
    unsigned wide = 0;
    while (wide < WIRE_COLUMNS && wire_groups[g].column[wide].key)
        wide++;
    pack_key(pk, wire_groups[g].key);
    bool ids = wire_groups[g].column[0].type == WIRE_ID;
    msgpack_pack_map(pk, wide + 1 + (wire_groups[g].defines || ids));
    for (unsigned c = wide; c-- > 0;) {
        const struct wire_column_row *col = &wire_groups[g].column[c];
        pack_key(pk, col->key);
        if (col->type == WIRE_TEXT)
            pack_texts(pk, c, n);
        else
            pack_integers(pk, col->type, c, n);
    }
    if (wire_groups[g].defines || ids) {
        pack_key(pk, "from");
        msgpack_pack_uint32(pk, ids ? 0 : 77);
    }
    pack_key(pk, "n");
    msgpack_pack_uint64(pk, n);
}

static void pack_frame(msgpack_sbuffer *out, enum wire_group g, uint32_t n)
{
    msgpack_packer pk;
    msgpack_packer_init(&pk, out, msgpack_sbuffer_write);
    char topic[] = {wire_letters[wire_groups[g].stream], '/', '3', '/'};
    msgpack_sbuffer_write(out, topic, wire_groups[g].stream == WIRE_APPLIES ? 4 : 2);
    msgpack_pack_map(&pk, 10);
    pack_group(&pk, g, n);
    for (unsigned i = 0; i < 6; i++) {
        pack_key(&pk, wire_fields[number_of[i]].key);
        msgpack_pack_unsigned_long_long(&pk, numbers[i]);
    }
    pack_key(&pk, "inst");
    msgpack_pack_bin_with_body(&pk, inst, sizeof inst);
    pack_key(&pk, "cost");
    msgpack_pack_double(&pk, 0.75);
    pack_key(&pk, "defs");
    msgpack_pack_array(&pk, WIRE_TABLES);
    for (unsigned t = 0; t < WIRE_TABLES; t++)
        msgpack_pack_uint32(&pk, wire_table_max[t]);
}

START_TEST(we_read_what_it_packs)
{
    enum wire_group g = (enum wire_group)_i;
    for (unsigned k = 0; k < COUNTS * 8; k++) {
        uint32_t n = counts[k % COUNTS];
        rows_fill(&rows, g, n, 7 * (k / COUNTS) + 6);
        msgpack_sbuffer out;
        msgpack_sbuffer_init(&out);
        pack_frame(&out, g, n);
        ck_assert_int_eq(read_exact(out.data, out.size, &frame), WIRE_OK);
        msgpack_sbuffer_destroy(&out);
        for (unsigned i = 0; i < 6; i++)
            ck_assert_uint_eq(frame.field[number_of[i]].u, numbers[i]);
        ck_assert_double_eq(frame.field[WIRE_F_COST].d, 0.75);
        ck_assert_mem_eq(frame.field[WIRE_F_INST].text.data, inst, 16);
        ck_assert_mem_eq(frame.defs, wire_table_max, sizeof frame.defs);
        const struct wire_rows *read = &frame.group[g];
        ck_assert_uint_eq(read->count, n);
        ck_assert_uint_eq(read->from, wire_groups[g].defines ? 77 : 0);
        for (unsigned c = 0; c < WIRE_COLUMNS && wire_groups[g].column[c].key; c++)
            rows_check(&rows, &read->column[c], c, n);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("oracle");
    tap_add_loop(s, "it_reads_what_we_write", it_reads_what_we_write, WIRE_GROUPS);
    tap_add_loop(s, "we_read_what_it_packs", we_read_what_it_packs, WIRE_GROUPS);
    return s;
}

TAP_MAIN(suite)
