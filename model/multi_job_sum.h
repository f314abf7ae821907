/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * multi_job_sum.h: adds the states of several jobs up, for multi_job.c alone.
 */
#ifndef MODEL_MULTI_JOB_SUM_H
#define MODEL_MULTI_JOB_SUM_H

#include "model/multi_job.h"
#include "model/multi_job_rows.h"

/* A job whose values go into the sum. All borrowed. */
struct model_fleet_part {
    const struct model_state *state;
    const struct model_fleet_map *map;
    uint32_t place; /* of the job */
    bool heard;     /* what its state says is of now: it has an interval */
};

/* Makes rows, values of functions and totals of `to`, whose job has the merged definitions. False:
 * out of memory. */
bool model_fleet_sum(struct model_state *to, const struct model_fleet_part *part, size_t parts);
/* Whose each row is, or how the jobs compare, as the view of `to->fleet` wants it. */
bool model_fleet_compare(struct model_state *to, const struct model_fleet_part *part, size_t parts);

#endif
