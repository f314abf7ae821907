/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * diff.h: compares two states row by row: B - A. A row missing on one side counts as 0 there, so
 * the differences of a table add up to the difference of the totals.
 *
 * Rows match by structural keys, as for several jobs (multi_job_rows.h): classes and ops by text,
 * applies by function and text. Equal keys match by order, ops by their applies. Position and
 * address never matter. A row without an equal is paired by op_equivalence.h. First, an apply pairs
 * with an apply of its function that has the same common form except for working in place. Then it
 * pairs with an apply that does the same work and shares the most inputs. Rows of classes and ops
 * with one common form become one row if nodes moved between the forms: rows that have fewer nodes
 * in B merge with rows that have more.
 */
#ifndef MODEL_DIFF_H
#define MODEL_DIFF_H

#include "model/json.h"
#include "model/spread.h"
#include "model/state.h"

#define MODEL_DELTA_UNKNOWN INT64_MIN

enum { MODEL_A, MODEL_B, MODEL_SIDES };

/* One side of a row: the sum of the matched rows of that side. */
struct model_diff_side {
    uint32_t first, last; /* ids of the chain of rows; MODEL_NONE: none; see model_diff_next() */
    uint32_t rows;
    uint32_t applies;        /* nodes in the rows */
    uint64_t ns, calls;      /* 0 if missing; ns may be MODEL_UNKNOWN */
    uint64_t function_calls; /* calls of the apply's function, else of all roots; unknown allowed */
    uint8_t impls;
    uint8_t left_out; /* enum model_left_out: kind of its nodes, if none works */
    bool estimated;
};

struct model_diff_row {
    struct model_diff_side side[MODEL_SIDES];
    int64_t delta_ns; /* or MODEL_DELTA_UNKNOWN */
    double change_ns; /* distance of B from A, with A scaled to B's length; below 0: unknown */
    double noise_ns;  /* largest change_ns to expect if nothing differs; below 0: unknown */
    bool paired;      /* contains rows that are not equal but share a common form */
};

/* Sorted by change_ns, largest first. If functions were called equally often, change_ns is the
 * size of delta_ns. Otherwise change_ns excludes the difference that comes from the length of
 * the runs. */
struct model_diff_table {
    struct model_diff_row *row;
    uint32_t count;
    uint32_t *next[MODEL_SIDES]; /* by row of a side: its next row in the same row here */
};

struct model_diff {
    const struct model_state *state[MODEL_SIDES];       /* borrowed */
    struct model_diff_table table[MODEL_ROW_TABLES];    /* class, op and apply */
};

/* Compares two states, which may be the same. Both must outlive the comparison. Returns false if
 * out of memory. The caller releases it in either case. */
bool model_diff_take(struct model_diff *diff, const struct model_state *a,
                     const struct model_state *b);
void model_diff_release(struct model_diff *diff);

/* Sets how much each side varies by itself. NULL: unknown. Spreads cover all functions, so states
 * with a narrower scope get no noise. */
void model_diff_noise(struct model_diff *diff, const struct model_spread *a,
                      const struct model_spread *b);
/* True if both sides have the row and differ by no more than their noise. */
bool model_diff_is_noise(const struct model_diff_row *row);

/* B - A, saturated. Unknown if either is unknown. */
int64_t model_delta(uint64_t a, uint64_t b);
/* B / A. Below 0: unknown, or A is 0. */
double model_diff_ratio(uint64_t a, uint64_t b);
/* Average time per call. MODEL_UNKNOWN without calls. A missing side gives 0. */
uint64_t model_diff_per_call(const struct model_diff_side *side);
/* Average time per call of the function. Comparable if one run was longer. */
uint64_t model_diff_per_function_call(const struct model_diff_side *side);
/* B - A of the time per call, or per call of the function. Not rounded. NaN: unknown. */
double model_diff_mean_delta(const struct model_diff_row *row, bool of_function);
/* B - A of a rounded figure of the sides. A missing side counts as 0. */
int64_t model_diff_delta(const struct model_diff_row *row,
                         uint64_t (*figure)(const struct model_diff_side *side));
/* True if the functions of both sides were called equally often, as far as is known. */
bool model_diff_same_length(const struct model_diff *diff);

/* Sum of the known differences of the rows from `from` on. */
int64_t model_diff_sum(const struct model_diff_table *table, uint32_t from);
/* True if a row is an estimate on either side, or if any row of the sum is. */
bool model_diff_estimated(const struct model_diff_row *row);
bool model_diff_sum_estimated(const struct model_diff_table *table, uint32_t from);
/* Name of a row of one side. Borrowed. */
const struct model_text *model_diff_name(const struct model_diff *diff, enum model_table table,
                                         unsigned side, uint32_t id);
/* "C", "Py", ...; NULL: unknown. Static. */
const char *model_diff_impl(const struct model_diff_side *side);
/* Iterates over the rows of one side within a row: starts at `first`, ends with MODEL_NONE. */
uint32_t model_diff_next(const struct model_diff_table *table, unsigned side, uint32_t id);

/* A total of both sides: "calls", "call", ... Returns false if there is none at this position. */
struct model_diff_total {
    const char *word, *title;
    bool counts; /* a number of calls, not ns */
    uint64_t value[MODEL_SIDES];
    bool estimated[MODEL_SIDES]; /* some calls were not timed */
};
bool model_diff_total(const struct model_diff *diff, unsigned at, struct model_diff_total *total);

/* -------------------------------------------------------------------------------------- as JSON */

/* Origin of a state. Texts are borrowed and safe for the screen. */
struct model_diff_operand {
    const char *word;  /* as given on the command line */
    const char *state; /* "live", "ended", ... */
    bool saved;        /* read from a report */
    uint32_t refreshes; /* number of refreshes behind its variation */
};

struct model_diff_report {
    const struct model_diff *diff;
    struct model_diff_operand operand[MODEL_SIDES];
    uint64_t time_ns;      /* wall clock of the viewer, since 1970 */
    uint32_t ops, applies; /* most rows written: of classes and of ops, and of applies */
};

/* Writes one object and a newline: docs/diff.schema. */
void model_json_diff(const struct model_diff_report *report, const struct model_sink *sink);

#endif
