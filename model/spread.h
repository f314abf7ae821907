/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * spread.h: how much the time of a row varies by itself, from how its calls and time grew between
 * refreshes. Each refresh is a sample of the time per call; a total is as uncertain as these
 * samples make it, and more where they are of a part of its calls.
 */
#ifndef MODEL_SPREAD_H
#define MODEL_SPREAD_H

#include "model/state.h"

struct model_spread_row {
    uint64_t calls, ns;    /* as of the last refresh */
    double n, x;           /* sums over refreshes: calls and time that were added, */
    double nn, xx, xn;     /* their squares and products */
    uint32_t samples;      /* refreshes in which there were calls */
};

/* Zero is empty. */
struct model_spread {
    struct model_spread_row *row[MODEL_ROW_TABLES]; /* classes, ops, applies */
    uint32_t count[MODEL_ROW_TABLES];
    uint32_t refreshes; /* states that were added */
};

/* Takes the next state of the same job, with all its functions in scope. Out of memory, the rows
 * that there is no room for have no spread. */
void model_spread_add(struct model_spread *spread, const struct model_state *state);
void model_spread_release(struct model_spread *spread);

/* Half the width of the interval around the time of a row that holds what it would be on average,
 * in 95 of 100 cases, ns; below 0: unknown, of fewer than three samples. */
double model_spread_half(const struct model_spread *spread, enum model_table table, uint32_t id);

#endif
