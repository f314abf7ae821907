/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * jobs.h: a list of jobs. Viewer only.
 */
#ifndef FEED_VIEWER_DISCOVERY_JOBS_H
#define FEED_VIEWER_DISCOVERY_JOBS_H

#include "feed/shared/registry_dir.h"

enum { VIEWER_JOBS_MAX = 4096 };

/* Jobs found, machine by machine: ordinary jobs by pid, then the processes of distributed jobs by
 * role and rank. The workers of a job follow it. If there are more than VIEWER_JOBS_MAX, the first
 * ones found are kept. `problems` has one sentence per line about refused directories and files.
 * Zero is empty. */
struct viewer_jobs {
    struct registry_info *job;
    size_t count, capacity;
    size_t more; /* jobs found beyond the maximum */
    char problems[1024];
    bool refused; /* the directory named by PROFTOP_DIR is among the problems */
};

void viewer_jobs_release(struct viewer_jobs *jobs);
/* Adds a job if it is new; a full list counts it in `more`. False: out of memory. */
bool viewer_jobs_add(struct viewer_jobs *jobs, const struct registry_info *info);
/* Adds one line to the problems if the whole line fits. */
void viewer_jobs_complain(struct viewer_jobs *jobs, const char *sentence);

/* viewer_jobs_only(): the only job, not counting workers. viewer_jobs_pid(): the job with this pid.
 * viewer_jobs_token(): of the jobs with a run token the command itself (`pid`) if it publishes,
 * else the child that registered first. NULL: none. Borrowed. */
const struct registry_info *viewer_jobs_only(const struct viewer_jobs *jobs);
/* Returns the only job with this name, or NULL. A name is the program; if no job has that, the
 * program without folders, or without ".py" too. Workers count only if no other job has the name.
 * `pids` gets the process ids of all matches ("7, 9 and more"), `found` their number. */
enum { VIEWER_NAMED_MAX = 160 };
const struct registry_info *viewer_jobs_named(const struct viewer_jobs *jobs, const char *name,
                                              size_t *found, char pids[VIEWER_NAMED_MAX]);
const struct registry_info *viewer_jobs_pid(const struct viewer_jobs *jobs, uint64_t pid);
const struct registry_info *viewer_jobs_token(const struct viewer_jobs *jobs, const char *token,
                                              uint64_t pid);

/* Number of a feed in its process, from 1: the lowest that was free when the feed was opened. 0:
 * unknown. */
uint64_t viewer_jobs_feed_number(const struct registry_info *info);

/* True if the process of a job is certainly gone. The process id alone decides where /proc is
 * missing here (a chroot), or was missing where the job began (then `start` is 0). */
bool viewer_process_gone(uint64_t pid, uint64_t start);

#endif
