/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * rank.h: the process's rank in a distributed job.
 */
#ifndef FEED_SHARED_RANK_H
#define FEED_SHARED_RANK_H

#include <stdint.h>

enum { SHARED_ROLE_MAX = 64, SHARED_BATCH_MAX = 64 };

/* Unknown numbers are UINT64_MAX, unknown texts "". */
struct shared_rank {
    uint64_t rank;  /* from 0, among the `size` processes of the job (with DMLC: of one role) */
    uint64_t local; /* the same among the processes of this machine */
    uint64_t size;
    char role[SHARED_ROLE_MAX];   /* scheduler, server, worker (DMLC) */
    char batch[SHARED_BATCH_MAX]; /* the batch system's id of the job (SLURM) */
};

/* Reads the launcher's environment variables. Of nested launchers the innermost counts: torchrun,
 * DMLC, Open MPI, PMIx, PMI, SLURM. Missing values come from an outer launcher that gives this
 * process the same rank. Calls only secure_getenv(). */
void shared_rank_read(struct shared_rank *rank);

#endif
