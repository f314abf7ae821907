/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * screen.h: everything that is on the screen, and drawing it into a grid. Drawing only reads; what
 * it finds out about the layout (rows that fit) it leaves in `shape` for the keys.
 */
#ifndef TUI_UI_SCREEN_H
#define TUI_UI_SCREEN_H

#include "model/link.h"
#include "model/multi_job.h"
#include "model/peak.h"
#include "model/view.h"
#include "tui/ui/grid.h"
#include "tui/ui/words.h"

#include <stdio.h>

/* Screens so wide show totals and the interval side by side. */
enum { TUI_COLS_WIDE = 100 };

enum tui_mode {
    TUI_MODE_TABLE,
    TUI_MODE_HELP,
    TUI_MODE_PICKER, /* choose a job */
    TUI_MODE_SORT,   /* choose the sort column from a list */
    TUI_MODE_FUNCTIONS, /* choose what is in scope */
    TUI_MODE_DETAIL, /* the selected row in full */
    TUI_MODE_OUTPUT, /* what the job printed, under `run` */
    TUI_MODE_LOG,    /* notices of the job and of the viewer */
    TUI_MODE_OBJECTS, /* spans, counters, memory, markers */
    TUI_MODE_JOB,    /* who the job is, its settings, its functions */
    TUI_MODE_CONTROL, /* choose what the job is asked to do */
    TUI_MODE_LEAVE,  /* under `run`: leave the job running, or end it? */
};

/* One pane of rows: a table and where the user is in it. Selection is by id. */
struct tui_pane {
    const struct tui_pane_row *row; /* its row in THE pane table */
    struct model_view view;
    uint32_t selected; /* id, or MODEL_NONE */
    uint32_t top;      /* first position shown */
    int wanted;        /* column asked for by --sort, as long as no row has a value of it; or -1 */
    bool filter_last;  /* the filter was set after the pane was dug into: Esc undoes it first */
    int skip;          /* names are scrolled this far sideways */
};

/* THE pane table: key, title and table of each pane. */
struct tui_pane_row {
    char key;
    const char *title, *plural; /* "Apply", "Apply instances" (trailer) */
    const char *one; /* of the same; NULL: one is counted as the printed profiles do, "1 Ops" */
    enum model_table table;
    enum model_table inner; /* what Enter shows of a row: its rows in this table, or MODEL_TABLES */
    const char *default_column;
    const char *help;
    bool asked; /* it has the rows of another pane: `-b` prints it only if it is asked for */
};
enum { TUI_PANES = 6, TUI_ALL_PANES = (1 << TUI_PANES) - 1 };
extern const struct tui_pane_row tui_panes[TUI_PANES];

/* What is known of the memory of the function that takes most, for one state of what was told. */
struct tui_memory {
    const struct model_job *job; /* NULL: nothing is; never followed */
    uint64_t changes;
    uint64_t again_ns; /* by the viewer's clock: not computed anew before, for a large job */
    uint32_t scope, applies;
    struct model_peaks peaks;
    uint32_t function; /* MODEL_NONE: no sizes are told */
};

enum { TUI_PROMPT_MAX = 256, TUI_MESSAGE_MAX = 256 };
struct tui_prompt {
    const char *title; /* NULL: no prompt is open */
    char text[TUI_PROMPT_MAX];
    size_t size, cursor; /* bytes */
};

/* One line of a list to choose from (picker, sort columns). Borrowed. It begins and ends beside the
 * edges of the screen, so many columns less. */
enum { TUI_CHOICE_COL = 4, TUI_CHOICE_MARGIN = TUI_CHOICE_COL + 1 };
struct tui_choice {
    const char *text;
    bool marked;
};

/* Of MODE_OBJECTS: how the rows of each of its tables stand, and where the cursor is. */
enum { TUI_OBJECT_TABLES = 4 };
struct tui_objects {
    struct {
        unsigned order; /* column that they are sorted by, from 1 on; 0: as the job told of them */
        bool reversed;
    } sort[TUI_OBJECT_TABLES];
    bool chosen; /* a row is; until then the cursor stands on the first one, whichever that is */
    const struct model_job *of; /* the job of the row; never followed */
    unsigned table;
    uint64_t key; /* of the row in the table of its job */
};

struct tui_screen {
    const struct model_state *state; /* displayed state; NULL: nothing yet */
    const struct model_link *link;   /* NULL: no job chosen yet */
    const char *label;               /* of the target, safe text */
    const struct model_fleet_state *fleet; /* of all jobs attached to; one alone: NULL */
    size_t front;                          /* which of them is shown, if one is */
    uint64_t live_calls;             /* calls of the running job, while paused */
    uint64_t now_ns;                 /* viewer's monotonic clock */
    uint64_t wall_ns;                /* wall clock, local time is shown */
    bool show_clock;
    bool batch_whole; /* of it: names are not cut, so rows may be wider than the rest */
    bool batch;      /* `-b`: all rows, no cursor, no footer */
    bool batch_once; /* of it: it is one report, which has no interval */
    uint32_t batch_metrics; /* of it: metrics that have columns, as many as at its beginning */
    bool launched;   /* the label is the command of `run`, which may have to publish yet */
    bool paused;
    uint64_t paused_at_ns;
    uint64_t held;   /* frames that were taken in while paused */
    uint64_t lost;   /* and frames or rows that were not: see tui_lost() */
    uint64_t refresh_ms;
    bool interval;   /* narrow screens: interval figures instead of totals */
    bool name_raw;
    enum tui_mode mode;
    enum tui_mode under; /* what a text lies over: the panes, or a list */
    struct tui_pane pane[TUI_PANES];
    struct tui_memory memory; /* as long as its pane is looked at */
    unsigned active; /* pane shown */
    struct tui_objects objects;
    struct tui_prompt prompt;
    char search[TUI_PROMPT_MAX];
    char message[TUI_MESSAGE_MAX]; /* last word to the user; "" none */
    bool message_bad;
    const struct tui_choice *choice; /* of MODE_PICKER, MODE_SORT */
    size_t choices, chosen;
    const char *choice_head;         /* titles of the columns of the list, or NULL */
    size_t jobs;                     /* there are to choose from */
    const char *picker_note;         /* why the list is empty, or problems */
    const char *output;              /* of MODE_OUTPUT: tail of what the job printed, safe text */
    uint32_t scroll;                 /* first line of help, detail, output and log; too large: the
                                        last page */
    unsigned explained;              /* figure that the detail explains; too large: the last */
    uint32_t found;                  /* line of the help that was found, from 1 on; 0: none */
    uint32_t batch_top;              /* `--top`: rows of each pane; 0: all */
    unsigned batch_panes;            /* `--pane`: bits by pane; 0: all */
    struct {
        int cols;         /* of the grid; 0: nothing has been drawn */
        int list_rows;    /* rows of the list or lines of the text that fit */
        int scroll_lines; /* lines that there are in help, detail, output, log */
        int prompt_row, prompt_col; /* where the cursor stands; -1: hidden */
    } shape;
};

bool tui_screen_init(struct tui_screen *screen);
void tui_screen_release(struct tui_screen *screen);
/* Shows another state: updates the views of panes that are looked at, and keeps the selections.
 * False: out of memory. */
bool tui_screen_show(struct tui_screen *screen, const struct model_state *state);
/* Draws it. Any size from 1 x 1. */
void tui_screen_draw(struct tui_screen *screen, struct tui_grid *grid);
/* Moves the selection of the active pane by rows, clamped. Until it is first moved, the cursor
 * stands on the first row, whichever that is. */
void tui_screen_move(struct tui_screen *screen, int64_t rows);
/* Sorts a pane by what `--sort` asks for, as soon as a row has a value of it. */
void tui_screen_want(struct tui_screen *screen, const char *word);
/* What is not sorted as `--sort` asks, of the panes whose bits are set: a sentence. False: all is
 * as asked for. */
bool tui_screen_unsorted(const struct tui_screen *screen, const char *word, unsigned panes,
                         char *why, size_t capacity);
/* Whether the latest narrowing of a pane is that it was dug into; else it is the filter, if any. */
bool tui_pane_dug_last(const struct tui_pane *pane);
/* To the first row of the active pane, as after a change of its order. */
void tui_screen_first(struct tui_screen *screen);
/* Scrolls the help to the first line from one on that has a text. False: there is none. */
bool tui_help_find(struct tui_screen *screen, const char *text, uint32_t from);
/* In MODE_OBJECTS: sorts the table with the cursor by the next column of figures in a direction, */
void tui_objects_sort(struct tui_screen *screen, int step);
/* turns its order round, */
void tui_objects_reverse(struct tui_screen *screen);
/* and moves the cursor by so many rows, to the first or last row at most. */
void tui_objects_move(struct tui_screen *screen, int64_t rows);
/* Explains another figure of the detail, so many further on. */
void tui_detail_explain(struct tui_screen *screen, int step);
/* Whether a pane has a heading for the column, as wide as the screen is. */
bool tui_screen_shows(const struct tui_screen *screen, const struct tui_pane *pane,
                      unsigned column);
/* The column that is meant by this one: that of the interval, where it stands in its place. */
unsigned tui_screen_column(const struct tui_screen *screen, enum model_table table,
                           unsigned column);
/* Whether there is anything in a pane that is not in the others: source lines may not be known. */
bool tui_pane_there(const struct tui_screen *screen, unsigned pane);
/* The pane of a table. */
unsigned tui_pane_of(enum model_table table);
/* Position of a pane's cursor in the order shown; 0 if the selected row is not there. */
uint32_t tui_pane_position(const struct tui_pane *pane);

/* Lines of the report of `-b`. */
int tui_batch_rows(struct tui_screen *screen);
/* Prints that report `cols` wide (rows are wider with batch_whole), a stretch at a time, so that a
 * million rows need no large grid.
 * False: out of memory. */
bool tui_batch_print(struct tui_screen *screen, int cols, bool ascii, FILE *file);
/* Before there are figures: a line that says who the job is, and what it does. */
bool tui_batch_print_waiting(struct tui_screen *screen, int cols, bool ascii, FILE *file);

/* One line of the key table, as help and footer show it. The table itself is action.c's. */
struct tui_help_row {
    const char *group, *keys, *text;
    const char *footer; /* word for the footer line of the panes, or NULL */
    const char *other;  /* the same in texts and lists */
    unsigned in;        /* modes in which the keys work, as bits */
};
size_t tui_help_rows(const struct tui_help_row **rows); /* defined by action.c */

/* help.c: names of spans and counters that a sampler's adapter gives. */
extern const struct tui_words tui_sampler_words[];
extern const unsigned tui_sampler_words_count;

/* The job's state in JSON and lists: idle and compiling as in the header, else the link's. */
const char *tui_screen_state(const struct tui_screen *screen);
/* The same for any job. `link` NULL: the job is waited for. `state` may be NULL. */
const char *tui_state_word(const struct model_link *link, const struct model_state *state);
/* Whether a job has spans, counters, memory or markers to show. */
bool tui_objects_any(const struct model_state *state);
/* What of the feed did not get into the figures so far. */
uint64_t tui_lost(const struct model_link *link);

#endif
