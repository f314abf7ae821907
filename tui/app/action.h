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
                  1 << TUI_MODE_CONTROL | 1 << TUI_MODE_FUNCTIONS | 1 << TUI_MODE_MARKS,
    TUI_IN_TEXT = 1 << TUI_MODE_HELP | 1 << TUI_MODE_DETAIL | 1 << TUI_MODE_OUTPUT |
                  1 << TUI_MODE_LOG | 1 << TUI_MODE_OBJECTS | 1 << TUI_MODE_JOB,
    TUI_IN_JOB = 1 << TUI_MODE_OBJECTS | 1 << TUI_MODE_JOB, /* texts about one job */
    TUI_IN_ALL = TUI_IN_TABLE | TUI_IN_LIST | TUI_IN_TEXT,
};

/* True if the screen is in one of these modes. */
static inline bool tui_in(const struct tui_app *app, unsigned modes)
{
    return (modes >> app->screen.mode & 1) != 0;
}

struct tui_action {
    const char *name;   /* name in the manual: "pause" */
    const char *group;  /* heading of the help */
    const char *keys;   /* names of its keys: "Space Z p" */
    const char *help;   /* one line */
    const char *footer; /* its word in the footer of the panes, or NULL */
    unsigned in;        /* TUI_IN_... */
    unsigned (*run)(struct tui_app *app, const struct tui_action *action);
    int amount;        /* parameter for actions that share a function */
    const char *other; /* its word in the footer of texts and lists, or NULL */
};
extern const struct tui_action tui_actions[];
extern const unsigned tui_actions_count;

/* Requests to the job (action_control.c): opens the list; Enter in the list. */
unsigned tui_act_control(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_choose_control(struct tui_app *app, uint32_t id);
/* The past (action_time.c): steps; marks; compares; lists the marks; Enter in that list; renames a
 * mark; goes to the marker with the cursor. */
unsigned tui_act_step(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_time(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_marks(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_choose_mark(struct tui_app *app, uint32_t id);
unsigned tui_act_rename_mark(struct tui_app *app, const struct tui_action *action);
/* Opens the prompt `amount` of enum tui_asking. The next three are the ends of such prompts. */
unsigned tui_act_ask(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_name_mark(struct tui_app *app, const char *text);
unsigned tui_act_mark_as(struct tui_app *app, const char *text);
unsigned tui_act_go_to_time(struct tui_app *app, const char *text);
unsigned tui_act_go_to_marker(struct tui_app *app, const struct tui_action *action);
/* In the list of functions (function_picker.c): gives another name; marks; Enter. */
unsigned tui_act_alias(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_mark_function(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_choose_function(struct tui_app *app, uint32_t id);
/* With several jobs (action_jobs.c): shows sum, ranks or each; shows the next job alone; lists the
 * jobs; detaches from ended ones; marks in the picker. */
unsigned tui_act_look(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_next_job(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_jobs(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_drop(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_mark(struct tui_app *app, const struct tui_action *action);
unsigned tui_act_mark_all(struct tui_app *app, const struct tui_action *action);
/* Enter in the list of attached jobs. */
unsigned tui_act_choose_job(struct tui_app *app, uint32_t id);

/* Returns the code of a key by its name ("q", "Ctrl-L", "F10", "PgUp"), or TUI_KEY_NONE. */
uint32_t tui_key_code(const char *name, size_t size);
/* Returns the code of the next key name and moves on; TUI_KEY_NONE at the end. */
uint32_t tui_key_next(const char **keys);

/* Returns the action of a key in a mode, or NULL. */
const struct tui_action *tui_action_find(uint32_t key, enum tui_mode mode);
/* Returns the sort column that has this letter in a pane's table (MODEL_TABLES: in any), or the
 * pane that has this key; -1: none. */
int tui_action_column(uint32_t key, enum model_table table);
int tui_action_pane(uint32_t key);

#endif
