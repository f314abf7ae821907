/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_process_tree.c: parents from the jobs' own data, from processes and from the token of a
 * run; the process tree.
 */
#include "config.h"

#include "feed/viewer/discovery/discover.h"
#include "feed/viewer/discovery/process_tree.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tap.h"

enum { SOME = 6 };

static struct viewer_jobs jobs;

static void name(char out[33], unsigned number)
{
    if (number)
        snprintf(out, 33, "%032x", number);
    else
        out[0] = '\0';
}

/* Adds job `number`. Its process does not exist, unless the caller changes it. */
static struct registry_info *add(unsigned number, unsigned parent)
{
    jobs.job = realloc(jobs.job, (jobs.count + 1) * sizeof *jobs.job);
    struct registry_info *info = &jobs.job[jobs.count++];
    *info =
        (struct registry_info){.pid = INT32_MAX - 100u + number, .start = 1, .since_ns = number};
    info->place.rank = info->place.local = info->place.size = UINT64_MAX;
    name(info->instance, number);
    name(info->parent, parent);
    return info;
}

static unsigned number_of(const char *instance)
{
    return (unsigned)strtoul(instance, NULL, 16);
}

/* Checks instance, parent and depth of all jobs in order. */
static void assert_tree(const char *wanted)
{
    char found[256] = "";
    viewer_process_tree(&jobs);
    for (size_t i = 0; i < jobs.count; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%u<%u@%u", i ? " " : "",
                 number_of(jobs.job[i].instance), number_of(jobs.job[i].parent),
                 (unsigned)jobs.job[i].depth);
    ck_assert_str_eq(found, wanted);
    viewer_jobs_release(&jobs);
}

/* Parents of jobs 1 to SOME from their own data; 0: none, and no such job. */
static const struct {
    unsigned parent[SOME + 1];
    const char *tree;
} trees[] = {
    {{0}, ""},
    {{99}, "1<99@0"},
    {{98, 98}, "1<98@0 2<98@0"},
    {{9, 9, 1, 2, 1, 3}, "1<9@0 3<1@1 6<3@2 5<1@1 2<9@0 4<2@1"},
    {{9, 3, 4, 5, 6, 1}, "1<9@0 6<1@1 5<6@2 4<5@3 3<4@4 2<3@5"},
    {{2, 1}, "1<2@0 2<1@1"}, /* a cycle */
    {{1, 9}, "1<1@0 2<9@0"}, /* claims to be its own parent */
    {{2, 3, 1, 3, 9}, "5<9@0 1<2@0 3<1@1 2<3@2 4<3@2"},
};

START_TEST(process_tree_follows_the_reported_parents)
{
    for (unsigned i = 0; i < SOME && trees[_i].parent[i]; i++)
        add(i + 1, trees[_i].parent[i]);
    assert_tree(trees[_i].tree);
}
END_TEST

START_TEST(of_a_run_the_first_is_the_parent_of_those_without_a_rank)
{
    static const unsigned order[] = {3, 1, 2, 4};
    for (unsigned i = 0; i < 4; i++) {
        struct registry_info *info = add(order[i], 0);
        strcpy(info->token, order[i] == 4 ? "other" : "one");
        if (order[i] == 2)
            info->place.rank = 1;
    }
    assert_tree("1<0@0 3<1@1 2<0@0 4<0@0");
}
END_TEST

/* On another host, the same pid and the same instance are a different process. */
START_TEST(hosts_are_kept_apart)
{
    strcpy(add(1, 9)->via, "a");
    strcpy(add(2, 1)->via, "b");
    strcpy(add(3, 1)->via, "a");
    assert_tree("1<9@0 3<1@1 2<1@0");
}
END_TEST

static void be(struct registry_info *info, pid_t pid)
{
    info->pid = (uint64_t)pid;
    info->start = shared_process_start((uint64_t)pid);
}

/* This process, and its grandchild, with a shell between them. */
START_TEST(parents_are_found_by_process_ancestry)
{
    int pipes[2];
    pid_t worker = 0;
    ck_assert_int_eq(pipe(pipes), 0);
    pid_t shell = fork();
    if (shell == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        worker = fork();
        if (worker == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (;;)
                pause();
        }
        if (write(pipes[1], &worker, sizeof worker) == sizeof worker)
            for (;;)
                pause();
        _exit(1);
    }
    ck_assert_int_eq(read(pipes[0], &worker, sizeof worker), sizeof worker);
    be(add(1, 0), worker);
    be(add(2, 0), getpid());
    be(add(3, 0), worker);
    jobs.job[2].start++;   /* an earlier process with that pid */
    be(add(4, 9), worker); /* its own data has priority */
    assert_tree("2<0@0 1<2@1 3<0@0 4<9@0");
    kill(worker, SIGKILL);
    kill(shell, SIGKILL);
    waitpid(shell, NULL, 0);
    close(pipes[0]);
    close(pipes[1]);
}
END_TEST

START_TEST(the_only_job_may_have_workers)
{
    ck_assert_ptr_null(viewer_jobs_only(&jobs));
    add(1, 9);
    add(2, 1);
    viewer_process_tree(&jobs);
    ck_assert_ptr_eq(viewer_jobs_only(&jobs), &jobs.job[0]);
    add(3, 9);
    viewer_process_tree(&jobs);
    ck_assert_ptr_null(viewer_jobs_only(&jobs));
    viewer_jobs_release(&jobs);
}
END_TEST

/* Programs with folders, scripts, workers. */
static const struct {
    const char *name, *pids; /* "": no job */
} named[] = {
    {"train", "1"}, /* the program itself comes before the script */
    {"eval", "2"},    {"eval.py", "2"}, {"/home/eval.py", "2"},
    {"load", "3, 5"}, {"worker", "4"},  {"trai", ""},
    {".py", ""},      {"", ""},
};

START_TEST(jobs_are_found_by_their_names)
{
    static const struct {
        const char *program;
        unsigned depth;
    } list[] = {{"train", 0}, {"/home/eval.py", 0}, {"load", 0}, {"worker", 1},
                {"load", 0},  {"train.py", 0},      {"train", 1}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        struct registry_info *info = add((unsigned)i + 1, 0);
        info->pid = i + 1;
        info->depth = list[i].depth;
        snprintf(info->program, sizeof info->program, "%s", list[i].program);
    }
    char pids[VIEWER_NAMED_MAX];
    size_t found;
    const struct registry_info *info = viewer_jobs_named(&jobs, named[_i].name, &found, pids);
    ck_assert_str_eq(pids, named[_i].pids);
    ck_assert_uint_eq(found, !pids[0] ? 0 : strchr(pids, ',') ? 2 : 1);
    if (found == 1)
        ck_assert_uint_eq(info->pid, strtoul(pids, NULL, 10));
    else
        ck_assert_ptr_null(info);
    viewer_jobs_release(&jobs);
}
END_TEST

START_TEST(many_of_a_name_are_cut_between_process_ids)
{
    for (unsigned i = 0; i < 100; i++) {
        struct registry_info *info = add(i + 1, 0);
        info->pid = 1000000 + i;
        snprintf(info->program, sizeof info->program, "load");
    }
    char pids[VIEWER_NAMED_MAX];
    size_t found;
    ck_assert_ptr_null(viewer_jobs_named(&jobs, "load", &found, pids));
    ck_assert_uint_eq(found, 100);
    ck_assert_int_eq(strncmp(pids, "1000000, 1000001, ", 18), 0);
    const char *more = strstr(pids, " and more");
    ck_assert(more && !more[9]);
    size_t cut = (size_t)(more - pids);
    ck_assert_uint_eq((cut + 2) % 9, 0); /* "1000000, " */
    viewer_jobs_release(&jobs);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("family");
    tap_add_loop(s, "trees", process_tree_follows_the_reported_parents, TAP_ROWS(trees));
    tap_add(s, "run", of_a_run_the_first_is_the_parent_of_those_without_a_rank);
    tap_add(s, "hosts", hosts_are_kept_apart);
    tap_add(s, "processes", parents_are_found_by_process_ancestry);
    tap_add(s, "only", the_only_job_may_have_workers);
    tap_add_loop(s, "named", jobs_are_found_by_their_names, TAP_ROWS(named));
    tap_add(s, "many_named", many_of_a_name_are_cut_between_process_ids);
    return s;
}

TAP_MAIN(suite)
