/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * may.h: whether a process can be attached to, and if not, why, and what to do.
 */
#ifndef INJECT_MAY_H
#define INJECT_MAY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* By what can be seen without touching it. False with a sentence. */
bool inject_may(pid_t pid, char *why, size_t capacity);
/* Whether it has ended; its parent may not have heard of it yet. */
bool inject_has_ended(pid_t pid);
/* Whether it would take this signal if it did not block it. */
bool inject_is_pending(pid_t pid, int signal);
/* Why the kernel did not let us at its memory (`error`, of errno). */
void inject_may_why(pid_t pid, int error, char *why, size_t capacity);

/* The value that a variable of its environment had when its program began; "": none, or it may not
 * be read. */
void inject_variable(pid_t pid, const char *name, char *value, size_t capacity);

#endif
