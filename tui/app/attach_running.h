/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * attach_running.h: attaches to processes of this machine that were started without proftop, and
 * detaches from them.
 */
#ifndef TUI_APP_ATTACH_RUNNING_H
#define TUI_APP_ATTACH_RUNNING_H

#include <stdio.h>

#include "tui/app/session.h"

enum { TUI_ATTACH_RUNNING_MESSAGE = 320 };

/* Attaches to one running process and looks for jobs again: the process is then one of them.
 * `message` gets a sentence about the result. Blocks for at most the wait time of the options.
 * Returns false with a sentence in `why`: the process is unchanged. */
bool tui_attach_running_attach(struct tui_session *session, uint64_t pid,
                               char message[TUI_ATTACH_RUNNING_MESSAGE], char *why,
                               size_t capacity);

/* Returns the job of a list line. First attaches to a process that publishes nothing: then
 * `message` gets a sentence, else "". Returns NULL with a sentence in `why`. The result is
 * borrowed. */
const struct registry_info *tui_attach_running_enter(struct tui_session *session,
                                                     const struct registry_info *info,
                                                     char message[TUI_ATTACH_RUNNING_MESSAGE],
                                                     char *why, size_t capacity);

/* True if a process with this id exists, whoever owns it. */
bool tui_attach_running_is_there(uint64_t pid);

/* Attaches to the named processes that exist and publish nothing. With several processes, prints a
 * sentence about each at once to `out`, unless `out` is NULL. `message` gets the last sentence that
 * was not printed, or "". Returns false at the first failure, with a sentence about it. */
bool tui_attach_running_named(struct tui_session *session, FILE *out,
                              char message[TUI_ATTACH_RUNNING_MESSAGE], char *why, size_t capacity);

/* `ctl detach`: removes proftop from the named processes, and prints a sentence about each. Returns
 * an exit code. */
int tui_attach_running_detach(struct tui_session *session);

#endif
