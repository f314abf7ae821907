/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * app.h: the program's state, and the loop on the screen. Key actions (action.c) change this state
 * and know neither feed nor terminal. They request work on feed and terminal by flags, which loop.c
 * carries out.
 */
#ifndef TUI_APP_APP_H
#define TUI_APP_APP_H

#include "tui/app/alias.h"
#include "tui/app/rewind.h"
#include "tui/cli/options.h"
#include "tui/ui/screen.h"

enum { TUI_CHOICES_MAX = 256, TUI_CHOICE_SIZE = 320, TUI_OUTPUT_SIZE = 64 * 1024 };
enum { TUI_NS_PER_MS = 1000000, TUI_NS_PER_S = 1000000000 };

/* Flags that an action returns: the work to do after it. */
enum tui_want {
    TUI_WANT_DRAW = 1 << 0,    /* paint at once, from held data */
    TUI_WANT_STATE = 1 << 1,   /* take a new state now */
    TUI_WANT_REPAINT = 1 << 2, /* paint everything anew */
    TUI_WANT_SUSPEND = 1 << 3, /* stop, for job control of the shell */
    TUI_WANT_PICKER = 1 << 4,  /* look for jobs and list them */
    TUI_WANT_ATTACH = 1 << 5,  /* attach to the chosen job */
    TUI_WANT_OUTPUT = 1 << 6,  /* read what the command printed */
    TUI_WANT_QUIT = 1 << 7,
    TUI_WANT_END = 1 << 8,      /* end the command of `run`, then quit */
    TUI_WANT_JOBS = 1 << 9,     /* list the jobs attached to */
    TUI_WANT_FRONT = 1 << 10,   /* bring the job `front` to the front */
    TUI_WANT_DROP = 1 << 11,    /* detach from jobs that have ended */
    TUI_WANT_REASON = 1 << 12,  /* say why the chosen job is not attached to */
    TUI_WANT_TIME = 1 << 13,    /* do `time` */
    TUI_WANT_CONTROL = 1 << 15, /* ask the job for `control` */
};

/* Content of the list on the screen. */
enum tui_list {
    TUI_LIST_NONE,
    TUI_LIST_JOBS,
    TUI_LIST_ATTACHED,
    TUI_LIST_COLUMNS,
    TUI_LIST_FUNCTIONS,
    TUI_LIST_LEAVE,
    TUI_LIST_CONTROL,
    TUI_LIST_MARKS,
};

/* In the list of attached jobs: id of the first job that is left out. */
#define TUI_CHOICE_LEFT UINT32_C(0x80000000)

/* Purpose of the open prompt. */
enum tui_asking {
    TUI_ASKING_NOTHING,
    TUI_ASKING_SEARCH,
    TUI_ASKING_HELP, /* a word to find in the help */
    TUI_ASKING_FILTER,
    TUI_ASKING_ALIAS,
    TUI_ASKING_MARK,     /* the name of a mark */
    TUI_ASKING_NEW_MARK, /* the name of a mark that is set with it */
    TUI_ASKING_TIME,     /* the time to show */
};

struct tui_action;

struct tui_app {
    struct tui_screen screen;
    struct model_state *state; /* the state shown; the screen borrows it */
    uint32_t scope;            /* requested for the next state */

    enum tui_show look; /* how several jobs are shown; meaningless with one job */
    size_t attached;    /* number of jobs attached to */
    size_t left;        /* number of wanted jobs that are not attached to */
    size_t front;       /* index of the job that is shown alone */

    enum tui_list list;
    const struct tui_action *opener; /* action of the last key before the list opened */
    struct tui_choice choice[TUI_CHOICES_MAX];
    char choice_text[TUI_CHOICES_MAX][TUI_CHOICE_SIZE];
    char choice_titles[TUI_CHOICE_SIZE]; /* headings of the columns of the list of jobs */
    uint32_t choice_id[TUI_CHOICES_MAX]; /* column or function; MODEL_NONE or MODEL_ALL */

    uint32_t mark[TUI_CHOICES_MAX]; /* ids of the lines marked in the picker */
    size_t marks;
    bool marking; /* functions were marked since their list was opened */

    struct tui_rewind rewind;
    struct tui_time_request time; /* for TUI_WANT_TIME */
    bool
        apart; /* the state shown is of another moment, or since a mark: no interval begins there */

    struct tui_aliases aliases; /* of functions: typed, and from the command line */

    enum tui_asking asking;
    char before[TUI_PROMPT_MAX]; /* text that Esc restores */
    uint32_t before_selected;    /* row that Esc restores */

    bool page_chosen; /* since the job was chosen a key was pressed, or an option names a pane */

    bool since_pause; /* a pause has ended: intervals begin at its end until a key is pressed */
    bool resumed;     /* no state has been taken since the pause ended */
    uint64_t paused_frames; /* frames read when the pause began */
    uint64_t paused_lost;   /* losses counted when the pause began */
    const struct tui_control *control; /* control chosen from the list */
    bool under_run;         /* the command of `run` has been started */
    bool command_runs;      /* the command has not ended */
    bool is_demo;           /* the command is the demo's, which ends with the screen */
    bool sums;              /* no view shows single applies: only their sums are kept */
};

bool tui_app_init(struct tui_app *app, const struct tui_options *options);
void tui_app_release(struct tui_app *app);

/* Shows a state, takes ownership of it and frees the previous one. Returns false if out of memory:
 * the previous one stays. */
bool tui_app_show(struct tui_app *app, struct model_state *state);
/* Copies the state of the job and shows the copy. Does not own `job`. Keeps the present state if
 * the job has no whole snapshot yet, or if nothing has changed: so the interval lies between the
 * last two different states. Returns false if out of memory; the present state stays. */
bool tui_app_take(struct tui_app *app, struct model_job *job);
/* Opens the page of spans and counters for a job that has no ops, and returns to the ops as soon as
 * there are some. Does nothing once a key was pressed, or if an option names a pane. */
void tui_app_open_page(struct tui_app *app);
/* Pauses the screen, or resumes. */
void tui_app_pause(struct tui_app *app, bool pause);
/* Counts what came in while paused, from the link of the screen. */
void tui_app_count_paused_frames(struct tui_app *app);
/* Sorts the rows of the active pane anew from the held state. */
void tui_app_update(struct tui_app *app);
/* Sorts the active pane by the column that orders this one (model_column_order), and shows its
 * first row. The same column again reverses the order. */
void tui_app_sort(struct tui_app *app, unsigned column);
/* Keeps the sort of each pane on a shown column: of the total, or of the interval where interval
 * columns replace those of the total. */
void tui_app_group(struct tui_app *app);
/* Sets the width of the screen. */
void tui_app_fit(struct tui_app *app, int cols);
/* Shows a message in place of the footer. */
void tui_app_message(struct tui_app *app, bool bad, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Empties the list and opens it; lines are then added to it. */
void tui_app_list_begin(struct tui_app *app, enum tui_list list, enum tui_mode mode);
void tui_app_list_add(struct tui_app *app, uint32_t id, bool marked, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* True if a line of the picker is marked. */
bool tui_app_is_marked(const struct tui_app *app, uint32_t id);

/* Lists the functions of the state, with their calls and time, most time first. */
void tui_app_list_functions(struct tui_app *app);
/* Lists the functions again after a change of names. Marks and choice stay. */
void tui_app_list_renamed(struct tui_app *app);
/* Returns the function chosen in that list. MODEL_NONE: a group, or all functions. */
uint32_t tui_app_chosen_function(const struct tui_app *app);

/* Passes a key to the prompt, the list or its action. Returns TUI_WANT_ flags. An unknown key
 * returns none. */
unsigned tui_app_key(struct tui_app *app, uint32_t key);

/* Line editor (prompt.c). */
void tui_prompt_open(struct tui_app *app, enum tui_asking asking);
unsigned tui_prompt_key(struct tui_app *app, uint32_t key);
/* Searches from a row on, and selects the row found. Returns false if there is none. */
bool tui_app_search(struct tui_app *app, uint32_t from, int step);

/* Runs the screen (loop.c): attaches as the options say, shows the job, and returns the exit code.
 * The session may already have its feed or its command. */
struct tui_session;
int tui_app_run(struct tui_session *session);

#endif
