/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * rewind.c: shows moments of the past, marks them, and compares with marks.
 */
#include "config.h"

#include "tui/app/rewind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/multi_job.h"
#include "tui/app/record.h"
#include "tui/app/replay.h"
#include "tui/app/session.h"

enum { LIVES_KEPT = 8 }; /* histories of jobs that are no longer attached */

/* ---------------------------------------------------------------------------------------- lives */

static void end_life(struct tui_life *life)
{
    model_past_free(&life->past);
    model_history_free(&life->history);
}

static void free_mark(struct tui_mark *mark)
{
    for (size_t i = 0; i < mark->pasts; i++)
        model_past_free(&mark->past[i]);
    free(mark->past);
    *mark = (struct tui_mark){.past = NULL};
}

void tui_rewind_release(struct tui_rewind *rewind)
{
    model_state_free(&rewind->base_state);
    model_noise_free(&rewind->noise);
    for (unsigned i = 0; i < rewind->marks; i++)
        free_mark(&rewind->mark[i]);
    for (size_t i = 0; i < rewind->lives; i++)
        end_life(&rewind->life[i]);
    free(rewind->life);
    for (unsigned i = 0; i < TUI_STRIPS; i++)
        free(rewind->strips[i]);
    *rewind = (struct tui_rewind){.limit = 0};
}

static struct model_job *job_at(const struct tui_session *session, size_t at)
{
    return viewer_subscriber_job(session->attached[at].feed);
}

static bool is_attached(const struct tui_session *session, const struct model_job *job)
{
    for (size_t i = 0; i < session->attachments; i++)
        if (job_at(session, i) == job)
            return true;
    return false;
}

static bool add_life(struct tui_rewind *rewind, struct model_job *job)
{
    struct tui_life *grown = realloc(rewind->life, (rewind->lives + 1) * sizeof(*grown));
    if (!grown)
        return false;
    rewind->life = grown;
    struct model_history *history = model_history_of(job); /* of a recording */
    if (!history)
        history = model_history_new(job, rewind->limit);
    if (!history)
        return false;
    rewind->life[rewind->lives++] = (struct tui_life){.history = history, .attached = true};
    return true;
}

/* Ends the oldest history of a job that is gone. Returns false if there is none. */
static bool end_oldest(struct tui_rewind *rewind)
{
    size_t at = 0;
    while (at < rewind->lives && (rewind->life[at].attached ||
                                  model_history_job(rewind->life[at].history) == rewind->lead))
        at++;
    if (at == rewind->lives)
        return false;
    end_life(&rewind->life[at]);
    rewind->lives--;
    memmove(&rewind->life[at], &rewind->life[at + 1], (rewind->lives - at) * sizeof(*rewind->life));
    return true;
}

/* Jobs that are gone keep some of their memory, definitions too. The memory of all histories is
 * shared evenly. */
static void settle_lives(struct tui_rewind *rewind, const struct tui_session *session)
{
    size_t gone = 0, bytes = 0;
    for (size_t i = 0; i < rewind->lives; i++) {
        struct tui_life *life = &rewind->life[i];
        const struct model_job *job = model_history_job(life->history);
        life->attached = is_attached(session, job);
        gone += !life->attached;
        bytes += life->attached ? 0 : model_job_bytes(job);
    }
    while ((gone > LIVES_KEPT || bytes > rewind->limit) && end_oldest(rewind)) {
        gone--;
        bytes = 0;
        for (size_t i = 0; i < rewind->lives; i++)
            if (!rewind->life[i].attached)
                bytes += model_job_bytes(model_history_job(rewind->life[i].history));
    }
    for (size_t i = 0; i < rewind->lives; i++)
        model_history_limit(rewind->life[i].history, rewind->limit / rewind->lives);
}

static struct tui_life *life_of(const struct tui_rewind *rewind, const struct model_job *job)
{
    for (size_t i = 0; job && i < rewind->lives; i++)
        if (model_history_job(rewind->life[i].history) == job)
            return &rewind->life[i];
    return NULL;
}

void tui_rewind_follow(struct tui_rewind *rewind, const struct tui_session *session)
{
    const struct tui_replay *replay = session->replay;
    bool changed = false;
    /* Of a recording, in the order in which the jobs came: those that were started again, too. */
    for (size_t i = 0; rewind->limit > 0 && replay && i < replay->jobs; i++)
        if (!life_of(rewind, replay->job[i].job))
            changed |= add_life(rewind, replay->job[i].job);
    for (size_t i = 0; rewind->limit > 0 && i < session->attachments; i++) {
        struct model_job *job = job_at(session, i);
        if (job && !life_of(rewind, job))
            changed |= add_life(rewind, job);
    }
    if (changed)
        settle_lives(rewind, session);
}

void tui_rewind_commit(struct tui_rewind *rewind, const struct tui_session *session)
{
    tui_rewind_follow(rewind, session);
    for (size_t i = 0; !session->replay && i < session->attachments; i++) {
        struct model_job *job = job_at(session, i);
        struct model_history *history = job ? model_history_of(job) : NULL;
        if (history)
            model_history_commit(history);
    }
}

/* --------------------------------------------------------------------------------- which moment */

static bool is_sum(const struct tui_rewind_parts *p)
{
    return tui_multi_job_several(p->session) && p->app->look != TUI_SHOW_ONE;
}

/* The life whose moments are stepped: of the job shown, or of the one in front. */
static struct tui_life *leading(const struct tui_rewind_parts *p)
{
    const struct tui_app *app = p->app;
    if (app->rewind.on)
        return life_of(&app->rewind, app->rewind.lead);
    struct model_job *front = p->session->feed ? viewer_subscriber_job(p->session->feed) : NULL;
    struct tui_life *shown =
        is_sum(p) || !app->state ? NULL : life_of(&app->rewind, app->state->job);
    return shown ? shown : life_of(&app->rewind, front);
}

/* The moment shown. The present state is of the first moment that is not older. It may be newer
 * than all: then its moment ends here. */
static uint32_t moment_shown(const struct tui_rewind_parts *p, const struct tui_life *life)
{
    const struct tui_app *app = p->app;
    const struct model_history *history = life->history;
    const uint32_t last = model_history_count(history) - 1;
    if (app->rewind.on)
        return model_history_number(history, app->rewind.number);
    if (!app->state || app->state->job != model_history_job(history))
        return last;
    const uint64_t mono_ns = app->state->mono_ns;
    const uint32_t at = model_history_find(history, mono_ns);
    const bool older = model_history_at(history, at).mono_ns < mono_ns;
    return older && at + 1 < model_history_count(history) ? at + 1 : at;
}

const struct model_history *tui_rewind_moment(const struct tui_rewind_parts *p, uint32_t *at)
{
    const struct tui_life *life = leading(p);
    if (!life || model_history_count(life->history) == 0)
        return NULL;
    *at = moment_shown(p, life);
    return life->history;
}

/* The life that ended before this one began, or the one that began after this one's end: jobs are
 * started again. */
static struct tui_life *neighbour(const struct tui_rewind *rewind, const struct tui_life *life,
                                  bool older)
{
    struct tui_life *found = NULL;
    for (size_t i = 0; i < rewind->lives; i++) {
        struct tui_life *other = &rewind->life[i];
        const bool is_older = other < life;
        if (other == life || is_older != older || model_history_count(other->history) == 0)
            continue;
        if (!found || older)
            found = other;
    }
    return found;
}

/* ------------------------------------------------------------------------------- taking a state */

static bool fit_past(struct tui_life *life)
{
    if (!life->past && model_history_count(life->history) > 0)
        life->past = model_past_new(life->history);
    return life->past != NULL;
}

/* Moves a life to a moment, and the lives of the other jobs to the same time. */
static bool seek(const struct tui_rewind_parts *p, struct tui_life *lead, uint32_t at)
{
    const struct tui_rewind *rewind = &p->app->rewind;
    const uint64_t wall_ns = model_history_at(lead->history, at).wall_ns;
    if (!fit_past(lead) || !model_past_seek(lead->past, at))
        return false;
    for (size_t i = 0; is_sum(p) && i < rewind->lives; i++) {
        struct tui_life *life = &rewind->life[i];
        if (life == lead || !life->attached || !fit_past(life))
            continue;
        const uint32_t then = rewind->on ? model_history_find_wall(life->history, wall_ns)
                                         : model_history_count(life->history) - 1;
        if (!model_past_seek(life->past, then))
            return false;
    }
    return true;
}

static const struct model_past *marked(const struct tui_mark *mark, const struct model_job *job)
{
    for (size_t i = 0; i < mark->pasts; i++)
        if (model_past_job(mark->past[i]) == job)
            return mark->past[i];
    return NULL;
}

/* The values to show of a life: as they were, or what was added since the mark. `owned` is to be
 * freed. */
static struct model_past *figures(const struct tui_rewind *rewind, const struct tui_life *life,
                                  struct model_past **owned)
{
    if (!rewind->compares)
        return life->past;
    const struct model_past *base =
        marked(&rewind->mark[rewind->base], model_history_job(life->history));
    *owned = model_past_copy(life->past);
    if (*owned && base)
        model_past_since(*owned, base);
    return *owned;
}

/* The state of one job. */
static struct model_state *take_one(const struct tui_rewind_parts *p, struct tui_life *life,
                                    const struct model_state *before)
{
    const struct tui_rewind *rewind = &p->app->rewind;
    struct model_past *owned = NULL, *past = figures(rewind, life, &owned);
    struct model_state *state = past ? model_past_take(past, p->app->scope, before) : NULL;
    model_past_free(&owned);
    if (state && rewind->compares) {
        state->base = rewind->base_state;
        state->noise = rewind->noise;
    }
    return state;
}

/* Shows the state of several jobs: each is as it was then, while their states are taken. */
static bool show_sum(const struct tui_rewind_parts *p)
{
    const struct tui_rewind *rewind = &p->app->rewind;
    struct model_past **owned = calloc(2 * rewind->lives + 1, sizeof(struct model_past *));
    struct model_past **entered = owned ? owned + rewind->lives : NULL;
    bool fine = owned != NULL;
    for (size_t i = 0; fine && i < rewind->lives; i++) {
        const struct tui_life *life = &rewind->life[i];
        struct model_past *past =
            life->attached && life->past ? figures(rewind, life, &owned[i]) : NULL;
        if (past && model_past_enter(past))
            entered[i] = past;
        else
            fine = !life->attached || !life->past;
    }
    if (fine)
        fine = tui_multi_job_take(p->multi, p->session, p->app);
    p->app->screen.multi_job = tui_multi_job_of(p->multi, p->app);
    for (size_t i = 0; owned && i < rewind->lives; i++) {
        if (entered[i])
            model_past_leave(entered[i]);
        model_past_free(&owned[i]);
    }
    free(owned);
    return fine;
}

/* The moment that the interval begins at: as long before as the screen is refreshed, in the same
 * epoch. */
static uint32_t interval_from(const struct tui_rewind_parts *p, const struct tui_life *life,
                              uint32_t at)
{
    const struct model_history_moment moment = model_history_at(life->history, at);
    const uint64_t ns = p->app->screen.refresh_ms * (uint64_t)TUI_NS_PER_MS;
    uint32_t from =
        model_history_find(life->history, moment.mono_ns > ns ? moment.mono_ns - ns : 0);
    from = from == at && at > 0 ? at - 1 : from;
    while (from < at && model_history_at(life->history, from).epoch != moment.epoch)
        from++;
    return from;
}

static bool take_base(struct tui_rewind *rewind, const struct tui_life *lead, uint32_t scope)
{
    const struct model_past *base =
        marked(&rewind->mark[rewind->base], model_history_job(lead->history));
    if (rewind->base_state && rewind->base_state->scope == scope &&
        rewind->base_state->job == model_history_job(lead->history))
        return true;
    struct model_past *copy = base ? model_past_copy(base) : NULL;
    struct model_state *state = copy ? model_past_take(copy, scope, NULL) : NULL;
    model_past_free(&copy);
    model_state_free(&rewind->base_state);
    rewind->base_state = state;
    return !base || state;
}

/* The state shown borrows both. */
static void free_base(struct tui_rewind *rewind, struct tui_app *app)
{
    if (app->state) {
        app->state->base = NULL;
        app->state->noise = NULL;
    }
    model_state_free(&rewind->base_state);
    model_noise_free(&rewind->noise);
}

/* The noise is computed anew every few seconds: all changes that are kept are read. */
static void take_noise(const struct tui_rewind_parts *p, const struct tui_life *lead, uint32_t at)
{
    enum { NOISE_S = 2 };
    struct tui_rewind *rewind = &p->app->rewind;
    const struct model_past *base =
        marked(&rewind->mark[rewind->base], model_history_job(lead->history));
    if (!base || (rewind->noise && !rewind->on && p->session->now_ns < rewind->noise_ns))
        return;
    if (p->app->state)
        p->app->state->noise = NULL;
    model_noise_free(&rewind->noise);
    rewind->noise = model_noise_new(lead->history, model_past_mono_ns(base),
                                    model_history_at(lead->history, at).mono_ns);
    rewind->noise_ns = p->session->now_ns + NOISE_S * (uint64_t)TUI_NS_PER_S;
}

static bool show(const struct tui_rewind_parts *p, struct tui_life *lead, uint32_t at)
{
    struct tui_app *app = p->app;
    const uint32_t from = interval_from(p, lead, at);
    struct model_state *before = NULL;
    bool fine = true;
    if (is_sum(p)) {
        fine = from == at || (seek(p, lead, from) && show_sum(p));
        return fine && seek(p, lead, at) && show_sum(p);
    }
    /* The state shown may refer to the one of the mark, which is about to be replaced. */
    if (app->state)
        app->state->base = NULL;
    fine = !app->rewind.compares || take_base(&app->rewind, lead, app->scope);
    if (fine && app->rewind.compares)
        take_noise(p, lead, at);
    if (fine && from != at && seek(p, lead, from))
        before = take_one(p, lead, NULL);
    struct model_state *state = fine && seek(p, lead, at) ? take_one(p, lead, before) : NULL;
    model_state_free(&before);
    return state && tui_app_show(app, state);
}

bool tui_rewind_shows(const struct tui_rewind *rewind)
{
    return rewind->on || rewind->compares;
}

bool tui_rewind_take(const struct tui_rewind_parts *p)
{
    struct tui_rewind *rewind = &p->app->rewind;
    struct tui_life *lead = leading(p);
    p->app->apart = true;
    if (lead && model_history_count(lead->history) > 0 &&
        show(p, lead, rewind->on ? moment_shown(p, lead) : model_history_count(lead->history) - 1))
        return true;
    rewind->compares = false;
    free_base(rewind, p->app);
    return false;
}

/* The states of several jobs are kept as starts of intervals. Those of another moment are none. */
static void forget_intervals(const struct tui_rewind_parts *p)
{
    p->app->apart = true;
    model_multi_job_free(&p->multi->multi_job);
}

uint64_t tui_rewind_calls(const struct tui_rewind *rewind, uint64_t calls)
{
    const struct model_state *base = rewind->compares ? rewind->base_state : NULL;
    if (!rewind->compares)
        return calls;
    return base && base->totals.calls <= calls ? calls - base->totals.calls : MODEL_UNKNOWN;
}

void tui_rewind_resume(const struct tui_rewind_parts *p)
{
    struct tui_rewind *rewind = &p->app->rewind;
    if (!rewind->on)
        return;
    rewind->on = false;
    rewind->lead = NULL;
    for (size_t i = 0; i < rewind->lives; i++)
        model_past_free(&rewind->life[i].past);
    forget_intervals(p);
}

/* -------------------------------------------------------------------------------------- requests
 */

static void say(const struct tui_rewind_parts *p, bool bad, const char *text)
{
    tui_app_message(p->app, bad, "%s", text);
}

/* The newest mark that is older than a time, plus 1; 0: none is. */
static unsigned mark_before(const struct tui_rewind *rewind, uint64_t wall_ns)
{
    unsigned found = 0;
    for (unsigned i = 0; i < rewind->marks; i++)
        if (rewind->mark[i].wall_ns < wall_ns &&
            (found == 0 || rewind->mark[i].wall_ns >= rewind->mark[found - 1].wall_ns))
            found = i + 1;
    return found;
}

static void end_comparison(struct tui_rewind *rewind, struct tui_app *app)
{
    rewind->compares = false;
    free_base(rewind, app);
}

/* Nothing was added before the mark: an older moment is compared with an older mark, or with
 * none. */
static void fit_base(const struct tui_rewind_parts *p, uint64_t wall_ns)
{
    struct tui_rewind *rewind = &p->app->rewind;
    if (!rewind->compares || rewind->mark[rewind->base].wall_ns < wall_ns)
        return;
    const unsigned at = mark_before(rewind, wall_ns);
    end_comparison(rewind, p->app);
    rewind->compares = at > 0;
    rewind->base = at > 0 ? at - 1 : 0;
    if (at == 0)
        say(p, false, "no mark is older than this moment: totals are shown");
}

static void show_moment(const struct tui_rewind_parts *p, struct tui_life *life, uint32_t at)
{
    struct tui_app *app = p->app;
    if (!app->rewind.on)
        forget_intervals(p);
    app->rewind.on = true;
    app->rewind.lead = model_history_job(life->history);
    app->rewind.number = model_history_at(life->history, at).number;
    fit_base(p, model_history_at(life->history, at).wall_ns);
    if (!show(p, life, at))
        say(p, true, "there is no memory left to show that moment");
}

/* Shows a moment, and pauses the screen. */
static void go_to(const struct tui_rewind_parts *p, struct tui_life *life, uint32_t at)
{
    if (!p->app->screen.paused)
        tui_app_pause(p->app, true);
    show_moment(p, life, at);
}

void tui_rewind_play(const struct tui_rewind_parts *p)
{
    struct tui_app *app = p->app;
    struct tui_life *life = leading(p);
    const uint32_t count = life ? model_history_count(life->history) : 0;
    if (app->screen.paused || count == 0)
        return;
    if (app->resumed) {
        const uint32_t shown = moment_shown(p, life);
        app->resumed = false;
        app->rewind.play_ns = p->session->now_ns;
        app->rewind.play_from_ns =
            model_history_at(life->history, shown + 1 < count ? shown : 0).mono_ns;
    }
    const int speed = app->rewind.speed;
    const uint64_t real_ns = p->session->now_ns - app->rewind.play_ns;
    const uint64_t passed_ns = speed < 0 ? real_ns >> -speed : real_ns << speed;
    const uint32_t at = model_history_find(life->history, app->rewind.play_from_ns + passed_ns);
    show_moment(p, life, at);
    if (at + 1 < count)
        return;
    app->resumed = app->rewind.loops;
    if (app->rewind.loops)
        return;
    tui_app_pause(app, true);
    say(p, false, "the recording ends here; Space plays it from its begin");
}

void tui_rewind_again(const struct tui_rewind_parts *p)
{
    struct tui_life *life = leading(p);
    if (life && model_history_count(life->history) > 0)
        go_to(p, life, moment_shown(p, life));
}

/* The moment that lies `amount` refreshes of the screen from the one shown, but another one. May be
 * -1, or their number: there is none in this life. */
static int64_t moment_beside(const struct tui_rewind_parts *p, const struct tui_life *life,
                             int64_t amount)
{
    const uint32_t shown = moment_shown(p, life), last = model_history_count(life->history) - 1;
    const uint64_t shown_ns = model_history_at(life->history, shown).mono_ns;
    const int64_t ns = amount * (int64_t)(p->app->screen.refresh_ms * TUI_NS_PER_MS);
    if (amount > 0 && shown == last)
        return (int64_t)last + 1;
    if (amount < 0 && shown == 0)
        return -1;
    const uint64_t to_ns = amount < 0 && (uint64_t)-ns > shown_ns ? 0 : shown_ns + (uint64_t)ns;
    uint32_t at = model_history_find(life->history, to_ns);
    /* The nearest one: ticks are not exactly as far apart as refreshes. */
    if (at < last && model_history_at(life->history, at + 1).mono_ns - to_ns <
                         to_ns - model_history_at(life->history, at).mono_ns)
        at++;
    if (amount < 0)
        return at < shown ? at : (int64_t)shown - 1;
    return at > shown ? at : (int64_t)shown + 1;
}

static void step(const struct tui_rewind_parts *p, struct tui_life *life, int64_t amount)
{
    const struct tui_app *app = p->app;
    int64_t at = moment_beside(p, life, amount);
    while (at < 0 || at >= (int64_t)model_history_count(life->history)) {
        const int64_t before = (int64_t)model_history_count(life->history);
        if (at < 0 && p->session->replay &&
            tui_replay_earlier(p->session->replay, model_history_job(life->history))) {
            at += (int64_t)model_history_count(life->history) - before;
            continue;
        }
        struct tui_life *next = is_sum(p) ? NULL : neighbour(&app->rewind, life, at < 0);
        const int64_t count = (int64_t)model_history_count(life->history);
        if (!next) {
            say(p, false,
                at >= 0              ? "this is the newest moment"
                : p->session->replay ? "the recording begins here"
                                     : "the past that is kept begins here");
            at = at < 0 ? 0 : count - 1;
            break;
        }
        at = at < 0 ? at + (int64_t)model_history_count(next->history) : at - count;
        life = next;
    }
    go_to(p, life, (uint32_t)at);
}

static bool add_mark(const struct tui_rewind_parts *p, struct tui_life *lead, const char *name)
{
    struct tui_rewind *rewind = &p->app->rewind;
    if (rewind->marks == TUI_MARKS_MAX) {
        say(p, true, "no more than 26 moments can be marked");
        return false;
    }
    struct tui_mark *mark = &rewind->mark[rewind->marks];
    *mark = (struct tui_mark){.past = calloc(rewind->lives, sizeof(struct model_past *))};
    bool fine = mark->past && seek(p, lead, moment_shown(p, lead));
    for (size_t i = 0; fine && i < rewind->lives; i++) {
        const struct tui_life *life = &rewind->life[i];
        if (!life->past)
            continue;
        mark->past[mark->pasts] = model_past_copy(life->past);
        fine = mark->past[mark->pasts++] != NULL;
    }
    if (!fine) {
        free_mark(mark);
        say(p, true, "there is no memory left to mark this moment");
        return false;
    }
    mark->wall_ns = model_history_at(lead->history, moment_shown(p, lead)).wall_ns;
    const char letter = (char)('A' + rewind->marks++);
    if (name[0])
        snprintf(mark->name, sizeof mark->name, "%c %s", letter, name);
    else
        snprintf(mark->name, sizeof mark->name, "%c", letter);
    return true;
}

static void compare(const struct tui_rewind_parts *p, struct tui_life *lead)
{
    struct tui_rewind *rewind = &p->app->rewind;
    const uint64_t wall_ns = model_history_at(lead->history, moment_shown(p, lead)).wall_ns;
    /* The present is newer than a mark that was just set. */
    const unsigned at = mark_before(rewind, rewind->on ? wall_ns : UINT64_MAX);
    forget_intervals(p);
    if (rewind->compares) {
        end_comparison(rewind, p->app);
        return;
    }
    if (at == 0) {
        say(p, true,
            rewind->marks ? "no mark is older than this moment" : "nothing is marked yet: m marks");
        return;
    }
    rewind->base = at - 1;
    rewind->compares = true;
}

/* Shows the moment of a mark, even if the history no longer has it. */
static void go_to_mark(const struct tui_rewind_parts *p, struct tui_life *lead, unsigned at)
{
    const struct tui_mark *mark = &p->app->rewind.mark[at];
    const struct model_past *past = marked(mark, model_history_job(lead->history));
    const uint64_t mono_ns = past ? model_past_mono_ns(past) : 0;
    const uint32_t moment = model_history_find(lead->history, mono_ns);
    if (!past || model_history_at(lead->history, moment).mono_ns != mono_ns)
        say(p, true,
            past ? "the moments around that mark are gone; = still compares with it"
                 : "that mark is of another job");
    else
        go_to(p, lead, moment);
}

/* Goes on from the moment shown with another speed. */
static void set_speed(const struct tui_rewind_parts *p, int64_t amount)
{
    enum { SLOWEST = -6, FASTEST = 12 }; /* 1/64 and 4096 times */
    struct tui_rewind *rewind = &p->app->rewind;
    const int64_t speed = rewind->speed + amount;
    rewind->speed = (int)(speed < SLOWEST ? SLOWEST : speed > FASTEST ? FASTEST : speed);
    p->app->resumed = !p->app->screen.paused;
    if (rewind->speed < 0)
        tui_app_message(p->app, false, "plays 1/%d as fast as it was recorded",
                        1 << -rewind->speed);
    else
        tui_app_message(p->app, false, "plays %d times as fast as it was recorded",
                        1 << rewind->speed);
}

static void loop(const struct tui_rewind_parts *p)
{
    struct tui_rewind *rewind = &p->app->rewind;
    if (!p->session->replay) {
        say(p, true, "only a recording is played again and again");
        return;
    }
    rewind->loops = !rewind->loops;
    say(p, false,
        rewind->loops ? "plays again and again; l ends that" : "plays to its end, and no more");
}

/* Returns the last moment that is not later, or the first one. */
static uint32_t moment_of(const struct tui_life *life, uint64_t wall_ns)
{
    uint32_t at = model_history_count(life->history) - 1;
    while (at > 0 && model_history_at(life->history, at).wall_ns > wall_ns)
        at--;
    return at;
}

/* Shows the moment of a time that was typed. Reads the parts of a recording that it needs. */
static void go_to_time(const struct tui_rewind_parts *p, struct tui_life *life, const char *text)
{
    struct tui_replay *replay = p->session->replay;
    struct model_job *job = model_history_job(life->history);
    const uint32_t last = model_history_count(life->history) - 1;
    const uint64_t first_ns =
        replay ? tui_replay_first_ns(replay, job) : model_history_at(life->history, 0).wall_ns;
    uint64_t wall_ns;
    if (!tui_replay_time(text, first_ns, model_history_at(life->history, last).wall_ns, &wall_ns)) {
        tui_app_message(p->app, true,
                        "'%s' is no time: 14:07:30, 90 (seconds from the begin), or -10 (from "
                        "the end)",
                        text);
        return;
    }
    while (replay && model_history_at(life->history, 0).wall_ns > wall_ns &&
           tui_replay_earlier(replay, job))
        continue;
    if (model_history_at(life->history, 0).wall_ns > wall_ns)
        say(p, false, replay ? "the recording begins here" : "the past that is kept begins here");
    go_to(p, life, moment_of(life, wall_ns));
}

static void record(const struct tui_rewind_parts *p)
{
    char sentence[TUI_MESSAGE_MAX];
    const bool fine = tui_record_toggle(p->session, sentence, sizeof sentence);
    say(p, !fine, sentence);
}

static void save(const struct tui_rewind_parts *p)
{
    char sentence[TUI_MESSAGE_MAX];
    const bool fine = tui_record_past(&p->app->rewind, p->session, sentence, sizeof sentence);
    say(p, !fine, sentence);
}

static void do_it(const struct tui_rewind_parts *p, struct tui_life *lead,
                  const struct tui_time_request *request)
{
    switch (request->what) {
    case TUI_TIME_STEP:
        step(p, lead, request->amount);
        break;
    case TUI_TIME_GO:
        go_to(p, lead, model_history_find(lead->history, request->mono_ns));
        break;
    case TUI_TIME_AT:
        go_to_time(p, lead, request->text);
        break;
    case TUI_TIME_MARK:
        if (add_mark(p, lead, request->text))
            tui_app_message(p->app, false, "marked as %s; = compares with it",
                            p->app->rewind.mark[p->app->rewind.marks - 1].name);
        break;
    case TUI_TIME_COMPARE:
        compare(p, lead);
        if (p->app->screen.paused)
            tui_rewind_again(p);
        break;
    case TUI_TIME_ZERO:
        if (p->app->rewind.compares)
            end_comparison(&p->app->rewind, p->app);
        if (add_mark(p, lead, "zero")) {
            forget_intervals(p);
            p->app->rewind.base = p->app->rewind.marks - 1;
            p->app->rewind.compares = true;
            if (p->app->screen.paused)
                tui_rewind_again(p);
        }
        break;
    case TUI_TIME_SPEED:
        set_speed(p, request->amount);
        break;
    case TUI_TIME_LOOP:
        loop(p);
        break;
    case TUI_TIME_SAVE:
        save(p);
        break;
    case TUI_TIME_RECORD: /* needs no past: tui_rewind_do() */
        break;
    case TUI_TIME_TO_MARK:
        go_to_mark(p, lead, (unsigned)request->amount);
        break;
    }
}

void tui_rewind_do(const struct tui_rewind_parts *p, const struct tui_time_request *request)
{
    struct tui_life *lead = leading(p);
    if (request->what == TUI_TIME_RECORD)
        record(p);
    else if (p->app->rewind.limit == 0)
        say(p, true, "no past is kept: --history 0");
    else if (!lead || model_history_count(lead->history) == 0)
        say(p, true, "there is no past yet: nothing has been received");
    else
        do_it(p, lead, request);
}
