/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * extra.h: figures of rows that few jobs tell: bytes, floating-point operations, metrics of their
 * own. A state has room for them only if its job tells any.
 */
#ifndef MODEL_EXTRA_H
#define MODEL_EXTRA_H

#include "model/node_detail.h"
#include "model/state.h"

/* Which figure; metric k is MODEL_EXTRA_METRIC + k. */
enum { MODEL_EXTRA_BYTES, MODEL_EXTRA_FLOPS, MODEL_EXTRA_METRIC };

/* Whether the job tells any. */
bool model_extra_any(const struct model_job *job);
/* Room for the figures of as many rows as the state has. False: out of memory. */
bool model_extra_fit(struct model_state *state);
/* Takes the figures of all rows from the job. Apply rows are there, the others are not looked at.
 * What computes an apply, where the job told that anew, goes into its row. */
void model_extra_take(struct model_state *state);
void model_extra_release(struct model_state *state);

/* One figure of a row: bytes of the outputs of its applies, operations of all its calls, or the
 * value of a metric. MODEL_UNKNOWN if it is not known, or only of a part of what the row merges. */
uint64_t model_extra(const struct model_state *state, enum model_table table, uint32_t id,
                     uint32_t which);
/* Whether the job tells this figure of any row. */
bool model_extra_there(const struct model_state *state, uint32_t which);

#endif
