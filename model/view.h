/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * view.h: a view of one table of a state: filtered, sorted, with running sums. Rows are
 * radix-sorted by order-preserving keys, starting in id order, so ties stay in id order and never
 * jump. Rows are sorted and summed only as far as they are requested.
 */
#ifndef MODEL_VIEW_H
#define MODEL_VIEW_H

#include "model/column.h"
#include "model/node_detail.h"

enum { MODEL_FILTER_MAX = 256 };

struct model_view {
    enum model_table table;
    unsigned column; /* index in model_columns */
    bool reversed;   /* against the column's default direction */
    char filter[MODEL_FILTER_MAX]; /* folded substring; "" shows all */
    char typed[MODEL_FILTER_MAX];  /* the filter as typed, safe to show */
    enum model_table only_of;      /* with `only`: MODEL_CLASS, MODEL_OP or MODEL_LINE */
    uint32_t only;                 /* shows only rows of this one; MODEL_NONE: all rows */
    uint64_t least_bytes;          /* for MODEL_SIZES: rows known to have fewer bytes are hidden */
    bool least_by_job; /* `least_bytes` follows the limit of the job's own profile (summary.h) */

    const struct model_state *state; /* borrowed; set by model_view_update() */
    uint32_t count;      /* rows shown */
    /* Sums of row weights: the work, or the bytes for MODEL_SIZES. Unknown weights add 0. */
    uint64_t whole;   /* of all rows in scope; for time, the 100 %, which may be more; MODEL_UNKNOWN
                       * if no size is known */
    uint64_t shown;   /* of the rows shown */
    uint64_t largest; /* the largest weight shown: the full bar */
    uint64_t largest_interval_ns; /* the largest interval work shown */
    uint64_t interval_ns;         /* of all rows in scope; MODEL_UNKNOWN if none is known */
    uint32_t hidden;              /* rows in scope hidden by the filter, `only` or size */
    uint32_t outside;             /* of these, rows hidden by `only`, */
    uint32_t small;               /* and rows hidden by `least_bytes` but not by `only` */
    uint64_t hidden_sum;          /* of the hidden rows */
    uint32_t estimated;  /* rows in scope, shown or hidden, whose weight is an estimate */
    bool whole_estimated; /* `whole` is an estimate */
    uint64_t varied;      /* bits by column, for `telling` columns: the rows in scope differ */
    struct model_view_private *own;
};

/* Initialises a view of one table, sorted by time. Returns false if out of memory. */
bool model_view_init(struct model_view *view, enum model_table table);
void model_view_release(struct model_view *view);

/* Sets the sort column, or the column that defines its order. The same column again reverses the
 * order. Returns false if the column is not in this table. */
bool model_view_sort(struct model_view *view, unsigned column);
/* Sets the filter, and folds it. `text` is borrowed. */
void model_view_filter(struct model_view *view, const char *text);

/* Orders the rows of the state. The state is borrowed until the next update. Returns false if out
 * of memory; the view is then empty. */
bool model_view_update(struct model_view *view, const struct model_state *state);

/* Shows no rows and no state. `other`: the next state is of another job, so the cached names and
 * the reference to the job are dropped too. */
void model_view_clear(struct model_view *view, bool other);

/* Returns the row at a position of the displayed order, or NULL. */
const struct model_row *model_view_row(const struct model_view *view, uint32_t at);
/* Returns the weight of a row, or MODEL_UNKNOWN. */
uint64_t model_view_weight(const struct model_view *view, const struct model_row *row);
/* True if the weight is an estimate. */
bool model_view_estimated(const struct model_view *view, const struct model_row *row);
/* Returns the sum of the rows up to and including a position of the displayed order. */
uint64_t model_view_sum(const struct model_view *view, uint32_t at);
/* Returns the position of the row with this id, or MODEL_NONE. */
uint32_t model_view_find(const struct model_view *view, uint32_t id);
/* Finds the next row whose name contains `text`, starting at `at` (included), in direction +1 or
 * -1, wrapping around. Returns MODEL_NONE if there is none. */
uint32_t model_view_search(const struct model_view *view, const char *text, uint32_t at, int step);
/* Returns the name of a row: class name, op text, function name, source line or apply text.
 * Borrowed. */
const struct model_text *model_view_name(const struct model_view *view,
                                         const struct model_row *row);

/* Returns "float64[256,64]" for each output. Borrowed until the next call. Returns NULL if out of
 * memory. */
const struct model_text *model_view_outputs(const struct model_view *view,
                                            const struct model_about *about);

#endif
