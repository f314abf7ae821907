/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * discover.h: finds the jobs of this user on this machine, and waits for one to appear. Viewer
 * only. No other code opens .info files, because any close of a file ends the POSIX locks that its
 * process holds on the file.
 */
#ifndef FEED_VIEWER_DISCOVERY_DISCOVER_H
#define FEED_VIEWER_DISCOVERY_DISCOVER_H

#include "feed/viewer/discovery/jobs.h"

/* Reads all registry directories and removes the files of jobs that are gone. False: out of
 * memory. */
bool viewer_discover(struct viewer_jobs *jobs);
/* Sorts the jobs and finds the workers of each. */
void viewer_jobs_order(struct viewer_jobs *jobs);

/* Writes the command line of a job, with blanks between its words, and returns its size. For a
 * process of this user on this machine it is read from /proc, and may hold any bytes. For a remote
 * job it is the text that the remote machine sent. "" if unknown, as for a job in another
 * container. */
size_t viewer_job_command(const struct registry_info *info, char *out, size_t capacity);

/* Watches the registry directories. Returns a descriptor that becomes readable when one of them
 * changes, or -1. viewer_watch_clear() reads the pending events. */
int viewer_watch_open(void);
void viewer_watch_clear(int fd);

#endif
