/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * spread.h: how much the time of a row varies by itself, from the growth of its calls and time
 * between refreshes. Each refresh is a sample of the time per call. The samples give the
 * uncertainty of the total. It is larger if they cover only a part of the row's calls.
 */
#ifndef MODEL_SPREAD_H
#define MODEL_SPREAD_H

#include "model/state.h"

struct model_spread_row {
    uint64_t calls, ns;    /* at the last refresh */
    double n, x;           /* sums over refreshes: added calls and added time, */
    double nn, xx, xn;     /* their squares and products */
    uint32_t samples;      /* refreshes with calls */
};

/* All zeros is empty. */
struct model_spread {
    struct model_spread_row *row[MODEL_ROW_TABLES]; /* classes, ops, applies */
    uint32_t count[MODEL_ROW_TABLES];
    uint32_t refreshes; /* number of states added */
};

/* Adds the next state of the same job. All functions must be in scope. If out of memory, rows
 * without space have no spread. */
void model_spread_add(struct model_spread *spread, const struct model_state *state);
void model_spread_release(struct model_spread *spread);

/* Returns half the 95 % confidence interval of the time of a row, in ns; below 0: unknown, from
 * fewer than three samples. */
double model_spread_half(const struct model_spread *spread, enum model_table table, uint32_t id);

#endif
