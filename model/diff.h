/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * diff.h: two states compared row by row: B - A. What is missing on one side is 0 there, so the sum
 * of the differences of a table is the difference of the totals.
 *
 * Rows are one by their structural keys, as in a fleet (multi_job_rows.h): classes and ops by their
 * texts, applies by function and text, and among equals by their order, ops by their applies; never
 * by position or address. What then has no equal is paired by op_equivalence.h: an apply with one
 * of its function whose text has the same common form, but for being in place, and else with one
 * that does the same work, and of these with the one that shares most inputs. Rows of classes and
 * ops with one common form become one row where nodes went from one form to another: those that
 * have fewer nodes in B, with those that have more.
 */
#ifndef MODEL_DIFF_H
#define MODEL_DIFF_H

#include "model/json.h"
#include "model/spread.h"
#include "model/state.h"

#define MODEL_DELTA_UNKNOWN INT64_MIN

enum { MODEL_A, MODEL_B, MODEL_SIDES };

/* What one side has of a row: the sum of its rows of this table. */
struct model_diff_side {
    uint32_t first, last; /* ids of these; MODEL_NONE: it has none. model_diff_next() */
    uint32_t rows;
    uint32_t applies;     /* nodes in them */
    uint64_t ns, calls;   /* 0 of what is missing; ns may be MODEL_UNKNOWN */
    uint64_t function_calls; /* of an apply: of its function; else of all roots. MODEL_UNKNOWN */
    uint8_t impls;
    uint8_t left_out; /* enum model_left_out: what its nodes do, if none works */
    bool estimated;
};

struct model_diff_row {
    struct model_diff_side side[MODEL_SIDES];
    int64_t delta_ns; /* or MODEL_DELTA_UNKNOWN */
    double change_ns; /* how far B is from A, had A been as long as B; below 0: unknown */
    double noise_ns;  /* how far change_ns may be from 0 where nothing differs; below 0: unknown */
    bool paired;      /* it has rows that are not equal: they are of one common form */
};

/* Sorted by change_ns, most first: where functions were called equally often that is the size of
 * delta_ns; else what the longer of two equal runs has more of is no difference. */
struct model_diff_table {
    struct model_diff_row *row;
    uint32_t count;
    uint32_t *next[MODEL_SIDES]; /* by row of a side: the next of the same row here */
};

struct model_diff {
    const struct model_state *state[MODEL_SIDES];       /* borrowed */
    struct model_diff_table table[MODEL_ROW_TABLES];    /* class, op and apply */
};

/* Compares two states, which may be one; both have to outlive it. False: out of memory. It is
 * released in either case. */
bool model_diff_take(struct model_diff *diff, const struct model_state *a,
                     const struct model_state *b);
void model_diff_release(struct model_diff *diff);

/* How much each side varies by itself; NULL: not known. It is of all functions, and says nothing of
 * states of some of them. */
void model_diff_noise(struct model_diff *diff, const struct model_spread *a,
                      const struct model_spread *b);
/* Whether both sides have the row, and differ by no more than they vary. */
bool model_diff_is_noise(const struct model_diff_row *row);

/* B - A, at the ends of the range where it is beyond; unknown if either is. */
int64_t model_delta(uint64_t a, uint64_t b);
/* B / A; below 0: unknown, or nothing on the side of A. */
double model_diff_ratio(uint64_t a, uint64_t b);
/* Time per call, on average; MODEL_UNKNOWN without calls. Of nothing it is nothing. */
uint64_t model_diff_per_call(const struct model_diff_side *side);
/* Same, for each call of the function: what tells when one ran longer than the other. */
uint64_t model_diff_per_function_call(const struct model_diff_side *side);
/* B - A of the time per call, or for each call of the function, not rounded; NaN: unknown. */
double model_diff_mean_delta(const struct model_diff_row *row, bool of_function);
/* Both sides of such a figure, rounded; missing is 0. */
int64_t model_diff_delta(const struct model_diff_row *row,
                         uint64_t (*figure)(const struct model_diff_side *side));
/* Whether the functions of both were called equally often, as far as is known. */
bool model_diff_same_length(const struct model_diff *diff);

/* The sum of the differences that are known, of rows from here on. */
int64_t model_diff_sum(const struct model_diff_table *table, uint32_t from);
/* Whether a row is an estimate on either side; and whether one of those summed up is. */
bool model_diff_estimated(const struct model_diff_row *row);
bool model_diff_sum_estimated(const struct model_diff_table *table, uint32_t from);
/* Name of a row of one side. Borrowed. */
const struct model_text *model_diff_name(const struct model_diff *diff, enum model_table table,
                                         unsigned side, uint32_t id);
/* "C", "Py", ...; NULL: unknown. Static. */
const char *model_diff_impl(const struct model_diff_side *side);
/* The rows of one side in a row here: first, then these up to MODEL_NONE. */
uint32_t model_diff_next(const struct model_diff_table *table, unsigned side, uint32_t id);

/* A total of both: "calls", "call", ... NULL: there is none at this place. */
struct model_diff_total {
    const char *word, *title;
    bool counts; /* calls, not ns */
    uint64_t value[MODEL_SIDES];
    bool estimated[MODEL_SIDES]; /* not every call was timed */
};
bool model_diff_total(const struct model_diff *diff, unsigned at, struct model_diff_total *total);

/* -------------------------------------------------------------------------------------- as JSON */

/* Where a state comes from. Texts are borrowed, and safe for the screen. */
struct model_diff_operand {
    const char *word;  /* as it was named */
    const char *state; /* "live", "ended", ... */
    bool saved;        /* read from a report */
    uint32_t refreshes; /* of which its variation is known */
};

struct model_diff_report {
    const struct model_diff *diff;
    struct model_diff_operand operand[MODEL_SIDES];
    uint64_t time_ns;      /* wall clock of the viewer, since 1970 */
    uint32_t ops, applies; /* rows that are written of classes and ops each, and of applies */
};

/* Writes one object and a line end: docs/diff.schema. */
void model_json_diff(const struct model_diff_report *report, const struct model_sink *sink);

#endif
