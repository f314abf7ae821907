/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * action_jobs.c: key actions for several jobs, attached or marked.
 */
#include "config.h"

#include "tui/app/action.h"

/* True if several jobs are attached, and the view may change; else shows why not. */
static bool may_change(struct tui_app *app)
{
    if (app->attached < 2)
        tui_app_message(app, true, "one job is attached; a lists those there are, * marks several");
    else if (app->screen.paused)
        tui_app_message(app, true, "resume first (Space): jobs are shown from new figures");
    else
        return true;
    return false;
}

/* Changes the view. Functions belong to the rows shown: a view with other rows begins with all
 * functions. */
static unsigned look(struct tui_app *app, enum tui_show wanted)
{
    bool same = (app->look == TUI_SHOW_SUM || app->look == TUI_SHOW_RANKS) &&
                (wanted == TUI_SHOW_SUM || wanted == TUI_SHOW_RANKS);
    if (!same)
        app->scope = MODEL_ALL;
    app->look = wanted;
    return TUI_WANT_STATE;
}

unsigned tui_act_look(struct tui_app *app, const struct tui_action *action)
{
    static const struct {
        enum tui_show next;
        const char *word;
    } after[TUI_SHOWS] = {
        [TUI_SHOW_ONE] = {TUI_SHOW_SUM, "all jobs, added up"},
        [TUI_SHOW_SUM] = {TUI_SHOW_RANKS, "all jobs compared: least, median, most of each row"},
        [TUI_SHOW_RANKS] = {TUI_SHOW_EACH, "all jobs, each with rows of its own"},
        [TUI_SHOW_EACH] = {TUI_SHOW_SUM, "all jobs, added up"},
    };
    (void)action;
    if (!may_change(app))
        return 0;
    tui_app_message(app, false, "%s", after[app->look].word);
    return look(app, after[app->look].next);
}

static unsigned bring_forward(struct tui_app *app, size_t at)
{
    app->front = at;
    app->scope = MODEL_ALL;
    app->look = TUI_SHOW_ONE;
    return TUI_WANT_FRONT | TUI_WANT_STATE;
}

/* The sum of all jobs stands after the last job and before the first. */
unsigned tui_act_next_job(struct tui_app *app, const struct tui_action *action)
{
    if (!may_change(app))
        return 0;
    size_t places = app->attached + 1;
    size_t at = app->look == TUI_SHOW_ONE ? app->front + 1 : 0;
    at = (at + places + (size_t)action->amount) % places;
    return at == 0 ? look(app, TUI_SHOW_SUM) : bring_forward(app, at - 1);
}

unsigned tui_act_jobs(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    bool others = app->left > 0 && !app->screen.paused;
    return others || may_change(app) ? TUI_WANT_JOBS : 0;
}

unsigned tui_act_choose_job(struct tui_app *app, uint32_t id)
{
    if (id >= TUI_CHOICE_LEFT)
        return TUI_WANT_REASON;
    if (id < TUI_SHOWS - 1)
        return look(app, (enum tui_show)(id + 1));
    return bring_forward(app, id - (TUI_SHOWS - 1));
}

unsigned tui_act_drop(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    return may_change(app) ? TUI_WANT_DROP : 0;
}

/* -------------------------------------------------------------------------------- the picker */

bool tui_app_is_marked(const struct tui_app *app, uint32_t id)
{
    for (size_t i = 0; i < app->marks; i++)
        if (app->mark[i] == id)
            return true;
    return false;
}

/* Forgets the mark of a line, or adds it. */
static void set_mark(struct tui_app *app, size_t line, bool marked)
{
    const uint32_t id = app->choice_id[line];
    size_t at = 0;
    while (at < app->marks && app->mark[at] != id)
        at++;
    if (at < app->marks && !marked)
        app->mark[at] = app->mark[--app->marks];
    else if (at == app->marks && marked && app->marks < TUI_CHOICES_MAX)
        app->mark[app->marks++] = id;
    app->choice[line].marked = tui_app_is_marked(app, id);
}

/* A process that publishes nothing stands still when it is attached to: those are marked singly. */
unsigned tui_act_mark_all(struct tui_app *app, const struct tui_action *action)
{
    const struct tui_screen *screen = &app->screen;
    bool all = true;
    for (size_t i = 0; i < screen->choices; i++)
        all = all && (!app->choice[i].publishes || tui_app_is_marked(app, app->choice_id[i]));
    for (size_t i = 0; i < screen->choices; i++)
        if (app->choice[i].publishes)
            set_mark(app, i, !all);
    (void)action;
    return 0;
}

unsigned tui_act_mark(struct tui_app *app, const struct tui_action *action)
{
    struct tui_screen *screen = &app->screen;
    if (app->list == TUI_LIST_FUNCTIONS)
        return tui_act_mark_function(app, action);
    if (app->list != TUI_LIST_JOBS || screen->choices == 0)
        return 0;
    set_mark(app, screen->chosen, !tui_app_is_marked(app, app->choice_id[screen->chosen]));
    if (screen->chosen + 1 < screen->choices)
        screen->chosen++;
    (void)action;
    return 0;
}
