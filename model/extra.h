/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * extra.h: optional figures of rows that few jobs have: bytes, floating-point operations, declared
 * metrics. A state allocates them only if its job reports any.
 */
#ifndef MODEL_EXTRA_H
#define MODEL_EXTRA_H

#include "model/node_detail.h"
#include "model/state.h"

/* Figure numbers. Metric k is MODEL_EXTRA_METRIC + k. */
enum { MODEL_EXTRA_BYTES, MODEL_EXTRA_FLOPS, MODEL_EXTRA_METRIC };

/* True if the job reports any optional figure. */
bool model_extra_any(const struct model_job *job);
/* Allocates the figures of all rows of the state. Returns false if out of memory. */
bool model_extra_fit(struct model_state *state);
/* Copies the figures of all rows from the job. Needs the apply rows; does not read other rows.
 * Updates the implementation in an apply's row if the job reported a newer one. */
void model_extra_take(struct model_state *state);
void model_extra_release(struct model_state *state);

/* Returns one figure of a row: output bytes of its applies, operations of all its calls, or the
 * value of a metric. MODEL_UNKNOWN: unknown. Bytes and operations are unknown if any merged part
 * is. A metric skips applies without a value. */
uint64_t model_extra(const struct model_state *state, enum model_table table, uint32_t id,
                     uint32_t which);
/* True if any row of the job has this figure. */
bool model_extra_there(const struct model_state *state, uint32_t which);

#endif
