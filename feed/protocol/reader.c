/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * reader.c: bytes to frames. The bytes are untrusted.
 *
 * Two passes. The first walks the whole map and notes the place of each known key; this proves that
 * every length in it stays inside the bytes. The second reads the noted values by the schema.
 * Nothing is copied; a frame points into the bytes. Little-endian machines only; configure refuses
 * others.
 */
#include <string.h>

#include "feed/protocol/columns.h"

struct cursor {
    const uint8_t *at;
    const uint8_t *end;
};

/* Kinds of MessagePack values that the protocol distinguishes. */
enum kind { OTHER, UINT, F64, STR, BIN, ARRAY, MAP, NEVER };

struct token {
    enum kind kind;
    uint64_t u;          /* UINT: value; F64: its bits; ARRAY, MAP: entries; else: bytes of data */
    const uint8_t *data; /* STR, BIN */
};

/* Codes 0xc0 to 0xdf: an integer of `bytes` bytes follows. If `payload` is set, the integer's value
 * plus `more` bytes follow too. */
static const struct {
    uint8_t kind, bytes, more;
    bool payload;
} heads[32] = {
    {OTHER, 0, 0, false}, {NEVER, 0, 0, false}, {OTHER, 0, 0, false}, {OTHER, 0, 0, false},
    {BIN, 1, 0, true},    {BIN, 2, 0, true},    {BIN, 4, 0, true},    {OTHER, 1, 1, true},
    {OTHER, 2, 1, true},  {OTHER, 4, 1, true},  {OTHER, 4, 0, false}, {F64, 8, 0, false},
    {UINT, 1, 0, false},  {UINT, 2, 0, false},  {UINT, 4, 0, false},  {UINT, 8, 0, false},
    {OTHER, 1, 0, false}, {OTHER, 2, 0, false}, {OTHER, 4, 0, false}, {OTHER, 8, 0, false},
    {OTHER, 0, 2, true},  {OTHER, 0, 3, true},  {OTHER, 0, 5, true},  {OTHER, 0, 9, true},
    {OTHER, 0, 17, true}, {STR, 1, 0, true},    {STR, 2, 0, true},    {STR, 4, 0, true},
    {ARRAY, 2, 0, false}, {ARRAY, 4, 0, false}, {MAP, 2, 0, false},   {MAP, 4, 0, false},
};

static size_t left(const struct cursor *c)
{
    return (size_t)(c->end - c->at);
}

/* Steps over the bytes of a text, a binary or an extension. */
static enum wire_error take_payload(struct cursor *c, struct token *t, unsigned more)
{
#ifndef WIRE_PLANT_FAULT /* tests/fuzz removes this check: the fuzzer must notice */
    if (t->u + more > left(c))
        return WIRE_E_TRUNC;
#endif
    t->data = c->at;
    c->at += t->u + more;
    return WIRE_OK;
}

/* Every entry of a container takes at least a byte, so a count beyond the bytes needs no walk. */
static enum wire_error check_count(const struct cursor *c, const struct token *t)
{
    if (t->kind == MAP && t->u > WIRE_MAP_MAX)
        return WIRE_E_DEPTH;
    if (t->u * (t->kind == MAP ? 2 : 1) > left(c))
        return WIRE_E_TRUNC;
    return WIRE_OK;
}

/* Reads a big-endian integer of up to 8 bytes, all inside. One load if 8 bytes are readable. */
static uint64_t take_number(struct cursor *c, unsigned bytes)
{
    uint64_t u = 0;
    if (bytes > 0 && left(c) >= 8) {
        memcpy(&u, c->at, 8);
        c->at += bytes;
        return __builtin_bswap64(u) >> (64 - 8 * bytes);
    }
    while (bytes-- > 0)
        u = u << 8 | *c->at++;
    return u;
}

/* Takes a value that begins with 0xc0 to 0xdf. */
static enum wire_error take_sized(struct cursor *c, struct token *t, unsigned code)
{
    t->kind = heads[code].kind;
    if (t->kind == NEVER)
        return WIRE_E_FORM;
    if (heads[code].bytes > left(c))
        return WIRE_E_TRUNC;
    t->u = take_number(c, heads[code].bytes);
    if (heads[code].payload)
        return take_payload(c, t, heads[code].more);
    return t->kind == MAP || t->kind == ARRAY ? check_count(c, t) : WIRE_OK;
}

/* Takes one value; of a container only the head. */
static inline enum wire_error take(struct cursor *c, struct token *t)
{
    if (left(c) == 0)
        return WIRE_E_TRUNC;
    uint8_t first = *c->at++;
    if (first < 0x80 || first >= 0xe0) {
        *t = (struct token){.kind = first < 0x80 ? UINT : OTHER, .u = first};
        return WIRE_OK;
    }
    if (first >= 0xc0)
        return take_sized(c, t, first & 0x1f);
    if (first >= 0xa0) {
        *t = (struct token){.kind = STR, .u = first & 0x1f};
        return take_payload(c, t, 0);
    }
    *t = (struct token){.kind = first < 0x90 ? MAP : ARRAY, .u = first & 0x0f};
    return check_count(c, t);
}

static enum wire_error take_kind(struct cursor *c, enum kind kind, struct token *t)
{
    enum wire_error e = take(c, t);
    return e == WIRE_OK && t->kind != kind ? WIRE_E_FORM : e;
}

/* Steps over one value of any kind, `depth` containers deep. */
static enum wire_error skip(struct cursor *c, unsigned depth)
{
    struct token t;
    enum wire_error e = take(c, &t);
    if (e != WIRE_OK || (t.kind != ARRAY && t.kind != MAP))
        return e;
    if (depth >= WIRE_DEPTH_MAX)
        return WIRE_E_DEPTH;
    for (uint64_t n = t.kind == MAP ? 2 * t.u : t.u; n > 0 && e == WIRE_OK; n--)
        e = skip(c, depth + 1);
    return e;
}

static bool key_is(const struct token *key, const char *name)
{
    size_t i = 0;
    while (i < key->u && name[i] != 0 && name[i] == (char)key->data[i])
        i++;
    return i == key->u && name[i] == 0;
}

/* --------------------------------------------------------------------------------- text columns */

bool wire_text_next(const struct wire_column *column, const uint8_t **cursor,
                    struct wire_text *text)
{
    struct cursor c = {*cursor, column->end};
    struct token t;
    if (take_kind(&c, STR, &t) != WIRE_OK)
        return false;
    *text = (struct wire_text){(const char *)t.data, (uint32_t)t.u};
    *cursor = c.at;
    return true;
}

static enum wire_error read_texts(struct cursor c, struct wire_column *col, uint32_t n)
{
    struct token t;
    enum wire_error e = take_kind(&c, ARRAY, &t);
    if (e != WIRE_OK)
        return e;
    if (t.u != n)
        return WIRE_E_WIDTH;
    *col = (struct wire_column){.data = c.at, .count = n, .width = 1, .type = WIRE_TEXT};
    for (uint32_t i = 0; i < n; i++) {
        e = take_kind(&c, STR, &t);
        if (e != WIRE_OK || t.u > WIRE_TEXT_MAX)
            return e != WIRE_OK ? e : WIRE_E_FORM;
    }
    col->end = c.at;
    return WIRE_OK;
}

/* --------------------------------------------------------------------------------------- groups */

static enum wire_error read_integers(struct cursor c, struct wire_column *col,
                                     const struct wire_rows *rows, enum wire_type type,
                                     uint32_t defs)
{
    struct token t;
    enum wire_error e = take_kind(&c, BIN, &t);
    if (e != WIRE_OK)
        return e;
    uint32_t n = rows->count;
    uint64_t width = n > 0 ? t.u / n : 1;
    if (width < 1 || width > 8 || width * n != t.u)
        return WIRE_E_WIDTH;
    *col = (struct wire_column){.data = t.data,
                                .end = t.data + t.u,
                                .count = n,
                                .base = rows->from,
                                .width = (uint8_t)width,
                                .type = (uint8_t)type};
    return wire_column_check(col, defs);
}

enum { AT_N = WIRE_COLUMNS, AT_FROM, AT_KEYS };

static bool has_from(const struct wire_group_row *row)
{
    return row->defines || row->column[0].type == WIRE_ID;
}

/* Index of a key among the places of a group; AT_KEYS if unknown. */
static unsigned find_column(const struct wire_group_row *row, const struct token *key)
{
    for (unsigned k = 0; row->column[k].key; k++)
        if (key_is(key, row->column[k].key))
            return k;
    if (key_is(key, "n"))
        return AT_N;
    return has_from(row) && key_is(key, "from") ? AT_FROM : AT_KEYS;
}

static enum wire_error find_columns(struct cursor c, const struct wire_group_row *row,
                                    const uint8_t *at[AT_KEYS])
{
    struct token map, key;
    enum wire_error e = take_kind(&c, MAP, &map);
    for (uint64_t i = 0; e == WIRE_OK && i < map.u; i++) {
        e = take_kind(&c, STR, &key);
        if (e != WIRE_OK)
            break;
        unsigned k = find_column(row, &key);
        if (k < AT_KEYS && at[k])
            return WIRE_E_TWICE;
        if (k < AT_KEYS)
            at[k] = c.at;
        e = skip(&c, 1);
    }
    return e;
}

static enum wire_error read_uint(const uint8_t *at, const uint8_t *end, uint64_t *value)
{
    struct cursor c = {at, end};
    struct token t;
    if (!at)
        return WIRE_E_MISSING;
    enum wire_error e = take_kind(&c, UINT, &t);
    *value = t.u;
    return e;
}

/* Reads the number of rows and the first id. */
static enum wire_error read_extent(const struct wire_frame *frame, const struct wire_group_row *row,
                                   const uint8_t *const at[AT_KEYS], const uint8_t *end,
                                   struct wire_rows *rows)
{
    uint64_t n, from = 0;
    enum wire_error e = read_uint(at[AT_N], end, &n);
    if (e == WIRE_OK && has_from(row))
        e = read_uint(at[AT_FROM], end, &from);
    if (e != WIRE_OK)
        return e;
    if (n > (row->defines ? wire_table_max[row->table] : WIRE_FRAME_ROWS))
        return WIRE_E_ROWS;
    uint32_t defs = frame->defs[row->defines ? row->table : row->column[0].table];
    if (from > defs || (row->defines && n > defs - from))
        return WIRE_E_ID;
    rows->from = (uint32_t)from;
    rows->count = (uint32_t)n;
    return WIRE_OK;
}

static enum wire_error read_group(struct wire_frame *frame, enum wire_group group, struct cursor c)
{
    const struct wire_group_row *row = &wire_groups[group];
    struct wire_rows *rows = &frame->group[group];
    const uint8_t *at[AT_KEYS] = {0};
    enum wire_error e = find_columns(c, row, at);
    if (e == WIRE_OK)
        e = read_extent(frame, row, at, c.end, rows);
    const unsigned wide = wire_wide(row);
    for (unsigned k = 0; e == WIRE_OK && k < WIRE_COLUMNS; k++) {
        const struct wire_column_row *want = &row->column[k < wide ? k : wide];
        struct cursor value = {at[k], c.end};
        if (want->type == WIRE_NONE)
            rows->column[k] = (struct wire_column){.type = WIRE_NONE};
        else if (!at[k])
            e = WIRE_E_MISSING;
        else if (want->type == WIRE_TEXT)
            e = read_texts(value, &rows->column[k], rows->count);
        else
            e = read_integers(value, &rows->column[k], rows, want->type, frame->defs[want->table]);
    }
    return e;
}

typedef enum wire_error group_reader(struct wire_frame *frame, enum wire_group group,
                                     struct cursor c);

/* --------------------------------------------------------------------------------------- fields */

static enum wire_error read_counts(struct cursor *c, uint32_t counts[WIRE_TABLES])
{
    struct token t;
    enum wire_error e = take_kind(c, ARRAY, &t);
    if (e == WIRE_OK && t.u != WIRE_TABLES)
        return WIRE_E_FORM;
    for (unsigned i = 0; i < WIRE_TABLES && e == WIRE_OK; i++) {
        e = take_kind(c, UINT, &t);
        if (e == WIRE_OK && t.u > wire_table_max[i])
            return WIRE_E_ROWS;
        counts[i] = (uint32_t)t.u;
    }
    return e;
}

/* An exponent of all ones means infinity or NaN. */
static bool is_finite(uint64_t bits)
{
    return (bits >> 52 & 0x7ff) != 0x7ff;
}

static const enum kind kind_of[] = {
    [WIRE_U64] = UINT, [WIRE_TEXT] = STR, [WIRE_BIN16] = BIN, [WIRE_F64] = F64};

static enum wire_error read_field(struct wire_frame *frame, enum wire_field field, struct cursor c)
{
    enum wire_type type = wire_fields[field].type;
    struct wire_value *value = &frame->field[field];
    struct token t;
    *value = (struct wire_value){.present = true};
    if (type == WIRE_COUNTS)
        return read_counts(&c, field == WIRE_F_DEFS ? frame->defs : frame->from);
    enum wire_error e = take_kind(&c, kind_of[type], &t);
    if (e != WIRE_OK)
        return e;
    if (type == WIRE_U64) {
        value->u = t.u;
        return t.u > WIRE_VALUE_MAX ? WIRE_E_VALUE : WIRE_OK;
    }
    if (type == WIRE_F64) {
        memcpy(&value->d, &t.u, sizeof value->d);
        return is_finite(t.u) ? WIRE_OK : WIRE_E_VALUE;
    }
    if (type == WIRE_BIN16 ? t.u != 16 : t.u > WIRE_TEXT_MAX)
        return WIRE_E_FORM;
    value->text = (struct wire_text){(const char *)t.data, (uint32_t)t.u};
    return WIRE_OK;
}

/* ---------------------------------------------------------------------------------------- frame */

/* Places of the values of the known keys; NULL for a missing key. */
struct places {
    const uint8_t *field[WIRE_FIELDS];
    const uint8_t *group[WIRE_GROUPS];
};

/* Fields usually come in schema order, so the field after the last one is tried first. */
static const uint8_t **find_place(struct places *p, const struct token *key,
                                  enum wire_stream stream, unsigned *next)
{
    unsigned f = *next;
    if (f == WIRE_FIELDS || !key_is(key, wire_fields[f].key)) {
        for (unsigned g = 0; g < WIRE_GROUPS; g++)
            if (wire_groups[g].stream == stream && key_is(key, wire_groups[g].key))
                return &p->group[g];
        for (f = 0; f < WIRE_FIELDS && !key_is(key, wire_fields[f].key); f++)
            ;
        if (f == WIRE_FIELDS)
            return NULL;
    }
    *next = f + 1;
    return &p->field[f];
}

/* Checks the version as soon as its key is found, because everything after it may be different. */
static enum wire_error check_version(struct wire_frame *frame, const struct cursor *c)
{
    enum wire_error e = read_field(frame, WIRE_F_VER, *c);
    if (e == WIRE_OK && frame->field[WIRE_F_VER].u != WIRE_VERSION)
        e = WIRE_E_VERSION;
    return e;
}

static enum wire_error scan(struct wire_frame *frame, struct cursor *c, struct places *p)
{
    struct token map, key;
    unsigned next = 0;
    enum wire_error e = take_kind(c, MAP, &map);
    for (uint64_t i = 0; e == WIRE_OK && i < map.u; i++) {
        e = take_kind(c, STR, &key);
        if (e != WIRE_OK)
            break;
        const uint8_t **place = find_place(p, &key, frame->stream, &next);
        if (place && *place)
            return WIRE_E_TWICE;
        if (place)
            *place = c->at;
        if (place == &p->field[WIRE_F_VER])
            e = check_version(frame, c);
        if (e == WIRE_OK)
            e = skip(c, 0);
    }
    return e == WIRE_OK && left(c) > 0 ? WIRE_E_TRAIL : e;
}

static const char reserved_letters[] = "L";

/* "X/", and for the stream A "A/12/". For a reserved letter, either form. */
static enum wire_error read_topic(struct wire_frame *frame, struct cursor *c)
{
    size_t size = 0;
    while (size < left(c) && size <= WIRE_TOPIC_MAX && c->at[size] < 0x80)
        size++;
    const char *topic = (const char *)c->at;
    if (size < 2 || size == 3 || size > WIRE_TOPIC_MAX || topic[1] != '/' || topic[size - 1] != '/')
        return WIRE_E_TOPIC;
    uint64_t number = 0;
    for (size_t i = 2; i + 1 < size; i++) {
        if (topic[i] < '0' || topic[i] > '9')
            return WIRE_E_TOPIC;
        number = 10 * number + (uint64_t)(topic[i] - '0');
    }
    const char *letter = memchr(wire_letters, topic[0], WIRE_RESERVED);
    bool reserved = !letter && memchr(reserved_letters, topic[0], sizeof reserved_letters - 1);
    if (!letter && !reserved)
        return WIRE_E_TOPIC;
    frame->stream = reserved ? WIRE_RESERVED : (enum wire_stream)(letter - wire_letters);
    frame->letter = topic[0];
    bool numbered = size > 2;
    if (frame->stream != WIRE_RESERVED && numbered != (frame->stream == WIRE_APPLIES))
        return WIRE_E_TOPIC;
    if (numbered && (number >= WIRE_FUNCTIONS_MAX || (topic[2] == '0' && size > 4)))
        return WIRE_E_TOPIC;
    frame->function = (uint32_t)number;
    c->at += size;
    return WIRE_OK;
}

static bool has_required(const struct wire_frame *frame, const struct places *p)
{
    static const uint8_t of_job[] = {WIRE_F_VER,  WIRE_F_INST, WIRE_F_EPOCH, WIRE_F_SEQ,
                                     WIRE_F_TICK, WIRE_F_MONO, WIRE_F_WALL,  WIRE_F_DEFS};
    static const uint8_t of_request[] = {WIRE_F_VER, WIRE_F_Q, WIRE_F_REQ};
    bool request = frame->stream == WIRE_REQUEST;
    const uint8_t *want = request ? of_request : of_job;
    size_t n = request ? sizeof of_request : sizeof of_job;
    for (size_t i = 0; i < n; i++)
        if (!p->field[want[i]])
            return false;
    return true;
}

/* Sets every field, read or empty. Of an absent group it sets only `present`: clearing the columns
 * would cost more than reading a small frame. */
static enum wire_error read_values(struct wire_frame *frame, const struct places *p,
                                   const uint8_t *end, group_reader *reader)
{
    enum wire_error e = WIRE_OK;
    for (unsigned f = 0; f < WIRE_FIELDS && e == WIRE_OK; f++) {
        frame->field[f] = (struct wire_value){0};
        if (p->field[f])
            e = read_field(frame, f, (struct cursor){p->field[f], end});
    }
    if (e == WIRE_OK && frame->stream == WIRE_APPLIES &&
        frame->function >= frame->defs[WIRE_T_FUNCTION])
        e = WIRE_E_ID;
    for (unsigned g = 0; g < WIRE_GROUPS && e == WIRE_OK; g++) {
        struct wire_rows *rows = &frame->group[g];
        rows->present = p->group[g] != NULL;
        rows->from = rows->count = 0;
        if (rows->present)
            e = reader(frame, g, (struct cursor){p->group[g], end});
    }
    return e;
}

/* Without a reader for groups, only requests are read. */
static enum wire_error read_frame(const void *bytes, size_t size, struct wire_frame *frame,
                                  group_reader *reader)
{
    struct cursor c = {bytes, (const uint8_t *)bytes + size};
    struct places p = {0};
    memset(frame, 0, offsetof(struct wire_frame, field));
    if (size > WIRE_FRAME_MAX)
        return WIRE_E_SIZE;
    enum wire_error e = read_topic(frame, &c);
    if (e == WIRE_OK && reader == NULL && frame->stream != WIRE_REQUEST)
        e = WIRE_E_TOPIC;
    if (e == WIRE_OK && frame->stream == WIRE_REQUEST && size > WIRE_REQUEST_MAX)
        e = WIRE_E_SIZE;
    if (e == WIRE_OK)
        e = scan(frame, &c, &p);
    if (e == WIRE_OK && !has_required(frame, &p))
        e = WIRE_E_MISSING;
    if (e == WIRE_OK)
        e = read_values(frame, &p, c.end, reader);
    return e;
}

enum wire_error wire_read(const void *bytes, size_t size, struct wire_frame *frame)
{
    return read_frame(bytes, size, frame, read_group);
}

enum wire_error wire_read_request(const void *bytes, size_t size, struct wire_frame *frame)
{
    return read_frame(bytes, size, frame, NULL);
}

/* Here and not in the schema, so that a job, which never uses the sentences, does not link them. */
static const char *const error_texts[WIRE_ERRORS] = {
    [WIRE_OK] = "the frame is whole",
    [WIRE_E_SIZE] = "the frame is longer than the protocol allows",
    [WIRE_E_TOPIC] = "the frame does not begin with a topic of the protocol",
    [WIRE_E_TRUNC] = "the frame ends inside a value",
    [WIRE_E_FORM] = "a value of the frame is not of the type that the protocol wants there",
    [WIRE_E_DEPTH] = "a value of the frame is nested too deep, or one of its maps is too large",
    [WIRE_E_TWICE] = "a key of the frame stands there twice",
    [WIRE_E_MISSING] = "a key that every such frame must have is not in it",
    [WIRE_E_VERSION] = "the frame is of another version of the protocol",
    [WIRE_E_WIDTH] = "the size of a column does not fit its number of rows",
    [WIRE_E_ROWS] = "the frame claims more rows than its bytes or the tables can hold",
    [WIRE_E_ORDER] = "the ids of a column do not ascend",
    [WIRE_E_ID] = "the frame uses an id that it does not say to be defined",
    [WIRE_E_VALUE] = "a value of the frame is negative, not finite, or above 2^62",
    [WIRE_E_TRAIL] = "bytes follow the end of the frame",
};

const char *wire_error_text(enum wire_error error)
{
    return (unsigned)error < WIRE_ERRORS ? error_texts[error] : "an error without a name";
}
