/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * state_private.h: how rows and totals are added up, for state.c and fleet.c alone.
 */
#ifndef MODEL_STATE_PRIVATE_H
#define MODEL_STATE_PRIVATE_H

#include "state.h"

/* All rows of a table with nothing merged in them, out of scope. */
void model_state_empty(struct model_state *state, enum model_table table);
/* Adds a row to one that merges it; all but the interval and what is of one apply alone. */
void model_row_merge(struct model_row *to, const struct model_row *row);

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
