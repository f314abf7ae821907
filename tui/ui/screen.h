/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * screen.h: the content of the screen, and how it is drawn into a grid. Drawing changes nothing
 * except `shape`, which keeps layout results (such as the rows that fit) for the key actions.
 */
#ifndef TUI_UI_SCREEN_H
#define TUI_UI_SCREEN_H

#include "model/link.h"
#include "model/multi_job.h"
#include "model/peak.h"
#include "model/series.h"
#include "model/view.h"
#include "tui/ui/grid.h"
#include "tui/ui/words.h"

#include <stdio.h>

/* Screens of at least this width show totals and the interval side by side. */
enum { TUI_COLS_WIDE = 100 };

enum tui_mode {
    TUI_MODE_TABLE,
    TUI_MODE_HELP,
    TUI_MODE_PICKER,    /* choose a job */
    TUI_MODE_SORT,      /* choose the sort column from a list */
    TUI_MODE_FUNCTIONS, /* choose the functions in scope */
    TUI_MODE_DETAIL,    /* the selected row in full */
    TUI_MODE_OUTPUT,    /* the job's output, under `run` */
    TUI_MODE_LOG,       /* notices of the job and of the viewer */
    TUI_MODE_OBJECTS,   /* spans, counters, memory, markers */
    TUI_MODE_JOB,       /* identity of the job, its settings, its functions */
    TUI_MODE_CONTROL,   /* choose a request to the job */
    TUI_MODE_MARKS,     /* choose a marked moment */
    TUI_MODE_LEAVE,     /* under `run`: leave the job running, or end it? */
};

/* One pane of rows: a table and the user's position in it. Selection is by id. */
struct tui_pane {
    const struct tui_pane_row *row; /* its row in THE pane table */
    struct model_view view;
    uint32_t selected;  /* id, or MODEL_NONE */
    uint32_t top;       /* first position shown */
    int requested_sort; /* column requested by --sort, while no row has a value of it; or -1 */
    /* The filter was set after digging into the pane: Esc removes the filter first. */
    bool filter_last;
    int skip; /* names are scrolled sideways by this many columns */
};

/* THE pane table: key, title and table of each pane. */
struct tui_pane_row {
    char key;
    const char *title, *plural; /* "Apply", "Apply instances" (trailer) */
    const char *one; /* the singular; NULL: one is counted as the printed profiles do, "1 Ops" */
    enum model_table table;
    enum model_table inner; /* table of the rows that Enter shows for a row, or MODEL_TABLES */
    const char *default_column;
    const char *help;
    bool on_request; /* its rows also stand in another pane: `-b` prints it only on request */
};
enum { TUI_PANES = 6, TUI_ALL_PANES = (1 << TUI_PANES) - 1 };
extern const struct tui_pane_row tui_panes[TUI_PANES];

/* Memory figures of the function that takes most, computed for one version of the job's data. */
struct tui_memory {
    const struct model_job *job; /* NULL: nothing computed; never dereferenced */
    uint64_t changes;
    uint64_t again_ns; /* by the viewer's clock: earliest next computation, for a large job */
    uint32_t scope, applies;
    struct model_peaks peaks;
    uint32_t function; /* MODEL_NONE: the job has sent no sizes */
};

enum { TUI_PROMPT_MAX = 256, TUI_MESSAGE_MAX = 256 };
struct tui_prompt {
    const char *title; /* NULL: no prompt is open */
    char text[TUI_PROMPT_MAX];
    size_t size, cursor; /* bytes */
};

/* One line of a list to choose from (picker, sort columns). Borrowed. The text keeps a margin of
 * this many columns from the edges of the screen. */
enum { TUI_CHOICE_COL = 4, TUI_CHOICE_MARGIN = TUI_CHOICE_COL + 1 };
struct tui_choice {
    const char *text;
    bool marked;
    bool publishes; /* for MODE_PICKER: a job; else a process that can be attached to */
};

/* State of MODE_OBJECTS: order of the rows of each table, and position of the cursor. */
enum { TUI_OBJECT_TABLES = 6 };
struct tui_objects {
    struct {
        unsigned order; /* sort column, from 1 on; 0: in the order the job sent them */
        bool reversed;
    } sort[TUI_OBJECT_TABLES];
    bool chosen;                /* a row is chosen; until then the cursor stays on the first row */
    const struct model_job *of; /* job of the chosen row; never dereferenced */
    unsigned table;
    uint64_t key; /* key of the row in the table of its job */
};

/* The past that is kept, in columns of equal time, and where in it the screen is. */
enum { TUI_TIMELINE_COLS = 512, TUI_LOAD_MAX = 8, TUI_LOAD_NONE = 255 };
struct tui_timeline {
    bool on;                         /* the screen is paused, and there is a past */
    int cols;                        /* columns of the two lists below */
    uint8_t load[TUI_TIMELINE_COLS]; /* 0 to TUI_LOAD_MAX; TUI_LOAD_NONE: nothing is kept */
    char sign[TUI_TIMELINE_COLS];    /* what happened: ' ', or a sign of tui_timeline_signs */
    int at;                          /* column of the moment shown */
    char scale[128];                 /* how long the line is */
    char text[TUI_MESSAGE_MAX];      /* where one stands, and how much is kept */
    char since[128];                 /* what the figures are compared with; "": nothing */
    const char *mark;                /* its name, or NULL; borrowed */
};
/* Letters are marks. */
struct tui_timeline_sign {
    char sign;
    const char *help;
};
extern const struct tui_timeline_sign tui_timeline_signs[];
extern const unsigned tui_timeline_signs_count;

/* How a figure of the chosen row went. */
struct tui_graph {
    bool on;
    bool past; /* its end is not the present */
    enum model_unit unit;
    char title[96];
    struct model_series series;
    const struct model_job *of; /* job of the series; never dereferenced */
};
struct tui_screen;
/* Fills in the rows around those that the active pane shows, and the figure to follow. False: none
 * are to be followed, or the screen of so many columns has no room. */
bool tui_screen_strips(const struct tui_screen *screen, struct model_strips *strips, int cols);
/* The same for the spans (`of`: RUNS) or counters (COUNTER) of the page of objects. */
bool tui_objects_strips(const struct tui_screen *screen, enum model_series_of of,
                        struct model_strips *strips, int cols);
/* Returns what the graph is to follow on this screen. False: nothing. */
bool tui_screen_follows(const struct tui_screen *screen, struct model_series_key *key);
/* Returns the columns of a graph's plot on a screen of `cols` columns. */
int tui_graph_cols(int cols);

struct tui_screen {
    const struct model_state *state;               /* displayed state; NULL: nothing yet */
    const struct model_link *link;                 /* NULL: no job chosen yet */
    const char *label;                             /* name of the target, safe text */
    const struct model_multi_job_state *multi_job; /* state of all attached jobs; NULL: one job */
    size_t front;                                  /* index of the job shown alone, if one is */
    uint64_t live_calls;                           /* calls of the running job, while paused */
    uint64_t now_ns;                               /* viewer's monotonic clock */
    uint64_t wall_ns;                              /* wall clock, local time is shown */
    bool show_clock;
    bool batch_whole;       /* for batch: names are not cut, so rows may be wider than the rest */
    bool batch;             /* `-b`: all rows, no cursor, no footer */
    bool batch_once;        /* for batch: only one report, which has no interval */
    uint32_t batch_metrics; /* for batch: metrics that have columns: those known at its beginning */
    bool records;           /* the job is being recorded */
    bool launched; /* the label is the command of `run`, which may not have published yet */
    bool paused;
    uint64_t paused_at_ns;
    uint64_t paused_frames; /* frames received while paused */
    uint64_t lost;          /* frames or rows lost while paused: see tui_lost() */
    struct tui_timeline timeline;
    struct tui_graph graph;
    /* Curves of the rows of the active pane, and of the spans and counters of the page of objects;
     * NULL: there are none. Owned by tui_rewind. */
    const struct model_strips *strips, *span_strips, *counter_strips;
    uint64_t refresh_ms;
    bool interval; /* narrow screens: interval figures instead of totals */
    bool name_raw;
    enum tui_mode mode;
    enum tui_mode under; /* mode below a text: the panes, or a list */
    struct tui_pane pane[TUI_PANES];
    struct tui_memory memory; /* computed while its pane is shown */
    unsigned active;          /* pane shown */
    struct tui_objects objects;
    struct tui_prompt prompt;
    char search[TUI_PROMPT_MAX];
    char message[TUI_MESSAGE_MAX]; /* last message to the user; "": none */
    bool message_bad;
    const struct tui_choice *choice; /* for MODE_PICKER, MODE_SORT */
    size_t choices, chosen;
    const char *choice_head; /* titles of the columns of the list, or NULL */
    size_t jobs;             /* number of jobs to choose from */
    const char *picker_note; /* why the list is empty, or problems */
    const char *output;      /* for MODE_OUTPUT: tail of the job's output, safe text */
    uint32_t scroll;         /* first line of help, detail, output, log; too large: the last page */
    unsigned explained;      /* figure that the detail explains; too large: the last */
    uint32_t found;          /* line of the help that was found, from 1 on; 0: none */
    uint32_t batch_top;      /* `--top`: rows of each pane; 0: all */
    unsigned batch_panes;    /* `--pane`: bits by pane; 0: all */
    struct {
        int cols;                   /* of the grid; 0: nothing has been drawn */
        int list_rows;              /* rows of the list or lines of the text that fit */
        int scroll_lines;           /* number of lines in help, detail, output, log */
        int graph_rows;             /* that a graph has, or would have */
        int prompt_row, prompt_col; /* position of the prompt's cursor; -1: hidden */
    } shape;
};

bool tui_screen_init(struct tui_screen *screen);
void tui_screen_release(struct tui_screen *screen);
/* Shows another state: updates the views of visible panes, and keeps the selections. Returns false
 * if out of memory. */
bool tui_screen_show(struct tui_screen *screen, const struct model_state *state);
/* Draws the screen. Works with any size from 1 x 1. */
void tui_screen_draw(struct tui_screen *screen, struct tui_grid *grid);
/* Moves the selection of the active pane by rows, clamped. Before the first move, the cursor stays
 * on the first row, even if that becomes another one. */
void tui_screen_move(struct tui_screen *screen, int64_t rows);
/* Sorts each pane by the column of `--sort`, as soon as a row has a value of it. */
void tui_screen_sort_by(struct tui_screen *screen, const char *word);
/* Writes a sentence about the panes (bits in `panes`) that are not sorted as `--sort` asks. Returns
 * false if all are. */
bool tui_screen_unsorted(const struct tui_screen *screen, const char *word, unsigned panes,
                         char *why, size_t capacity);
/* True if digging in was the latest narrowing of a pane; otherwise it is the filter, if any. */
bool tui_pane_dug_last(const struct tui_pane *pane);
/* Goes to the first row of the active pane, as after a change of its order. */
void tui_screen_first(struct tui_screen *screen);
/* Scrolls the help to the first line that contains the text, from a line on. Returns false if there
 * is none. */
bool tui_help_find(struct tui_screen *screen, const char *text, uint32_t from);
/* In MODE_OBJECTS: sorts the table with the cursor by the next column of figures, in the direction
 * of `step`. */
void tui_objects_sort(struct tui_screen *screen, int step);
/* In MODE_OBJECTS: reverses the order of the table with the cursor. */
void tui_objects_reverse(struct tui_screen *screen);
/* In MODE_OBJECTS: moves the cursor by this many rows, clamped. */
void tui_objects_move(struct tui_screen *screen, int64_t rows);
/* Explains another figure of the detail, `step` further on. */
void tui_detail_explain(struct tui_screen *screen, int step);
/* True if a pane shows the column at the current width of the screen. */
bool tui_screen_shows(const struct tui_screen *screen, const struct tui_pane *pane,
                      unsigned column);
/* Returns the column shown for this one: its interval form, if the interval replaces the total. */
unsigned tui_screen_column(const struct tui_screen *screen, enum model_table table,
                           unsigned column);
/* True if a pane has content of its own: the Lines pane has none if source lines are not known. */
bool tui_pane_there(const struct tui_screen *screen, unsigned pane);
/* Returns the pane of a table. */
unsigned tui_pane_of(enum model_table table);
/* Returns the position of a pane's cursor in the order shown; 0 if the selected row is not
 * there. */
uint32_t tui_pane_position(const struct tui_pane *pane);

/* Returns the number of lines of the report of `-b`. */
int tui_batch_rows(struct tui_screen *screen);
/* Prints the report `cols` wide (rows are wider with batch_whole). Prints it in pieces, so that a
 * million rows need no large grid. Returns false if out of memory. */
bool tui_batch_print(struct tui_screen *screen, int cols, bool ascii, FILE *file);
/* Prints, before there are figures, a line with the identity of the job and what it does. */
bool tui_batch_print_waiting(struct tui_screen *screen, int cols, bool ascii, FILE *file);

/* One line of the key table, as help and footer show it. The table itself is in action.c. */
struct tui_help_row {
    const char *group, *keys, *text;
    const char *footer; /* word for the footer line of the panes, or NULL */
    const char *other;  /* word for the footer line of texts and lists, or NULL */
    unsigned in;        /* modes in which the keys work, as bits */
};
size_t tui_help_rows(const struct tui_help_row **rows); /* defined by action.c */

/* help.c: names of spans and counters that a sampler's adapter creates. */
extern const struct tui_words tui_sampler_words[];
extern const unsigned tui_sampler_words_count;

/* Returns the job's state for JSON and lists: idle and compiling as in the header, otherwise the
 * link's. */
const char *tui_screen_state(const struct tui_screen *screen);
/* Returns the same for any job. `link` NULL: the job is waited for. `state` may be NULL. */
const char *tui_state_word(const struct model_link *link, const struct model_state *state);
/* In MODE_OBJECTS: returns what can be followed of the row with the cursor. False: nothing. */
bool tui_objects_follows(const struct tui_screen *screen, struct model_series_key *key);
/* In MODE_OBJECTS: sets the time of the marker with the cursor. Returns false if it is on no
 * marker. */
bool tui_objects_marker(const struct tui_screen *screen, uint64_t *mono_ns);
/* Writes a time of day as hh:mm:ss, local time; "" if it is none. */
void tui_clock(uint64_t wall_ns, char *out, size_t capacity);
/* True if a job has ops, or functions that may have some. */
bool tui_ops_any(const struct model_state *state);
/* True if a job has spans, counters, memory or markers to show. */
bool tui_objects_any(const struct model_state *state);
/* Returns how much of the feed is missing in the figures so far: frames and rows. */
uint64_t tui_lost(const struct model_link *link);

#endif
