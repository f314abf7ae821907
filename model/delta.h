/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * delta.h: the changes of values from one moment to another, as bytes. A change of a word is the
 * difference modulo 2^64, so it leads from the older moment to the newer one if it is added, and
 * back if it is subtracted.
 *
 * Bytes: for each table with changes its number plus 1, its rows in the order of their ids, 0; at
 * the end 0. A row is 1 + (4 * gap + 2 * same_first + same_words), then the list of changed words,
 * then the change of each word. `same_words`: the list is left out, and equals the list of the row
 * before. `same_first`: so is the change of the first word. A list is its length, then a gap for
 * each word. A gap counts the rows or words that are skipped. Numbers are LEB128; changes are
 * zigzag numbers.
 */
#ifndef MODEL_DELTA_H
#define MODEL_DELTA_H

#include "model/moment.h"

/* The changes of one row. */
struct model_delta_row {
    unsigned table;
    uint32_t id;
    unsigned words;                  /* that change */
    uint8_t word[MODEL_V_WORDS_MAX]; /* which, ascending */
    uint64_t change[MODEL_V_WORDS_MAX];
};

/* Zero at first; model_delta_begin() before each use. The memory is kept. */
struct model_delta_out {
    uint8_t *data; /* owned; released by free() */
    size_t size, capacity;
    bool failed;                 /* out of memory */
    struct model_delta_row last; /* row written last, for what rows have in common */
    uint32_t next_id;
    bool open; /* a table has begun */
};

void model_delta_begin(struct model_delta_out *out);
/* Adds a row. Rows come in the order of tables and ids. A row without changes is left out. */
void model_delta_add(struct model_delta_out *out, const struct model_delta_row *row);
/* Returns false if out of memory. */
bool model_delta_end(struct model_delta_out *out);

/* Reads changes. The bytes are borrowed and need not be trusted. */
struct model_delta_in {
    const uint8_t *at, *end;
    struct model_delta_row row;
    uint64_t next_id;
    bool bad; /* the bytes are no changes */
};

void model_delta_read(struct model_delta_in *in, const uint8_t *bytes, size_t size);
/* Reads the next row into `row`. Returns false at the end, or if the bytes are bad. */
bool model_delta_next(struct model_delta_in *in);

/* Writes the changes of two neighbours as one. */
void model_delta_merge(struct model_delta_out *out, struct model_delta_in *older,
                       struct model_delta_in *newer);

#endif
