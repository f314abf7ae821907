/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * restart_follow.h: follows jobs that were restarted: a new job replaces an attached one that is
 * gone.
 */
#ifndef TUI_APP_RESTART_FOLLOW_H
#define TUI_APP_RESTART_FOLLOW_H

#include "tui/app/app.h"
#include "tui/app/session.h"

/* True if an attached job is gone, so that another may replace it. */
bool tui_restart_awaited(const struct tui_session *session);

/* Shows a message about the first job that replaces one that is gone: same program, rank and role,
 * and started later. If the match is ambiguous, shows nothing. */
void tui_restart_offer(struct tui_session *session, struct tui_app *app);

/* Attaches to all replacements, each at the index of the old job, which is detached from; shows a
 * message. Returns false if there is none. */
bool tui_restart_follow(struct tui_session *session, struct tui_app *app);

#endif
