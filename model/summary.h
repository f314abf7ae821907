/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * summary.h: prints a state as the profile that the job's framework prints itself.
 *
 * Lines follow dialect.h. Rows of ops and classes are sums of apply rows within one profile. An
 * unknown figure has no line, or `-` in its place; it is never 0. Figures that only counters inside
 * the framework have are left out: the profile of its rewriters, the smallest peak memory over all
 * orders, printed graphs. Memory is printed if sizes are known (peak.h). Unknown sizes count as 0,
 * as in the originals.
 */
#ifndef MODEL_SUMMARY_H
#define MODEL_SUMMARY_H

#include "model/dialect.h"
#include "model/job_info.h"
#include "model/json.h"
#include "model/state.h"

#define MODEL_SUMMARY_USUAL UINT32_MAX /* the dialect's default number of rows */

#define MODEL_SUMMARY_USUAL_BYTES UINT64_MAX /* the dialect's default least_bytes */

enum { MODEL_SUMMARY_LEAST_BYTES = 1024 }; /* default of least_bytes if the job reports none */

struct model_summary_rows {
    uint32_t applies;     /* printed Apply rows; the trailer sums up the rest */
    uint32_t ops;         /* the same for Class and Ops */
    uint64_t least_bytes; /* smallest outputs listed with the memory of the applies */
};

/* The smallest output, in bytes, that the job's own profile lists. */
uint64_t model_summary_least_bytes(const struct model_identity *who);

/* Prints the functions in the state's scope. A group or a chosen set is one profile. Otherwise each
 * function has its own, longest first, then their sum if there is more than one. Skips a function
 * that was not called and compiled in less than a second, unless it is the scope. Returns false if
 * out of memory; the output is then incomplete. */
bool model_summary_write(const struct model_dialect *dialect, const struct model_state *state,
                         struct model_summary_rows rows, const struct model_sink *sink);

/* Reads the next line of the framework's advice at `*from`, and advances `*from`. `mark`: 0 for
 * advice about its functions; else it is a title, or about functions without advice or calls.
 * False after the last. */
bool model_summary_next_tip(const struct model_identity *who, size_t *from,
                            struct model_fact_about *tip, char *mark);

#endif
