/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * columns.c: checks and widens integers of 1 to 8 bytes. Nearly all bytes of a feed pass here, so
 * there is a loop for each width. Little-endian machines only; configure refuses others.
 */
#include "feed/protocol/columns.h"

#include <string.h>

/* Two values side by side: gcc and clang use one instruction for both. */
typedef uint64_t pair __attribute__((vector_size(16)));

/* Forces inlining, because `width` must become a constant in each copy. */
#define KERNEL static inline __attribute__((always_inline))

/* Figures of a column for validation: all bits, the sum, the largest value, and the number of
 * zeros. Each caller uses a part. */
struct summary {
    uint64_t any, sum, max;
    uint32_t zeros;
};

/* Number of rows from `data` that allow a read of 8 bytes. The rest must be read byte by byte. */
static uint32_t rows_with_slack(const uint8_t *data, const uint8_t *end, unsigned width, uint32_t n)
{
    size_t size = (size_t)(end - data);
    size_t rows = size < 8 ? 0 : (size - 8) / width + 1;
    return rows < n ? (uint32_t)rows : n;
}

KERNEL uint64_t mask(const unsigned width)
{
    return UINT64_MAX >> (64 - 8 * width);
}

KERNEL uint64_t load(const uint8_t *data, uint32_t row, const unsigned width)
{
    uint64_t v;
    memcpy(&v, data + (size_t)row * width, 8);
    return v;
}

KERNEL uint64_t load_last(const uint8_t *data, uint32_t row, const unsigned width)
{
    uint64_t v = 0;
    memcpy(&v, data + (size_t)row * width, width);
    return v;
}

KERNEL void sum_rows(const struct wire_column *col, struct summary *s, const unsigned width)
{
    uint32_t i = 0, wide = rows_with_slack(col->data, col->end, width, col->count);
    *s = (struct summary){0};
    for (; i < col->count; i++) {
        uint64_t v =
            i < wide ? load(col->data, i, width) & mask(width) : load_last(col->data, i, width);
        s->any |= v;
        s->sum += v;
        s->zeros += v == 0;
    }
}

KERNEL void max_rows(const struct wire_column *col, struct summary *s, const unsigned width)
{
    uint32_t i = 0, wide = rows_with_slack(col->data, col->end, width, col->count);
    uint64_t max = 0;
    for (; i < col->count; i++) {
        uint64_t v =
            i < wide ? load(col->data, i, width) & mask(width) : load_last(col->data, i, width);
        max = v > max ? v : max;
    }
    s->max = max;
}

KERNEL void read_values(const struct wire_column *col, const uint8_t *data, uint32_t n,
                        uint64_t bias, uint64_t *restrict out, const unsigned width)
{
    const uint32_t wide = rows_with_slack(data, col->end, width, n);
    const pair keep = {mask(width), mask(width)}, off = {bias, bias};
    uint32_t i = 0;
    for (; i + 8 <= wide; i += 8) { /* gcc unrolls a constant count well */
        const uint8_t *at = data + (size_t)i * width;
#pragma GCC unroll 4
        for (uint32_t k = 0; k < 8; k += 2) {
            pair two = {load(at, k, width), load(at, k + 1, width)};
            two = (two & keep) - off;
            memcpy(out + i + k, &two, sizeof two);
        }
    }
    for (; i < wide; i++)
        out[i] = (load(data, i, width) & mask(width)) - bias;
    for (; i < n; i++)
        out[i] = load_last(data, i, width) - bias;
}

KERNEL uint64_t read_ids(const struct wire_column *col, const uint8_t *data, uint32_t n,
                         uint64_t last, uint64_t *restrict out, const unsigned width)
{
    const uint32_t wide = rows_with_slack(data, col->end, width, n);
    uint32_t i = 0;
#pragma GCC unroll 4
    for (; i < wide; i++)
        out[i] = last += load(data, i, width) & mask(width);
    for (; i < n; i++)
        out[i] = last += load_last(data, i, width);
    return last;
}

#define KERNELS(width)                                                                             \
    static void sum_##width(const struct wire_column *col, struct summary *s)                      \
    {                                                                                              \
        sum_rows(col, s, width);                                                                   \
    }                                                                                              \
    static void max_##width(const struct wire_column *col, struct summary *s)                      \
    {                                                                                              \
        max_rows(col, s, width);                                                                   \
    }                                                                                              \
    static void values_##width(const struct wire_column *col, const uint8_t *data, uint32_t n,     \
                               uint64_t bias, uint64_t *restrict out)                              \
    {                                                                                              \
        read_values(col, data, n, bias, out, width);                                               \
    }                                                                                              \
    static uint64_t ids_##width(const struct wire_column *col, const uint8_t *data, uint32_t n,    \
                                uint64_t last, uint64_t *restrict out)                             \
    {                                                                                              \
        return read_ids(col, data, n, last, out, width);                                           \
    }
KERNELS(1)
KERNELS(2)
KERNELS(3)
KERNELS(4)
KERNELS(5)
KERNELS(6)
KERNELS(7)
KERNELS(8)

/* As sum_1, but eight rows at a time: nearly all differences of ids fit into a byte. */
static void sum_bytes(const struct wire_column *col, struct summary *s)
{
    enum { STEPS = 128 }; /* steps until the 16-bit lanes are emptied; a step adds up to 510 */
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f), lanes = UINT64_C(0x00ff00ff00ff00ff);
    const uint8_t *at = col->data;
    uint64_t sum = 0, zeros = 0;
    while (col->end - at >= 8) {
        uint64_t part = 0, none = 0, v;
        for (unsigned k = 0; k < STEPS && col->end - at >= 8; k++, at += 8) {
            memcpy(&v, at, 8);
            part += (v & lanes) + (v >> 8 & lanes);
            none += ~(((v & low) + low) | v | low) >> 7; /* 1 in each zero byte */
        }
        for (; part > 0; part >>= 16)
            sum += part & 0xffff;
        for (; none > 0; none >>= 8)
            zeros += none & 0xff;
    }
    struct wire_column rest = {.data = at, .end = col->end, .count = (uint32_t)(col->end - at)};
    sum_1(&rest, s);
    s->sum += sum;
    s->zeros += (uint32_t)zeros;
}

static const struct {
    void (*sum)(const struct wire_column *col, struct summary *s);
    void (*max)(const struct wire_column *col, struct summary *s);
    void (*values)(const struct wire_column *col, const uint8_t *data, uint32_t n, uint64_t bias,
                   uint64_t *restrict out);
    uint64_t (*ids)(const struct wire_column *col, const uint8_t *data, uint32_t n, uint64_t last,
                    uint64_t *restrict out);
} kernels[9] = {
    {NULL, NULL, NULL, NULL},        {sum_bytes, max_1, values_1, ids_1},
    {sum_2, max_2, values_2, ids_2}, {sum_3, max_3, values_3, ids_3},
    {sum_4, max_4, values_4, ids_4}, {sum_5, max_5, values_5, ids_5},
    {sum_6, max_6, values_6, ids_6}, {sum_7, max_7, values_7, ids_7},
    {sum_8, max_8, values_8, ids_8},
};

/* Ids ascend if no difference but the first is 0. Then the last id is the largest. */
static enum wire_error check_ids(const struct wire_column *col, uint32_t defs)
{
    struct summary s;
    uint64_t first;
    kernels[col->width].sum(col, &s);
    if (s.any >> 32) /* otherwise the sum of a frame's rows cannot have overflowed */
        return WIRE_E_ID;
    kernels[col->width].values(col, col->data, 1, 0, &first);
    if (s.zeros > (first == 0))
        return WIRE_E_ORDER;
    return col->base + s.sum >= defs ? WIRE_E_ID : WIRE_OK;
}

/* Doubles are always 8 bytes wide. An exponent of all ones means infinity or NaN. */
static enum wire_error check_doubles(const struct wire_column *col)
{
    if (col->width != 8)
        return WIRE_E_WIDTH;
    for (uint32_t i = 0; i < col->count; i++) {
        uint64_t bits;
        memcpy(&bits, col->data + (size_t)i * 8, 8);
        if ((bits >> 52 & 0x7ff) == 0x7ff)
            return WIRE_E_VALUE;
    }
    return WIRE_OK;
}

enum wire_error wire_column_check(const struct wire_column *col, uint32_t defs)
{
    if (col->count == 0)
        return WIRE_OK;
    if (col->type == WIRE_ID)
        return check_ids(col, defs);
    if (col->type == WIRE_F64)
        return check_doubles(col);
    if (col->type == WIRE_I64)
        return WIRE_OK;
    bool refers = col->type == WIRE_REF || col->type == WIRE_REFOPT;
    if (!refers && col->width < 8)
        return WIRE_OK;
    struct summary s;
    kernels[col->width].max(col, &s);
    if (refers)
        return s.max >= (uint64_t)defs + (col->type == WIRE_REFOPT) ? WIRE_E_ID : WIRE_OK;
    return s.max > WIRE_VALUE_MAX + (col->type == WIRE_OPT) ? WIRE_E_VALUE : WIRE_OK;
}

void wire_column_read(const struct wire_column *column, uint32_t first, uint32_t n, uint64_t *out,
                      uint64_t *carry)
{
    const uint8_t *data = column->data + (size_t)first * column->width;
    if (column->type != WIRE_ID) {
        kernels[column->width].values(column, data, n, column->type == WIRE_OPT, out);
        return;
    }
    uint64_t last = first > 0 ? *carry : column->base;
    last = kernels[column->width].ids(column, data, n, last, out);
    if (carry)
        *carry = last;
}
