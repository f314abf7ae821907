/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_rank.c: ranks of a process from the variables of each launcher.
 */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "feed/shared/rank.h"

enum { SOME = 8, NONE = -1 };

static const struct {
    const char *name;
    const char *set[SOME]; /* NAME=value */
    int rank, local, size;
    const char *role, *batch;
} launches[] = {
    {"nothing", {NULL}, NONE, NONE, NONE, "", ""},
    {"slurm",
     {"SLURM_PROCID=3", "SLURM_LOCALID=1", "SLURM_NTASKS=8", "SLURM_JOB_ID=4711"},
     3, 1, 8, "", "4711"},
    {"slurm: a step is smaller than its job",
     {"SLURM_PROCID=1", "SLURM_LOCALID=0", "SLURM_NTASKS=8", "SLURM_STEP_NUM_TASKS=2"},
     1, 0, 2, "", ""},
    {"openmpi",
     {"OMPI_COMM_WORLD_RANK=5", "OMPI_COMM_WORLD_LOCAL_RANK=1", "OMPI_COMM_WORLD_SIZE=6"},
     5, 1, 6, "", ""},
    {"openmpi inside a slurm allocation",
     {"OMPI_COMM_WORLD_RANK=5", "OMPI_COMM_WORLD_SIZE=6", "SLURM_PROCID=0", "SLURM_LOCALID=0",
      "SLURM_NTASKS=16", "SLURM_JOB_ID=9"},
     5, NONE, 6, "", "9"},
    {"pmi", {"PMI_RANK=2", "PMI_SIZE=4", "MPI_LOCALRANKID=2"}, 2, 2, 4, "", ""},
    {"pmi of another kind", {"PMI_RANK=2", "PMI_LOCAL_RANK=1"}, 2, 1, NONE, "", ""},
    {"pmix, started by srun, which knows the rest",
     {"PMIX_RANK=7", "SLURM_PROCID=7", "SLURM_LOCALID=3", "SLURM_STEP_NUM_TASKS=8"},
     7, 3, 8, "", ""},
    {"torchrun", {"RANK=9", "LOCAL_RANK=1", "WORLD_SIZE=16"}, 9, 1, 16, "", ""},
    {"torchrun on each node of a slurm job",
     {"RANK=9", "LOCAL_RANK=1", "WORLD_SIZE=16", "SLURM_PROCID=1", "SLURM_LOCALID=0",
      "SLURM_NTASKS=2", "SLURM_JOB_ID=77"},
     9, 1, 16, "", "77"},
    {"a RANK that is somebody else's", {"RANK=general"}, NONE, NONE, NONE, "", ""},
    {"a RANK without a size", {"RANK=1"}, NONE, NONE, NONE, "", ""},
    {"dmlc: worker",
     {"DMLC_ROLE=worker", "DMLC_WORKER_ID=1", "DMLC_NUM_WORKER=4", "DMLC_NUM_SERVER=2"},
     1, NONE, 4, "worker", ""},
    {"dmlc: server",
     {"DMLC_ROLE=server", "DMLC_SERVER_ID=1", "DMLC_NUM_WORKER=4", "DMLC_NUM_SERVER=2"},
     1, NONE, 2, "server", ""},
    {"dmlc: a worker is no server", {"DMLC_ROLE=worker", "DMLC_SERVER_ID=1"}, NONE, NONE, NONE,
     "worker", ""},
    {"dmlc: the rank that the scheduler gave",
     {"DMLC_ROLE=server", "DMLC_RANK=0", "DMLC_NUM_SERVER=2"}, 0, NONE, 2, "server", ""},
    {"dmlc: scheduler", {"DMLC_ROLE=scheduler", "DMLC_NUM_WORKER=4"}, NONE, NONE, NONE,
     "scheduler", ""},
    {"numbers that are none",
     {"SLURM_PROCID=-1", "OMPI_COMM_WORLD_RANK=1x", "PMI_RANK=", "PMIX_RANK=99999999999999999999"},
     NONE, NONE, NONE, "", ""},
    {"a rank beyond the size", {"PMI_RANK=4", "PMI_SIZE=4"}, 4, NONE, NONE, "", ""},
    {"texts that are too long",
     {"DMLC_ROLE=0123456789012345678901234567890123456789012345678901234567890123",
      "SLURM_JOB_ID=0123456789012345678901234567890123456789012345678901234567890123"},
     NONE, NONE, NONE, "", ""},
};

static uint64_t number(int value)
{
    return value == NONE ? UINT64_MAX : (uint64_t)value;
}

START_TEST(launchers)
{
    struct shared_rank rank;
    ck_assert_int_eq(clearenv(), 0);
    for (unsigned i = 0; i < SOME && launches[_i].set[i] != NULL; i++)
        ck_assert_int_eq(putenv((char *)launches[_i].set[i]), 0);
    memset(&rank, 0x5a, sizeof rank);
    shared_rank_read(&rank);
    ck_assert_uint_eq(rank.rank, number(launches[_i].rank));
    ck_assert_uint_eq(rank.local, number(launches[_i].local));
    ck_assert_uint_eq(rank.size, number(launches[_i].size));
    ck_assert_str_eq(rank.role, launches[_i].role);
    ck_assert_str_eq(rank.batch, launches[_i].batch);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("rank");
    tap_add_loop(s, "launchers", launchers, TAP_ROWS(launches));
    return s;
}

TAP_MAIN(suite)
