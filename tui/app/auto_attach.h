/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * auto_attach.h: attaches to the jobs wanted beside the first: all jobs, the named ones, or the
 * children of attached ones. Keeps the jobs that are left out, with the reason.
 */
#ifndef TUI_APP_AUTO_ATTACH_H
#define TUI_APP_AUTO_ATTACH_H

#include "tui/app/session.h"

/* True if more jobs may come: all jobs or all children are wanted. */
bool tui_auto_attach_awaited(const struct tui_session *session);

/* Attaches to all requested jobs among the jobs found that are not attached to yet. Returns how
 * many it attached to. `session->left` then holds each job that cannot be attached to, and each
 * child that publishes nothing. `why` gets the reason of the last failed attempt; "": none. */
size_t tui_auto_attach_attach(struct tui_session *session, char *why, size_t capacity);

/* Leaves out a job that connected to the listener (listen.h). */
void tui_auto_attach_leave_out(struct tui_session *session, const char *who, const char *why);
/* Prints a line about each job that is left out, once. */
void tui_auto_attach_report(struct tui_session *session);

void tui_auto_attach_release(struct tui_lefts *left);

#endif
