/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * draw.h: shared by the files that draw. No other file includes it.
 */
#ifndef TUI_UI_DRAW_H
#define TUI_UI_DRAW_H

#include "tui/ui/screen.h"

enum {
    TUI_ROWS_MIN = 4, /* smaller terminals show a message instead */
    TUI_COLS_MIN = 20,
    TUI_ROWS_TALL = 30,
    TUI_FIELD_SIZE = 320,
    GRAPH_FROM = 6, /* rows of a text that stay above a graph */
};

/* Rows of the grid that belong to one part of the screen. */
struct tui_area {
    int row, rows;
};

/* Rows of the graph, if an area has `rows` to spare; columns of its plot. */
int tui_graph_rows(struct tui_screen *screen, int rows);
void tui_graph_draw(const struct tui_screen *screen, struct tui_grid *grid, struct tui_area area);
/* Rows of the time line on a screen of `rows` rows, and how it is drawn. */
int tui_timeline_rows(const struct tui_screen *screen, int rows);
void tui_timeline_draw(const struct tui_screen *screen, struct tui_grid *grid,
                       struct tui_area area);

/* A part of a line. If the line is too wide, fields are dropped, highest rank first. Fields of rank
 * 0 stay, and are cut if necessary. */
struct tui_field {
    enum tui_role role;
    uint8_t rank;
    bool right; /* right-aligned in the line */
    int most;   /* maximum of columns, longer text is cut in the middle; 0: no maximum */
    /* Columns reserved whatever the text's length, so that other fields do not come and go with it;
     * 0: as needed. */
    int least;
    char text[TUI_FIELD_SIZE];
};

/* A line under construction. */
enum { TUI_FIELDS_MAX = 16 };
struct tui_line {
    struct tui_field field[TUI_FIELDS_MAX];
    unsigned fields;
};
/* Adds a field. Pass text from the job only as %s argument, in its screen form. Empty fields are
 * left out. */
void tui_line_add(struct tui_line *line, enum tui_role role, unsigned rank, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void tui_line_right(struct tui_line *line, enum tui_role role, unsigned rank, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));
/* Returns the columns of all fields. */
int tui_line_width(const struct tui_line *line);
void tui_line_draw(struct tui_line *line, struct tui_grid *grid, int row);

/* A text of many lines. The area shows the lines from `scroll` on. The text is laid out twice:
 * first with `grid` NULL to count the lines, then drawn. */
struct tui_page {
    struct tui_grid *grid;
    struct tui_area area;
    int cols;
    uint32_t first, line;
    bool whole;       /* names are not cut: the grid may be wider than `cols` */
    int need;         /* columns that the names in the lines of the area need */
    const char *find; /* text to look for, from line `find_from` on, in any case; or NULL */
    uint32_t find_from;
    int64_t found;      /* first line that contains the text; -1: none so far */
    const char *mark;   /* text that is highlighted, in any case; or NULL */
    uint32_t mark_line; /* line with a sign before it, from 1 on; 0: none */
    uint32_t cursor;    /* line that tui_page_named() drew in TUI_CURSOR, from 1 on; 0: none */
};
void tui_page_line(struct tui_page *page, enum tui_role role, const char *text);
/* Adds a text wrapped at words where possible, each line indented; `head` stands in the indent of
 * the first line. */
void tui_page_wrap(struct tui_page *page, enum tui_role role, int indent, const char *head,
                   const char *text);
/* Adds a figure in `width` columns of the current line, `from` on: its label, highlighted if
 * chosen, and its value. Does not end the line: another figure may stand beside it. */
enum { TUI_FIGURE_WIDTH = 32 };
void tui_page_figure(struct tui_page *page, int from, int width, const char *label,
                     const char *value, bool chosen);
/* Adds one line: a text, then a name after its domain, if there is one. A long name is cut in the
 * middle. In TUI_CURSOR the line is the one with the cursor. */
void tui_page_named(struct tui_page *page, enum tui_role role, const char *text, const char *domain,
                    const char *name);
typedef void tui_page_text(const struct tui_screen *screen, struct tui_page *page);
void tui_page_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area,
                   tui_page_text *text);

/* Write numbers as text and return the buffer. */
enum { TUI_NUMBER_SIZE = 48 };
const char *tui_ns(char *out, uint64_t ns);
/* "
 * 4.02s" if estimated */
const char *tui_ns_marked(char *out, uint64_t ns, bool estimated);
const char *tui_bytes(char *out, uint64_t bytes); /* "4.02 MiB": sizes have this form everywhere */
const char *tui_count(char *out, uint64_t count);
/* Writes `-` if there is no share: the whole is unknown, zero, or less than the part. */
const char *tui_share(char *out, uint64_t part, uint64_t whole);

/* help.c: header words for faults of the feed; most are followed by a number. */
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
/* Returns the number of header lines on a screen of this size. A line without content is left
 * out. */
int tui_header_rows(const struct tui_screen *screen, int rows, int cols);
/* Draws the first header line, which identifies the job. */
void tui_header_first(const struct tui_screen *screen, struct tui_grid *grid, int row);
/* Draws the header from a row on, which may lie above the grid. */
void tui_header_draw(const struct tui_screen *screen, struct tui_grid *grid, int row);

/* header_now.c: writes what the job does now. There must be a state. */
void tui_header_now(const struct tui_screen *screen, char *out, size_t capacity);
/* The same of a job that was killed, and when that was. There must be a link, too. */
void tui_header_last(const struct tui_screen *screen, char *out, size_t capacity);

/* header_jobs.c: for several jobs: the way they are shown, how many are in which state, and which
 * one stands alone. */
void tui_header_jobs(const struct tui_screen *screen, struct tui_line *line);
void tui_header_front(const struct tui_screen *screen, struct tui_line *line);

/* status.c: condition of the job */
enum tui_condition {
    TUI_COND_NO_JOB,  /* none is chosen */
    TUI_COND_WAITING, /* the command of `run` has not published yet */
    TUI_COND_CONNECTING,
    TUI_COND_SYNCING,
    TUI_COND_IDLE, /* the job has run nothing yet */
    TUI_COND_COMPILING,
    TUI_COND_LIVE,
    TUI_COND_LAGGING,
    TUI_COND_STALE,
    TUI_COND_ENDED,
    TUI_COND_FILE,     /* there is no job but the figures of a file */
    TUI_COND_DETACHED, /* its feed has ended, and the job goes on */
    TUI_COND_GONE,
    TUI_COND_PAUSED,
    TUI_COND_REPLAY, /* a recording is shown, and stands still */
    TUI_COND_PLAYS,  /* a recording goes on */
    TUI_CONDITIONS
};
struct tui_condition_row {
    const char *word;
    enum tui_sign sign;
    enum tui_role role;
    bool old; /* the values are not current: they are shown dimmed */
    const char *help;
};
extern const struct tui_condition_row tui_conditions[TUI_CONDITIONS];
enum tui_condition tui_condition_of(const struct tui_screen *screen);
/* True if a recording is shown. */
bool tui_screen_replays(const struct tui_screen *screen);
/* Returns the condition as if the viewer were not paused. */
enum tui_condition tui_condition_live(const struct tui_screen *screen);
/* True if the functions in scope have not run yet. False if all functions are in scope. */
bool tui_scope_idle(const struct model_state *state);
/* Writes why a pane shows no row. */
void tui_empty_reason(const struct tui_screen *screen, const struct tui_pane *pane, char *out,
                      size_t capacity);

/* Writes what a job does before it has figures: the compilation that goes on, and since when. */
void tui_waiting_reason(const struct tui_screen *screen, char *out, size_t capacity);

/* peak_line.c: the line above the Memory pane */
/* Computes the peaks anew if the job has sent anything since. Returns false if out of memory. */
bool tui_peaks_update(struct tui_screen *screen);
void tui_peaks_forget(struct tui_memory *memory);
/* Draws the line, after a title, or "". Without a state it draws only the title. */
void tui_peaks_draw(const struct tui_screen *screen, struct tui_grid *grid, int row,
                    const char *title);

/* summary_row.c: draws how many rows are not shown, and their sum: rows above and below the window
 * (`rows` from `first` on) and hidden ones. `interval`: the columns show the interval, not the
 * total. */
void tui_rest_draw(const struct tui_pane *pane, bool interval, uint32_t first, uint32_t rows,
                   struct tui_grid *grid, int row);

/* table.c */
/* Returns the heading of the column that a view is sorted by, or its id if it has no heading. */
const char *tui_column_word(const struct model_view *view);
void tui_list_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area);
/* Draws one pane in full for a report. `row` is the first line, which may lie above the grid.
 * Returns the number of lines. */
int tui_list_batch(const struct tui_screen *screen, const struct tui_pane *pane,
                   struct tui_grid *grid, int64_t row);
/* Returns the columns that rows need with whole names, for the rows on the first `rows` lines of
 * the grid; the pane begins at line `row`. */
int tui_list_batch_width(const struct tui_screen *screen, const struct tui_pane *pane, int cols,
                         int64_t row, int rows);
int tui_list_batch_rows(const struct tui_screen *screen, const struct tui_pane *pane);

/* Modes: help.c, detail.c, object_page.c, job_page.c, log.c (two), choice_list.c; and footer.c */
void tui_help_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area);
void tui_detail_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area);
/* Draws the same for a report, from a line on that may lie above the grid. Returns the number of
 * lines. With `grid` NULL it only counts them, and returns the columns that lines 0 to `rows`
 * need. */
int tui_objects_batch(const struct tui_screen *screen, struct tui_grid *grid, int cols, int64_t row,
                      int rows, int *need);
void tui_objects_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area);
void tui_job_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area);
void tui_log_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area);
void tui_output_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area);
void tui_choice_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area);
void tui_footer_draw(struct tui_screen *screen, struct tui_grid *grid, int row);

#endif
