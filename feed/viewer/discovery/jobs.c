/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * jobs.c: keeps a list of jobs, and finds one by its pid, name or run.
 */
#include "config.h"

#include "feed/viewer/discovery/jobs.h"
#include "model/text.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void viewer_jobs_complain(struct viewer_jobs *jobs, const char *sentence)
{
    char line[sizeof jobs->problems];
    size_t used = strlen(jobs->problems);
    size_t size = model_text_safe(sentence, strlen(sentence), line, sizeof line);
    if (used + size + 2 > sizeof jobs->problems)
        return;
    memcpy(jobs->problems + used, line, size);
    memcpy(jobs->problems + used + size, "\n", 2);
}

bool viewer_process_gone(uint64_t pid, uint64_t start)
{
    const uint64_t found = shared_process_start(pid);
    if (found != 0)
        return start != 0 && found != start;
    const bool seen = shared_process_start((uint64_t)getpid()) != 0;
    return seen || (kill((pid_t)pid, 0) != 0 && errno == ESRCH);
}

/* True if the job is in the list already. readdir() may return a file twice if the job renames it
 * meanwhile. */
static bool is_known(const struct viewer_jobs *jobs, const struct registry_info *info)
{
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->job[i].pid == info->pid && strcmp(jobs->job[i].facts, info->facts) == 0 &&
            strcmp(jobs->job[i].instance, info->instance) == 0 &&
            strcmp(jobs->job[i].via, info->via) == 0)
            return true;
    return false;
}

bool viewer_jobs_add(struct viewer_jobs *jobs, const struct registry_info *info)
{
    if (is_known(jobs, info))
        return true;
    if (jobs->count == VIEWER_JOBS_MAX) {
        jobs->more++;
        return true;
    }
    if (jobs->count == jobs->capacity) {
        size_t capacity = jobs->count ? 2 * jobs->count : 1;
        struct registry_info *grown = realloc(jobs->job, capacity * sizeof *grown);
        if (!grown)
            return false;
        jobs->job = grown;
        jobs->capacity = capacity;
    }
    jobs->job[jobs->count++] = *info;
    return true;
}

void viewer_jobs_release(struct viewer_jobs *jobs)
{
    free(jobs->job);
    *jobs = (struct viewer_jobs){0};
}

const struct registry_info *viewer_jobs_pid(const struct viewer_jobs *jobs, uint64_t pid)
{
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->job[i].pid == pid)
            return &jobs->job[i];
    return NULL;
}

const struct registry_info *viewer_jobs_only(const struct viewer_jobs *jobs)
{
    const struct registry_info *only = NULL;
    for (size_t i = 0; i < jobs->count; i++) {
        if (only && jobs->job[i].depth == 0)
            return NULL;
        only = only ? only : &jobs->job[i];
    }
    return only;
}

static bool has_program(const struct registry_info *info, const char *name)
{
    return strcmp(info->program, name) == 0;
}

static const char *without_folders(const struct registry_info *info)
{
    const char *slash = strrchr(info->program, '/');
    return slash ? slash + 1 : info->program;
}

static bool has_file(const struct registry_info *info, const char *name)
{
    return strcmp(without_folders(info), name) == 0;
}

static bool has_script(const struct registry_info *info, const char *name)
{
    const char *file = without_folders(info);
    size_t size = strlen(name);
    return strncmp(file, name, size) == 0 && strcmp(file + size, ".py") == 0;
}

static void add_pid(char pids[VIEWER_NAMED_MAX], uint64_t pid, size_t before)
{
    enum { MORE = sizeof ", and more" + 20 };
    size_t used = strlen(pids);
    if (used + MORE < VIEWER_NAMED_MAX)
        snprintf(pids + used, VIEWER_NAMED_MAX - used, "%s%llu", before ? ", " : "",
                 (unsigned long long)pid);
    else if (!strstr(pids, "more"))
        snprintf(pids + used, VIEWER_NAMED_MAX - used, " and more");
}

const struct registry_info *viewer_jobs_named(const struct viewer_jobs *jobs, const char *name,
                                              size_t *found, char pids[VIEWER_NAMED_MAX])
{
    static bool (*const has[])(const struct registry_info *, const char *) = {has_program, has_file,
                                                                              has_script};
    enum { WAYS = sizeof has / sizeof has[0] };
    const struct registry_info *first = NULL;
    *found = 0;
    pids[0] = '\0';
    for (unsigned way = 0; !*found && *name && way < 2 * WAYS; way++) {
        for (size_t i = 0; i < jobs->count; i++) {
            const struct registry_info *info = &jobs->job[i];
            if (!has[way % WAYS](info, name) || (way < WAYS && info->depth > 0))
                continue;
            first = *found ? first : info;
            add_pid(pids, info->pid, (*found)++);
        }
    }
    return *found == 1 ? first : NULL;
}

const struct registry_info *viewer_jobs_token(const struct viewer_jobs *jobs, const char *token,
                                              uint64_t pid)
{
    const struct registry_info *first = NULL;
    for (size_t i = 0; i < jobs->count; i++) {
        const struct registry_info *info = &jobs->job[i];
        if (token[0] == '\0' || strcmp(info->token, token) != 0)
            continue;
        if (info->pid == pid)
            return info;
        if (!first || info->since_ns < first->since_ns)
            first = info;
    }
    return first;
}

/* The socket is named PID-START-NUMBER.pub. */
uint64_t viewer_jobs_feed_number(const struct registry_info *info)
{
    const char *last = strrchr(info->facts, '-');
    return last ? strtoull(last + 1, NULL, 10) : 0;
}
