/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * slurm.h: on which nodes a batch job runs, by asking SLURM's own squeue and scontrol.
 */
#ifndef FEED_SLURM_H
#define FEED_SLURM_H

#include "feed/shared/registry_dir.h"

/* Nodes of a batch job. Zero is empty. */
struct feed_nodes {
    char (*name)[FEED_VIA_MAX];
    size_t count;
    char batch[FEED_BATCH_MAX]; /* id of the job, as its processes have it in SLURM_JOB_ID */
};

/* `job`: "4711", or "4711_3" of an array. False with a sentence in `why`: there is no such job, it
 * does not run (yet), or there is no SLURM here. */
bool feed_slurm_nodes(const char *job, struct feed_nodes *nodes, char *why, size_t capacity);
void feed_nodes_release(struct feed_nodes *nodes);

#endif
