/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * quantile.h: how long half, nine tenths and 99 of 100 calls of an op took at most, from buckets of
 * durations: four an octave, the first from 2^4 ns on with all that is shorter, the last with all
 * from 2^42 ns on (docs/protocol.md, 3.14).
 */
#ifndef MODEL_QUANTILE_H
#define MODEL_QUANTILE_H

#include "model/job.h"

enum { MODEL_BUCKETS = (42 - 4) * 4 + 1 };
enum model_quantile { MODEL_P50, MODEL_P90, MODEL_P99, MODEL_QUANTILES };

/* Of one op; MODEL_UNKNOWN where nothing is known. */
struct model_quantiles {
    uint64_t calls; /* in the buckets */
    uint64_t ns[MODEL_QUANTILES];
};

/* Takes n buckets of an op, all that are not empty, in ascending order. Fewer calls than before are
 * from an older frame and change nothing, but for none: then nothing is known. False: out of
 * memory, or no such op or bucket. */
bool model_job_set_buckets(struct model_job *job, uint32_t op, size_t n, const uint64_t *bucket,
                           const uint64_t *count);
/* By op id, for as many as `count` becomes; NULL: of none. Borrowed. */
const struct model_quantiles *model_job_quantiles(const struct model_job *job, uint32_t *count);
/* A new epoch: nothing is known. */
void model_job_quantiles_clear(struct model_job *job);

#endif
