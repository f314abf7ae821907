/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * rank.h: which process of a distributed job this one is.
 */
#ifndef FEED_SHARED_RANK_H
#define FEED_SHARED_RANK_H

#include <stdint.h>

enum { SHARED_ROLE_MAX = 64, SHARED_BATCH_MAX = 64 };

/* Numbers are UINT64_MAX and texts "" where nobody said. */
struct shared_rank {
    uint64_t rank;  /* from 0, among the `size` processes of the job (of one role: with DMLC) */
    uint64_t local; /* the same among those of this machine */
    uint64_t size;
    char role[SHARED_ROLE_MAX];   /* scheduler, server, worker (DMLC) */
    char batch[SHARED_BATCH_MAX]; /* the batch system's id of the job (SLURM) */
};

/* What the launcher has put into the environment. Of launchers inside one another the innermost
 * holds: torchrun, DMLC, Open MPI, PMIx, PMI, SLURM. What it does not tell is taken from an outer
 * one that gives this process the same rank. Calls secure_getenv() alone. */
void shared_rank_read(struct shared_rank *rank);

#endif
