/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * rank.c: THE table of launchers, and the one reader of it.
 */
#include "config.h"

#include "rank.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN UINT64_MAX

/* Innermost first: four texts a row, one behind the other, so that the table needs no relocation
 * and no room for the longest. `role`: counts where DMLC_ROLE is this alone; "": everywhere. `size`
 * with an exclamation mark: the names are common words, so a rank without a size is somebody
 * else's. */
#define ROW(role, rank, local, size) role "\0" rank "\0" local "\0" size "\0"
static const char launchers[] =
    ROW("", "RANK", "LOCAL_RANK", "!WORLD_SIZE") /* torchrun */
    ROW("worker", "DMLC_WORKER_ID", "", "DMLC_NUM_WORKER")
    ROW("worker", "DMLC_RANK", "", "DMLC_NUM_WORKER")
    ROW("server", "DMLC_SERVER_ID", "", "DMLC_NUM_SERVER")
    ROW("server", "DMLC_RANK", "", "DMLC_NUM_SERVER")
    ROW("", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_SIZE")
    ROW("", "PMIX_RANK", "", "")
    ROW("", "PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE") /* MPICH, Intel MPI */
    ROW("", "PMI_RANK", "PMI_LOCAL_RANK", "")          /* other PMIs */
    ROW("", "SLURM_PROCID", "SLURM_LOCALID", "SLURM_STEP_NUM_TASKS")
    ROW("", "SLURM_PROCID", "", "SLURM_NTASKS");

/* The text behind this one. */
static const char *next(const char *text)
{
    return text + strlen(text) + 1;
}

static uint64_t number_of(const char *name)
{
    const char *text = name[0] == 0 ? NULL : getenv(name);
    if (text == NULL || *text < '0' || *text > '9')
        return UNKNOWN;
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    return *end == 0 && value < UINT32_MAX ? value : UNKNOWN;
}

/* Too long a text is none: half an id would be another one. */
static void read_text(const char *name, char *to, size_t capacity)
{
    const char *text = getenv(name);
    to[0] = 0;
    if (text != NULL && strlen(text) < capacity)
        strcpy(to, text);
}

static void take(uint64_t *to, uint64_t value)
{
    if (*to == UNKNOWN)
        *to = value;
}

void feed_rank_read(struct feed_rank *rank)
{
    rank->rank = rank->local = rank->size = UNKNOWN;
    read_text("DMLC_ROLE", rank->role, sizeof rank->role);
    read_text("SLURM_JOB_ID", rank->batch, sizeof rank->batch);
    const char *role = launchers, *name, *local, *of;
    for (; role < launchers + sizeof launchers - 1; role = next(of)) {
        name = next(role), local = next(name), of = next(local);
        const bool whole = *of == '!';
        uint64_t number = number_of(name), size = number_of(of + whole);
        if (number == UNKNOWN || (*role != 0 && strcmp(role, rank->role) != 0) ||
            (whole && size == UNKNOWN))
            continue;
        take(&rank->rank, number);
        if (rank->rank != number)
            continue;
        take(&rank->local, number_of(local));
        take(&rank->size, size);
    }
    /* A rank beyond the size: these are of different jobs. */
    if (rank->size != UNKNOWN && rank->rank >= rank->size)
        rank->size = UNKNOWN;
}
