/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * multi_job_rows.h: the rows of several jobs in one table, for multi_job.c and diff_match.c. Rows
 * of different jobs are one by their structural keys: a class by its name; an op by its class and
 * text; a function by its name; a line by its text; an apply by its function and text; and among
 * equals by their order. Or each stays its own.
 */
#ifndef MODEL_MULTI_JOB_ROWS_H
#define MODEL_MULTI_JOB_ROWS_H

#include "model/state.h"

struct model_fleet_rows; /* of all jobs */

/* Where the rows of one job are among them: by table and id. Zero is of a job without rows. */
struct model_fleet_map {
    uint32_t *id[MODEL_ROW_TABLES];
    uint32_t count[MODEL_ROW_TABLES];
    uint64_t lines_moved; /* in the job, when its applies were put into lines */
};

/* `each`: no rows are one. NULL: out of memory. */
struct model_fleet_rows *model_fleet_rows_new(bool each);
void model_fleet_rows_free(struct model_fleet_rows **rows);
/* The definitions, as those of a job that has no values. Borrowed. */
struct model_job *model_fleet_rows_job(const struct model_fleet_rows *rows);

/* Brings the map of a job up to its definitions. A row keeps its place for ever. False: out of
 * memory; the map is then empty. */
bool model_fleet_map_fit(struct model_fleet_rows *rows, const struct model_job *job,
                         struct model_fleet_map *map);
void model_fleet_map_release(struct model_fleet_map *map);

#endif
