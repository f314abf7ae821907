/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * column.h: THE column table. One row here is a column of the screen, a field of JSON, a line of
 * the manual and of the help, a sort key and a test case. Nothing else lists the columns.
 */
#ifndef MODEL_COLUMN_H
#define MODEL_COLUMN_H

#include "model/state.h"
#include "model/unit.h"

/* Tables that show a column; bits by enum model_table. */
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

/* Views of several jobs that show a column. A view of one job has the columns of ALWAYS and
 * STAYS. */
enum model_column_when {
    MODEL_COLUMN_ALWAYS, /* all views except MODEL_MULTI_JOB_RANKS */
    MODEL_COLUMN_STAYS,  /* all views */
    MODEL_COLUMN_RANKS,  /* MODEL_MULTI_JOB_RANKS only */
    MODEL_COLUMN_EACH,   /* MODEL_MULTI_JOB_EACH only */
    MODEL_COLUMN_SINCE,  /* one job, since a mark: model_state.base */
};

struct model_view;

struct model_column {
    const char *id;    /* name in the configuration and the manual: "time" */
    const char *title; /* header, at most `width` characters: "TIME"; "" if never on screen */
    const char *launch; /* title in a job whose ops run on a device (model_job_device()); or NULL */
    const char *help;  /* one line */
    const char *json;  /* key in JSON, as in docs/json.schema; NULL: not in JSON */
    enum model_unit unit;
    uint8_t width;        /* characters; 0: elastic (the name), or never on screen (no title) */
    uint16_t in;          /* set of MODEL_IN_...: tables that show the column */
    uint8_t json_in;      /* set of MODEL_IN_...: tables with the column in their JSON rows */
    uint8_t rank;         /* narrow screens drop the highest rank first; 0 is never dropped */
    const char *interval; /* id of its replacement in the interval view; or NULL */
    const char *order;    /* id of the column that it sorts by; NULL: itself */
    bool bar;             /* a bar is drawn behind the value if there is space */
    bool wide;            /* shown on screens of at least 100 columns only */
    uint8_t narrow;       /* width on narrower screens, for a column shown only if it distinguishes
                           * rows of several functions; 0: any other column */
    bool ascending;       /* sorts ascending when first chosen */
    bool counts;          /* it never falls until the job resets its counts */
    bool telling;         /* hidden on screen if all rows of the table have the same value */
    char key;             /* letter that sorts by this column, or 0 */
    const char *metric;   /* name of the job's metric that the column shows; or NULL */
    uint8_t when;         /* enum model_column_when */
    uint8_t extra; /* 1 plus a figure of extra.h that few jobs have; the column is hidden if the job
                    * has none */
    /* `at` is the position of the row in the displayed order (for running sums). */
    struct model_cell (*get)(const struct model_view *view, const struct model_row *row,
                             uint32_t at);
    /* Sort key, if it differs from the value (texts: their rank); or NULL. */
    uint64_t (*sort_key)(const struct model_view *view, const struct model_row *row);
};

extern const struct model_column model_columns[];
extern const unsigned model_columns_count;

/* True if a table shows the column on screen. Other columns are for JSON alone. */
bool model_column_on_screen(const struct model_column *column, enum model_table table);

/* True if the state has values for the column. Columns without data, and columns of other views of
 * several jobs, are hidden. */
bool model_column_there(const struct model_column *column, const struct model_state *state);
/* True if this view of jobs has the column, whatever figures the job has. */
bool model_column_in_view(const struct model_column *column, const struct model_state *state);
/* Returns the number, from 0 on, of the declared metric that the column shows. MODEL_NONE: it shows
 * something else. MODEL_METRICS_MAX: the job lacks the metric, or has another column for it. */
uint32_t model_column_metric(const struct model_column *column, const struct model_state *state);
/* Title and unit of a column. A column of a metric takes both from the job. Borrowed. */
const char *model_column_title(const struct model_column *column, enum model_table table,
                               const struct model_state *state);
enum model_unit model_column_unit(const struct model_column *column,
                                  const struct model_state *state);

/* Index of the column with this id or title (any case) in a table, or -1. */
int model_column_find(const char *word, enum model_table table);

/* Returns the column that defines the sort order for `column`, mostly itself. */
unsigned model_column_order(unsigned column, enum model_table table);

/* model_column_interval(): the column that replaces this one in the interval view.
 * model_column_total(): the reverse. Both return `column` itself if there is no other. */
unsigned model_column_interval(unsigned column, enum model_table table);
unsigned model_column_total(unsigned column, enum model_table table);

#endif
