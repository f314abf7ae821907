/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * delta.c: writes and reads changes of values.
 */
#include "model/delta.h"

#include <stdlib.h>
#include <string.h>

#include "model/varint.h"

enum {
    ROW_MAX = MODEL_VARINT_MAX * (2 * MODEL_V_WORDS_MAX + 4),
    SAME_WORDS = 1,
    SAME_FIRST = 2,
};

/* -------------------------------------------------------------------------------------- writing */

static void put(struct model_delta_out *out, uint64_t number)
{
    out->size += model_varint_put(out->data + out->size, number);
}

/* Makes room for one more row. */
static bool fit(struct model_delta_out *out)
{
    if (out->capacity - out->size >= ROW_MAX)
        return true;
    const size_t capacity = out->capacity * 2 + 2 * ROW_MAX;
    uint8_t *grown = realloc(out->data, capacity);
    out->failed |= !grown;
    if (!grown)
        return false;
    out->data = grown;
    out->capacity = capacity;
    return true;
}

void model_delta_begin(struct model_delta_out *out)
{
    out->size = 0;
    out->failed = out->open = false;
}

static bool same_words(const struct model_delta_row *a, const struct model_delta_row *b)
{
    return a->words == b->words && memcmp(a->word, b->word, a->words) == 0;
}

static void put_words(struct model_delta_out *out, const struct model_delta_row *row)
{
    unsigned next = 0;
    put(out, row->words);
    for (unsigned i = 0; i < row->words; i++) {
        put(out, row->word[i] - next);
        next = row->word[i] + 1u;
    }
}

void model_delta_add(struct model_delta_out *out, const struct model_delta_row *row)
{
    struct model_delta_row *last = &out->last;
    if (row->words == 0 || !fit(out))
        return;
    if (!out->open || row->table != last->table) {
        if (out->open)
            put(out, 0);
        put(out, row->table + 1);
        out->open = true;
        out->next_id = 0;
        last->words = 0;
    }
    const bool words = same_words(row, last), first = words && row->change[0] == last->change[0];
    const uint64_t gap = row->id - out->next_id;
    put(out, 1 + (gap << 2 | (first ? SAME_FIRST : 0) | (words ? SAME_WORDS : 0)));
    if (!words)
        put_words(out, row);
    for (unsigned i = first; i < row->words; i++)
        put(out, model_zigzag(row->change[i]));
    out->next_id = row->id + 1;
    last->table = row->table;
    last->words = row->words;
    last->change[0] = row->change[0];
    if (!words)
        memcpy(last->word, row->word, row->words);
}

bool model_delta_end(struct model_delta_out *out)
{
    if (!fit(out))
        return false;
    if (out->open)
        put(out, 0);
    put(out, 0);
    return !out->failed;
}

/* -------------------------------------------------------------------------------------- reading */

static uint64_t get(struct model_delta_in *in)
{
    return model_varint_get(&in->at, in->end, &in->bad);
}

void model_delta_read(struct model_delta_in *in, const uint8_t *bytes, size_t size)
{
    in->at = bytes;
    in->end = bytes + size;
    in->bad = false;
    in->row.table = MODEL_VALUE_TABLES; /* none has begun */
}

static bool get_words(struct model_delta_in *in)
{
    const unsigned most = model_values_words(in->row.table);
    const uint64_t words = get(in);
    uint64_t next = 0;
    if (words == 0 || words > most)
        return false;
    for (unsigned i = 0; i < words; i++) {
        const uint64_t gap = get(in);
        if (gap >= most - next)
            return false;
        in->row.word[i] = (uint8_t)(next + gap);
        next += gap + 1;
    }
    in->row.words = (unsigned)words;
    return next <= most;
}

static bool begin_table(struct model_delta_in *in)
{
    const uint64_t table = get(in);
    const bool first = in->row.table == MODEL_VALUE_TABLES;
    if (table == 0)
        return false;
    in->bad |= table > MODEL_VALUE_TABLES || (!first && table <= in->row.table + 1);
    if (in->bad)
        return false;
    in->row.table = (unsigned)table - 1;
    in->row.words = 0;
    in->next_id = 0;
    return true;
}

bool model_delta_next(struct model_delta_in *in)
{
    uint64_t head = in->row.table == MODEL_VALUE_TABLES ? 0 : get(in);
    while (!in->bad && head == 0) {
        if (!begin_table(in))
            return false;
        head = get(in);
    }
    head--;
    const uint64_t id = in->next_id + (head >> 2);
    const bool words = head & SAME_WORDS, first = head & SAME_FIRST;
    if (id >= UINT32_MAX || (head >> 2) >= UINT32_MAX)
        in->bad = true;
    if (in->bad || (words ? in->row.words == 0 : !get_words(in))) {
        in->bad = true;
        return false;
    }
    for (unsigned i = first; i < in->row.words; i++)
        in->row.change[i] = model_unzigzag(get(in));
    in->row.id = (uint32_t)id;
    in->next_id = id + 1;
    return !in->bad;
}

/* -------------------------------------------------------------------------------------- merging */

/* Adds two successive changes of a row. */
static void add_up(const struct model_delta_row *a, const struct model_delta_row *b,
                   struct model_delta_row *sum)
{
    unsigned i = 0, k = 0;
    sum->table = a->table;
    sum->id = a->id;
    sum->words = 0;
    while (i < a->words || k < b->words) {
        const unsigned at = i < a->words ? a->word[i] : UINT8_MAX;
        const unsigned bt = k < b->words ? b->word[k] : UINT8_MAX;
        const unsigned word = at < bt ? at : bt;
        uint64_t change = at == word ? a->change[i] : 0;
        change += bt == word ? b->change[k] : 0;
        i += at == word;
        k += bt == word;
        if (change == 0)
            continue;
        sum->word[sum->words] = (uint8_t)word;
        sum->change[sum->words++] = change;
    }
}

static uint64_t place(const struct model_delta_in *in, bool there)
{
    return there ? (uint64_t)in->row.table << 32 | in->row.id : UINT64_MAX;
}

void model_delta_merge(struct model_delta_out *out, struct model_delta_in *older,
                       struct model_delta_in *newer)
{
    struct model_delta_row sum;
    bool has_older = model_delta_next(older), has_newer = model_delta_next(newer);
    while (has_older || has_newer) {
        const uint64_t a = place(older, has_older), b = place(newer, has_newer);
        if (a == b)
            add_up(&older->row, &newer->row, &sum);
        model_delta_add(out, a == b ? &sum : a < b ? &older->row : &newer->row);
        if (a <= b)
            has_older = model_delta_next(older);
        if (b <= a)
            has_newer = model_delta_next(newer);
    }
}
