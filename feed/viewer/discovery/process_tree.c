/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * process_tree.c: finds the parents of jobs among the jobs, and orders the jobs as a tree.
 */
#include "config.h"

#include "feed/viewer/discovery/process_tree.h"

#include <stdlib.h>
#include <string.h>

enum { GENERATIONS = 32, NOBODY = -1 };

/* Returns the first feed of the process `pid` of this machine, or NULL. */
static const struct registry_info *by_process(const struct viewer_jobs *jobs, uint64_t pid)
{
    for (size_t i = 0; i < jobs->count; i++) {
        const struct registry_info *info = &jobs->job[i];
        if (info->pid == pid && !info->via[0] && !viewer_process_gone(pid, info->start))
            return info;
    }
    return NULL;
}

/* Result of the last lookup, because siblings have the same parent. */
struct looked_up {
    uint64_t pid;
    const struct registry_info *found;
};

/* Returns the job of the process, or of its nearest ancestor that publishes. The search goes up
 * because a worker may have been started through a helper process. */
static const struct registry_info *upwards(const struct viewer_jobs *jobs, uint64_t pid)
{
    const struct registry_info *found = NULL;
    for (unsigned i = 0; i < GENERATIONS && !found && pid > 1; i++) {
        found = by_process(jobs, pid);
        pid = found ? pid : shared_process_parent(pid);
    }
    return found;
}

/* Returns the ancestor of a job, or NULL. A process that outlives its ancestor has init as its
 * parent, so its ancestor is not found. */
static const struct registry_info *ancestor(const struct viewer_jobs *jobs,
                                            const struct registry_info *of, struct looked_up *last)
{
    if (of->via[0] || viewer_process_gone(of->pid, of->start))
        return NULL;
    uint64_t pid = shared_process_parent(of->pid);
    if (pid != last->pid)
        *last = (struct looked_up){pid, upwards(jobs, pid)};
    return last->found;
}

/* Returns the job of the same `proftop run` that registered first. */
static const struct registry_info *main_of_run(const struct viewer_jobs *jobs,
                                               const struct registry_info *of)
{
    const struct registry_info *first = NULL;
    for (size_t i = 0; of->token[0] && i < jobs->count; i++) {
        const struct registry_info *info = &jobs->job[i];
        if (!info->parent[0] && strcmp(info->token, of->token) == 0 &&
            (!first || info->since_ns < first->since_ns))
            first = info;
    }
    return first;
}

void viewer_process_tree_adopt(const struct viewer_jobs *jobs, struct viewer_jobs *silent)
{
    struct looked_up last = {0};
    for (size_t i = 0; i < silent->count; i++) {
        const struct registry_info *found = ancestor(jobs, &silent->job[i], &last);
        if (found)
            memcpy(silent->job[i].parent, found->instance, sizeof silent->job[i].parent);
    }
}

static void find_parents(struct viewer_jobs *jobs)
{
    struct looked_up last = {0};
    for (size_t i = 0; i < jobs->count; i++) {
        struct registry_info *info = &jobs->job[i];
        const struct registry_info *found = info->parent[0] ? NULL : ancestor(jobs, info, &last);
        if (found)
            memcpy(info->parent, found->instance, sizeof info->parent);
    }
    /* The main job has no parent, so no job becomes its own ancestor. */
    for (size_t i = 0; i < jobs->count; i++) {
        struct registry_info *info = &jobs->job[i];
        const bool ranked = info->place.rank != UINT64_MAX || info->place.role[0];
        const struct registry_info *found =
            info->parent[0] || ranked ? NULL : main_of_run(jobs, info);
        if (found && found != info)
            memcpy(info->parent, found->instance, sizeof info->parent);
    }
}

/* The tree while it is laid out. */
struct tree {
    const struct viewer_jobs *jobs;
    struct registry_info *out;
    int *parent; /* index of the parent; NOBODY: none; a job that is laid out: its own index */
    size_t used;
};

static int place_of(const struct viewer_jobs *jobs, const struct registry_info *child)
{
    for (size_t i = 0; child->parent[0] && i < jobs->count; i++)
        if (strcmp(jobs->job[i].instance, child->parent) == 0 &&
            strcmp(jobs->job[i].via, child->via) == 0 && &jobs->job[i] != child)
            return (int)i;
    return NOBODY;
}

/* Lays out one job and all jobs below it. Each job is laid out once, even if the parents form a
 * ring. */
static void lay_out(struct tree *tree, int root, uint32_t depth)
{
    struct registry_info *info = &tree->out[tree->used++];
    *info = tree->jobs->job[root];
    info->depth = depth;
    tree->parent[root] = root;
    for (int i = 0; (size_t)i < tree->jobs->count; i++)
        if (tree->parent[i] == root && i != root)
            lay_out(tree, i, depth + 1);
}

static void order(struct viewer_jobs *jobs)
{
    struct tree tree = {.jobs = jobs,
                        .out = calloc(jobs->count, sizeof *tree.out),
                        .parent = calloc(jobs->count, sizeof *tree.parent)};
    bool good = tree.out && tree.parent;
    for (size_t i = 0; good && i < jobs->count; i++)
        tree.parent[i] = place_of(jobs, &jobs->job[i]);
    for (int i = 0; good && (size_t)i < jobs->count; i++)
        if (tree.parent[i] == NOBODY)
            lay_out(&tree, i, 0);
    /* The remaining jobs are in rings of parents, which only false data makes. */
    for (int i = 0; good && (size_t)i < jobs->count; i++)
        if (tree.parent[i] != i)
            lay_out(&tree, i, 0);
    free(tree.parent);
    if (!good) {
        free(tree.out);
        return;
    }
    free(jobs->job);
    jobs->job = tree.out;
    jobs->capacity = jobs->count;
}

void viewer_process_tree(struct viewer_jobs *jobs)
{
    find_parents(jobs);
    if (jobs->count > 1)
        order(jobs);
}
