/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * inject.h: attaches to a running process that was started without proftop, and detaches from it,
 * through the program proftop-inject. Viewer only.
 */
#ifndef FEED_VIEWER_LAUNCH_INJECT_H
#define FEED_VIEWER_LAUNCH_INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes the process publish a feed ("attach") or end it ("detach"), and waits at most `seconds` for
 * that. `answer` gets a sentence about the result. False with a sentence in `why`: the process is
 * unchanged. */
bool viewer_inject(const char *verb, uint64_t pid, unsigned seconds, char *answer,
                   size_t answer_capacity, char *why, size_t capacity);

/* Finds the path of proftop-inject. False with a sentence in `why`. */
bool viewer_inject_program(char *out, size_t capacity, char *why, size_t why_capacity);
/* Finds the path of proftop-demo, the job of `proftop demo`. False with a sentence in `why`. */
bool viewer_demo_program(char *out, size_t capacity, char *why, size_t why_capacity);
/* Finds the recording that `proftop demo NAME` plays. False with a sentence in `why`. */
bool viewer_demo_recording(const char *name, char *out, size_t capacity, char *why,
                           size_t why_capacity);

#endif
