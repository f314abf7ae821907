/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * summary.h: a state as the profile that the job's framework prints itself.
 *
 * Lines are those of dialect.h. Apply rows are the truth; rows of ops and classes are their sums
 * within one profile. What is unknown has no line, or `-` in its place: it is never 0. Left out
 * is what only counters inside of the framework know: the profile of its rewriters, the least peak
 * of memory over all orders, the graphs that it prints.
 * Memory is in it where sizes are told (peak.h): what is unknown of it counts nothing, as the
 * originals have it.
 */
#ifndef MODEL_SUMMARY_H
#define MODEL_SUMMARY_H

#include "model/dialect.h"
#include "model/json.h"
#include "model/state.h"

#define MODEL_SUMMARY_USUAL UINT32_MAX /* as many rows as the dialect prints by itself */

#define MODEL_SUMMARY_USUAL_BYTES UINT64_MAX /* least_bytes that the dialect lists by itself */

enum { MODEL_SUMMARY_LEAST_BYTES = 1024 }; /* that, if the job does not say another */

struct model_summary_rows {
    uint32_t applies; /* rows of Apply that are printed; the rest is folded into the trailer */
    uint32_t ops;     /* same, of Class and Ops */
    uint64_t least_bytes; /* outputs of which are listed with the memory of the applies */
};

/* The least bytes of an output that the job's own profile lists. */
uint64_t model_summary_least_bytes(const struct model_identity *who);

/* Prints the functions in the state's scope: of a group, or of some that were chosen, one profile;
 * else each its own, longest first, then their sum if there is more than one. A function that was
 * not called and took less than a second to compile is skipped unless it is the scope. False when
 * out of memory: what is written is not whole then. */
bool model_summary_write(const struct model_dialect *dialect, const struct model_state *state,
                         struct model_summary_rows rows, const struct model_sink *sink);

#endif
