/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * child.h: starts a command with pipes, or runs one for its answer. Viewer only.
 */
#ifndef FEED_VIEWER_LAUNCH_CHILD_H
#define FEED_VIEWER_LAUNCH_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A running command. */
struct viewer_child {
    pid_t pid;
    int in, out, err; /* our ends of its three streams, non-blocking; -1: closed */
};

/* Forks, but the child never runs a signal handler of ours, and blocks no signal. Otherwise a
 * signal to the child before its exec could run a handler of ours that passes signals on to the
 * process group, and so end us. */
pid_t viewer_child_fork(void);

/* Starts argv[0], found in PATH, with an empty signal mask. The child ends when we do. `feeds`: its
 * stdin is a pipe, else empty. False with a sentence in `why`. */
bool viewer_child_start(struct viewer_child *child, const char *const argv[], bool feeds, char *why,
                        size_t capacity);
/* Signals the command to end, without waiting. */
void viewer_child_stop(struct viewer_child *child);
/* Ends the command if it still runs, and waits for it. Returns its exit code, or 128 + signal. */
int viewer_child_end(struct viewer_child *child);

/* Runs a command to its end, for at most `ms`, and keeps its stdout. False with a sentence in
 * `why`: it failed (with the last line of its stderr), took longer, or wrote more than fits. */
bool viewer_child_run(const char *const argv[], int ms, char *out, size_t out_capacity, char *why,
                      size_t capacity);

/* Reads at most `capacity` waiting bytes and returns their number; -1: the stream has ended. */
ssize_t viewer_child_read(int fd, char *out, size_t capacity);
/* Adds bytes to a text and keeps only its last line. */
void viewer_child_keep_line(char *line, size_t capacity, const char *bytes, size_t size);

#endif
