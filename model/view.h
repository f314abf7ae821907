/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * view.h: one table of a state as it is looked at: filtered, sorted, with running sums. Order is a
 * radix sort of order-preserving keys in id order, so ties stand by id and never jump. Rows are put
 * in order, and summed up, as far as they are asked for.
 */
#ifndef MODEL_VIEW_H
#define MODEL_VIEW_H

#include "model/column.h"
#include "model/node_detail.h"

enum { MODEL_FILTER_MAX = 256 };

struct model_view {
    enum model_table table;
    unsigned column; /* index in model_columns */
    bool reversed;   /* against the column's own direction */
    char filter[MODEL_FILTER_MAX]; /* substring, folded; "" shows all */
    char typed[MODEL_FILTER_MAX];  /* the same as it was given, safe to show */
    enum model_table only_of;      /* with `only`: MODEL_CLASS, MODEL_OP or MODEL_LINE */
    uint32_t only;                 /* rows of this one alone; MODEL_NONE: of all */
    uint64_t least_bytes;          /* of MODEL_SIZES: rows that are known to have less are hidden */
    bool least_by_job; /* that is set to what the job's own profile lists (summary.h) */

    const struct model_state *state; /* borrowed; set by model_view_update() */
    uint32_t count;      /* rows shown */
    /* Sums of what rows weigh: their work, those of MODEL_SIZES their bytes. Unknown adds 0. */
    uint64_t whole;   /* of all rows in scope; of time that may be more: what 100 % is; or
                       * MODEL_UNKNOWN, where the size of none is known */
    uint64_t shown;   /* of the rows shown */
    uint64_t largest; /* of the largest of them: the full bar */
    uint64_t largest_interval_ns; /* the same of the interval */
    uint64_t interval_ns; /* of all rows in scope, shown or hidden; MODEL_UNKNOWN, where that of
                           * none is known */
    uint32_t hidden;     /* rows in scope that are left out, by the filter, `only` or size */
    uint32_t outside;    /* of these, the ones that `only` leaves out, */
    uint32_t small;      /* and those that it does not, but `least_bytes` does */
    uint64_t hidden_sum; /* of those hidden */
    uint32_t estimated;  /* rows in scope, shown or hidden, whose weight is an estimate */
    bool whole_estimated; /* `whole` is one */
    uint64_t varied; /* bits by column, of `telling` ones: rows in scope have several values */
    struct model_view_private *own;
};

/* A view of one table, sorted by time. False when out of memory. */
bool model_view_init(struct model_view *view, enum model_table table);
void model_view_release(struct model_view *view);

/* Sets the sort column, or the one that it is ordered by; the same again turns the order. False if
 * it is not of this table. */
bool model_view_sort(struct model_view *view, unsigned column);
/* Sets the filter (folded here). Borrowed. */
void model_view_filter(struct model_view *view, const char *text);

/* Orders the rows of the state. The state is borrowed until the next update. False when out of
 * memory: the view is then empty. */
bool model_view_update(struct model_view *view, const struct model_state *state);

/* Shows no rows and no state. With `other` the next one is of another job: what is kept of the
 * names of this one goes too, and the job with it. */
void model_view_clear(struct model_view *view, bool other);

/* The row at a position of the order shown, or NULL. */
const struct model_row *model_view_row(const struct model_view *view, uint32_t at);
/* What it weighs; MODEL_UNKNOWN if that is not known. */
uint64_t model_view_weight(const struct model_view *view, const struct model_row *row);
/* Whether that is an estimate. */
bool model_view_estimated(const struct model_view *view, const struct model_row *row);
/* Sum of the rows up to and with the one at a position of the order shown. */
uint64_t model_view_sum(const struct model_view *view, uint32_t at);
/* Position of the row with this id, or MODEL_NONE. */
uint32_t model_view_find(const struct model_view *view, uint32_t id);
/* Next row from `at` (included) on, in direction +1 or -1, around the end, whose name contains
 * `text`; MODEL_NONE: none. */
uint32_t model_view_search(const struct model_view *view, const char *text, uint32_t at, int step);
/* Name of a row: class name, op text, function name, source line or apply text. Borrowed. */
const struct model_text *model_view_name(const struct model_view *view,
                                         const struct model_row *row);

/* "float64[256,64]" of each output. Borrowed until it is called again. NULL: out of memory. */
const struct model_text *model_view_outputs(const struct model_view *view,
                                            const struct model_about *about);

#endif
