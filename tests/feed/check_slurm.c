/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_slurm.c: answers of squeue and scontrol, which are scripts of the test here.
 */
#include "config.h"

#include "feed/viewer/remote/slurm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../tap.h"

static char folder[64];

static void script(const char *name, const char *body)
{
    char path[96];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "#!/bin/sh\n%s\n", body);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(chmod(path, 0700), 0);
}

static const struct {
    const char *job, *squeue, *scontrol;
    const char *nodes, *batch; /* names separated by blanks; NULL: `why` */
    const char *why;
} rows[] = {
    {"4711", "echo 4711 RUNNING n[1-3]", "[ \"$3\" = 'n[1-3]' ] && printf 'n1\\nn2\\nn3\\n'",
     "n1 n2 n3", "4711", NULL},
    {"9_2", "[ \"$3\" = 9_2 ] && echo 12 RUNNING n1", "echo n1", "n1", "12", NULL},
    {"1", "printf '1 RUNNING a\\n2 RUNNING b\\n'", "echo \"$3\"", "a", "1", NULL},
    {"1", ":", ":", NULL, NULL, "SLURM knows no job 1"},
    {"1", "echo 1 PENDING", ":", NULL, NULL, "its state is PENDING"},
    {"1", "echo 1 RUNNING", ":", NULL, NULL, "its state is RUNNING"},
    {"1", "echo slurm_load_jobs error: Invalid >&2; exit 1", ":", NULL, NULL, "Invalid"},
    {"1", "echo 1 RUNNING n1", "exit 1", NULL, NULL, "scontrol ended with code 1"},
    {"1", "echo 1 RUNNING n1", ":", NULL, NULL, "of job 1 cannot be read"},
    {"", ":", ":", NULL, NULL, "'' is no number of a SLURM job"},
    {"-1", ":", ":", NULL, NULL, "is no number of a SLURM job"},
    {"1,2", ":", ":", NULL, NULL, "is no number of a SLURM job"},
};

START_TEST(slurm_lists_the_nodes_of_a_job)
{
    char path[512], command[128], why[512] = "", found[256] = "";
    struct viewer_nodes nodes;
    tap_folder(folder, sizeof folder, "slurm");
    script("squeue", rows[_i].squeue);
    script("scontrol", rows[_i].scontrol);
    snprintf(path, sizeof path, "%s:%.400s", folder, getenv("PATH"));
    setenv("PATH", path, 1);
    bool good = viewer_slurm_nodes(rows[_i].job, &nodes, why, sizeof why);
    ck_assert_msg(good == (rows[_i].nodes != NULL), "%s", why);
    for (size_t i = 0; i < nodes.count; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", i ? " " : "",
                 nodes.name[i]);
    ck_assert_str_eq(found, good ? rows[_i].nodes : "");
    ck_assert_str_eq(nodes.batch, good ? rows[_i].batch : "");
    if (!good)
        ck_assert_msg(strstr(why, rows[_i].why) != NULL, "%s", why);
    viewer_nodes_release(&nodes);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("slurm");
    tap_add_loop(s, "asked", slurm_lists_the_nodes_of_a_job, TAP_ROWS(rows));
    return s;
}

TAP_MAIN(suite)
