/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * discover.h: the jobs of this user on this machine, and waiting for one to appear. Viewer only:
 * it alone opens .info files, since a POSIX lock dies with any close in its process.
 */
#ifndef FEED_VIEWER_DISCOVERY_DISCOVER_H
#define FEED_VIEWER_DISCOVERY_DISCOVER_H

#include "feed/shared/registry_dir.h"

enum { VIEWER_JOBS_MAX = 4096 };

/* Jobs found, in order of pid, behind them those of distributed jobs by role and rank, but each
 * followed by its workers; if there are more than
 * VIEWER_JOBS_MAX, those that were met first. `problems` holds one sentence per line about
 * directories and files that were refused. Zero is empty. */
struct viewer_jobs {
    struct registry_info *job;
    size_t count, capacity;
    size_t more; /* were found and are not among them */
    char problems[1024];
    bool refused; /* the directory that PROFTOP_DIR names is one of the problems */
};

/* Reads all registry directories; removes the files of jobs that are gone. False: out of memory. */
bool viewer_discover(struct viewer_jobs *jobs);
void viewer_jobs_release(struct viewer_jobs *jobs);
/* Adds one that is not there yet, or counts it as one more. False: out of memory. */
bool viewer_jobs_add(struct viewer_jobs *jobs, const struct registry_info *info);
/* Adds one line to the problems, as far as there is room for the whole of it. */
void viewer_jobs_complain(struct viewer_jobs *jobs, const char *sentence);
/* Puts them into their order, and finds out who is whose worker. */
void viewer_jobs_order(struct viewer_jobs *jobs);

/* The command line of a job that is a process of this user here, words with blanks between: any
 * bytes; of a job elsewhere, what that machine said. "" if it is not known, as of a job in another
 * container. Returns its size. */
size_t viewer_job_command(const struct registry_info *info, char *out, size_t capacity);

/* The only job there is, its workers not counted; the job with this pid. NULL: none. Borrowed. Of
 * those with a run token it is the command itself (`pid`) if it publishes, else the first of its
 * children that did. */
const struct registry_info *viewer_jobs_only(const struct viewer_jobs *jobs);
/* The only job with this name, or NULL. A name is the program, or, if no job has that, the program
 * without folders, or without ".py" too. Workers count only if no other job has the name. `pids`
 * gets the process ids of all that have it ("7, 9 and 2 more"). `found` is how many there are. */
enum { VIEWER_NAMED_MAX = 160 };
const struct registry_info *viewer_jobs_named(const struct viewer_jobs *jobs, const char *name,
                                              size_t *found, char pids[VIEWER_NAMED_MAX]);
const struct registry_info *viewer_jobs_pid(const struct viewer_jobs *jobs, uint64_t pid);
const struct registry_info *viewer_jobs_token(const struct viewer_jobs *jobs, const char *token,
                                              uint64_t pid);

/* Watches the registry directories. Returns a descriptor that becomes readable when something in
 * one of them changed, or -1; viewer_watch_clear() reads what is there. */
int viewer_watch_open(void);
void viewer_watch_clear(int fd);

/* Whether the process of a job is gone for certain. Where /proc is missing here (a chroot), or was
 * missing where the job began (then `start` is 0), the process id alone decides. */
bool viewer_process_gone(uint64_t pid, uint64_t start);

#endif
