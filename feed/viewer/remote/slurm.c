/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * slurm.c: squeue gives the nodes of a job as a short list, scontrol expands the list.
 */
#include "config.h"

#include "feed/viewer/remote/slurm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "feed/viewer/launch/child.h"
#include "model/text.h"

enum { ANSWER_MS = 30000, ANSWER_MAX = 256 * 1024, NODES_MAX = 4096 };

static bool is_job(const char *job)
{
    static const char plain[] = "0123456789_+";
    return job[0] >= '0' && job[0] <= '9' && strspn(job, plain) == strlen(job) &&
           strlen(job) < SHARED_BATCH_MAX;
}

/* Cuts off the next word, up to a blank or the end of the line. */
static char *word(char **at)
{
    char *begin = *at + strspn(*at, " \t\n");
    size_t size = strcspn(begin, " \t\n");
    *at = begin + size + (begin[size] != '\0');
    begin[size] = '\0';
    return begin;
}

/* Reads "4711 RUNNING node[1-3]" and returns the short list of nodes, or NULL. Of a job with
 * several parts the first line counts. */
static char *read_queue(const char *job, char *answer, char batch[SHARED_BATCH_MAX], char *why,
                        size_t capacity)
{
    char safe[64], *at = answer;
    const char *id = word(&at), *state = word(&at);
    char *list = word(&at);
    model_text_safe(state, strlen(state), safe, sizeof safe);
    if (!*id)
        snprintf(why, capacity, "SLURM knows no job %s that waits or runs (squeue)", job);
    else if (strcmp(state, "RUNNING") != 0 || !*list)
        snprintf(why, capacity, "the SLURM job %s runs on no node: its state is %s", job, safe);
    else if (strlen(id) >= SHARED_BATCH_MAX)
        snprintf(why, capacity, "what squeue says of job %s cannot be read", job);
    else {
        strcpy(batch, id);
        return list;
    }
    return NULL;
}

static bool read_nodes(char *answer, struct viewer_nodes *nodes)
{
    for (char *at = answer, *name; *(name = word(&at));) {
        char(*grown)[SHARED_VIA_MAX] =
            nodes->count < NODES_MAX
                ? realloc(nodes->name, (nodes->count + 1) * sizeof *nodes->name)
                : NULL;
        if (!grown || strlen(name) >= SHARED_VIA_MAX)
            return false;
        nodes->name = grown;
        strcpy(nodes->name[nodes->count++], name);
    }
    return nodes->count > 0;
}

static bool find_nodes(const char *job, char *answer, struct viewer_nodes *nodes, char *why,
                       size_t capacity)
{
    char list[8192], errors[300];
    const char *const queue[] = {"squeue", "--noheader", "--jobs", job, "--format", "%A %T %N",
                                 NULL};
    const char *const names[] = {"scontrol", "show", "hostnames", list, NULL};
    if (!viewer_child_run(queue, ANSWER_MS, answer, ANSWER_MAX, errors, sizeof errors)) {
        snprintf(why, capacity, "SLURM does not say where job %s runs: %s", job, errors);
        return false;
    }
    const char *found = read_queue(job, answer, nodes->batch, why, capacity);
    if (!found)
        return false;
    snprintf(list, sizeof list, "%s", found);
    if (!viewer_child_run(names, ANSWER_MS, answer, ANSWER_MAX, errors, sizeof errors))
        snprintf(why, capacity, "SLURM does not say which nodes job %s runs on: %s", job, errors);
    else if (!read_nodes(answer, nodes))
        snprintf(why, capacity, "what scontrol says of the nodes of job %s cannot be read", job);
    else
        return true;
    return false;
}

bool viewer_slurm_nodes(const char *job, struct viewer_nodes *nodes, char *why, size_t capacity)
{
    char safe[64], *answer = NULL;
    *nodes = (struct viewer_nodes){0};
    if (!is_job(job)) {
        model_text_safe(job, strlen(job), safe, sizeof safe);
        snprintf(why, capacity, "'%s' is no number of a SLURM job: 4711, or 4711_3 of an array",
                 safe);
        return false;
    }
    answer = malloc(ANSWER_MAX);
    bool good = answer && find_nodes(job, answer, nodes, why, capacity);
    if (!answer)
        snprintf(why, capacity, "there is no memory left to ask SLURM");
    free(answer);
    if (!good)
        viewer_nodes_release(nodes);
    return good;
}

void viewer_nodes_release(struct viewer_nodes *nodes)
{
    free(nodes->name);
    *nodes = (struct viewer_nodes){0};
}
