/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * control_status.c: sends the chosen request to the jobs, and shows their answers.
 */
#include "config.h"

#include "tui/app/control_status.h"

#include <stdio.h>

void tui_control_status_begin(struct tui_control_status *status, struct tui_session *session,
                              struct tui_app *app)
{
    if (status->control) {
        tui_app_message(app, true, "the job has not answered to %s yet", status->control->name);
        return;
    }
    *status = (struct tui_control_status){
        .job = status->job, .notice_ns = status->notice_ns, .no = "one is gone"};
    for (size_t i = 0; i < session->attachments; i++) {
        struct tui_attached *to = &session->attached[i];
        const bool meant = i == session->front || app->look != TUI_SHOW_ONE;
        const bool gone = tui_session_link_of(session, i)->state == MODEL_GONE;
        to->requested =
            meant && !gone && viewer_subscriber_control(to->feed, app->control->name, NULL);
        status->jobs += meant && !gone;
        if (meant && !gone && !to->requested)
            snprintf(status->no, sizeof status->no, "its connection is not up");
        if (to->requested)
            status->control = app->control;
    }
    if (!status->control)
        tui_app_message(app, true, "the job can't be asked now: its connection is not up");
}

/* Reads the answers that came. True while others are missing. */
static bool take_answers(struct tui_control_status *status, struct tui_session *session)
{
    bool waits = false;
    for (size_t i = 0; i < session->attachments; i++) {
        struct tui_attached *to = &session->attached[i];
        const struct viewer_request_outcome *outcome = viewer_subscriber_outcome(to->feed);
        waits |= to->requested && outcome->fate == VIEWER_ASKED;
        if (!to->requested || outcome->fate == VIEWER_ASKED)
            continue;
        to->requested = false;
        status->done += outcome->fate == VIEWER_DONE;
        if (outcome->fate == VIEWER_DECLINED)
            snprintf(status->no, sizeof status->no, "%s: %.280s", outcome->no, outcome->text);
        else if (outcome->fate != VIEWER_DONE)
            snprintf(status->no, sizeof status->no, "no answer came before the connection broke");
    }
    return waits;
}

/* Shows the result. The job also sends a notice, which replaces this message. */
static bool show_outcome(struct tui_control_status *status, struct tui_session *session,
                         struct tui_app *app)
{
    const struct tui_control *control = status->control;
    if (!control || take_answers(status, session))
        return false;
    status->control = NULL;
    status->shown_at_ns = session->now_ns;
    if (status->jobs == 1 && status->done == 1)
        tui_app_message(app, false, "the job %s", control->done);
    else if (status->jobs == 1)
        tui_app_message(app, true, "%s: %s", control->name, status->no);
    else if (status->done == status->jobs)
        tui_app_message(app, false, "each of %zu jobs %s", status->jobs, control->done);
    else
        tui_app_message(app, true, "%s: done by %zu of %zu jobs; %s", control->name, status->done,
                        status->jobs, status->no);
    return true;
}

/* Shows a new notice of the job. Notices from before this viewer attached appear only in the
 * log. */
static bool show_notice(struct tui_control_status *status, const struct model_job *job, bool ours,
                        struct tui_app *app)
{
    if (!job || !model_job_complete(job))
        return false;
    size_t count = model_job_notices(job);
    const struct model_notice *last = count ? model_job_notice(job, count - 1) : NULL;
    const uint64_t before = status->notice_ns, made = last ? last->wall_ns : 0;
    const bool same = status->job == job;
    status->job = job;
    status->notice_ns = made;
    if (!same || made == before || !last || ours)
        return false;
    tui_app_message(app, last->level > 1, "%s", last->text.shown);
    return true;
}

bool tui_control_status_watch(struct tui_control_status *status, struct tui_session *session,
                              struct tui_app *app)
{
    if (!session->feed)
        return false;
    bool shown = show_outcome(status, session, app);
    /* With several jobs, each one sends a notice about our request. The notice would hide the
     * combined result. */
    const bool several = session->attachments > 1 && app->look != TUI_SHOW_ONE;
    const bool ours = status->control || session->now_ns - status->shown_at_ns < TUI_NS_PER_S;
    return show_notice(status, viewer_subscriber_job(session->feed), several && ours, app) || shown;
}
