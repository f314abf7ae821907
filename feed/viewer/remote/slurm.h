/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * slurm.h: finds the nodes on which a batch job runs, through SLURM's own squeue and scontrol.
 */
#ifndef FEED_VIEWER_REMOTE_SLURM_H
#define FEED_VIEWER_REMOTE_SLURM_H

#include "feed/shared/registry_dir.h"

/* Nodes of a batch job. Zero is empty. */
struct viewer_nodes {
    char (*name)[SHARED_VIA_MAX];
    size_t count;
    char batch[SHARED_BATCH_MAX]; /* id of the job, as its processes see it in SLURM_JOB_ID */
};

/* Finds the nodes of `job`: "4711", or "4711_3" of an array. False with a sentence in `why`: there
 * is no such job, it does not run (yet), or there is no SLURM here. */
bool viewer_slurm_nodes(const char *job, struct viewer_nodes *nodes, char *why, size_t capacity);
void viewer_nodes_release(struct viewer_nodes *nodes);

#endif
