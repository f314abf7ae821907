/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * inject.h: attaches to a process that was started without us, and leaves it again, by the program
 * proftop-inject. Viewer only.
 */
#ifndef FEED_VIEWER_LAUNCH_INJECT_H
#define FEED_VIEWER_LAUNCH_INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Has the process publish a feed ("attach") or end it ("detach"), and waits `seconds` at most for
 * it to do so. `said` gets a sentence about it. False with a sentence in `why`: the process is as
 * it was. */
bool viewer_inject(const char *verb, uint64_t pid, unsigned seconds, char *said,
                   size_t said_capacity, char *why, size_t capacity);

/* The path of the program that does it. False with a sentence in `why`. */
bool viewer_inject_program(char *out, size_t capacity, char *why, size_t why_capacity);

#endif
