/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * column_compile.c: the getters of the columns of compilations.
 */
#include "model/column_extra.h"

#include "model/compile.h"

#define GETTER(name)                                                                               \
    struct model_cell name(const struct model_view *view, const struct model_row *row, uint32_t at)

static struct model_cell number(uint64_t u)
{
    return (struct model_cell){.known = u != MODEL_UNKNOWN, .u = u};
}

GETTER(model_get_nested)
{
    (void)at;
    return number(view->state->nest[row->id].place);
}

GETTER(model_get_open)
{
    (void)at;
    return number(view->state->nest[row->id].open_ns);
}

/* For the whole compilation and for rewriting, the time is reported with the function. */
GETTER(model_get_validate)
{
    (void)at;
    const struct model_compile_def *def = model_job_compile(view->state->job, row->id);
    const struct model_phase *phase = model_compile_phase(view->state, row->id);
    if (phase)
        return number(phase->validate_ns);
    return number(def->part == MODEL_COMPILE_LINK ? MODEL_UNKNOWN
                                               : view->state->function[def->function].validate_ns);
}

GETTER(model_get_nodes_before)
{
    (void)at;
    const struct model_phase *phase = model_compile_phase(view->state, row->id);
    return number(phase ? phase->nodes_before : MODEL_UNKNOWN);
}

GETTER(model_get_nodes_after)
{
    (void)at;
    const struct model_phase *phase = model_compile_phase(view->state, row->id);
    return number(phase ? phase->nodes_after : MODEL_UNKNOWN);
}

GETTER(model_get_kind)
{
    (void)at;
    return (struct model_cell){.known = true,
                               .text = model_compile_kind(view->state->job, row->id)};
}
