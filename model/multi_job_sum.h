/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * multi_job_sum.h: adds up the states of several jobs, for multi_job.c alone.
 */
#ifndef MODEL_MULTI_JOB_SUM_H
#define MODEL_MULTI_JOB_SUM_H

#include "model/multi_job.h"
#include "model/multi_job_rows.h"

/* A job whose values enter the sum. All pointers are borrowed. */
struct model_multi_job_part {
    const struct model_state *state;
    const struct model_multi_job_map *map;
    uint32_t place; /* position of the job */
    bool current;   /* its values are up to date, so its interval counts */
};

/* Builds rows, function values and totals of `to`, whose job has the merged definitions. Returns
 * false if out of memory. */
bool model_multi_job_sum(struct model_state *to, const struct model_multi_job_part *part,
                         size_t parts);
/* Sets the job of each row, or compares the jobs, as the view of `to->multi_job` requires. */
bool model_multi_job_compare(struct model_state *to, const struct model_multi_job_part *part,
                             size_t parts);

#endif
