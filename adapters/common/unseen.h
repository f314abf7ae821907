/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * unseen.h: runs a program for an adapter, without the job noticing that it has one child more. */
#ifndef PROFTOP_UNSEEN_H
#define PROFTOP_UNSEEN_H

#include <stddef.h>

/* Runs a program and waits for its end. Sets `out` to what it printed to both streams, as far as
 * there is room, with a NUL. Its input is empty; no other descriptor of ours is open in it. After
 * `seconds` it is killed; at its end, what it has started.
 *
 * The job gets no SIGCHLD, and its waitpid(-1) does not see the program. The job's threads go on.
 * Returns the program's status, as from waitpid(), or -1 with a static message in `why`. */
int unseen_run(char *const argv[], char *const env[], unsigned seconds, char *out, size_t capacity,
               const char **why);

#endif
