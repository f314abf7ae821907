/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * may.h: checks whether a process can be attached to; if not, says why and what to do. */
#ifndef INJECT_MAY_H
#define INJECT_MAY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Checks without touching the process. Returns false with a message. */
bool inject_may(pid_t pid, char *why, size_t capacity);
/* True if the process has ended, even if its parent has not waited for it yet. */
bool inject_has_ended(pid_t pid);
/* True if this signal is pending there. */
bool inject_is_pending(pid_t pid, int signal);
/* Says why the kernel denied access to the memory of the process. `error` is an errno. */
void inject_may_why(pid_t pid, int error, char *why, size_t capacity);

/* The value of an environment variable when the process's program began; "": none, or not
 * readable. */
void inject_variable(pid_t pid, const char *name, char *value, size_t capacity);

#endif
