/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * spread.c: collects samples, and computes an interval from them.
 */
#include "model/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_LEAST = 3 };

static const enum model_table tables[] = {MODEL_CLASS, MODEL_OP, MODEL_APPLY};

static bool grow(struct model_spread *spread, enum model_table table, uint32_t count)
{
    if (count <= spread->count[table])
        return true;
    struct model_spread_row *grown = realloc(spread->row[table], count * sizeof(*grown));
    if (!grown)
        return false;
    memset(grown + spread->count[table], 0, (count - spread->count[table]) * sizeof(*grown));
    spread->row[table] = grown;
    spread->count[table] = count;
    return true;
}

static void add(struct model_spread_row *to, const struct model_state *state,
                const struct model_row *row, bool first)
{
    const uint64_t ns = model_state_time(state, row);
    if (row->calls == MODEL_UNKNOWN || ns == MODEL_UNKNOWN)
        return;
    const bool grew = !first && row->calls > to->calls && ns >= to->ns;
    const double n = grew ? (double)(row->calls - to->calls) : 0;
    const double x = grew ? (double)(ns - to->ns) : 0;
    if (grew) {
        to->n += n;
        to->x += x;
        to->nn += n * n;
        to->xx += x * x;
        to->xn += x * n;
        to->samples++;
    }
    to->calls = row->calls;
    to->ns = ns;
}

void model_spread_add(struct model_spread *spread, const struct model_state *state)
{
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        const enum model_table table = tables[i];
        const uint32_t known = spread->count[table];
        if (!grow(spread, table, state->count[table]))
            continue;
        for (uint32_t id = 0; id < state->count[table]; id++)
            add(&spread->row[table][id], state, &state->row[table][id], id >= known);
    }
    spread->refreshes++;
}

void model_spread_release(struct model_spread *spread)
{
    for (unsigned i = 0; i < MODEL_ROW_TABLES; i++)
        free(spread->row[i]);
    *spread = (struct model_spread){0};
}

/* Student's t for a two-sided interval of 95 %, by degrees of freedom from 1 on. */
static double quantile(uint32_t degrees)
{
    static const double t[] = {12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262};
    const uint32_t known = sizeof(t) / sizeof(t[0]);
    return degrees <= known ? t[degrees - 1] : degrees < 30 ? 2.23 : 2.04;
}

/* Uses the residuals of a ratio: the difference of each sample from its calls times the overall
 * mean. */
double model_spread_half(const struct model_spread *spread, enum model_table table, uint32_t id)
{
    if (id >= spread->count[table])
        return -1;
    const struct model_spread_row *row = &spread->row[table][id];
    if (row->samples < SAMPLES_LEAST)
        return -1;
    const double ratio = row->x / row->n;
    const double square = row->xx - 2 * ratio * row->xn + ratio * ratio * row->nn;
    const double variance = (square > 0 ? square : 0) * row->samples / (row->samples - 1);
    const double part = (double)row->calls / row->n;
    return quantile(row->samples - 1) * sqrt(variance * part);
}
