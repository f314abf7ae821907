/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * restart_follow.h: jobs that were started in the place of those attached to that are gone.
 */
#ifndef TUI_APP_RESTART_FOLLOW_H
#define TUI_APP_RESTART_FOLLOW_H

#include "tui/app/app.h"
#include "tui/app/session.h"

/* Whether a job attached to is gone, so that another may take its place. */
bool tui_successor_wanted(const struct tui_session *session);

/* Says of the first that was started in the place of one that is gone: of the same program, rank
 * and role, and begun later. Where it is not plain which one it is, nothing is said. */
void tui_successor_offer(struct tui_session *session, struct tui_app *app);

/* Attaches to all of these, each where the one stood that is gone, which is let go; says so. False:
 * there is none. */
bool tui_successor_follow(struct tui_session *session, struct tui_app *app);

#endif
