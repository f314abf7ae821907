/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * state_private.h: how rows and totals are added up, for state.c, totals.c and those of fleets.
 */
#ifndef MODEL_STATE_PRIVATE_H
#define MODEL_STATE_PRIVATE_H

#include "model/state.h"

/* What is needed while a state is taken. */
struct model_taking {
    struct model_state *state;
    const struct model_state *before; /* the interval is since then; NULL: there is none */
    bool keeps;                       /* no values came since: its interval stays */
    const struct model_apply_def *def;
    const struct model_apply_value *value;
    const struct model_op_def *op;
    const struct model_function_def *function;
    uint64_t *inclusive; /* by function: time of its applies with all that ran inside */
    uint64_t *most_calls; /* by function: the calls of its apply with the most */
    uint64_t *inner;     /* by apply: inclusive time of the functions that it runs; or NULL */
    bool *vague;         /* by function: its inclusive time is an estimate; or NULL */
};

/* Takes the totals; rows of applies in scope are counted already. */
void model_totals_take(const struct model_taking *taking);
/* Time of thunks, when `time_ns`, `unseen` and `rows` are there. */
uint64_t model_totals_thunks(const struct model_totals *totals);

static inline uint64_t model_known_or_0(uint64_t value)
{
    return value == MODEL_UNKNOWN ? 0 : value;
}

/* What was added since; unknown if it became less (self time does, while a function inside an
 * apply that has not ended is counted already; estimates may). */
static inline uint64_t model_since(uint64_t now, uint64_t before)
{
    if (now == MODEL_UNKNOWN || before == MODEL_UNKNOWN || now < before)
        return MODEL_UNKNOWN;
    return now - before;
}

/* A figure when the interval began: that of the state before, less what was added in the interval
 * of that state if it goes on. */
static inline uint64_t model_began(const struct model_state *before, uint64_t was, uint64_t added)
{
    return before->extends ? model_since(was, added) : was;
}

/* All rows of a table with nothing merged in them, out of scope. */
void model_state_empty(struct model_state *state, enum model_table table);
/* Room for what waits in rows that are merged, if anything does: nothing so far. False: out of
 * memory. Adds to it. */
bool model_state_fit_waited(struct model_state *state, enum model_table table, bool waits);
void model_state_add_waited(struct model_state *state, enum model_table table, uint32_t id,
                            const struct model_waited *more);
/* Adds a row to one that merges it; all but the interval and what is of one apply alone. */
void model_row_merge(struct model_row *to, const struct model_row *row);
/* The row of a function, when its applies have been added. Where there are none, and its vm does
 * not say that it has none, their time is not known. */
void model_row_finish_function(struct model_row *row, const struct model_function_value *value);

/* A sum that is shown as the whole: unknown with nothing in it, and from the first part on that is
 * not known. */
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
