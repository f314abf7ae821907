/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * draw.h: what the files that draw share among themselves. Nobody else includes it.
 */
#ifndef TUI_UI_DRAW_H
#define TUI_UI_DRAW_H

#include "tui/ui/screen.h"

enum {
    TUI_ROWS_MIN = 4, /* smaller terminals are told so */
    TUI_COLS_MIN = 20,
    TUI_ROWS_TALL = 30,
    TUI_FIELD_SIZE = 320,
};

/* A stretch of the grid that belongs to one part of the screen. */
struct tui_area {
    int row, rows;
};

/* A piece of a line. What does not fit is left out, highest rank first; rank 0 stays, and is cut
 * if it must be. */
struct tui_field {
    enum tui_role role;
    uint8_t rank;
    bool right; /* stands at the right edge */
    int most;   /* columns that it may take, then it is cut in the middle; 0: as it needs */
    int least;  /* columns that it is sure of, however long it is: others do not come and go with
                 * its length; 0: as it needs */
    char text[TUI_FIELD_SIZE];
};

/* A line that is being put together. */
enum { TUI_FIELDS_MAX = 16 };
struct tui_line {
    struct tui_field field[TUI_FIELDS_MAX];
    unsigned fields;
};
/* Adds a field; remote text only as %s argument in its screen form. Empty ones are left out. */
void tui_line_add(struct tui_line *line, enum tui_role role, unsigned rank, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void tui_line_right(struct tui_line *line, enum tui_role role, unsigned rank, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));
/* Columns that all of its fields take. */
int tui_line_width(const struct tui_line *line);
void tui_line_draw(struct tui_line *line, struct tui_grid *grid, int row);

/* A text of many lines, of which the area shows those from `scroll` on. First it is laid out with
 * `grid` NULL to count the lines, then drawn. */
struct tui_page {
    struct tui_grid *grid;
    struct tui_area area;
    int cols;
    uint32_t first, line;
    bool whole; /* names are not cut: the grid may be wider than `cols` */
    int need;   /* columns that the names of the lines of the area take */
    const char *find;    /* text to look for, from line `find_from` on, in any case; or NULL */
    uint32_t find_from;
    int64_t found; /* the first line that has it; -1: none so far */
    const char *mark;   /* text that is marked where it stands, in any case; or NULL */
    uint32_t mark_line; /* and the line with a sign before it, from 1 on; 0: none */
    uint32_t cursor;    /* the line that tui_page_named() put in TUI_CURSOR, from 1 on; 0: none */
};
void tui_page_line(struct tui_page *page, enum tui_role role, const char *text);
/* Wrapped at words where it has any, each line indented; the first one has `head` in the indent. */
void tui_page_wrap(struct tui_page *page, enum tui_role role, int indent, const char *head,
                   const char *text);
/* A figure in `width` columns of the line, `from` on: its label, marked if it is chosen, and its
 * value. The line stays: another figure may stand beside it. */
enum { TUI_FIGURE_WIDTH = 32 };
void tui_page_figure(struct tui_page *page, int from, int width, const char *label,
                     const char *value, bool chosen);
/* One line: a text, then a name behind its domain, if it has one; what is too long is cut in the
 * middle. In TUI_CURSOR it is the line with the cursor. */
void tui_page_named(struct tui_page *page, enum tui_role role, const char *text, const char *domain,
                    const char *name);
typedef void tui_page_text(const struct tui_screen *screen, struct tui_page *page);
void tui_page_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area,
                   tui_page_text *text);

/* Numbers as text; the buffer is given back. */
enum { TUI_NUMBER_SIZE = 48 };
const char *tui_ns(char *out, uint64_t ns);
const char *tui_ns_marked(char *out, uint64_t ns, bool estimated); /* "~4.02s", if it is */
const char *tui_bytes(char *out, uint64_t bytes); /* "4.02 MiB": so sizes are written everywhere */
const char *tui_count(char *out, uint64_t count);
/* `-` if there is no such share: the whole is not known, is nothing, or is less than the part. */
const char *tui_share(char *out, uint64_t part, uint64_t whole);

/* help.c: words of the header for faults of the feed; most have a number behind them. */
enum tui_fault {
    TUI_FAULT_INSECURE,
    TUI_FAULT_HEALING,
    TUI_FAULT_GAPS,
    TUI_FAULT_MALFORMED,
    TUI_FAULT_FALLS,
    TUI_FAULT_NAMES,
    TUI_FAULT_PHASES,
    TUI_FAULT_DETAILS,
    TUI_FAULT_LIMIT,
    TUI_FAULT_VERSION,
    TUI_FAULT_RECONNECTS,
    TUI_FAULT_DROPPED,
    TUI_FAULT_MISUSE,
    TUI_FAULT_INVALID,
    TUI_FAULTS
};
extern const struct tui_words tui_faults[TUI_FAULTS];

/* header.c */
/* Lines of the header on a screen of this size. A line with nothing to say is left out. */
int tui_header_rows(const struct tui_screen *screen, int rows, int cols);
/* The first of them, which says who the job is. */
void tui_header_first(const struct tui_screen *screen, struct tui_grid *grid, int row);
/* From a row on, which may lie above the grid. */
void tui_header_draw(const struct tui_screen *screen, struct tui_grid *grid, int row);

/* header_now.c: what the job does at this moment. There is a state. */
void tui_header_now(const struct tui_screen *screen, char *out, size_t capacity);

/* header_jobs.c: of several jobs how they are shown, how many there are in which state, and which
 * of them stands alone. */
void tui_header_jobs(const struct tui_screen *screen, struct tui_line *line);
void tui_header_front(const struct tui_screen *screen, struct tui_line *line);

/* status.c: what is the matter with the job */
enum tui_condition {
    TUI_COND_NO_JOB,     /* none is chosen */
    TUI_COND_WAITING,    /* for the command of `run` to publish */
    TUI_COND_CONNECTING,
    TUI_COND_SYNCING,
    TUI_COND_IDLE,       /* the job has run nothing yet */
    TUI_COND_COMPILING,
    TUI_COND_LIVE,
    TUI_COND_LAGGING,
    TUI_COND_STALE,
    TUI_COND_ENDED,
    TUI_COND_DETACHED,   /* its feed has ended, and it goes on */
    TUI_COND_GONE,
    TUI_COND_PAUSED,
    TUI_CONDITIONS
};
struct tui_condition_row {
    const char *word;
    enum tui_sign sign;
    enum tui_role role;
    bool old; /* the values are not of now: they are shown dimmed */
    const char *help;
};
extern const struct tui_condition_row tui_conditions[TUI_CONDITIONS];
enum tui_condition tui_condition_of(const struct tui_screen *screen);
/* The same, as if the viewer were not paused. */
enum tui_condition tui_condition_live(const struct tui_screen *screen);
/* Whether the function shown, one of several or the only one, has not run yet. */
bool tui_scope_idle(const struct model_state *state);
/* Why a pane shows no row. */
void tui_empty_reason(const struct tui_screen *screen, const struct tui_pane *pane, char *out,
                      size_t capacity);

/* What a job does before it has figures: which compilation goes on, and since when. */
void tui_waiting_reason(const struct tui_screen *screen, char *out, size_t capacity);

/* peak_line.c: the line above the Memory pane */
/* Computes it anew where anything was told since. False: out of memory. */
bool tui_peaks_update(struct tui_screen *screen);
void tui_peaks_forget(struct tui_memory *memory);
/* With a title before it, or "". Without a state there is nothing but the title. */
void tui_peaks_draw(const struct tui_screen *screen, struct tui_grid *grid, int row,
                    const char *title);

/* summary_row.c: the rows above and below the window, which has `rows` from `first` on, and those
 * that are hidden, in sum. `interval`: the columns show that, not the total. */
void tui_rest_draw(const struct tui_pane *pane, bool interval, uint32_t first, uint32_t rows,
                   struct tui_grid *grid, int row);

/* table.c */
/* The column that a view is sorted by: its heading, or its word where it has none. */
const char *tui_column_word(const struct model_view *view);
void tui_list_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area);
/* One pane in full, from a line of the report on that may lie above the grid. Returns its lines. */
int tui_list_batch(const struct tui_screen *screen, const struct tui_pane *pane,
                   struct tui_grid *grid, int64_t row);
/* Columns that its rows need with whole names, of those on `rows` lines from the first of the grid
 * on; the pane begins at line `row`. */
int tui_list_batch_width(const struct tui_screen *screen, const struct tui_pane *pane, int cols,
                         int64_t row, int rows);
int tui_list_batch_rows(const struct tui_screen *screen, const struct tui_pane *pane);

/* Modes: help.c, detail.c, object_page.c, job_page.c, log.c (two), choice_list.c; and footer.c */
void tui_help_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area);
void tui_detail_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area);
/* The same in a report, from a line of it on that may lie above the grid. Returns its lines; with
 * `grid` NULL it counts them, and gives the columns that lines from 0 to `rows` need. */
int tui_objects_batch(const struct tui_screen *screen, struct tui_grid *grid, int cols, int64_t row,
                      int rows, int *need);
void tui_objects_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area);
void tui_job_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area);
void tui_log_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area);
void tui_output_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area);
void tui_choice_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area);
void tui_footer_draw(struct tui_screen *screen, struct tui_grid *grid, int row);

#endif
