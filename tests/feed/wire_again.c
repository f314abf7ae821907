/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * wire_again.c: checks a decoded frame, encodes it again, and compares two frames.
 */
#include "wire_again.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t value_max = UINT64_C(1) << 62;

static bool inside(const void *at, size_t n, const void *bytes, size_t size)
{
    const char *begin = bytes, *here = at;
    return here >= begin && here <= begin + size && n <= (size_t)(begin + size - here);
}

static uint64_t *read_all(const struct wire_column *col)
{
    uint64_t *u = malloc((col->count + 1) * sizeof *u);
    wire_column_read(col, 0, col->count, u, NULL);
    return u;
}

static const char *integers_flaw(const struct wire_column *col, uint32_t defs)
{
    const char *flaw = NULL;
    uint64_t *u = read_all(col);
    for (uint32_t i = 0; i < col->count && !flaw; i++) {
        if (col->type == WIRE_ID && (u[i] >= defs || (i > 0 && u[i] <= u[i - 1])))
            flaw = "an id does not ascend or is not below defs";
        if (col->type == WIRE_REF && u[i] >= defs)
            flaw = "a ref is not below defs";
        if (col->type == WIRE_REFOPT && u[i] > defs)
            flaw = "an optional ref is not below defs";
        if (col->type == WIRE_F64 && (col->width != 8 || (u[i] >> 52 & 0x7ff) == 0x7ff))
            flaw = "a double has not 8 bytes or is not finite";
        bool whole = col->type == WIRE_I64 || col->type == WIRE_F64;
        if (!whole && u[i] > value_max && !(col->type == WIRE_OPT && u[i] == WIRE_UNKNOWN))
            flaw = "a value is above 2^62";
    }
    free(u);
    return flaw;
}

static const char *texts_flaw(const struct wire_column *col, const void *bytes, size_t size)
{
    const uint8_t *cursor = col->data;
    struct wire_text text;
    uint32_t n = 0;
    for (; wire_text_next(col, &cursor, &text); n++)
        if (text.size > WIRE_TEXT_MAX || !inside(text.data, text.size, bytes, size))
            return "a text is too long or not inside the frame";
    return n == col->count ? NULL : "a column has fewer or more texts than it says";
}

static const char *column_flaw(const struct wire_frame *f, enum wire_group g, unsigned c,
                               const void *bytes, size_t size)
{
    const struct wire_column_row *row = &wire_groups[g].column[c];
    const struct wire_column *col = &f->group[g].column[c];
    if (c >= wire_wide(&wire_groups[g]))
        return col->type == WIRE_NONE ? NULL : "a column that the group has not is not WIRE_NONE";
    if (col->type != row->type || col->count != f->group[g].count)
        return "a column is not of the type or size of its group";
    if (col->end < col->data || !inside(col->data, (size_t)(col->end - col->data), bytes, size))
        return "a column is not inside the frame";
    if (col->type == WIRE_TEXT)
        return texts_flaw(col, bytes, size);
    if (col->width < 1 || col->width > 8 ||
        (size_t)(col->end - col->data) != (size_t)col->count * col->width)
        return "a column's width and size do not agree";
    return integers_flaw(col, f->defs[row->table]);
}

static const char *group_flaw(const struct wire_frame *f, enum wire_group g, const void *bytes,
                              size_t size)
{
    const struct wire_group_row *row = &wire_groups[g];
    const char *flaw = NULL;
    if (row->stream != f->stream)
        return "a group stands in a stream that is not its own";
    if (row->defines && f->group[g].from + f->group[g].count > f->defs[row->table])
        return "rows are defined beyond defs";
    if (!row->defines && f->group[g].count > WIRE_FRAME_ROWS)
        return "a group has too many rows";
    for (unsigned c = 0; c < WIRE_COLUMNS && !flaw; c++)
        flaw = column_flaw(f, g, c, bytes, size);
    return flaw;
}

static const char *field_flaw(const struct wire_frame *f, enum wire_field k, const void *bytes,
                              size_t size)
{
    const struct wire_value *v = &f->field[k];
    enum wire_type type = wire_fields[k].type;
    if (type == WIRE_U64 && v->u > value_max)
        return "a field is above 2^62";
    if (type == WIRE_F64 && !isfinite(v->d))
        return "a field is not finite";
    if ((type == WIRE_TEXT || type == WIRE_BIN16) &&
        !inside(v->text.data, v->text.size, bytes, size))
        return "a field's text is not inside the frame";
    if (type == WIRE_TEXT && v->text.size > WIRE_TEXT_MAX)
        return "a field's text is too long";
    return type == WIRE_BIN16 && v->text.size != 16 ? "a field has not 16 bytes" : NULL;
}

const char *wire_flaw(const struct wire_frame *f, const void *bytes, size_t size)
{
    const char *flaw = NULL;
    if (f->stream >= WIRE_STREAMS || f->field[WIRE_F_VER].u != WIRE_VERSION)
        return "no stream, or not version 1";
    for (unsigned t = 0; t < WIRE_TABLES; t++)
        if (f->defs[t] > wire_table_max[t] || f->from[t] > wire_table_max[t])
            return "defs or from are above the limit of the table";
    if (f->stream == WIRE_APPLIES && f->function >= f->defs[WIRE_T_FUNCTION])
        return "the function of the topic is not below defs";
    for (unsigned k = 0; k < WIRE_FIELDS && !flaw; k++)
        if (f->field[k].present)
            flaw = field_flaw(f, k, bytes, size);
    for (unsigned g = 0; g < WIRE_GROUPS && !flaw; g++)
        if (f->group[g].present)
            flaw = group_flaw(f, g, bytes, size);
    return flaw;
}

/* ------------------------------------------------------------------------------------ write again
 */

static void field_again(struct wire_writer *w, const struct wire_frame *f, enum wire_field k)
{
    const struct wire_value *v = &f->field[k];
    char *text;
    switch (wire_fields[k].type) {
    case WIRE_TEXT:
        text = strndup(v->text.data, v->text.size);
        wire_put_text(w, k, text);
        free(text);
        break;
    case WIRE_BIN16:
        wire_put_bin16(w, k, (const uint8_t *)v->text.data);
        break;
    case WIRE_F64:
        wire_put_f64(w, k, v->d);
        break;
    case WIRE_COUNTS:
        wire_put_counts(w, k, k == WIRE_F_DEFS ? f->defs : f->from);
        break;
    default:
        wire_put_u64(w, k, v->u);
        break;
    }
}

static struct wire_text *texts_all(const struct wire_column *col)
{
    struct wire_text *texts = calloc(col->count + 1, sizeof *texts);
    const uint8_t *cursor = col->data;
    for (uint32_t i = 0; i < col->count; i++)
        wire_text_next(col, &cursor, &texts[i]);
    return texts;
}

static void group_again(struct wire_writer *w, const struct wire_frame *f, enum wire_group g)
{
    const struct wire_rows *rows = &f->group[g];
    struct wire_source source[WIRE_COLUMNS] = {{0}};
    for (unsigned c = 0; c < WIRE_COLUMNS && wire_groups[g].column[c].key; c++)
        if (rows->column[c].type == WIRE_TEXT)
            source[c].text = texts_all(&rows->column[c]);
        else
            source[c].u = read_all(&rows->column[c]);
    wire_put_group(w, g, rows->from, rows->count, source);
    for (unsigned c = 0; c < WIRE_COLUMNS; c++) {
        free((void *)source[c].u);
        free((void *)source[c].text);
    }
}

size_t wire_again(const struct wire_frame *f, void *buffer, size_t capacity)
{
    struct wire_writer w;
    wire_begin(&w, buffer, capacity, f->stream, f->function);
    for (unsigned k = 0; k < WIRE_FIELDS; k++)
        if (f->field[k].present)
            field_again(&w, f, k);
    for (unsigned g = 0; g < WIRE_GROUPS; g++)
        if (f->group[g].present)
            group_again(&w, f, g);
    return wire_end(&w);
}

/* ---------------------------------------------------------------------------------------- compare
 */

static bool same_text(const struct wire_text *a, const struct wire_text *b, bool to_nul)
{
    size_t n = to_nul ? strnlen(a->data, a->size) : a->size;
    size_t m = to_nul ? strnlen(b->data, b->size) : b->size;
    return n == m && (n == 0 || memcmp(a->data, b->data, n) == 0);
}

static bool same_field(const struct wire_value *a, const struct wire_value *b, enum wire_type type)
{
    if (a->present != b->present || a->u != b->u || memcmp(&a->d, &b->d, sizeof a->d) != 0)
        return false;
    if (!a->present || (type != WIRE_TEXT && type != WIRE_BIN16))
        return true;
    return same_text(&a->text, &b->text, type == WIRE_TEXT);
}

static bool same_column(const struct wire_column *a, const struct wire_column *b)
{
    if (a->type != b->type || a->count != b->count)
        return false;
    bool same = true;
    if (a->type == WIRE_TEXT) {
        struct wire_text *s = texts_all(a), *t = texts_all(b);
        for (uint32_t i = 0; i < a->count && same; i++)
            same = same_text(&s[i], &t[i], false);
        free(s);
        free(t);
        return same;
    }
    uint64_t *u = read_all(a), *v = read_all(b);
    same = memcmp(u, v, a->count * sizeof *u) == 0;
    free(u);
    free(v);
    return same;
}

static bool same_group(const struct wire_frame *a, const struct wire_frame *b, enum wire_group g)
{
    const struct wire_rows *r = &a->group[g], *s = &b->group[g];
    if (r->present != s->present || r->count != s->count)
        return false;
    if (wire_groups[g].defines && r->from != s->from)
        return false;
    bool same = true;
    for (unsigned c = 0; r->present && c < WIRE_COLUMNS && wire_groups[g].column[c].key; c++)
        same = same && same_column(&r->column[c], &s->column[c]);
    return same;
}

const char *wire_differ(const struct wire_frame *a, const struct wire_frame *b)
{
    if (a->stream != b->stream || a->letter != b->letter || a->function != b->function)
        return "topic";
    if (memcmp(a->defs, b->defs, sizeof a->defs) != 0)
        return "defs";
    if (memcmp(a->from, b->from, sizeof a->from) != 0)
        return "from";
    for (unsigned k = 0; k < WIRE_FIELDS; k++)
        if (!same_field(&a->field[k], &b->field[k], wire_fields[k].type))
            return wire_fields[k].key;
    for (unsigned g = 0; g < WIRE_GROUPS; g++)
        if (!same_group(a, b, g))
            return wire_groups[g].key;
    return NULL;
}
