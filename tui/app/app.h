/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * app.h: the program: what it holds, and the loop on the screen. Keys act on this (action.c) and
 * know neither feed nor terminal: what they want of these they say in flags, and loop.c does it.
 */
#ifndef TUI_APP_APP_H
#define TUI_APP_APP_H

#include "tui/app/alias.h"
#include "tui/cli/options.h"
#include "tui/ui/screen.h"

enum { TUI_CHOICES_MAX = 256, TUI_CHOICE_SIZE = 320, TUI_OUTPUT_SIZE = 64 * 1024 };
enum { TUI_NS_PER_MS = 1000000, TUI_NS_PER_S = 1000000000 };

/* What an action wants to be done after it. */
enum tui_want {
    TUI_WANT_DRAW = 1 << 0,    /* paint at once, from held data */
    TUI_WANT_STATE = 1 << 1,   /* take a new state now */
    TUI_WANT_REPAINT = 1 << 2, /* paint all anew */
    TUI_WANT_SUSPEND = 1 << 3, /* stop as the shell wants it */
    TUI_WANT_PICKER = 1 << 4,  /* look for jobs and list them */
    TUI_WANT_ATTACH = 1 << 5,  /* attach to the chosen job */
    TUI_WANT_OUTPUT = 1 << 6,  /* read what the command printed */
    TUI_WANT_QUIT = 1 << 7,
    TUI_WANT_END = 1 << 8,    /* end the command of `run`, then quit */
    TUI_WANT_JOBS = 1 << 9,   /* list the jobs attached to */
    TUI_WANT_FRONT = 1 << 10, /* bring the job `front` to the front */
    TUI_WANT_DROP = 1 << 11,  /* let go of the jobs that are over */
    TUI_WANT_REASON = 1 << 12, /* say why the chosen job is not attached to */
    TUI_WANT_CONTROL = 1 << 15, /* ask the job for `verb` */
};

/* What the list on the screen is a list of. */
enum tui_list {
    TUI_LIST_NONE,
    TUI_LIST_JOBS,
    TUI_LIST_ATTACHED,
    TUI_LIST_COLUMNS,
    TUI_LIST_FUNCTIONS,
    TUI_LIST_LEAVE,
    TUI_LIST_CONTROL,
};

/* In the list of jobs attached to: the first of those that are not. */
#define TUI_CHOICE_LEFT UINT32_C(0x80000000)

/* What the open prompt is for. */
enum tui_asking {
    TUI_ASKING_NOTHING,
    TUI_ASKING_SEARCH,
    TUI_ASKING_HELP, /* a word of it */
    TUI_ASKING_FILTER,
    TUI_ASKING_ALIAS
};

struct tui_action;

struct tui_app {
    struct tui_screen screen;
    struct model_state *state; /* shown; the screen borrows it */
    uint32_t scope;            /* wanted for the next state */

    enum tui_show look; /* at several jobs; of one it means nothing */
    size_t attached;    /* jobs */
    size_t left;        /* jobs that are wanted, and are not attached to */
    size_t front;       /* the one that is looked at alone */

    enum tui_list list;
    const struct tui_action *opener; /* of the key that was pressed last before the list came */
    struct tui_choice choice[TUI_CHOICES_MAX];
    char choice_text[TUI_CHOICES_MAX][TUI_CHOICE_SIZE];
    char choice_titles[TUI_CHOICE_SIZE]; /* of the columns of the jobs */
    uint32_t choice_id[TUI_CHOICES_MAX]; /* column or function; MODEL_NONE or MODEL_ALL */

    uint32_t mark[TUI_CHOICES_MAX]; /* lines that are marked in the picker */
    size_t marks;
    bool marking; /* functions were marked since their list was opened */

    struct tui_aliases aliases; /* of functions: typed, and of the command line */

    enum tui_asking asking;
    char before[TUI_PROMPT_MAX]; /* text that Esc brings back */
    uint32_t before_selected;    /* and the row */

    bool since_pause; /* a pause has ended: intervals begin with it until a key is pressed */
    bool resumed;     /* and no state has been taken since then */
    uint64_t paused_frames; /* frames read when the pause began */
    uint64_t paused_lost;   /* and what was lost until then */
    const struct tui_verb *verb; /* that was chosen from the list */
    bool under_run;         /* the command of `run` has been started */
    bool command_runs;      /* and has not ended */
    bool sums;              /* nobody looks at single applies: they are added up alone */
};

bool tui_app_init(struct tui_app *app, const struct tui_options *options);
void tui_app_release(struct tui_app *app);

/* Shows a state; takes it. The one before is freed. False: out of memory, and the one before
 * stays. */
bool tui_app_show(struct tui_app *app, struct model_state *state);
/* Takes the job's state into the place of the one shown. One that is not whole (before the first
 * snapshot of an instance or epoch) is not taken: the last good values stay. Nor is anything
 * that says the same: the interval shown stays that of the last two states that differ. False:
 * out of memory, and the one before stays. */
bool tui_app_take(struct tui_app *app, struct model_job *job);
/* What came in while paused, by the link of the screen. */
void tui_app_count_held(struct tui_app *app);
/* Orders the rows of the active pane anew from the held state. */
void tui_app_update(struct tui_app *app);
/* Sorts the active pane by what stands for a column there, the same one again the other way, and
 * shows its first row. */
void tui_app_sort(struct tui_app *app, unsigned column);
/* Keeps the sort of each pane among the columns shown: of the total, or of the interval where they
 * stand in its place. */
void tui_app_group(struct tui_app *app);
/* The screen is so wide from now on. */
void tui_app_fit(struct tui_app *app, int cols);
/* A word to the user, in the place of the footer. */
void tui_app_say(struct tui_app *app, bool bad, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Fills the list with what it is about and opens it. */
void tui_app_list_begin(struct tui_app *app, enum tui_list list, enum tui_mode mode);
void tui_app_list_add(struct tui_app *app, uint32_t id, bool marked, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether a line of the picker is marked. */
bool tui_app_is_marked(const struct tui_app *app, uint32_t id);

/* The same of the functions of the state: with their calls and time, most time first. */
void tui_app_list_functions(struct tui_app *app);
/* Their names have changed: lists them again, with the same ones marked and chosen. */
void tui_app_list_renamed(struct tui_app *app);
/* The function that is chosen in that list; MODEL_NONE: a group, or all. */
uint32_t tui_app_chosen_function(const struct tui_app *app);

/* Gives a key to the prompt, the list or the action that it belongs to; returns what is wanted.
 * Unknown keys want nothing. */
unsigned tui_app_key(struct tui_app *app, uint32_t key);

/* Line editor (prompt.c). */
void tui_prompt_open(struct tui_app *app, enum tui_asking asking);
unsigned tui_prompt_key(struct tui_app *app, uint32_t key);
/* Searches from a row on; selects the row found. False: there is none. */
bool tui_app_search(struct tui_app *app, uint32_t from, int step);

/* The screen (loop.c): attaches as the options say, shows, and ends with the exit code. `attached`:
 * the session has its feed or its command already. */
struct tui_session;
int tui_app_run(struct tui_session *session);

#endif
