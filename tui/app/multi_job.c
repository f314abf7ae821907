/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * multi_job.c: several jobs of a session treated as one.
 */
#include "config.h"

#include "tui/app/multi_job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/auto_attach.h"
#include "tui/app/picker.h"
#include "tui/cli/report.h"

void tui_multi_job_release(struct tui_multi_job *multi)
{
    model_state_free(&multi->aside);
    model_multi_job_free(&multi->multi_job);
    free(multi->member);
    *multi = (struct tui_multi_job){0};
}

bool tui_multi_job_several(const struct tui_session *session)
{
    return session->attachments > 1;
}

static bool is_attached(const struct tui_session *session, uint64_t pid)
{
    for (size_t i = 0; i < session->attachments; i++)
        if (session->attached[i].pid == pid)
            return true;
    return false;
}

/* With --all, no job needs to be there yet: the picker waits for one. */
int tui_multi_job_find(struct tui_session *session, char *why, size_t capacity)
{
    const struct tui_options *options = session->options;
    tui_auto_attach_attach(session, why, capacity);
    for (unsigned i = 0; i < options->pid_count; i++) {
        if (is_attached(session, options->pids[i]))
            continue;
        if (!why[0])
            snprintf(why, capacity,
                     "process %" PRIu64
                     " publishes no feed of this user; proftop -l lists the jobs",
                     options->pids[i]);
        return TUI_EXIT_NO_JOB;
    }
    if (options->job && !tui_session_named(session)) {
        tui_pick_why(session, 0, why, capacity);
        return TUI_EXIT_NO_JOB;
    }
    return TUI_EXIT_FINE;
}

/* ---------------------------------------------------------------------------------------- link */

/* Order of link states: the combined link has the first of these states that any job has. */
static const enum model_link_state best[MODEL_LINK_STATES] = {
    MODEL_LIVE, MODEL_LAGGING, MODEL_SYNCING, MODEL_CONNECTING, MODEL_STALE, MODEL_GONE,
};

void tui_multi_job_look(struct tui_multi_job *multi, const struct tui_session *session)
{
    bool in[MODEL_LINK_STATES] = {false};
    const size_t count = session->attachments;
    multi->link = (struct model_link){.said_bye = true, .detached = true};
    multi->changes = count;
    for (size_t i = 0; i < count; i++) {
        const struct model_link *link = tui_session_link_of(session, i);
        in[link->state] = true;
        const struct model_job *job = viewer_subscriber_job(session->attached[i].feed);
        model_link_add(&multi->link, link);
        if (job && model_identity_insecure(model_job_identity(job)))
            multi->link.insecure = true;
        multi->changes = multi->changes * 31 + link->state;
    }
    unsigned at = 0;
    while (at + 1 < MODEL_LINK_STATES && !in[best[at]])
        at++;
    multi->link.state = best[at];
    for (size_t i = 0; i < count && !multi->link.reason[0]; i++)
        if (tui_session_link_of(session, i)->state == multi->link.state)
            memcpy(multi->link.reason, tui_session_link_of(session, i)->reason,
                   sizeof multi->link.reason);
}

bool tui_multi_job_ready(const struct tui_session *session)
{
    for (size_t i = 0; i < session->attachments; i++) {
        const struct model_job *job = viewer_subscriber_job(session->attached[i].feed);
        if ((!job || !model_job_complete(job)) &&
            tui_session_link_of(session, i)->state != MODEL_GONE)
            return false;
    }
    return tui_multi_job_any_whole(session);
}

bool tui_multi_job_any_whole(const struct tui_session *session)
{
    for (size_t i = 0; i < session->attachments; i++) {
        const struct model_job *job = viewer_subscriber_job(session->attached[i].feed);
        if (job && model_job_complete(job))
            return true;
    }
    return false;
}

bool tui_multi_job_over(const struct tui_session *session)
{
    if (!tui_session_over(session))
        return false;
    bool all = true;
    for (size_t i = 0; i < session->attachments; i++)
        all = all && tui_session_link_of(session, i)->state == MODEL_GONE;
    return all || session->now_ns - session->ended_ns >= TUI_NS_PER_S;
}

/* --------------------------------------------------------------------------------------- state */

static bool fit(struct tui_multi_job *multi, size_t members)
{
    if (!multi->multi_job)
        multi->multi_job = model_multi_job_new();
    if (multi->multi_job && members > multi->capacity) {
        struct model_multi_job_member *grown = realloc(multi->member, members * sizeof(*grown));
        if (!grown)
            return false;
        multi->member = grown;
        multi->capacity = members;
    }
    return multi->multi_job != NULL;
}

static enum model_multi_job_view view_of(enum tui_show look)
{
    static const enum model_multi_job_view view[TUI_SHOWS] = {
        [TUI_SHOW_ONE] = MODEL_MULTI_JOB_SUM,
        [TUI_SHOW_SUM] = MODEL_MULTI_JOB_SUM,
        [TUI_SHOW_RANKS] = MODEL_MULTI_JOB_RANKS,
        [TUI_SHOW_EACH] = MODEL_MULTI_JOB_EACH,
    };
    return view[look];
}

static struct model_state *take(struct tui_multi_job *multi, const struct tui_session *session,
                                const struct tui_app *app)
{
    if (!fit(multi, session->attachments))
        return NULL;
    for (size_t i = 0; i < session->attachments; i++)
        multi->member[i] = (struct model_multi_job_member){
            viewer_subscriber_job(session->attached[i].feed), tui_session_link_of(session, i)};
    for (size_t i = 0; i < session->attachments; i++)
        if (multi->member[i].job)
            tui_aliases_give(&app->aliases, multi->member[i].job);
    uint32_t scope = app->look == TUI_SHOW_ONE ? MODEL_ALL : app->scope;
    model_multi_job_extend(multi->multi_job, app->since_pause && !app->resumed);
    return model_multi_job_take(multi->multi_job, view_of(app->look), scope, multi->member,
                                session->attachments);
}

/* Sets the scope for new rows: all functions, or the named ones. */
static bool fit_scope(struct tui_multi_job *multi, const struct tui_session *session,
                      struct tui_app *app, const struct model_state *state)
{
    const struct tui_options *options = session->options;
    char why[256];
    tui_aliases_give(&app->aliases, state->job);
    bool chosen = options->function_count > 0 || options->group;
    if (!chosen || multi->named == state->job || state->count[MODEL_FUNCTION] == 0)
        return false;
    multi->named = state->job;
    if (tui_scope_find(state->job, options, &app->scope, why, sizeof why))
        return true;
    tui_app_message(app, true, "%s", why);
    return false;
}

bool tui_multi_job_take(struct tui_multi_job *multi, const struct tui_session *session,
                        struct tui_app *app)
{
    struct model_state *state = take(multi, session, app);
    if (state && app->look != TUI_SHOW_ONE && fit_scope(multi, session, app, state)) {
        model_state_free(&state);
        state = take(multi, session, app);
    }
    if (!state)
        return false;
    app->resumed = false;
    model_state_free(&multi->aside);
    if (app->look != TUI_SHOW_ONE && tui_multi_job_any_whole(session))
        return tui_app_show(app, state);
    multi->aside = state;
    return true;
}

const struct model_multi_job_state *tui_multi_job_of(const struct tui_multi_job *multi,
                                                     const struct tui_app *app)
{
    if (multi->aside)
        return multi->aside->multi_job;
    return app->state ? app->state->multi_job : NULL;
}

uint64_t tui_multi_job_calls(const struct tui_session *session)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < session->attachments; i++) {
        const struct model_job *job = viewer_subscriber_job(session->attached[i].feed);
        const struct model_function_value *value = job ? model_job_function_values(job) : NULL;
        for (uint32_t id = 0; job && id < model_job_count(job, MODEL_FUNCTION); id++)
            if (model_job_function(job, id)->parent == MODEL_NONE &&
                value[id].calls != MODEL_UNKNOWN)
                calls += value[id].calls;
    }
    return calls;
}
