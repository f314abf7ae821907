/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * discover.h: finds the jobs of this user on this machine, and waits for one to appear. Viewer
 * only. No other code opens .info files, because any close of a file ends the POSIX locks that its
 * process holds on the file.
 */
#ifndef FEED_VIEWER_DISCOVERY_DISCOVER_H
#define FEED_VIEWER_DISCOVERY_DISCOVER_H

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

/* Reads all registry directories and removes the files of jobs that are gone. False: out of
 * memory. */
bool viewer_discover(struct viewer_jobs *jobs);
void viewer_jobs_release(struct viewer_jobs *jobs);
/* Adds a job if it is new; a full list counts it in `more`. False: out of memory. */
bool viewer_jobs_add(struct viewer_jobs *jobs, const struct registry_info *info);
/* Adds one line to the problems if the whole line fits. */
void viewer_jobs_complain(struct viewer_jobs *jobs, const char *sentence);
/* Sorts the jobs and finds the workers of each. */
void viewer_jobs_order(struct viewer_jobs *jobs);

/* Writes the command line of a job, with blanks between its words, and returns its size. For a
 * process of this user on this machine it is read from /proc, and may hold any bytes. For a remote
 * job it is the text that the remote machine sent. "" if unknown, as for a job in another
 * container. */
size_t viewer_job_command(const struct registry_info *info, char *out, size_t capacity);

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

/* Watches the registry directories. Returns a descriptor that becomes readable when one of them
 * changes, or -1. viewer_watch_clear() reads the pending events. */
int viewer_watch_open(void);
void viewer_watch_clear(int fd);

/* True if the process of a job is certainly gone. The process id alone decides where /proc is
 * missing here (a chroot), or was missing where the job began (then `start` is 0). */
bool viewer_process_gone(uint64_t pid, uint64_t start);

#endif
