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

/* A command that runs. */
struct viewer_child {
    pid_t pid;
    int in, out, err; /* our ends of its three streams, without blocking; -1: closed */
};

/* As fork(), but the copy has no handler of ours at any moment and blocks no signal. A handler that
 * passes signals on to its group would end us when the copy is ended before it is the command. */
pid_t viewer_child_fork(void);

/* Starts argv[0], looked up in PATH, with an empty signal mask; it ends when we do. `feeds`: its
 * stdin is a pipe, else empty. False with a sentence in `why`. */
bool viewer_child_start(struct viewer_child *child, const char *const argv[], bool feeds, char *why,
                        size_t capacity);
/* Tells it to end, without waiting. */
void viewer_child_stop(struct viewer_child *child);
/* Ends it if it still runs, and waits for it. Gives its exit code, or 128 + signal. */
int viewer_child_end(struct viewer_child *child);

/* Runs a command to its end, for `ms` at most, and keeps what it wrote to stdout. False with a
 * sentence in `why`: it failed (with the last line that it wrote to stderr), took longer, or wrote
 * more. */
bool viewer_child_ask(const char *const argv[], int ms, char *out, size_t out_capacity, char *why,
                      size_t capacity);

/* Reads what is there, at most `capacity` bytes. -1: the stream has ended, else how many. */
ssize_t viewer_child_read(int fd, char *out, size_t capacity);
/* Adds bytes to a text that keeps the last line of all alone. */
void viewer_child_keep_line(char *line, size_t capacity, const char *bytes, size_t size);

#endif
