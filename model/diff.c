/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * diff.c: the figures of two states, row by row, and their differences.
 */
#include "model/diff_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/state_private.h"
#include "model/view.h"

static const enum model_table kinds[] = {MODEL_CLASS, MODEL_OP, MODEL_APPLY};

/* ---------------------------------------------------------------------------------- arithmetic */

int64_t model_delta(uint64_t a, uint64_t b)
{
    if (a == MODEL_UNKNOWN || b == MODEL_UNKNOWN)
        return MODEL_DELTA_UNKNOWN;
    uint64_t size = a < b ? b - a : a - b;
    int64_t most = size < INT64_MAX ? (int64_t)size : INT64_MAX;
    return a < b ? most : -most;
}

double model_diff_ratio(uint64_t a, uint64_t b)
{
    return a == MODEL_UNKNOWN || b == MODEL_UNKNOWN || a == 0 ? -1 : (double)b / (double)a;
}

static uint64_t share(uint64_t ns, uint64_t calls)
{
    if (ns == MODEL_UNKNOWN || calls == MODEL_UNKNOWN || calls == 0)
        return MODEL_UNKNOWN;
    return ns / calls + (ns % calls >= calls - calls / 2);
}

static bool is_missing(const struct model_diff_side *side)
{
    return side->first == MODEL_NONE;
}

uint64_t model_diff_per_call(const struct model_diff_side *side)
{
    return is_missing(side) ? 0 : share(side->ns, side->calls);
}

uint64_t model_diff_per_function_call(const struct model_diff_side *side)
{
    return is_missing(side) ? 0 : share(side->ns, side->function_calls);
}

static double mean(const struct model_diff_side *side, uint64_t calls)
{
    if (is_missing(side))
        return 0;
    return side->ns == MODEL_UNKNOWN || calls == MODEL_UNKNOWN || calls == 0
               ? NAN
               : (double)side->ns / (double)calls;
}

double model_diff_mean_delta(const struct model_diff_row *row, bool of_function)
{
    const struct model_diff_side *a = &row->side[MODEL_A], *b = &row->side[MODEL_B];
    return mean(b, of_function ? b->function_calls : b->calls) -
           mean(a, of_function ? a->function_calls : a->calls);
}

int64_t model_diff_delta(const struct model_diff_row *row,
                         uint64_t (*figure)(const struct model_diff_side *side))
{
    return model_delta(figure(&row->side[MODEL_A]), figure(&row->side[MODEL_B]));
}

bool model_diff_same_length(const struct model_diff *diff)
{
    const uint64_t a = diff->state[MODEL_A]->totals.calls, b = diff->state[MODEL_B]->totals.calls;
    return a == b || a == MODEL_UNKNOWN || b == MODEL_UNKNOWN;
}

static int64_t plus(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return a < 0 ? -INT64_MAX : INT64_MAX;
    return sum < -INT64_MAX ? -INT64_MAX : sum;
}

int64_t model_diff_sum(const struct model_diff_table *table, uint32_t from)
{
    int64_t sum = 0;
    for (uint32_t i = from; i < table->count; i++)
        if (table->row[i].delta_ns != MODEL_DELTA_UNKNOWN)
            sum = plus(sum, table->row[i].delta_ns);
    return sum;
}

bool model_diff_estimated(const struct model_diff_row *row)
{
    return row->side[MODEL_A].estimated || row->side[MODEL_B].estimated;
}

bool model_diff_sum_estimated(const struct model_diff_table *table, uint32_t from)
{
    bool estimated = false;
    for (uint32_t i = from; i < table->count && !estimated; i++)
        estimated = table->row[i].delta_ns != MODEL_DELTA_UNKNOWN &&
                    model_diff_estimated(&table->row[i]);
    return estimated;
}

/* ---------------------------------------------------------------------------------------- rows */

/* Adds up the rows of one side, as a state adds up rows. */
static void sum_up(const struct model_diff *diff, enum model_table kind, unsigned side,
                   struct model_diff_side *to)
{
    const struct model_state *state = diff->state[side];
    struct model_row sum = {0};
    for (uint32_t id = to->first; id != MODEL_NONE; id = diff->table[kind].next[side][id]) {
        const struct model_row *row = &state->row[kind][id];
        /* The sum is unknown if any part is. */
        bool unknown = model_state_time(state, &sum) == MODEL_UNKNOWN ||
                       model_state_time(state, row) == MODEL_UNKNOWN;
        model_row_merge(&sum, row);
        if (unknown)
            sum.self_ns = sum.total_ns = MODEL_UNKNOWN;
    }
    to->ns = model_state_closed(state, &sum);
    to->calls = sum.calls;
    to->impls = sum.impls;
    to->left_out = (uint8_t)model_row_left_out(&sum);
    to->estimated = model_state_estimated(state, &sum);
    to->function_calls = state->totals.calls;
    if (kind == MODEL_APPLY && to->first != MODEL_NONE)
        to->function_calls =
            state->function[model_job_apply(state->job, to->first)->function].calls;
}

/* Returns the factor that scales A to the length of B: the ratio of the calls of the apply's
 * function, or the ratio of all calls if one side lacks the row. Below 0: unknown. */
static double length_of(const struct model_diff *diff, const struct model_diff_row *row)
{
    const bool both = !is_missing(&row->side[MODEL_A]) && !is_missing(&row->side[MODEL_B]);
    uint64_t calls[MODEL_SIDES];
    for (unsigned side = 0; side < MODEL_SIDES; side++)
        calls[side] = both ? row->side[side].function_calls : diff->state[side]->totals.calls;
    if (calls[MODEL_A] == MODEL_UNKNOWN || calls[MODEL_B] == MODEL_UNKNOWN || calls[MODEL_A] == 0)
        return -1;
    return (double)calls[MODEL_B] / (double)calls[MODEL_A];
}

static double change_of(const struct model_diff *diff, const struct model_diff_row *row)
{
    const uint64_t a = row->side[MODEL_A].ns, b = row->side[MODEL_B].ns;
    if (row->delta_ns == MODEL_DELTA_UNKNOWN)
        return -1;
    const double length = a == 0 || model_diff_same_length(diff) ? 1 : length_of(diff, row);
    return length < 0 ? -1 : fabs((double)b - (double)a * length);
}

/* Largest difference first, unknown differences last, ties by row. */
static int by_change(const void *a, const void *b)
{
    const struct model_diff_row *x = a, *y = b;
    if (x->change_ns != y->change_ns)
        return x->change_ns < y->change_ns ? 1 : -1;
    for (unsigned side = 0; side < MODEL_SIDES; side++)
        if (x->side[side].first != y->side[side].first)
            return x->side[side].first < y->side[side].first ? -1 : 1;
    return 0;
}

bool model_diff_take(struct model_diff *diff, const struct model_state *a,
                     const struct model_state *b)
{
    *diff = (struct model_diff){.state = {a, b}};
    if (!model_diff_match(diff))
        return false;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        struct model_diff_table *table = &diff->table[kinds[i]];
        for (uint32_t at = 0; at < table->count; at++) {
            struct model_diff_row *row = &table->row[at];
            for (unsigned side = 0; side < MODEL_SIDES; side++)
                sum_up(diff, kinds[i], side, &row->side[side]);
            row->delta_ns = model_delta(row->side[MODEL_A].ns, row->side[MODEL_B].ns);
            row->change_ns = change_of(diff, row);
            row->noise_ns = -1;
        }
        if (table->count)
            qsort(table->row, table->count, sizeof(*table->row), by_change);
    }
    return true;
}

/* The rows of one comparison row vary together, so their half intervals add up. Below 0:
 * unknown. */
static double half_of(const struct model_diff_table *table, enum model_table kind,
                      const struct model_diff_row *row, unsigned side,
                      const struct model_spread *spread)
{
    double sum = 0;
    for (uint32_t id = row->side[side].first; id != MODEL_NONE; id = table->next[side][id]) {
        const double half = model_spread_half(spread, kind, id);
        if (half < 0)
            return -1;
        sum += half;
    }
    return sum;
}

/* If lengths are scaled, a function may have ended one call more or less than its nodes. */
static double edge_of(const struct model_diff *diff, const struct model_diff_row *row,
                      unsigned side)
{
    const double call = mean(&row->side[side], row->side[side].calls);
    return model_diff_same_length(diff) || call != call ? 0 : call * row->side[side].applies;
}

void model_diff_noise(struct model_diff *diff, const struct model_spread *a,
                      const struct model_spread *b)
{
    const bool whole = diff->state[MODEL_A]->scope == MODEL_ALL &&
                       diff->state[MODEL_B]->scope == MODEL_ALL;
    for (size_t i = 0; a && b && whole && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        struct model_diff_table *table = &diff->table[kinds[i]];
        for (uint32_t at = 0; at < table->count; at++) {
            struct model_diff_row *row = &table->row[at];
            const double length = model_diff_same_length(diff) ? 1 : length_of(diff, row);
            const double of_a = half_of(table, kinds[i], row, MODEL_A, a) * length;
            const double of_b = half_of(table, kinds[i], row, MODEL_B, b);
            const double edge =
                edge_of(diff, row, MODEL_A) * length + edge_of(diff, row, MODEL_B);
            const bool both = !is_missing(&row->side[MODEL_A]) && !is_missing(&row->side[MODEL_B]);
            if (both && length >= 0 && of_a >= 0 && of_b >= 0)
                row->noise_ns = sqrt(of_a * of_a + of_b * of_b) + edge;
        }
    }
}

bool model_diff_is_noise(const struct model_diff_row *row)
{
    return row->noise_ns >= 0 && row->change_ns >= 0 && row->change_ns <= row->noise_ns;
}

void model_diff_release(struct model_diff *diff)
{
    for (unsigned i = 0; i < MODEL_ROW_TABLES; i++) {
        free(diff->table[i].row);
        for (unsigned side = 0; side < MODEL_SIDES; side++)
            free(diff->table[i].next[side]);
    }
    *diff = (struct model_diff){0};
}

/* ------------------------------------------------------------------------------------- reading */

uint32_t model_diff_next(const struct model_diff_table *table, unsigned side, uint32_t id)
{
    return table->next[side][id];
}

const struct model_text *model_diff_name(const struct model_diff *diff, enum model_table table,
                                         unsigned side, uint32_t id)
{
    const struct model_view view = {.table = table, .state = diff->state[side]};
    return model_view_name(&view, &diff->state[side]->row[table][id]);
}

const char *model_diff_impl(const struct model_diff_side *side)
{
    const int column = model_column_find("impl", MODEL_OP);
    const struct model_row row = {.impls = side->impls};
    const struct model_view view = {.table = MODEL_OP};
    if (column < 0 || is_missing(side))
        return NULL;
    const struct model_cell cell = model_columns[column].get(&view, &row, 0);
    return cell.known ? cell.text->shown : NULL;
}

enum {
    OF_CALLS = offsetof(struct model_totals, estimated),
    OF_OPS = offsetof(struct model_totals, ops_estimated),
    OF_WAITS = offsetof(struct model_totals, wait_ns),
};

static uint64_t as_tables_have_it(const struct model_totals *totals)
{
    const uint64_t ns = model_state_plus(totals->time_ns, model_known_or_0(totals->wait_ns));
    return model_state_plus(ns, model_known_or_0(totals->aside_ns));
}

bool model_diff_total(const struct model_diff *diff, unsigned at, struct model_diff_total *total)
{
    static const struct {
        const char *word, *title;
        size_t member;
        bool counts;
        size_t estimated; /* offset of the member that says so; 0: never an estimate */
    } row[] = {
        {"calls", "calls", offsetof(struct model_totals, calls), true, 0},
        {"call_ns", "in calls", offsetof(struct model_totals, call_ns), false, OF_CALLS},
        {"vm_ns", "in VM", offsetof(struct model_totals, vm_ns), false, OF_CALLS},
        {"ops_ns", "in ops", offsetof(struct model_totals, time_ns), false, OF_OPS},
        {"wait_ns", "waiting", OF_WAITS, false, OF_OPS},
        {"aside_ns", "aside", offsetof(struct model_totals, aside_ns), false, OF_OPS},
        {"op_calls", "calls of ops", offsetof(struct model_totals, apply_calls), true, 0},
        {"compile_ns", "compile", offsetof(struct model_totals, compile_ns), false, 0},
        {"rewrite_ns", "rewrite", offsetof(struct model_totals, rewrite_ns), false, 0},
        {"validate_ns", "validate", offsetof(struct model_totals, validate_ns), false, 0},
        {"link_ns", "link", offsetof(struct model_totals, link_ns), false, 0},
    };
    if (at >= sizeof(row) / sizeof(row[0]))
        return false;
    *total = (struct model_diff_total){
        .word = row[at].word, .title = row[at].title, .counts = row[at].counts};
    for (unsigned side = 0; side < MODEL_SIDES; side++) {
        const char *totals = (const char *)&diff->state[side]->totals;
        memcpy(&total->value[side], totals + row[at].member, sizeof(uint64_t));
        if (row[at].member == offsetof(struct model_totals, time_ns))
            total->value[side] = as_tables_have_it(&diff->state[side]->totals);
        if (row[at].estimated != 0)
            memcpy(&total->estimated[side], totals + row[at].estimated, sizeof(bool));
    }
    return true;
}
