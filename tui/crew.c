/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * crew.c: the jobs of a session as one.
 */
#include "config.h"

#include "crew.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"

void tui_crew_release(struct tui_crew *crew)
{
    model_state_free(&crew->aside);
    model_fleet_free(&crew->fleet);
    free(crew->member);
    *crew = (struct tui_crew){0};
}

bool tui_crew_several(const struct tui_session *session)
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

/* Where no job is there yet that all are wanted of, the picker waits for it. */
int tui_crew_find(struct tui_session *session, char *why, size_t capacity)
{
    const struct tui_options *options = session->options;
    tui_session_attach_wanted(session, why, capacity);
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
    return TUI_EXIT_FINE;
}

/* ---------------------------------------------------------------------------------------- link */

/* The link of all is in the first of these states that any of them is in. */
static const enum model_link_state best[MODEL_LINK_STATES] = {
    MODEL_LIVE, MODEL_LAGGING, MODEL_SYNCING, MODEL_CONNECTING, MODEL_STALE, MODEL_GONE,
};

void tui_crew_look(struct tui_crew *crew, const struct tui_session *session)
{
    bool in[MODEL_LINK_STATES] = {false};
    const size_t count = session->attachments;
    crew->link = (struct model_link){.said_bye = true};
    crew->changes = count;
    for (size_t i = 0; i < count; i++) {
        const struct model_link *link = tui_session_link_of(session, i);
        in[link->state] = true;
        const struct model_job *job = feed_subscriber_job(session->attached[i].feed);
        model_link_add(&crew->link, link);
        if (job && model_identity_insecure(model_job_identity(job)))
            crew->link.insecure = true;
        crew->changes = crew->changes * 31 + link->state;
    }
    unsigned at = 0;
    while (at + 1 < MODEL_LINK_STATES && !in[best[at]])
        at++;
    crew->link.state = best[at];
    for (size_t i = 0; i < count && !crew->link.reason[0]; i++)
        if (tui_session_link_of(session, i)->state == crew->link.state)
            memcpy(crew->link.reason, tui_session_link_of(session, i)->reason,
                   sizeof crew->link.reason);
}

bool tui_crew_ready(const struct tui_session *session)
{
    for (size_t i = 0; i < session->attachments; i++) {
        const struct model_job *job = feed_subscriber_job(session->attached[i].feed);
        if ((!job || !model_job_complete(job)) &&
            tui_session_link_of(session, i)->state != MODEL_GONE)
            return false;
    }
    return tui_crew_any_whole(session);
}

bool tui_crew_any_whole(const struct tui_session *session)
{
    for (size_t i = 0; i < session->attachments; i++) {
        const struct model_job *job = feed_subscriber_job(session->attached[i].feed);
        if (job && model_job_complete(job))
            return true;
    }
    return false;
}

bool tui_crew_over(const struct tui_session *session)
{
    if (!tui_session_over(session))
        return false;
    bool all = true;
    for (size_t i = 0; i < session->attachments; i++)
        all = all && tui_session_link_of(session, i)->state == MODEL_GONE;
    return all || session->now_ns - session->ended_ns >= TUI_NS_PER_S;
}

/* --------------------------------------------------------------------------------------- state */

static bool fit(struct tui_crew *crew, size_t members)
{
    if (!crew->fleet)
        crew->fleet = model_fleet_new();
    if (crew->fleet && members > crew->capacity) {
        struct model_fleet_member *grown = realloc(crew->member, members * sizeof(*grown));
        if (!grown)
            return false;
        crew->member = grown;
        crew->capacity = members;
    }
    return crew->fleet != NULL;
}

static enum model_fleet_view view_of(enum tui_show look)
{
    static const enum model_fleet_view view[TUI_SHOWS] = {
        [TUI_SHOW_ONE] = MODEL_FLEET_SUM,
        [TUI_SHOW_SUM] = MODEL_FLEET_SUM,
        [TUI_SHOW_RANKS] = MODEL_FLEET_RANKS,
        [TUI_SHOW_EACH] = MODEL_FLEET_EACH,
    };
    return view[look];
}

static struct model_state *take(struct tui_crew *crew, const struct tui_session *session,
                                const struct tui_app *app)
{
    if (!fit(crew, session->attachments))
        return NULL;
    for (size_t i = 0; i < session->attachments; i++)
        crew->member[i] = (struct model_fleet_member){
            feed_subscriber_job(session->attached[i].feed), tui_session_link_of(session, i)};
    for (size_t i = 0; i < session->attachments; i++)
        if (crew->member[i].job)
            tui_aliases_give(&app->aliases, crew->member[i].job);
    uint32_t scope = app->look == TUI_SHOW_ONE ? MODEL_ALL : app->scope;
    return model_fleet_take(crew->fleet, view_of(app->look), scope, crew->member,
                            session->attachments);
}

/* Rows that are new are all shown, or those of the function that was named. */
static bool fit_scope(struct tui_crew *crew, const struct tui_session *session, struct tui_app *app,
                      const struct model_state *state)
{
    const struct tui_options *options = session->options;
    char why[256];
    tui_aliases_give(&app->aliases, state->job);
    bool asked = options->function_count > 0 || options->group;
    if (!asked || crew->named == state->job || state->count[MODEL_FUNCTION] == 0)
        return false;
    crew->named = state->job;
    if (tui_scope_find(state->job, options, &app->scope, why, sizeof why))
        return true;
    tui_app_say(app, true, "%s", why);
    return false;
}

bool tui_crew_take(struct tui_crew *crew, const struct tui_session *session, struct tui_app *app)
{
    struct model_state *state = take(crew, session, app);
    if (state && app->look != TUI_SHOW_ONE && fit_scope(crew, session, app, state)) {
        model_state_free(&state);
        state = take(crew, session, app);
    }
    if (!state)
        return false;
    model_state_free(&crew->aside);
    if (app->look != TUI_SHOW_ONE && tui_crew_any_whole(session))
        return tui_app_show(app, state);
    crew->aside = state;
    return true;
}

const struct model_fleet_state *tui_crew_fleet(const struct tui_crew *crew,
                                               const struct tui_app *app)
{
    if (crew->aside)
        return crew->aside->fleet;
    return app->state ? app->state->fleet : NULL;
}

uint64_t tui_crew_calls(const struct tui_session *session)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < session->attachments; i++) {
        const struct model_job *job = feed_subscriber_job(session->attached[i].feed);
        const struct model_function_value *value = job ? model_job_function_values(job) : NULL;
        for (uint32_t id = 0; job && id < model_job_count(job, MODEL_FUNCTION); id++)
            if (model_job_function(job, id)->parent == MODEL_NONE &&
                value[id].calls != MODEL_UNKNOWN)
                calls += value[id].calls;
    }
    return calls;
}

/* ---------------------------------------------------------------------------------------- list */

static const char *figure(enum model_unit unit, uint64_t value, char out[32])
{
    struct model_cell cell = {.known = value != MODEL_UNKNOWN, .u = value};
    model_unit_format(unit, &cell, 7, out, 32);
    return out;
}

static const char *percent(uint64_t part, uint64_t whole, char out[32])
{
    bool known = part != MODEL_UNKNOWN && whole != MODEL_UNKNOWN && whole > 0;
    struct model_cell cell = {.known = known,
                              .d = known ? 100.0 * (double)part / (double)whole : 0};
    model_unit_format(MODEL_UNIT_PERCENT, &cell, 5, out, 32);
    return out;
}

static const char *doing(const struct model_fleet_job *job)
{
    if (job->open != MODEL_NONE)
        return model_job_apply(job->job, job->open)->text.shown;
    return job->job ? model_job_identity(job->job)->program.shown : "";
}

static const char TITLES[] =
    "JOB        STATE           PID   CALLS    TIME WAIT%  HOST     IN, OR PROGRAM";

/* The line of one job, under the titles. */
static void say_job(const struct model_fleet_job *job, const struct model_link *link,
                    char out[TUI_CHOICE_SIZE])
{
    char calls[32], time[32], wait[32], pid[24] = "-", host[64] = "-";
    if (job->job) {
        const struct model_identity *who = model_job_identity(job->job);
        snprintf(pid, sizeof pid, "%" PRIu64, who->pid);
        snprintf(host, sizeof host, "%.60s", who->host.shown_size ? who->host.shown : "-");
    }
    snprintf(out, TUI_CHOICE_SIZE, "%-10.10s %-10s %8s %7s %7s %5s  %-8.8s %.100s", job->label,
             model_link_says(link), pid, figure(MODEL_UNIT_COUNT, job->calls, calls),
             figure(MODEL_UNIT_NS, job->time_ns, time), percent(job->wait_ns, job->time_ns, wait),
             host, doing(job));
}

void tui_crew_print(const struct tui_crew *crew, const struct tui_session *session,
                    const struct tui_app *app, FILE *file)
{
    const struct model_fleet_state *fleet = tui_crew_fleet(crew, app);
    char line[TUI_CHOICE_SIZE];
    fprintf(file, "\n Jobs\n %s\n", TITLES);
    for (size_t i = 0; fleet && i < fleet->jobs && i < session->attachments; i++) {
        say_job(&fleet->job[i], tui_session_link_of(session, i), line);
        fprintf(file, " %s\n", line);
    }
}

void tui_crew_list(const struct tui_crew *crew, const struct tui_session *session,
                   struct tui_app *app)
{
    static const char *const words[TUI_SHOWS] = {
        [TUI_SHOW_SUM] = "all jobs added up",
        [TUI_SHOW_RANKS] = "all jobs compared: least, median, most",
        [TUI_SHOW_EACH] = "all jobs, each with rows of its own",
    };
    const struct model_fleet_state *fleet = tui_crew_fleet(crew, app);
    bool again = app->list == TUI_LIST_ATTACHED;
    size_t chosen = again ? app->screen.chosen : 0;
    if (!fleet)
        return;
    tui_app_list_begin(app, TUI_LIST_ATTACHED, TUI_MODE_SORT);
    app->screen.choice_head = TITLES;
    for (unsigned look = TUI_SHOW_SUM; look < TUI_SHOWS; look++) {
        if (!again && look == app->look)
            chosen = app->screen.choices;
        tui_app_list_add(app, look - 1, look == app->look, "%s", words[look]);
    }
    for (size_t i = 0; i < fleet->jobs && i < session->attachments; i++) {
        bool shown = app->look == TUI_SHOW_ONE && i == session->front;
        char line[TUI_CHOICE_SIZE];
        if (!again && shown)
            chosen = app->screen.choices;
        say_job(&fleet->job[i], tui_session_link_of(session, i), line);
        tui_app_list_add(app, (uint32_t)(TUI_SHOWS - 1 + i), shown, "%s", line);
    }
    app->screen.chosen = chosen < app->screen.choices ? chosen : 0;
}
