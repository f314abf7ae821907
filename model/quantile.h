/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * quantile.h: percentiles (50, 90, 99) of the call times of an op, from buckets of durations. There
 * are four buckets an octave. The first begins at 2^4 ns and includes all shorter times. The last
 * includes all times from 2^42 ns on (docs/protocol.md, 3.14).
 */
#ifndef MODEL_QUANTILE_H
#define MODEL_QUANTILE_H

#include "model/job.h"

enum { MODEL_BUCKETS = (42 - 4) * 4 + 1 };
enum model_quantile { MODEL_P50, MODEL_P90, MODEL_P99, MODEL_QUANTILES };

/* Percentiles of one op. Unknown values are MODEL_UNKNOWN. */
struct model_quantiles {
    uint64_t calls; /* number of calls in the buckets */
    uint64_t ns[MODEL_QUANTILES];
};

/* Sets the n non-empty buckets of an op, in ascending order. Fewer calls than before come from an
 * older frame and change nothing. No calls at all reset the op to unknown. Returns false if out of
 * memory, or if the op or a bucket does not exist. */
bool model_job_set_buckets(struct model_job *job, uint32_t op, size_t n, const uint64_t *bucket,
                           const uint64_t *count);
/* Percentiles by op id, and their number; NULL: none. Borrowed. */
const struct model_quantiles *model_job_quantiles(const struct model_job *job, uint32_t *count);
/* Resets all percentiles for a new epoch. */
void model_job_quantiles_clear(struct model_job *job);

#endif
