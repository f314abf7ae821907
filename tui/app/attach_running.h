/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * attach_running.h: processes of this machine that were started without proftop: attaching to them,
 * and leaving them.
 */
#ifndef TUI_APP_ATTACH_RUNNING_H
#define TUI_APP_ATTACH_RUNNING_H

#include <stdio.h>

#include "tui/app/session.h"

enum { TUI_LATE_SAID = 320 };

/* Attaches late to one process, and looks for jobs again: afterwards it is one of them. `said` gets
 * a sentence about it. Waits as long as the options say; meanwhile nothing else is done. False with
 * a sentence in `why`: the process is as it was. */
bool tui_late_attach(struct tui_session *session, uint64_t pid, char said[TUI_LATE_SAID],
                     char *why, size_t capacity);

/* Of a line of the list: the job that it stands for. A process that publishes nothing is attached
 * to late before; `said` gets a sentence then, else "". NULL with a sentence in `why`. Borrowed. */
const struct registry_info *tui_late_enter(struct tui_session *session,
                                           const struct registry_info *info,
                                           char said[TUI_LATE_SAID], char *why, size_t capacity);

/* Whether there is a process with this id, whosever it is. */
bool tui_late_is_there(uint64_t pid);

/* Attaches to those processes that the options name, that are there and that publish nothing. Of
 * several, a sentence about each is printed at once to `tell`, unless that is NULL. `said` gets the
 * last that was not printed, or "". False with a sentence about the first of which it
 * was not possible. */
bool tui_late_named(struct tui_session *session, FILE *tell, char said[TUI_LATE_SAID], char *why,
                    size_t capacity);

/* `ctl detach`: takes proftop out of the processes that are meant, and prints a sentence about
 * each. Gives an exit code. */
int tui_late_detach(struct tui_session *session);

#endif
