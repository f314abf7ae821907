/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * quantile.h: percentiles (50, 90, 99) of the call times of an op, from buckets of durations. There
 * are four buckets an octave. The first begins at 2^4 ns and includes all shorter times. The last
 * includes all times from 2^42 ns on (docs/protocol.md, 3.14).
 *
 * Long calls: the calls of an op in buckets at least an octave above the bucket of its median, as
 * far as they are no more than a tenth of its calls. A call that the system interrupts is long.
 */
#ifndef MODEL_QUANTILE_H
#define MODEL_QUANTILE_H

#include "model/job.h"

enum { MODEL_BUCKETS = (42 - 4) * 4 + 1 };
enum model_quantile { MODEL_P50, MODEL_P90, MODEL_P99, MODEL_QUANTILES };
/* Figures of an op: its percentiles, the number of its long calls and their time. */
enum { MODEL_LONG_CALLS = MODEL_QUANTILES, MODEL_LONG_NS, MODEL_CALL_FIGURES };

/* Percentiles and long calls of one op. Unknown values are MODEL_UNKNOWN. */
struct model_quantiles {
    uint64_t calls; /* number of calls in the buckets */
    uint64_t ns[MODEL_CALL_FIGURES];
    uint64_t longest_ns; /* the part of one call of the last bucket in MODEL_LONG_NS; 0: none */
};

/* Sets the n non-empty buckets of an op, in ascending order. Fewer calls than before come from an
 * older frame and change nothing. No calls at all reset the op to unknown. Returns false if out of
 * memory, or if the op or a bucket does not exist. */
bool model_job_set_buckets(struct model_job *job, uint32_t op, size_t n, const uint64_t *bucket,
                           const uint64_t *count);
/* Sets all figures of an op, as a saved report has them. Returns false if out of memory, or if the
 * op does not exist. */
bool model_job_set_call_figures(struct model_job *job, uint32_t op,
                                const uint64_t figure[MODEL_CALL_FIGURES]);
/* Percentiles by op id, and their number; NULL: none. Borrowed. */
const struct model_quantiles *model_job_quantiles(const struct model_job *job, uint32_t *count);
/* Resets all percentiles for a new epoch. */
void model_job_quantiles_clear(struct model_job *job);

#endif
