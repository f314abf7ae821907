/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * multi_job_rows.h: the rows of several jobs in one table, for multi_job.c and diff_match.c. Rows
 * of different jobs merge by structural key: a class by name; an op by class and text; a function
 * by name; a line by text; an apply by function and text. Rows of one job with equal keys match by
 * order. With `each`, no rows merge.
 */
#ifndef MODEL_MULTI_JOB_ROWS_H
#define MODEL_MULTI_JOB_ROWS_H

#include "model/state.h"

struct model_multi_job_rows; /* merged rows of all jobs */

/* Merged row of each row of one job, by table and id. All zeros is the map of a job without
 * rows. */
struct model_multi_job_map {
    uint32_t *id[MODEL_ROW_TABLES];
    uint32_t count[MODEL_ROW_TABLES];
    uint64_t lines_moved; /* model_job_lines_moved() when the applies were put into lines */
};

/* `each`: merges no rows. Returns NULL if out of memory. */
struct model_multi_job_rows *model_multi_job_rows_new(bool each);
void model_multi_job_rows_free(struct model_multi_job_rows **rows);
/* Returns the merged definitions, as a job without values. Borrowed. */
struct model_job *model_multi_job_rows_job(const struct model_multi_job_rows *rows);

/* Extends the map of a job to all its definitions. A row never changes its merged row. Returns
 * false if out of memory; the map is then empty. */
bool model_multi_job_map_fit(struct model_multi_job_rows *rows, const struct model_job *job,
                             struct model_multi_job_map *map);
void model_multi_job_map_release(struct model_multi_job_map *map);

#endif
