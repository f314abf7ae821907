/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * action.h: THE table of actions and their keys. Help, footer, manual and tests are made from it.
 * Panes and sort columns have their keys in THE pane table and THE column table.
 */
#ifndef TUI_APP_ACTION_H
#define TUI_APP_ACTION_H

#include "tui/app/app.h"

/* Modes in which an action works, as bits. */
enum {
    TUI_IN_TABLE = 1 << TUI_MODE_TABLE,
    TUI_IN_LIST = 1 << TUI_MODE_PICKER | 1 << TUI_MODE_SORT | 1 << TUI_MODE_LEAVE |
                  1 << TUI_MODE_CONTROL | 1 << TUI_MODE_FUNCTIONS,
    TUI_IN_TEXT =
        1 << TUI_MODE_HELP | 1 << TUI_MODE_DETAIL | 1 << TUI_MODE_OUTPUT | 1 << TUI_MODE_LOG |
        1 << TUI_MODE_OBJECTS | 1 << TUI_MODE_JOB,
    TUI_IN_JOB = 1 << TUI_MODE_OBJECTS | 1 << TUI_MODE_JOB, /* texts about one job */
    TUI_IN_ALL = TUI_IN_TABLE | TUI_IN_LIST | TUI_IN_TEXT,
};

/* Whether the screen is in one of these modes. */
static inline bool tui_in(const struct tui_app *app, unsigned modes)
{
    return (modes >> app->screen.mode & 1) != 0;
}

struct tui_action {
    const char *name;   /* word of the manual: "pause" */
    const char *group;  /* heading of the help */
    const char *keys;   /* their names: "Space Z p" */
    const char *help;   /* one line */
    const char *footer; /* its word in the footer of the panes, or NULL */
    unsigned in;        /* TUI_IN_... */
    unsigned (*run)(struct tui_app *app, const struct tui_action *action);
    int amount;        /* of those that share a function */
    const char *other; /* its word in the footer of texts and lists, or NULL */
};
extern const struct tui_action tui_actions[];
extern const unsigned tui_actions_count;

/* What the job itself is asked to do (action_control.c): the list, and what Enter does in it. */
unsigned tui_act_control(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_choose_control(struct tui_app *app, uint32_t id);
/* In the list of functions (function_picker.c): another name, marking, and what Enter does. */
unsigned tui_act_alias(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_mark_function(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_choose_function(struct tui_app *app, uint32_t id);
/* With several jobs (action_jobs.c): sum, ranks, each; the next one alone; their list; without
 * those that are over; marking in the picker. */
unsigned tui_act_look(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_next_job(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_jobs(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_drop(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_mark(struct tui_app *app, const struct tui_action *action);
/* What Enter does in the list of jobs attached to. */
unsigned tui_act_choose_job(struct tui_app *app, uint32_t id);

/* The code of a key from its name ("q", "Ctrl-L", "F10", "PgUp"), or TUI_KEY_NONE. */
uint32_t tui_key_code(const char *name, size_t size);
/* Key names one after the other: gives the code of the next one and moves on; NONE at the end. */
uint32_t tui_key_next(const char **keys);

/* The action of a key in a mode, or NULL. */
const struct tui_action *tui_action_find(uint32_t key, enum tui_mode mode);
/* The sort column that has this letter in a pane's table (MODEL_TABLES: in any), or -1; the pane
 * that has it, or -1. */
int tui_action_column(uint32_t key, enum model_table table);
int tui_action_pane(uint32_t key);

#endif
