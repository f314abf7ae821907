/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * diff_match.c: matches the rows of two states, first by structural key, then by op_equivalence.h.
 */
#include "model/diff_private.h"

#include <stdlib.h>
#include <string.h>

#include "model/multi_job_rows.h"
#include "model/op_equivalence.h"

/* Pairing key of a row without an equal. */
struct key {
    const char *text; /* common form */
    size_t size;
    uint32_t of;  /* function of the apply; 0 for classes and ops */
    uint32_t row; /* in the table of the comparison */
};

struct match {
    struct model_diff *diff;
    struct model_multi_job_rows *rows;
    struct model_multi_job_map map[MODEL_SIDES];
    /* The table that is being matched. */
    struct model_diff_table *table;
    enum model_table kind;
    struct key *key;
    uint32_t keys;
    char *text; /* texts of the keys */
    size_t texts;
};

static const enum model_table kinds[] = {MODEL_CLASS, MODEL_OP, MODEL_APPLY};

static bool is_there(const struct model_diff_row *row, unsigned side)
{
    return row->side[side].first != MODEL_NONE;
}

static bool is_alone(const struct model_diff_row *row)
{
    return is_there(row, MODEL_A) != is_there(row, MODEL_B);
}

static bool is_empty(const struct model_diff_row *row)
{
    return !is_there(row, MODEL_A) && !is_there(row, MODEL_B);
}

/* ------------------------------------------------------------------------------- by their keys */

static void add(struct match *m, struct model_diff_row *row, unsigned side, uint32_t id)
{
    const struct model_row *from = &m->diff->state[side]->row[m->kind][id];
    struct model_diff_side *to = &row->side[side];
    if (to->first == MODEL_NONE)
        to->first = id;
    else
        m->table->next[side][to->last] = id;
    to->last = id;
    to->rows++;
    to->applies += from->applies;
}

/* Makes one row for each key. The row stays empty if neither side has a row with the key in
 * scope. */
static bool by_key(struct match *m)
{
    const uint32_t count = model_job_count(model_multi_job_rows_job(m->rows), m->kind);
    struct model_diff_table *table = m->table;
    table->row = calloc((size_t)count + 1, sizeof(*table->row));
    if (!table->row)
        return false;
    table->count = count;
    for (uint32_t i = 0; i < count; i++)
        for (unsigned side = 0; side < MODEL_SIDES; side++)
            table->row[i].side[side].first = table->row[i].side[side].last = MODEL_NONE;
    for (unsigned side = 0; side < MODEL_SIDES; side++) {
        const struct model_state *state = m->diff->state[side];
        const uint32_t rows = state->count[m->kind];
        table->next[side] = malloc(((size_t)rows + 1) * sizeof(uint32_t));
        if (!table->next[side])
            return false;
        memset(table->next[side], 0xFF, ((size_t)rows + 1) * sizeof(uint32_t));
        for (uint32_t id = 0; id < rows && id < m->map[side].count[m->kind]; id++)
            if (state->row[m->kind][id].in_scope)
                add(m, &table->row[m->map[side].id[m->kind][id]], side, id);
    }
    return true;
}

/* ----------------------------------------------------------------------- by their common forms */

static unsigned side_of(const struct model_diff_row *row)
{
    return is_there(row, MODEL_A) ? MODEL_A : MODEL_B;
}

static const struct model_text *name_of(const struct match *m, const struct model_diff_row *row)
{
    const unsigned side = side_of(row);
    return model_diff_name(m->diff, m->kind, side, row->side[side].first);
}

/* Returns the merged function of an apply; 0 for other rows. */
static uint32_t function_of(const struct match *m, const struct model_diff_row *row)
{
    const unsigned side = side_of(row);
    if (m->kind != MODEL_APPLY)
        return 0;
    const struct model_job *job = m->diff->state[side]->job;
    return m->map[side].id[MODEL_FUNCTION][model_job_apply(job, row->side[side].first)->function];
}

/* Returns the common name of the work of an apply, if the table of op_equivalence.c has its op. */
static const char *work_of(const struct match *m, const struct model_diff_row *row)
{
    const unsigned side = side_of(row);
    const struct model_job *job = m->diff->state[side]->job;
    const uint32_t op = model_job_apply(job, row->side[side].first)->op;
    return model_alike_name(&model_job_op(job, op)->text);
}

static int by_form(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->of != y->of)
        return x->of < y->of ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    int order = x->size ? memcmp(x->text, y->text, x->size) : 0;
    return order ? order : x->row < y->row ? -1 : x->row > y->row;
}

static bool same_form(const struct key *a, const struct key *b)
{
    return a->of == b->of && a->size == b->size &&
           (a->size == 0 || memcmp(a->text, b->text, a->size) == 0);
}

/* Allocates a key for each row, and the texts of the keys. */
static bool keys_fit(struct match *m)
{
    size_t size = 1;
    for (uint32_t i = 0; i < m->table->count; i++)
        if (!is_empty(&m->table->row[i]))
            size += name_of(m, &m->table->row[i])->raw_size;
    m->key = malloc(((size_t)m->table->count + 1) * sizeof(*m->key));
    m->text = malloc(size);
    return m->key && m->text;
}

static void forget_keys(struct match *m)
{
    free(m->key);
    free(m->text);
    m->key = NULL;
    m->text = NULL;
}

/* Makes the keys: the common forms of all rows of classes and ops, and of the applies without an
 * equal. `work` selects the form by work. */
static void make_keys(struct match *m, bool work)
{
    m->keys = 0;
    m->texts = 0;
    for (uint32_t i = 0; i < m->table->count; i++) {
        const struct model_diff_row *row = &m->table->row[i];
        if (is_empty(row) || (m->kind == MODEL_APPLY && !is_alone(row)))
            continue;
        const struct model_text *name = name_of(m, row);
        struct model_text bare = m->kind == MODEL_CLASS ? model_alike_class(name) : *name;
        char *text = m->text + m->texts;
        size_t size = model_alike(&bare, work, text);
        m->texts += size;
        m->key[m->keys++] = (struct key){text, size, function_of(m, row), i};
    }
    qsort(m->key, m->keys, sizeof(*m->key), by_form);
}

/* Makes keys by work for the applies that still have no partner. */
static void make_work_keys(struct match *m)
{
    m->keys = 0;
    for (uint32_t i = 0; i < m->table->count; i++) {
        const struct model_diff_row *row = &m->table->row[i];
        const char *work = is_alone(row) ? work_of(m, row) : NULL;
        if (work)
            m->key[m->keys++] = (struct key){work, strlen(work), function_of(m, row), i};
    }
    qsort(m->key, m->keys, sizeof(*m->key), by_form);
}

static bool same_name(const struct match *m, const struct model_diff_row *a,
                      const struct model_diff_row *b)
{
    const struct model_text *x = name_of(m, a), *y = name_of(m, b);
    return x->raw_size == y->raw_size && memcmp(x->raw, y->raw, x->raw_size) == 0;
}

/* Moves one row into another, and empties it. Applies with the same text are equal even if their
 * ops matched in another order. */
static void join(struct match *m, struct model_diff_row *to, struct model_diff_row *from)
{
    const bool equal = m->kind == MODEL_APPLY && same_name(m, to, from);
    for (unsigned side = 0; side < MODEL_SIDES; side++) {
        struct model_diff_side *more = &from->side[side], *sum = &to->side[side];
        if (more->first == MODEL_NONE)
            continue;
        if (sum->first == MODEL_NONE)
            sum->first = more->first;
        else
            m->table->next[side][sum->last] = more->first;
        sum->last = more->last;
        sum->rows += more->rows;
        sum->applies += more->applies;
        *more = (struct model_diff_side){.first = MODEL_NONE, .last = MODEL_NONE};
    }
    to->paired |= !equal;
}

/* True if the row is on this side only and has no partner yet. */
static bool is_left(const struct model_diff_row *row, unsigned side)
{
    return is_alone(row) && is_there(row, side);
}

/* Pairs the first row of one side with the first of the other, and so on. */
static void pair(struct match *m, uint32_t from, uint32_t to)
{
    uint32_t at[MODEL_SIDES] = {from, from};
    for (;;) {
        for (unsigned side = 0; side < MODEL_SIDES; side++)
            while (at[side] < to && !is_left(&m->table->row[m->key[at[side]].row], side))
                at[side]++;
        if (at[MODEL_A] == to || at[MODEL_B] == to)
            return;
        join(m, &m->table->row[m->key[at[MODEL_A]].row], &m->table->row[m->key[at[MODEL_B]].row]);
        at[MODEL_A]++;
        at[MODEL_B]++;
    }
}

/* Pairs rows that share the most inputs first. More than MOST rows are rarely forms of each other,
 * and are paired by order. */
static void pair_nearest(struct match *m, uint32_t from, uint32_t to)
{
    enum { MOST = 64, INPUTS = 8 };
    for (unsigned least = INPUTS; to - from <= MOST && least > 0; least--)
        for (uint32_t i = from; i < to; i++)
            for (uint32_t k = from; k < to; k++) {
                struct model_diff_row *a = &m->table->row[m->key[i].row];
                struct model_diff_row *b = &m->table->row[m->key[k].row];
                if (is_left(a, MODEL_A) && is_left(b, MODEL_B) &&
                    model_alike_inputs(name_of(m, a), name_of(m, b)) >= least)
                    join(m, a, b);
            }
    pair(m, from, to);
}

/* Merges the rows between which nodes moved: rows that have fewer nodes in B, and rows that have
 * more. */
static void merge(struct match *m, uint32_t from, uint32_t to)
{
    bool fewer = false, more = false;
    struct model_diff_row *first = NULL;
    for (uint32_t i = from; i < to; i++) {
        const struct model_diff_side *side = m->table->row[m->key[i].row].side;
        fewer |= side[MODEL_A].applies > side[MODEL_B].applies;
        more |= side[MODEL_A].applies < side[MODEL_B].applies;
    }
    for (uint32_t i = from; i < to && fewer && more; i++) {
        struct model_diff_row *row = &m->table->row[m->key[i].row];
        if (row->side[MODEL_A].applies == row->side[MODEL_B].applies)
            continue;
        if (first)
            join(m, first, row);
        else
            first = row;
    }
}

/* Calls `take` for each group of equal keys. */
static void by_group(struct match *m, void (*take)(struct match *m, uint32_t from, uint32_t to))
{
    for (uint32_t from = 0, to; from < m->keys; from = to) {
        for (to = from + 1; to < m->keys && same_form(&m->key[from], &m->key[to]);)
            to++;
        if (to > from + 1)
            take(m, from, to);
    }
}

static void drop_empty(struct model_diff_table *table)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < table->count; i++)
        if (!is_empty(&table->row[i]))
            table->row[kept++] = table->row[i];
    table->count = kept;
}

static bool match_table(struct match *m)
{
    bool good = by_key(m) && keys_fit(m);
    for (int work = 0; good && work <= 1; work++) {
        make_keys(m, work);
        by_group(m, m->kind == MODEL_APPLY ? pair : merge);
    }
    if (good && m->kind == MODEL_APPLY) {
        make_work_keys(m);
        by_group(m, pair_nearest);
    }
    forget_keys(m);
    drop_empty(m->table);
    return good;
}

/* ------------------------------------------------------------------ by the nodes that they have */

static bool is_pair(const struct model_diff_row *row)
{
    return !row->paired && is_there(row, MODEL_A) && is_there(row, MODEL_B);
}

static uint32_t op_of(const struct match *m, const struct model_diff_row *row, unsigned side)
{
    return model_job_apply(m->diff->state[side]->job, row->side[side].first)->op;
}

static bool same_op(const struct match *m, const struct model_diff_row *a,
                    const struct model_diff_row *b)
{
    const struct model_job *job = m->diff->state[MODEL_A]->job;
    return same_name(m, a, b) && model_job_op(job, a->side[MODEL_A].first)->op_class ==
                                     model_job_op(job, b->side[MODEL_A].first)->op_class;
}

/* Different ops may have the same text in any order, so their nodes decide which ones match.
 * `wanted` maps an op of A to its op of B. `row_of` maps an op of B to its row. */
static void swap_ops(struct match *m, const uint32_t *wanted, uint32_t *row_of)
{
    struct model_diff_row *row = m->table->row;
    for (uint32_t i = 0; i < m->table->count; i++) {
        if (!is_pair(&row[i]))
            continue;
        const uint32_t b = row[i].side[MODEL_B].first, to = wanted[row[i].side[MODEL_A].first];
        const uint32_t other = to == MODEL_NONE ? MODEL_NONE : row_of[to];
        if (other == MODEL_NONE || other == i || wanted[row[other].side[MODEL_A].first] == to ||
            !same_op(m, &row[i], &row[other]))
            continue;
        struct model_diff_side side = row[i].side[MODEL_B];
        row[i].side[MODEL_B] = row[other].side[MODEL_B];
        row[other].side[MODEL_B] = side;
        row_of[to] = i;
        row_of[b] = other;
    }
}

static bool rank_ops(struct match *m)
{
    const struct model_diff_table *applies = &m->diff->table[MODEL_APPLY];
    uint32_t *list[MODEL_SIDES];
    for (unsigned side = 0; side < MODEL_SIDES; side++) {
        size_t size = ((size_t)m->diff->state[side]->count[MODEL_OP] + 1) * sizeof(uint32_t);
        list[side] = malloc(size);
        if (list[side])
            memset(list[side], 0xFF, size);
    }
    bool good = list[MODEL_A] && list[MODEL_B];
    m->kind = MODEL_OP;
    m->table = &m->diff->table[MODEL_OP];
    for (uint32_t i = applies->count; good && i-- > 0;)
        if (is_pair(&applies->row[i]))
            list[MODEL_A][op_of(m, &applies->row[i], MODEL_A)] =
                op_of(m, &applies->row[i], MODEL_B);
    for (uint32_t i = 0; good && i < m->table->count; i++)
        if (is_pair(&m->table->row[i]))
            list[MODEL_B][m->table->row[i].side[MODEL_B].first] = i;
    if (good)
        swap_ops(m, list[MODEL_A], list[MODEL_B]);
    free(list[MODEL_A]);
    free(list[MODEL_B]);
    return good;
}

bool model_diff_match(struct model_diff *diff)
{
    struct match m = {.diff = diff, .rows = model_multi_job_rows_new(false)};
    bool good = m.rows != NULL;
    for (unsigned side = 0; side < MODEL_SIDES; side++)
        good = good && model_multi_job_map_fit(m.rows, diff->state[side]->job, &m.map[side]);
    for (size_t i = 0; good && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        m.kind = kinds[i];
        m.table = &diff->table[kinds[i]];
        good = match_table(&m);
    }
    good = good && rank_ops(&m);
    for (unsigned side = 0; side < MODEL_SIDES; side++)
        model_multi_job_map_release(&m.map[side]);
    model_multi_job_rows_free(&m.rows);
    return good;
}
