/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * view.c: filters, sorts and sums the rows of one table. Data that depends on names alone (folded
 * forms, matches, ranks) is cached, because names never change and tables only grow.
 */
#include "config.h"

#include "model/view.h"

#include <stdlib.h>
#include <string.h>

#include "model/compile.h"
#include "model/extra.h"
#include "model/sort.h"
#include "model/summary.h"

enum { NO_COLUMN = ~0u, OUTPUTS_SIZE = 256 };

/* Folded names of a table, one after the other, each followed by a NUL. */
struct names {
    char *bytes;
    size_t used, capacity;
    size_t *offset; /* of each name, plus the end */
    uint32_t count, slots;
};

/* Ranks of the texts of one column. */
struct ranks {
    uint32_t *rank;
    uint32_t count;
    unsigned column;
};

struct model_view_private {
    struct model_job *job; /* owner of the names; holds one reference */
    struct names names;
    struct ranks ranks;
    uint8_t *match; /* by id: the filter matches */
    uint32_t matched, match_slots;
    const struct model_column *column; /* sort column in this state */
    struct model_sorting order;        /* table positions of the shown rows */
    uint64_t *sum;                     /* running sums of the first `summed` rows */
    uint32_t summed, sum_slots;
    char outputs[OUTPUTS_SIZE];
    struct model_text outputs_text;
};

static enum model_table rows_of(const struct model_view *view)
{
    return model_table_rows(view->table);
}

static const struct model_row *rows(const struct model_view *view)
{
    return model_state_rows(view->state, view->table);
}

/* -------------------------------------------------------------------------------- names */

static void names_release(struct names *names)
{
    free(names->bytes);
    free(names->offset);
    *names = (struct names){0};
}

static bool names_fit(struct names *names, size_t more)
{
    if (names->capacity - names->used >= more)
        return true;
    size_t capacity =
        names->capacity * 2 > names->used + more ? names->capacity * 2 : names->used + more;
    char *grown = realloc(names->bytes, capacity);
    if (!grown)
        return false;
    names->bytes = grown;
    names->capacity = capacity;
    return true;
}

static bool names_add(struct names *names, const struct model_text *text)
{
    size_t room = 3u * text->shown_size + 1; /* folding may triple a text */
    if (!names_fit(names, room))
        return false;
    size_t size = model_text_fold(text->shown, text->shown_size, names->bytes + names->used, room);
    names->offset[names->count++] = names->used;
    names->used += size + 1;
    names->offset[names->count] = names->used;
    return true;
}

/* Returns the text of row `id` in column `column`, as shown; empty if unknown. */
static const struct model_text *text_of(const struct model_view *view, unsigned column, uint32_t id)
{
    const struct model_row *row = &rows(view)[id];
    struct model_cell cell = model_columns[column].get(view, row, 0);
    return cell.known ? cell.text : &model_text_empty;
}

/* Adds the folded texts of a column for new rows. */
static bool names_update(struct names *names, const struct model_view *view, unsigned column)
{
    uint32_t count = model_state_count(view->state, view->table);
    if (names->slots < count + 1) {
        size_t *grown = realloc(names->offset, (count + 1u) * sizeof(*grown));
        if (!grown)
            return false;
        names->offset = grown;
        names->slots = count + 1;
    }
    for (uint32_t id = names->count; id < count; id++)
        if (!names_add(names, text_of(view, column, id)))
            return false;
    return true;
}

static unsigned name_column(const struct model_view *view)
{
    return (unsigned)model_column_find("name", view->table);
}

/* --------------------------------------------------------------------------------- life */

bool model_view_init(struct model_view *view, enum model_table table)
{
    *view = (struct model_view){.table = table, .only = MODEL_NONE};
    view->column = (unsigned)model_column_find(table == MODEL_SIZES ? "size" : "percent", table);
    view->own = calloc(1, sizeof(*view->own));
    if (!view->own)
        return false;
    view->own->ranks.column = NO_COLUMN;
    return true;
}

static void forget_names(struct model_view *view)
{
    struct model_view_private *own = view->own;
    names_release(&own->names);
    free(own->ranks.rank);
    own->ranks = (struct ranks){.column = NO_COLUMN};
    own->matched = 0;
    model_job_release(&own->job);
}

void model_view_release(struct model_view *view)
{
    if (view->own) {
        forget_names(view);
        free(view->own->match);
        free(view->own->sum);
        model_sorting_release(&view->own->order);
        free(view->own);
    }
    *view = (struct model_view){.table = view->table};
}

bool model_view_sort(struct model_view *view, unsigned column)
{
    if (column >= model_columns_count || !(model_columns[column].in >> view->table & 1))
        return false;
    column = model_column_order(column, view->table);
    view->reversed = column == view->column && !view->reversed;
    view->column = column;
    return true;
}

void model_view_filter(struct model_view *view, const char *text)
{
    model_text_fold(text, strlen(text), view->filter, sizeof(view->filter));
    model_text_safe(text, strlen(text), view->typed, sizeof(view->typed));
    view->own->matched = 0;
}

static const struct model_text *class_name(const struct model_job *job, uint32_t id)
{
    return &model_job_class(job, id)->name;
}

static const struct model_text *op_text(const struct model_job *job, uint32_t id)
{
    return &model_job_op(job, id)->label;
}

static const struct model_text *function_name(const struct model_job *job, uint32_t id)
{
    return &model_job_function(job, id)->name;
}

static const struct model_text *apply_text(const struct model_job *job, uint32_t id)
{
    return &model_job_apply(job, id)->label;
}

static const struct model_text *line_text(const struct model_job *job, uint32_t id)
{
    return &model_job_line(job, id)->text;
}

static const struct model_text *(*const names_of[MODEL_ROW_TABLES])(const struct model_job *job,
                                                                    uint32_t id) = {
    [MODEL_CLASS] = class_name,
    [MODEL_OP] = op_text,
    [MODEL_FUNCTION] = function_name,
    [MODEL_LINE] = line_text,
    [MODEL_APPLY] = apply_text,
};

const struct model_text *model_view_name(const struct model_view *view, const struct model_row *row)
{
    const struct model_job *job = view->state->job;
    return view->table == MODEL_COMPILE ? model_compile_name(job, row->id)
                                        : names_of[rows_of(view)](job, row->id);
}

/* -------------------------------------------------------------------------------- update */

/* Allocates space for `rows` rows. The memory of sums is touched only as far as sums are
 * requested. */
static bool fit(struct model_view_private *own, uint32_t rows)
{
    if (!model_sorting_fit(&own->order, rows))
        return false;
    if (own->sum_slots >= own->order.capacity)
        return true;
    free(own->sum);
    own->sum = malloc((size_t)own->order.capacity * sizeof(*own->sum));
    own->sum_slots = own->sum ? own->order.capacity : 0;
    return own->sum != NULL;
}

static bool contains(const struct names *names, uint32_t id, const char *text, size_t size)
{
    size_t length = names->offset[id + 1] - names->offset[id] - 1;
    return memmem(names->bytes + names->offset[id], length, text, size) != NULL;
}

/* Extends the filter's matches to new rows. */
static bool match(struct model_view *view)
{
    struct model_view_private *own = view->own;
    uint32_t count = model_state_count(view->state, view->table);
    size_t size = strlen(view->filter);
    if (!size)
        return true;
    if (!names_update(&own->names, view, name_column(view)))
        return false;
    if (own->match_slots < count) {
        uint8_t *grown = realloc(own->match, count);
        if (!grown)
            return false;
        own->match = grown;
        own->match_slots = count;
    }
    for (; own->matched < count; own->matched++)
        own->match[own->matched] = contains(&own->names, own->matched, view->filter, size);
    return true;
}

/* Extends the ranks of a text column to new rows. */
static bool rank(struct model_view *view)
{
    struct ranks *ranks = &view->own->ranks;
    uint32_t count = model_state_count(view->state, view->table);
    if (ranks->column == view->column && ranks->count == count)
        return true;
    uint32_t *grown = realloc(ranks->rank, (count + 1u) * sizeof(*grown));
    if (!grown)
        return false;
    ranks->rank = grown;
    ranks->column = NO_COLUMN;
    bool is_name = view->column == name_column(view);
    struct names others = {0};
    struct names *names = is_name ? &view->own->names : &others;
    bool fine = names_update(names, view, view->column) &&
                model_sort_ranks(names->bytes, names->offset, count, ranks->rank);
    names_release(&others);
    if (fine) {
        ranks->column = view->column;
        ranks->count = count;
    }
    return fine;
}

static uint64_t key_of(const struct model_view *view, const struct model_column *column,
                       const struct model_row *row)
{
    if (column->sort_key)
        return column->sort_key(view, row);
    if (column->unit == MODEL_UNIT_TEXT)
        return view->own->ranks.rank[row->id];
    struct model_cell cell = column->get(view, row, 0);
    return model_unit_key(column->unit, &cell);
}

uint64_t model_view_weight(const struct model_view *view, const struct model_row *row)
{
    if (view->table == MODEL_SIZES)
        return model_extra(view->state, MODEL_APPLY, row->id, MODEL_EXTRA_BYTES);
    return view->table == MODEL_COMPILE ? row->self_ns
                                        : model_state_work(view->state, view->table, row);
}

/* True if weights come from calls, some of which may be untimed. Sizes and phases are exact. */
static bool weighs_calls(const struct model_view *view)
{
    return view->table != MODEL_SIZES && view->table != MODEL_COMPILE;
}

bool model_view_estimated(const struct model_view *view, const struct model_row *row)
{
    return weighs_calls(view) && model_state_estimated(view->state, row) &&
           model_view_weight(view, row) != MODEL_UNKNOWN;
}

static uint64_t weight_of(const struct model_view *view, const struct model_row *row)
{
    uint64_t weight = model_view_weight(view, row);
    return weight == MODEL_UNKNOWN ? 0 : weight;
}

static bool is_small(const struct model_view *view, const struct model_row *row)
{
    return view->table == MODEL_SIZES && model_view_weight(view, row) < view->least_bytes;
}

/* True if the row belongs to the class, op or line that the view is limited to. */
static bool belongs(const struct model_view *view, const struct model_row *row)
{
    const struct model_job *job = view->state->job;
    if (view->only == MODEL_NONE || view->table == MODEL_COMPILE)
        return true;
    if (view->only_of == MODEL_LINE)
        return (rows_of(view) == MODEL_APPLY ? model_job_apply(job, row->id)->line : row->id) ==
               view->only;
    uint32_t op = rows_of(view) == MODEL_APPLY ? model_job_apply(job, row->id)->op : row->id;
    if (view->only_of == MODEL_OP)
        return op == view->only;
    return view->table == MODEL_CLASS ? row->id == view->only
                                      : model_job_op(job, op)->op_class == view->only;
}

/* Adds a row to the shown rows, with its sort key. */
static void show(struct model_view *view, uint32_t id, const struct model_row *row,
                 uint64_t weight)
{
    const struct model_column *column = view->own->column;
    uint64_t turn = column->ascending == view->reversed ? UINT64_MAX : 0;
    uint64_t key = key_of(view, column, row);
    /* Unknown values sort last in both directions. */
    bool unknown = key == 0 && column->unit != MODEL_UNIT_TEXT;
    view->own->order.pairs[view->count++] =
        (struct model_pair){.key = unknown ? UINT64_MAX : key ^ turn, .id = id};
    view->shown = model_state_plus(view->shown, weight);
    if (weight > view->largest)
        view->largest = weight;
    const uint64_t interval_ns = model_state_interval_work(view->state, view->table, row);
    if (interval_ns != MODEL_UNKNOWN && interval_ns > view->largest_interval_ns)
        view->largest_interval_ns = interval_ns;
}

/* Adds the interval of a row, shown or hidden. */
static void add_interval(struct model_view *view, const struct model_row *row)
{
    const uint64_t interval_ns = model_state_interval_work(view->state, view->table, row);
    if (interval_ns == MODEL_UNKNOWN)
        return;
    uint64_t before_ns = view->interval_ns == MODEL_UNKNOWN ? 0 : view->interval_ns;
    view->interval_ns = model_state_plus(before_ns, interval_ns);
}

static bool is_same(const struct model_cell *a, const struct model_cell *b)
{
    return a->known == b->known && (!a->known || a->text == b->text ||
                                    strcmp(a->text->shown, b->text->shown) == 0);
}

/* True if two rows in scope, shown or hidden, have different texts in a column. */
static bool varies(const struct model_view *view, const struct model_column *column)
{
    const struct model_row *row = rows(view);
    struct model_cell first = {0};
    bool any = false;
    for (uint32_t i = 0; i < model_state_count(view->state, view->table); i++) {
        if (!row[i].in_scope)
            continue;
        const struct model_cell cell = column->get(view, &row[i], 0);
        if (any && !is_same(&cell, &first))
            return true;
        first = cell;
        any = true;
    }
    return false;
}

static uint64_t varied_columns(const struct model_view *view)
{
    uint64_t varied = 0;
    for (unsigned i = 0; i < model_columns_count; i++) {
        const struct model_column *column = &model_columns[i];
        if (column->telling && (column->in >> view->table & 1) && varies(view, column))
            varied |= UINT64_C(1) << i;
    }
    return varied;
}

/* Collects the shown rows, in id order. */
static void gather(struct model_view *view)
{
    const struct model_state *state = view->state;
    bool filtered = view->filter[0] != '\0', weighed = view->table != MODEL_SIZES;
    if (view->least_by_job)
        view->least_bytes = model_summary_least_bytes(model_job_identity(state->job));
    for (uint32_t i = 0; i < model_state_count(state, view->table); i++) {
        const struct model_row *row = &rows(view)[i];
        if (!row->in_scope)
            continue;
        weighed = weighed || model_view_weight(view, row) != MODEL_UNKNOWN;
        view->estimated += model_view_estimated(view, row);
        add_interval(view, row);
        const bool outside = !belongs(view, row);
        const bool matches = !outside && (!filtered || view->own->match[i]);
        const bool small = matches && is_small(view, row);
        if (matches && !small) {
            show(view, i, row, weight_of(view, row));
            continue;
        }
        view->outside += outside;
        view->small += small;
        view->hidden++;
        view->hidden_sum = model_state_plus(view->hidden_sum, weight_of(view, row));
    }
    view->whole_estimated = weighs_calls(view) && state->totals.ops_estimated;
    if (weighed)
        view->whole = weighs_calls(view) ? state->totals.time_ns
                                         : model_state_plus(view->shown, view->hidden_sum);
}

/* Without an interval, as for an ended job, rows sort by the column for the total. */
static unsigned stand_by(const struct model_view *view)
{
    return view->state->interval_ns == 0 ? model_column_total(view->column, view->table)
                                         : view->column;
}

static bool prepare(struct model_view *view)
{
    struct model_view_private *own = view->own;
    const struct model_column *column = own->column = &model_columns[stand_by(view)];
    if (own->job != view->state->job) {
        forget_names(view);
        own->job = model_job_retain(view->state->job);
    }
    bool ranked = column->unit == MODEL_UNIT_TEXT && !column->sort_key;
    return fit(own, model_state_count(view->state, view->table)) && match(view) &&
           (!ranked || rank(view));
}

void model_view_clear(struct model_view *view, bool other)
{
    view->state = NULL;
    view->count = view->hidden = view->outside = view->small = view->estimated = 0;
    view->shown = view->largest = view->largest_interval_ns = view->hidden_sum = 0;
    view->whole = view->interval_ns = MODEL_UNKNOWN;
    view->whole_estimated = false;
    view->varied = 0;
    view->own->summed = 0;
    if (other)
        forget_names(view);
}

bool model_view_update(struct model_view *view, const struct model_state *state)
{
    model_view_clear(view, false);
    view->state = state;
    if (!state)
        return true;
    if (!prepare(view))
        return false;
    gather(view);
    view->varied = varied_columns(view);
    model_sorting_begin(&view->own->order, view->count);
    return true;
}

/* -------------------------------------------------------------------------------- looking */

const struct model_row *model_view_row(const struct model_view *view, uint32_t at)
{
    if (at >= view->count)
        return NULL;
    return &rows(view)[model_sorting_at(&view->own->order, at)];
}

uint64_t model_view_sum(const struct model_view *view, uint32_t at)
{
    struct model_view_private *own = view->own;
    for (; own->summed <= at; own->summed++) {
        uint64_t before = own->summed > 0 ? own->sum[own->summed - 1] : 0;
        uint64_t weight = weight_of(view, model_view_row(view, own->summed));
        own->sum[own->summed] = model_state_plus(before, weight);
    }
    return own->sum[at];
}

uint32_t model_view_find(const struct model_view *view, uint32_t id)
{
    uint32_t at = view->count > 0 ? model_sorting_find(&view->own->order, id) : UINT32_MAX;
    return at < view->count ? at : MODEL_NONE;
}

uint32_t model_view_search(const struct model_view *view, const char *text, uint32_t at, int step)
{
    char folded[MODEL_FILTER_MAX];
    size_t size = model_text_fold(text, strlen(text), folded, sizeof(folded));
    if (view->count == 0 || size == 0 || !names_update(&view->own->names, view, name_column(view)))
        return MODEL_NONE;
    at = at < view->count ? at : step > 0 ? 0 : view->count - 1;
    for (uint32_t tried = 0; tried < view->count; tried++) {
        if (contains(&view->own->names, model_view_row(view, at)->id, folded, size))
            return at;
        if (step > 0)
            at = at + 1 < view->count ? at + 1 : 0;
        else
            at = at > 0 ? at - 1 : view->count - 1;
    }
    return MODEL_NONE;
}

const struct model_text *model_view_outputs(const struct model_view *view,
                                            const struct model_about *about)
{
    struct model_view_private *own = view->own;
    if (!own)
        return NULL;
    size_t size = model_about_outputs(about, own->outputs, sizeof(own->outputs));
    own->outputs_text =
        (struct model_text){own->outputs, own->outputs, (uint32_t)size, (uint32_t)size};
    return &own->outputs_text;
}
