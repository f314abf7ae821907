/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * asked.c: passes on what was chosen, and says what the job answers.
 */
#include "config.h"

#include "asked.h"

void tui_asked_begin(struct tui_asked *asked, struct feed_subscriber *feed, struct tui_app *app)
{
    if (asked->verb)
        tui_app_say(app, true, "the job has not answered to %s yet", asked->verb->name);
    else if (!feed || !feed_subscriber_control(feed, app->verb->name, NULL))
        tui_app_say(app, true, "the job can't be asked now: its connection is not up");
    else {
        asked->verb = app->verb;
        asked->feed = feed;
    }
}

/* The notice of the job, which comes too, takes the place of what is said here. */
static bool say_outcome(struct tui_asked *asked, const struct feed_subscriber *feed,
                        struct tui_app *app)
{
    const struct feed_outcome *outcome = feed_subscriber_outcome(feed);
    const struct tui_verb *verb = asked->feed == feed ? asked->verb : NULL;
    if (!verb || outcome->fate == FEED_ASKED) {
        asked->verb = verb;
        return false;
    }
    asked->verb = NULL;
    if (outcome->fate == FEED_DONE)
        tui_app_say(app, false, "the job %s", verb->done);
    else if (outcome->fate == FEED_DECLINED)
        tui_app_say(app, true, "%s: %s: %s", verb->name, outcome->no, outcome->text);
    else
        tui_app_say(app, true, "%s: no answer came before the connection broke", verb->name);
    return true;
}

/* What came before this viewer did is in the log alone. */
static bool say_notice(struct tui_asked *asked, const struct model_job *job, struct tui_app *app)
{
    if (!job || !model_job_complete(job))
        return false;
    size_t count = model_job_notices(job);
    const struct model_notice *last = count ? model_job_notice(job, count - 1) : NULL;
    const uint64_t before = asked->notice_ns, made = last ? last->wall_ns : 0;
    const bool same = asked->job == job;
    asked->job = job;
    asked->notice_ns = made;
    if (!same || made == before || !last)
        return false;
    tui_app_say(app, last->level > 1, "%s", last->text.shown);
    return true;
}

bool tui_asked_watch(struct tui_asked *asked, struct feed_subscriber *feed, struct tui_app *app)
{
    if (!feed)
        return false;
    bool said = say_outcome(asked, feed, app);
    return say_notice(asked, feed_subscriber_job(feed), app) || said;
}
