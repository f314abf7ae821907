/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * state_private.h: adds up rows and totals, for state.c, totals.c and the sums of several jobs.
 */
#ifndef MODEL_STATE_PRIVATE_H
#define MODEL_STATE_PRIVATE_H

#include "model/state.h"

/* Working data while a state is taken. */
struct model_taking {
    struct model_state *state;
    const struct model_state *before; /* start of the interval; NULL: there is no interval */
    bool keeps;                       /* no values arrived since: the interval stays as it was */
    const struct model_apply_def *def;
    const struct model_apply_value *value;
    const struct model_op_def *op;
    const struct model_function_def *function;
    uint64_t *inclusive;  /* by function: time of its applies, with everything inside */
    uint64_t *most_calls; /* by function: the largest call count of its applies */
    uint64_t *inner;     /* by apply: inclusive time of the functions that it runs; or NULL */
    bool *vague;         /* by function: its inclusive time is an estimate; or NULL */
};

/* Computes the totals. The rows of applies in scope are already counted. */
void model_totals_take(const struct model_taking *taking);
/* Computes thunk_ns from `time_ns`, `wait_ns`, `unseen` and `rows`. */
uint64_t model_totals_thunks(const struct model_totals *totals);

static inline uint64_t model_known_or_0(uint64_t value)
{
    return value == MODEL_UNKNOWN ? 0 : value;
}

/* Returns the growth since `before`. Unknown if the value fell. Self time falls while an inner
 * function is counted before its outer apply ends. Estimates may fall too. */
static inline uint64_t model_since(uint64_t now, uint64_t before)
{
    if (now == MODEL_UNKNOWN || before == MODEL_UNKNOWN || now < before)
        return MODEL_UNKNOWN;
    return now - before;
}

/* Returns a figure at the start of the interval. If the state before extends its interval, the
 * growth in that interval is subtracted. */
static inline uint64_t model_began(const struct model_state *before, uint64_t was, uint64_t added)
{
    return before->extends ? model_since(was, added) : was;
}

/* Resets all rows of a table: nothing merged, out of scope. */
void model_state_empty(struct model_state *state, enum model_table table);
/* model_state_fit_waited() allocates the waiting times of merged rows, zeroed, if anything waits,
 * and returns false if out of memory. model_state_add_waited() adds to them. */
bool model_state_fit_waited(struct model_state *state, enum model_table table, bool waits);
void model_state_add_waited(struct model_state *state, enum model_table table, uint32_t id,
                            const struct model_waited *more);
/* Merges a row into another, except for the interval and the figures of a single apply. */
void model_row_merge(struct model_row *to, const struct model_row *row);
/* Completes the row of a function after its applies are added. If there are no applies, and vm_ns
 * does not show that none ran, the time is unknown. */
void model_row_finish_function(struct model_row *row, const struct model_function_value *value);

/* A sum shown as the whole: unknown if it is empty, or if any part is unknown. */
struct model_sum {
    uint64_t ns;
    bool any, lacks;
};

static inline void model_sum_add(struct model_sum *sum, uint64_t value)
{
    if (value == MODEL_UNKNOWN)
        sum->lacks = true;
    else
        sum->ns = model_state_plus(sum->ns, value);
    sum->any = true;
}

static inline uint64_t model_sum_of(const struct model_sum *sum)
{
    return sum->any && !sum->lacks ? sum->ns : MODEL_UNKNOWN;
}

#endif
