/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * rows.h: random rows that are valid in a group.
 */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include "frames.h"

enum { ROWS_MAX = 4000 };

struct random_rows {
    uint64_t u[WIRE_COLUMNS][ROWS_MAX];
    struct wire_text text[WIRE_COLUMNS][ROWS_MAX];
    struct wire_source source[WIRE_COLUMNS]; /* both, for the writer */
};

/* Any bytes: a reader must accept every text. */
static inline struct wire_text rows_text(uint32_t size_max)
{
    static char pool[1024];
    if (!pool[0])
        for (size_t i = 0; i < sizeof pool; i++)
            pool[i] = (char)(draw() | (i == 0));
    return (struct wire_text){pool + draw() % 512, (uint32_t)(draw() % size_max)};
}

/* Fills n rows of a group. `bits` bounds the values of columns that are neither id nor ref. */
static inline void rows_fill(struct random_rows *r, enum wire_group g, uint32_t n, unsigned bits)
{
    for (unsigned c = 0; c < WIRE_COLUMNS && wire_groups[g].column[c].key; c++) {
        const struct wire_column_row *col = &wire_groups[g].column[c];
        uint64_t id = 0, top = wire_table_max[col->table] - 1;
        r->source[c] = (struct wire_source){r->u[c], r->text[c]};
        for (uint32_t i = 0; i < n; i++) {
            uint64_t u = draw() >> (64 - bits);
            if (col->type == WIRE_ID)
                u = id += (i > 0) + (n < 1000 ? draw() % 300 : draw() % 10);
            else if (col->type == WIRE_REF || col->type == WIRE_REFOPT)
                u = u < top ? u : top;
            else if (col->type == WIRE_OPT && draw() % 4 == 0)
                u = WIRE_UNKNOWN;
            else if (col->type == WIRE_F64) /* finite: exponent not all ones */
                u = draw() & ~(UINT64_C(1) << 52);
            r->u[c][i] = u;
            r->text[c][i] = rows_text(n > 100 ? 10 : 300);
        }
    }
}

/* Asserts that a decoded column equals the rows filled in. */
static inline void rows_check(const struct random_rows *r, const struct wire_column *col,
                              unsigned c, uint32_t n)
{
    const uint8_t *cursor = col->data;
    struct wire_text text;
    if (col->type != WIRE_TEXT) {
        check_integers(col, r->u[c], n);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        bool same = wire_text_next(col, &cursor, &text) && text.size == r->text[c][i].size &&
                    memcmp(text.data, r->text[c][i].data, text.size) == 0;
        if (!same) /* an assertion costs far more than the comparison */
            ck_abort_msg("text %u of column %u is not the same", i, c);
    }
    ck_assert(!wire_text_next(col, &cursor, &text));
}

#endif
