/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * control_status.h: shows on the screen the requests of this viewer, their results, and the notices
 * of the job about requests of other viewers.
 */
#ifndef TUI_APP_CONTROL_STATUS_H
#define TUI_APP_CONTROL_STATUS_H

#include "tui/app/app.h"
#include "tui/app/session.h"

/* Zero-initialised. */
struct tui_control_status {
    const struct tui_control
        *control; /* control of the request that some job has not answered, or NULL */
    size_t jobs, done;           /* number of jobs asked, and number that have done it */
    uint64_t shown_at_ns;        /* when the result was last shown */
    char no[320];                /* reason of one job that has not done it; or "" */
    const struct model_job *job; /* job whose notices were last seen */
    uint64_t notice_ns;          /* time of its last notice */
};

/* Sends the chosen control to the job shown, or to all jobs if their rows are shown together. */
void tui_control_status_begin(struct tui_control_status *status, struct tui_session *session,
                              struct tui_app *app);

/* Shows the result of the request, and the last new notice of the job in front, in place of the
 * footer. Returns true if it showed one. */
bool tui_control_status_watch(struct tui_control_status *status, struct tui_session *session,
                              struct tui_app *app);

#endif
