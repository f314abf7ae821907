/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * control_status.h: on the screen: what this viewer asks the job to do, what became of it, and what
 * the job says that others asked for.
 */
#ifndef TUI_APP_CONTROL_STATUS_H
#define TUI_APP_CONTROL_STATUS_H

#include "tui/app/app.h"
#include "tui/app/session.h"

/* Zero at first. */
struct tui_asked {
    const struct tui_verb *verb; /* asked for and not answered by all, or NULL */
    size_t jobs, done;           /* how many were asked, and have done it */
    uint64_t said_ns;            /* when that was last said */
    char no[320];                /* of one that has not: why; or "" */
    const struct model_job *job; /* whose notices were seen */
    uint64_t notice_ns;          /* when the last of these was made */
};

/* Asks for what was chosen: the job that is shown, or all where their rows are shown together. */
void tui_asked_begin(struct tui_asked *asked, struct tui_session *session, struct tui_app *app);

/* Says what became of it, and the last new notice of the job in front, in the place of the footer.
 * True if it did. */
bool tui_asked_watch(struct tui_asked *asked, struct tui_session *session, struct tui_app *app);

#endif
