/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * auto_attach.h: the jobs that are wanted beside the first: all, those that were named, the
 * children of those attached to; and which of them are left out, with the reason.
 */
#ifndef TUI_APP_AUTO_ATTACH_H
#define TUI_APP_AUTO_ATTACH_H

#include "tui/app/session.h"

/* More may come: all are wanted, or all children. */
bool tui_workers_awaited(const struct tui_session *session);

/* Of the jobs found, attaches to all that the options ask for and that are not attached to yet.
 * Gives how many it attached to. Who could not be attached to, or is a child that publishes
 * nothing, stands in `session->left` then; the last reason of an attempt in `why`, "": none. */
size_t tui_workers_attach(struct tui_session *session, char *why, size_t capacity);

/* The same of one that came by itself (listen.h). */
void tui_workers_leave_out(struct tui_session *session, const char *who, const char *why);
/* Prints a line about each that is left out and was not told of yet. */
void tui_workers_tell(struct tui_session *session);

void tui_workers_release(struct tui_lefts *left);

#endif
