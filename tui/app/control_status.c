/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * control_status.c: sends the chosen request to the jobs, and shows their answers.
 */
#include "config.h"

#include "tui/app/control_status.h"

#include <stdio.h>

void tui_control_status_begin(struct tui_control_status *asked, struct tui_session *session,
                              struct tui_app *app)
{
    if (asked->control) {
        tui_app_say(app, true, "the job has not answered to %s yet", asked->control->name);
        return;
    }
    *asked = (struct tui_control_status){
        .job = asked->job, .notice_ns = asked->notice_ns, .no = "one is gone"};
    for (size_t i = 0; i < session->attachments; i++) {
        struct tui_attached *to = &session->attached[i];
        const bool meant = i == session->front || app->look != TUI_SHOW_ONE;
        const bool gone = tui_session_link_of(session, i)->state == MODEL_GONE;
        to->asked = meant && !gone && viewer_subscriber_control(to->feed, app->control->name, NULL);
        asked->jobs += meant && !gone;
        if (meant && !gone && !to->asked)
            snprintf(asked->no, sizeof asked->no, "its connection is not up");
        if (to->asked)
            asked->control = app->control;
    }
    if (!asked->control)
        tui_app_say(app, true, "the job can't be asked now: its connection is not up");
}

/* Reads the answers that came. True while others are missing. */
static bool take_answers(struct tui_control_status *asked, struct tui_session *session)
{
    bool waits = false;
    for (size_t i = 0; i < session->attachments; i++) {
        struct tui_attached *to = &session->attached[i];
        const struct viewer_request_outcome *outcome = viewer_subscriber_outcome(to->feed);
        waits |= to->asked && outcome->fate == VIEWER_ASKED;
        if (!to->asked || outcome->fate == VIEWER_ASKED)
            continue;
        to->asked = false;
        asked->done += outcome->fate == VIEWER_DONE;
        if (outcome->fate == VIEWER_DECLINED)
            snprintf(asked->no, sizeof asked->no, "%s: %.280s", outcome->no, outcome->text);
        else if (outcome->fate != VIEWER_DONE)
            snprintf(asked->no, sizeof asked->no, "no answer came before the connection broke");
    }
    return waits;
}

/* Shows the result. The job also sends a notice, which replaces this message. */
static bool say_outcome(struct tui_control_status *asked, struct tui_session *session,
                        struct tui_app *app)
{
    const struct tui_control *control = asked->control;
    if (!control || take_answers(asked, session))
        return false;
    asked->control = NULL;
    asked->said_ns = session->now_ns;
    if (asked->jobs == 1 && asked->done == 1)
        tui_app_say(app, false, "the job %s", control->done);
    else if (asked->jobs == 1)
        tui_app_say(app, true, "%s: %s", control->name, asked->no);
    else if (asked->done == asked->jobs)
        tui_app_say(app, false, "each of %zu jobs %s", asked->jobs, control->done);
    else
        tui_app_say(app, true, "%s: done by %zu of %zu jobs; %s", control->name, asked->done,
                    asked->jobs, asked->no);
    return true;
}

/* Shows a new notice of the job. Notices from before this viewer attached appear only in the
 * log. */
static bool say_notice(struct tui_control_status *asked, const struct model_job *job, bool ours,
                       struct tui_app *app)
{
    if (!job || !model_job_complete(job))
        return false;
    size_t count = model_job_notices(job);
    const struct model_notice *last = count ? model_job_notice(job, count - 1) : NULL;
    const uint64_t before = asked->notice_ns, made = last ? last->wall_ns : 0;
    const bool same = asked->job == job;
    asked->job = job;
    asked->notice_ns = made;
    if (!same || made == before || !last || ours)
        return false;
    tui_app_say(app, last->level > 1, "%s", last->text.shown);
    return true;
}

bool tui_control_status_watch(struct tui_control_status *asked, struct tui_session *session,
                              struct tui_app *app)
{
    if (!session->feed)
        return false;
    bool said = say_outcome(asked, session, app);
    /* With several jobs, each one sends a notice about our request. The notice would hide the
     * combined result. */
    const bool several = session->attachments > 1 && app->look != TUI_SHOW_ONE;
    const bool ours = asked->control || session->now_ns - asked->said_ns < TUI_NS_PER_S;
    return say_notice(asked, viewer_subscriber_job(session->feed), several && ours, app) || said;
}
