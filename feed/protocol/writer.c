/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * writer.c: frames to bytes. Little-endian machines only; configure refuses others.
 */
#include <string.h>

#include "feed/protocol/frame.h"

/* Not called for each row: optimised for size. */
#define RARE __attribute__((cold))
/* Runs once per column, not per row: inlined copies, which compilers make many of, save no time. */
#define ONCE __attribute__((noinline))

/* First bytes of the MessagePack values in use. */
enum {
    MP_FIXMAP = 0x80,
    MP_FIXARRAY = 0x90,
    MP_FIXSTR = 0xa0,
    MP_BIN8 = 0xc4,
    MP_F64 = 0xcb,
    MP_U8 = 0xcc,
    MP_STR8 = 0xd9,
    MP_ARRAY16 = 0xdc,
    MP_MAP16 = 0xde,
};

static ONCE void put(struct wire_writer *w, const void *bytes, size_t size)
{
    if (w->full || size > w->capacity - w->size) {
        w->full = true;
        return;
    }
    memcpy(w->data + w->size, bytes, size);
    w->size += size;
}

/* Writes one first byte and a big-endian integer of 0, 1, 2, 4 or 8 bytes. */
static ONCE void put_head(struct wire_writer *w, unsigned code, unsigned bytes, uint64_t value)
{
    uint8_t head[9] = {(uint8_t)code};
    for (unsigned i = 0; i < bytes; i++)
        head[1 + i] = (uint8_t)(value >> (8 * (bytes - 1 - i)));
    put(w, head, 1 + bytes);
}

/* MessagePack's codes for 1, 2, 4 and 8 bytes are consecutive: `code` is the one for 1 byte. */
static ONCE void put_sized(struct wire_writer *w, unsigned code, uint64_t value)
{
    unsigned step = (unsigned)(value > UINT8_MAX) + (value > UINT16_MAX) + (value > UINT32_MAX);
    put_head(w, code + step, 1u << step, value);
}

static ONCE void put_uint(struct wire_writer *w, uint64_t value)
{
    if (value < 0x80)
        put_head(w, (unsigned)value, 0, 0);
    else
        put_sized(w, MP_U8, value);
}

static ONCE void put_array(struct wire_writer *w, uint32_t n)
{
    if (n < 16)
        put_head(w, MP_FIXARRAY + n, 0, 0);
    else if (n <= UINT16_MAX)
        put_head(w, MP_ARRAY16, 2, n);
    else
        put_head(w, MP_ARRAY16 + 1, 4, n);
}

/* Cuts a long text before a character, so that UTF-8 stays valid. */
static ONCE void put_str(struct wire_writer *w, const char *data, size_t size)
{
    if (size > WIRE_TEXT_MAX) {
        size = WIRE_TEXT_MAX;
        while (size > 0 && ((uint8_t)data[size] & 0xc0) == 0x80)
            size--;
    }
    if (size < 32)
        put_head(w, MP_FIXSTR + (unsigned)size, 0, 0);
    else
        put_sized(w, MP_STR8, size);
    if (size > 0)
        put(w, data, size);
}

static void put_key(struct wire_writer *w, const char *key)
{
    put_str(w, key, strlen(key));
}

/* Ends an entry of the frame's map that began at `mark`. An entry that does not fit is removed. */
static void close_entry(struct wire_writer *w, size_t mark)
{
    if (w->full)
        w->size = mark;
    else
        w->entries++;
}

RARE void wire_begin(struct wire_writer *w, void *buffer, size_t capacity, enum wire_stream stream,
                     uint32_t function)
{
    *w = (struct wire_writer){
        .data = buffer,
        .capacity = capacity < WIRE_FRAME_MAX ? capacity : WIRE_FRAME_MAX,
    };
    w->full = (unsigned)stream >= WIRE_RESERVED;
    char topic[WIRE_TOPIC_MAX];
    size_t at = sizeof topic;
    topic[--at] = '/';
    if (stream == WIRE_APPLIES) {
        do
            topic[--at] = (char)('0' + function % 10);
        while ((function /= 10) > 0);
        topic[--at] = '/';
    }
    topic[--at] = w->full ? '?' : wire_letters[stream];
    put(w, topic + at, sizeof topic - at);
    w->map_at = w->size + 1;
    put_head(w, MP_MAP16, 2, 0);
}

RARE void wire_put_u64(struct wire_writer *w, enum wire_field field, uint64_t value)
{
    size_t mark = w->size;
    put_key(w, wire_fields[field].key);
    put_uint(w, value);
    close_entry(w, mark);
}

RARE void wire_put_f64(struct wire_writer *w, enum wire_field field, double value)
{
    size_t mark = w->size;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_key(w, wire_fields[field].key);
    put_head(w, MP_F64, 8, bits);
    close_entry(w, mark);
}

RARE void wire_put_text(struct wire_writer *w, enum wire_field field, const char *text)
{
    if (!text)
        return;
    size_t mark = w->size;
    put_key(w, wire_fields[field].key);
    put_str(w, text, strlen(text));
    close_entry(w, mark);
}

RARE void wire_put_bin16(struct wire_writer *w, enum wire_field field, const uint8_t bytes[16])
{
    size_t mark = w->size;
    put_key(w, wire_fields[field].key);
    put_sized(w, MP_BIN8, 16);
    put(w, bytes, 16);
    close_entry(w, mark);
}

RARE void wire_put_counts(struct wire_writer *w, enum wire_field field,
                          const uint32_t counts[WIRE_TABLES])
{
    size_t mark = w->size;
    put_key(w, wire_fields[field].key);
    put_array(w, WIRE_TABLES);
    for (unsigned i = 0; i < WIRE_TABLES; i++)
        put_uint(w, counts[i]);
    close_entry(w, mark);
}

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Wire value of row i > 0. Ids: the difference to the row before. Optional values: plus bias 1. */
static ALWAYS_INLINE uint64_t encode(const uint64_t *u, uint32_t i, bool ids, uint64_t bias)
{
    return u[i] + (ids ? -u[i - 1] : bias);
}

/* OR of the wire values of rows 1 to n. Two values side by side use one instruction. */
static ALWAYS_INLINE uint64_t bits_of(const uint64_t *u, uint32_t n, bool ids, uint64_t bias)
{
    typedef uint64_t pair __attribute__((vector_size(16)));
    const pair up = {bias, bias};
    pair bits = {0, 0}, here, before;
    uint32_t i = 1;
    for (; i + 2 <= n; i += 2) {
        memcpy(&here, u + i, sizeof here);
        memcpy(&before, u + i - 1, sizeof before);
        bits |= here + (ids ? -before : up);
    }
    for (; i < n; i++)
        bits[0] |= encode(u, i, ids, bias);
    return bits[0] | bits[1];
}

/* Stores rows 1 to n of `width` bytes: overlapping stores of 8 bytes, the last few exact. */
static ALWAYS_INLINE void store(uint8_t *to, unsigned width, const uint64_t *u, uint32_t n,
                                bool ids, uint64_t bias)
{
    const uint8_t *end = to + (size_t)(n - 1) * width;
    uint32_t i = 1;
    for (; end - to >= 8; to += width, i++) {
        uint64_t value = encode(u, i, ids, bias);
        memcpy(to, &value, 8);
    }
    for (; i < n; to += width, i++) {
        uint64_t value = encode(u, i, ids, bias);
        memcpy(to, &value, width);
    }
}

/* Compiled twice, for ids and for the other types, because it is the larger part of the cost of a
 * row. `any`: bits in use besides the bits of the values. */
static ALWAYS_INLINE void put_column(struct wire_writer *w, const uint64_t *u, uint32_t n,
                                     uint64_t any, bool ids, uint64_t bias)
{
    const uint64_t first = ids || n == 0 ? 0 : u[0] + bias;
    any |= first | bits_of(u, n, ids, bias);
    unsigned width = (71 - (unsigned)__builtin_clzll(any)) / 8;
    size_t size = (size_t)n * width;
    put_sized(w, MP_BIN8, size);
    if (w->full || size > w->capacity - w->size) {
        w->full = true;
        return;
    }
    uint8_t *to = w->data + w->size;
    w->size += size;
    if (n == 0)
        return;
    memcpy(to, &first, width);
    store(to + width, width, u, n, ids, bias);
}

static void put_integers(struct wire_writer *w, enum wire_type type, const uint64_t *u, uint32_t n)
{
    /* A width is at least 1; doubles always take 8 bytes. */
    const uint64_t any = type == WIRE_F64 && n > 0 ? UINT64_MAX : 1;
    if (type == WIRE_ID)
        put_column(w, u, n, any, true, 0);
    else
        put_column(w, u, n, any, false, type == WIRE_OPT);
}

void wire_put_group(struct wire_writer *w, enum wire_group group, uint32_t from, uint32_t n,
                    const struct wire_source *columns)
{
    const struct wire_group_row *row = &wire_groups[group];
    const bool ids = row->column[0].type == WIRE_ID;
    size_t mark = w->size;
    const unsigned wide = wire_wide(row);
    put_key(w, row->key);
    put_head(w, MP_FIXMAP + wide + 1 + (row->defines || ids), 0, 0);
    put_key(w, "n");
    put_uint(w, n);
    if (row->defines || ids) {
        put_key(w, "from");
        put_uint(w, row->defines ? from : n > 0 ? columns[0].u[0] : 0);
    }
    for (unsigned c = 0; c < wide && !w->full; c++) {
        put_key(w, row->column[c].key);
        if (row->column[c].type != WIRE_TEXT) {
            put_integers(w, row->column[c].type, columns[c].u, n);
            continue;
        }
        put_array(w, n);
        for (uint32_t i = 0; i < n && !w->full; i++)
            put_str(w, columns[c].text[i].data, columns[c].text[i].size);
    }
    close_entry(w, mark);
}

size_t wire_end(struct wire_writer *w)
{
    if (w->full)
        return 0;
    w->data[w->map_at] = (uint8_t)(w->entries >> 8);
    w->data[w->map_at + 1] = (uint8_t)w->entries;
    return w->size;
}
