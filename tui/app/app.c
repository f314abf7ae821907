/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * app.c: the program's state, and the dispatch of keys: to the prompt, a list, or an action.
 */
#include "config.h"

#include "tui/app/action.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/ui/term.h"

bool tui_app_init(struct tui_app *app, const struct tui_options *options)
{
    memset(app, 0, sizeof *app);
    app->scope = MODEL_ALL;
    app->look = options->look;
    app->rewind.limit = options->history;
    app->is_demo = options->demo;
    if (!tui_screen_init(&app->screen))
        return false;
    struct tui_screen *screen = &app->screen;
    screen->refresh_ms = options->refresh_ms;
    screen->show_clock = options->clock;
    screen->batch = options->batch;
    app->page_chosen = options->pane != TUI_PANE_ANY;
    if (app->page_chosen)
        screen->active = (unsigned)options->pane;
    for (unsigned i = 0; i < TUI_PANES; i++) {
        struct model_view *view = &screen->pane[i].view;
        view->least_bytes = options->rows.least_bytes;
        view->least_by_job = view->least_bytes == MODEL_SUMMARY_USUAL_BYTES;
        if (options->filter)
            model_view_filter(view, options->filter);
    }
    if (options->sort)
        tui_screen_sort_by(screen, options->sort);
    if (tui_aliases_init(&app->aliases, options))
        return true;
    tui_app_release(app);
    return false;
}

void tui_app_release(struct tui_app *app)
{
    tui_aliases_release(&app->aliases);
    tui_screen_release(&app->screen);
    model_state_free(&app->state);
}

bool tui_app_show(struct tui_app *app, struct model_state *state)
{
    if (!tui_screen_show(&app->screen, state)) {
        if (app->state)
            tui_screen_show(&app->screen, app->state);
        model_state_free(&state);
        return false;
    }
    model_state_free(&app->state);
    app->state = state;
    return true;
}

static bool is_current(const struct model_state *state, struct model_job *job, uint32_t scope)
{
    return state && state->job == job && state->scope == scope &&
           state->ended == model_job_ended(job) && state->epoch == model_job_epoch(job) &&
           state->mono_ns == model_job_mono_ns(job);
}

bool tui_app_take(struct tui_app *app, struct model_job *job)
{
    if (!model_job_complete(job) || (!app->apart && is_current(app->state, job, app->scope)))
        return true;
    if (!app->state || app->state->job != job || app->apart) {
        app->apart = false;
        struct model_state *state = app->sums ? model_state_take_sums(job, app->scope, NULL)
                                              : model_state_take(job, app->scope, NULL);
        return state && tui_app_show(app, state);
    }
    app->state->extends = app->since_pause && !app->resumed;
    if (!model_state_renew(app->state, app->scope))
        return false;
    app->resumed = false;
    if (!tui_screen_show(&app->screen, app->state))
        tui_app_message(app, true, "there is no memory left to order the rows");
    return true;
}

void tui_app_open_page(struct tui_app *app)
{
    struct tui_screen *screen = &app->screen;
    if (app->page_chosen || !app->state)
        return;
    const bool ops = tui_ops_any(app->state);
    if (ops && screen->mode == TUI_MODE_OBJECTS) {
        screen->mode = TUI_MODE_TABLE;
    } else if (!ops && screen->mode == TUI_MODE_TABLE && tui_objects_any(app->state)) {
        screen->under = TUI_MODE_TABLE;
        screen->mode = TUI_MODE_OBJECTS;
    }
}

static uint64_t since(uint64_t now, uint64_t before)
{
    return now > before ? now - before : 0;
}

void tui_app_pause(struct tui_app *app, bool pause)
{
    struct tui_screen *screen = &app->screen;
    screen->paused = pause;
    screen->paused_at_ns = screen->now_ns;
    app->since_pause = app->resumed = !pause;
    screen->paused_frames = 0;
    screen->lost = 0;
    app->paused_frames = screen->link ? screen->link->frames : 0;
    app->paused_lost = screen->link ? tui_lost(screen->link) : 0;
}

void tui_app_count_paused_frames(struct tui_app *app)
{
    struct tui_screen *screen = &app->screen;
    if (!screen->link || !screen->paused)
        return;
    screen->paused_frames = since(screen->link->frames, app->paused_frames);
    screen->lost = since(tui_lost(screen->link), app->paused_lost);
}

void tui_app_update(struct tui_app *app)
{
    if (!app->state)
        return;
    if (!model_view_update(&app->screen.pane[app->screen.active].view, app->state))
        tui_app_message(app, true, "there is no memory left to order the rows");
}

void tui_app_sort(struct tui_app *app, unsigned column)
{
    struct model_view *view = &app->screen.pane[app->screen.active].view;
    if (!model_view_sort(view, tui_screen_column(&app->screen, view->table, column)))
        return;
    app->screen.pane[app->screen.active].requested_sort = -1;
    tui_app_update(app);
    tui_screen_first(&app->screen);
}

void tui_app_group(struct tui_app *app)
{
    struct tui_screen *screen = &app->screen;
    for (unsigned i = 0; i < TUI_PANES; i++) {
        /* The direction stays, so tui_app_sort() is not used. */
        struct model_view *view = &screen->pane[i].view;
        unsigned total = model_column_total(view->column, view->table);
        view->column = tui_screen_column(screen, view->table, total);
    }
    tui_app_update(app);
}

void tui_app_fit(struct tui_app *app, int cols)
{
    app->screen.shape.cols = cols;
    if (app->screen.interval && cols < TUI_COLS_WIDE)
        tui_app_group(app);
}

void tui_app_message(struct tui_app *app, bool bad, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(app->screen.message, sizeof app->screen.message, format, list);
    va_end(list);
    app->screen.message_bad = bad;
}

void tui_app_list_begin(struct tui_app *app, enum tui_list list, enum tui_mode mode)
{
    /* A list that is filled again stays under the text above it. */
    const bool covered = app->list == list && tui_in(app, TUI_IN_TEXT);
    app->list = list;
    *(covered ? &app->screen.under : &app->screen.mode) = mode;
    app->screen.choice = app->choice;
    app->screen.choices = 0;
    app->screen.chosen = 0;
    app->screen.choice_head = NULL;
    app->screen.picker_note = NULL;
}

void tui_app_list_add(struct tui_app *app, uint32_t id, bool marked, const char *format, ...)
{
    size_t at = app->screen.choices;
    if (at == TUI_CHOICES_MAX)
        return;
    va_list list;
    va_start(list, format);
    vsnprintf(app->choice_text[at], TUI_CHOICE_SIZE, format, list);
    va_end(list);
    app->choice_id[at] = id;
    app->choice[at] = (struct tui_choice){.text = app->choice_text[at], .marked = marked};
    app->screen.choices++;
}

bool tui_app_search(struct tui_app *app, uint32_t from, int step)
{
    struct tui_screen *screen = &app->screen;
    struct tui_pane *pane = &screen->pane[screen->active];
    if (!screen->search[0] || pane->view.count == 0)
        return false;
    uint32_t at = model_view_search(&pane->view, screen->search, from, step);
    const struct model_row *row = at == MODEL_NONE ? NULL : model_view_row(&pane->view, at);
    if (!row)
        return false;
    pane->selected = row->id;
    return true;
}

/* ------------------------------------------------------------------------------- key to action */

/* Maps key codes that terminals send in several forms to one form. */
static uint32_t canonical(uint32_t key)
{
    static const struct {
        uint32_t sent, meant;
    } same[] = {
        {'\r', TUI_KEY_ENTER},     {'\n', TUI_KEY_ENTER},     {'\t', TUI_KEY_TAB},
        {0x7f, TUI_KEY_BACKSPACE}, {0x08, TUI_KEY_BACKSPACE},
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        if (same[i].sent == key)
            return same[i].meant;
    }
    return key;
}

static unsigned show_pane(struct tui_app *app, unsigned index)
{
    for (unsigned i = 0; i < TUI_PANES; i++)
        app->screen.pane[i].view.only = MODEL_NONE;
    app->screen.active = index;
    tui_app_update(app);
    return TUI_WANT_DRAW;
}

/* Returns the action of a key in this mode. In a list, the key that opened the list acts as Esc,
 * unless it has another meaning there. This does not hold in a text above the list. */
static const struct tui_action *action_of(struct tui_app *app, uint32_t key)
{
    const bool listed = app->list != TUI_LIST_NONE;
    const bool covered = tui_in(app, TUI_IN_TEXT);
    const struct tui_action *action = tui_action_find(key, app->screen.mode);
    const struct tui_action *over = tui_action_find(key, TUI_MODE_TABLE);
    if (!listed)
        app->opener = action;
    if (!action && listed && !covered && over && over == app->opener)
        action = tui_action_find(TUI_KEY_ESC, app->screen.mode);
    return action;
}

unsigned tui_app_key(struct tui_app *app, uint32_t key)
{
    key = canonical(key);
    if (key == TUI_KEY_IGNORE || key == TUI_KEY_NONE)
        return 0;
    app->since_pause = app->resumed = false;
    app->page_chosen = true;
    if (app->asking != TUI_ASKING_NOTHING)
        return tui_prompt_key(app, key);
    app->screen.message[0] = '\0';
    app->screen.message_bad = false;
    const struct tui_action *action = action_of(app, key);
    if (action)
        return action->run(app, action) | TUI_WANT_DRAW;
    if (app->screen.mode != TUI_MODE_TABLE)
        return 0;
    int pane = tui_action_pane(key);
    if (pane >= 0)
        return show_pane(app, (unsigned)pane);
    const struct tui_pane *at = &app->screen.pane[app->screen.active];
    int column = tui_action_column(key, at->view.table);
    int other = tui_action_column(key, MODEL_TABLES);
    if (column >= 0)
        tui_app_sort(app, (unsigned)column);
    else if (other >= 0)
        tui_app_message(app, true, "%s has no %s; , lists what it can be sorted by", at->row->title,
                        model_columns[other].title);
    return other >= 0 ? TUI_WANT_DRAW : 0;
}
