/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * rank.c: the one table of launchers, and its only reader.
 */
#include "config.h"

#include "feed/shared/rank.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN UINT64_MAX

/* Innermost launcher first. Arrays instead of pointers: the table needs no relocation. */
static const struct launcher {
    char role[8]; /* required value of DMLC_ROLE; "": any */
    char rank[24], local[28], size[24];
    bool whole; /* the names are common words: ignored without a size */
} launchers[] = {
    {"", "RANK", "LOCAL_RANK", "WORLD_SIZE", true}, /* torchrun */
    {"worker", "DMLC_WORKER_ID", "", "DMLC_NUM_WORKER", false},
    {"worker", "DMLC_RANK", "", "DMLC_NUM_WORKER", false},
    {"server", "DMLC_SERVER_ID", "", "DMLC_NUM_SERVER", false},
    {"server", "DMLC_RANK", "", "DMLC_NUM_SERVER", false},
    {"", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_SIZE", false},
    {"", "PMIX_RANK", "", "", false},
    {"", "PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE", false}, /* MPICH, Intel MPI */
    {"", "PMI_RANK", "PMI_LOCAL_RANK", "", false},          /* other PMIs */
    {"", "SLURM_PROCID", "SLURM_LOCALID", "SLURM_STEP_NUM_TASKS", false},
    {"", "SLURM_PROCID", "", "SLURM_NTASKS", false},
};

static uint64_t number_of(const char *name)
{
    const char *text = name[0] == 0 ? NULL : secure_getenv(name);
    if (text == NULL || *text < '0' || *text > '9')
        return UNKNOWN;
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    return *end == 0 && value < UINT32_MAX ? value : UNKNOWN;
}

/* Copies an environment variable. Too long a text counts as none: half an id is another id. */
static void read_text(const char *name, char *to, size_t capacity)
{
    const char *text = secure_getenv(name);
    to[0] = 0;
    if (text != NULL && strlen(text) < capacity)
        strcpy(to, text);
}

static void take(uint64_t *to, uint64_t value)
{
    if (*to == UNKNOWN)
        *to = value;
}

void shared_rank_read(struct shared_rank *rank)
{
    rank->rank = rank->local = rank->size = UNKNOWN;
    read_text("DMLC_ROLE", rank->role, sizeof rank->role);
    read_text("SLURM_JOB_ID", rank->batch, sizeof rank->batch);
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++) {
        const struct launcher *row = &launchers[i];
        uint64_t number = number_of(row->rank), size = number_of(row->size);
        if (number == UNKNOWN || (row->role[0] != 0 && strcmp(row->role, rank->role) != 0) ||
            (row->whole && size == UNKNOWN))
            continue;
        take(&rank->rank, number);
        if (rank->rank != number)
            continue;
        take(&rank->local, number_of(row->local));
        take(&rank->size, size);
    }
    /* A rank beyond the size: the two come from different jobs. */
    if (rank->size != UNKNOWN && rank->rank >= rank->size)
        rank->size = UNKNOWN;
}
