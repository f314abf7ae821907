/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * column.h: THE column table. One row here is a column of the screen, a field of JSON, a line of
 * the manual and of the help, a sort key and a case of the tests. Nothing else knows which columns
 * there are.
 */
#ifndef MODEL_COLUMN_H
#define MODEL_COLUMN_H

#include "model/state.h"
#include "model/unit.h"

/* Tables that a column belongs to; bits by enum model_table. */
enum {
    MODEL_IN_CLASS = 1 << MODEL_CLASS,
    MODEL_IN_OP = 1 << MODEL_OP,
    MODEL_IN_FUNCTION = 1 << MODEL_FUNCTION,
    MODEL_IN_LINE = 1 << MODEL_LINE,
    MODEL_IN_APPLY = 1 << MODEL_APPLY,
    MODEL_IN_SIZES = 1 << MODEL_SIZES,
    MODEL_IN_COMPILE = 1 << MODEL_COMPILE,
    MODEL_IN_PANES = MODEL_IN_CLASS | MODEL_IN_OP | MODEL_IN_LINE | MODEL_IN_APPLY,
};

/* Views of several jobs that a column belongs to; of one job: MODEL_COLUMN_ALWAYS alone. */
enum model_column_when {
    MODEL_COLUMN_ALWAYS, /* but where jobs are compared */
    MODEL_COLUMN_STAYS,  /* there as well */
    MODEL_COLUMN_RANKS,  /* there alone */
    MODEL_COLUMN_EACH,   /* where each job has rows of its own */
};

struct model_view;

struct model_column {
    const char *id;    /* word of the configuration and the manual: "time" */
    const char *title; /* header, at most `width` characters: "TIME"; "" if never on screen */
    const char *help;  /* one line */
    const char *json;  /* key in JSON, or NULL if it is not there (derived values) */
    enum model_unit unit;
    uint8_t width;        /* characters; 0: elastic (the name), or never on screen (no title) */
    uint16_t in;          /* MODEL_IN_... that show it */
    uint8_t json_in;      /* MODEL_IN_... whose rows in JSON have it */
    uint8_t rank;         /* narrow screens drop the highest rank first; 0 stays to the end */
    const char *interval; /* id of what stands for it where the interval is shown; or NULL */
    const char *order;    /* id of the column that it sorts by; NULL: by itself */
    bool bar;             /* a bar is drawn behind it where there is room */
    bool wide;            /* shown on screens of at least 100 columns only */
    uint8_t narrow;       /* width on narrower ones, of a column that is shown only where it tells
                             rows of several functions apart; 0: of any other */
    bool ascending;       /* the useful direction when first chosen */
    bool telling;         /* the screen hides it where all rows of the table have one value */
    char key;             /* letter that sorts by it, or 0 */
    uint8_t when;  /* enum model_column_when */
    uint8_t extra; /* a figure that few jobs tell, of extra.h, plus 1: hidden where none does */
    /* `at` is the position of the row in the order shown (for running sums). */
    struct model_cell (*get)(const struct model_view *view, const struct model_row *row,
                             uint32_t at);
    /* What it sorts by, where that is not the value (for texts: their rank) itself; or NULL. */
    uint64_t (*sort_key)(const struct model_view *view, const struct model_row *row);
};

extern const struct model_column model_columns[];
extern const unsigned model_columns_count;

/* Whether a table shows the column on the screen; those that it does not are for JSON alone. */
bool model_column_on_screen(const struct model_column *column, enum model_table table);

/* Whether the state has anything in it: columns of figures that the job does not tell are hidden,
 * and those of another view of several jobs. */
bool model_column_there(const struct model_column *column, const struct model_state *state);
/* The same without a look at the figures: whether this view of jobs has the column. */
bool model_column_in_view(const struct model_column *column, const struct model_state *state);
/* Which of the metrics that a job declares the column shows, from 0 on, or MODEL_NONE. */
uint32_t model_column_metric(const struct model_column *column);
/* Title and unit: those of the table, but for metrics, which the job names. Borrowed. */
const char *model_column_title(const struct model_column *column, const struct model_state *state);
enum model_unit model_column_unit(const struct model_column *column,
                                  const struct model_state *state);

/* Index of the column with this id or title (any case) in a table, or -1. */
int model_column_find(const char *word, enum model_table table);

/* The column that rows are sorted by when this one is asked for: mostly itself. */
unsigned model_column_order(unsigned column, enum model_table table);

/* The column that stands for this one of a table where the interval is shown, and the first one
 * that another stands for; itself if there is none. */
unsigned model_column_interval(unsigned column, enum model_table table);
unsigned model_column_total(unsigned column, enum model_table table);

#endif
