/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * job_private.h: the members of a job, for job.c, defs.c, values.c, objects.c and scope.c alone.
 */
#ifndef MODEL_JOB_PRIVATE_H
#define MODEL_JOB_PRIVATE_H

#include "model/index.h"
#include "model/inside.h"
#include "model/job.h"
#include "model/node_detail.h"
#include "model/objects.h"
#include "model/quantile.h"
#include "model/rewrite.h"
#include "model/timeline.h"

struct model_history;

enum {
    MODEL_NOTICES_KEPT = 256,
    MODEL_DISPLAYS_MAX = 4096,           /* waiting for their ops: one frame has fewer */
    MODEL_LABELS_MAX = 64 * 1024 * 1024, /* bytes of apply labels that are derived from displays */
    MODEL_IDENTITY_TEXTS = 13,           /* texts of struct model_identity, from `host` on */
};

/* Rows of one table. The user knows the size of a row. */
struct model_rows {
    void *data;
    uint32_t count, capacity;
};

/* Functions that the user chose together, in id order: scope.h. */
struct model_function_set {
    uint32_t *function;
    uint32_t count;
};

/* The values of a job at one moment, by the ids of their definitions. Those of the job itself grow
 * with the definitions of their table, so every defined id has a value. The numbers are capacities.
 * moment.h sees them as tables of 64-bit words. */
struct model_values {
    struct model_apply_value *apply;
    struct model_function_value *function;
    struct model_inside *inside; /* by function */
    struct model_now *now;
    struct model_phase *phase;
    struct model_quantiles *quantile;                    /* by op */
    struct model_metric_cell *metric[MODEL_METRICS_MAX]; /* by apply */
    struct model_objects objects;
    uint32_t applies, functions, insides, nows, phases, quantiles, cells[MODEL_METRICS_MAX];
};

struct model_job {
    unsigned references;
    struct model_arena texts; /* texts of definitions */
    struct model_rows def[MODEL_TABLES];
    struct model_index label_index; /* ops by label */
    struct model_rows displays;     /* displays of ops not yet added: labels.c */
    uint32_t displays_taken;
    size_t label_bytes;            /* bytes of apply labels that differ from their texts */
    struct model_index line_index; /* lines by text */
    uint32_t lines_set;            /* lines that no definition names */
    uint64_t lines_moved;

    struct model_values values;
    struct model_history *history; /* is told of each change (history.h); NULL: nobody is */
    struct model_now *now_before;  /* space for the next list of open applies */
    uint32_t nows_before;          /* its capacity */
    size_t now_count;
    uint64_t now_ns; /* instant of the list; 0: no list yet */

    uint32_t phases;
    struct model_rows compiling; /* rows of compile.c */
    uint8_t *compiled;           /* by function: its parts have rows in `compiling` */
    uint32_t compiled_bytes;
    struct model_about **about; /* by apply; NULL: unknown */
    uint32_t abouts;            /* capacity */
    size_t about_bytes;
    uint64_t about_changes;
    struct model_metric metric[MODEL_METRICS_MAX];
    uint32_t metrics;

    struct model_timeline timeline;

    struct model_function_set *set;
    uint32_t sets;

    struct model_identity identity;
    struct model_arena identity_text[MODEL_IDENTITY_TEXTS]; /* each is replaced separately */

    struct model_notice notice[MODEL_NOTICES_KEPT]; /* a ring */
    struct model_arena notice_text[MODEL_NOTICES_KEPT];
    size_t notices, notice_first;

    uint64_t mono_ns, wall_ns;
    uint64_t values_ns; /* stamp of the newest frame with values */
    uint64_t moved_ns;  /* stamp of the newest frame with more calls */
    bool nested;        /* a function runs inside another */
    bool waits;         /* an apply waits */
    uint64_t tick;      /* tick of the newest values */
    bool amid;          /* more values of that tick may follow */
    bool followed;      /* `inside` covers all values */
    bool moving;        /* calls were added; the stamp of their frame has not been set yet */
    uint32_t epoch;
    bool complete, ended;
};

/* Allocates space for one more row. Returns the row, not yet counted, or NULL if out of memory. */
void *model_rows_next(struct model_rows *rows, size_t size);

/* Values of a row before anything was received in this epoch. */
extern const struct model_apply_value model_apply_value_none;
struct model_function_value model_function_value_none(const struct model_function_def *def);
extern const struct model_counter_value model_counter_value_none;
extern const struct model_span_value model_span_value_none;
extern const struct model_quantiles model_quantiles_none;

/* The tables of struct model_values. The largest is last, so that the changes of the others are
 * read without it. */
enum {
    MODEL_V_FUNCTION,
    MODEL_V_INSIDE,
    MODEL_V_NOW,
    MODEL_V_PHASE,
    MODEL_V_COUNTER,
    MODEL_V_SPAN,
    MODEL_V_QUANTILE,
    MODEL_V_METRIC, /* the first of them */
    MODEL_V_APPLY = MODEL_V_METRIC + MODEL_METRICS_MAX,
    MODEL_VALUE_TABLES,
};

/* Tells the history, if there is one, that the values of a row are about to change. The row
 * exists. */
void model_history_touch(struct model_history *history, unsigned table, uint32_t id);
static inline void model_touch(struct model_job *job, unsigned table, uint32_t id)
{
    if (job->history)
        model_history_touch(job->history, table, id);
}

/* labels.c: set the screen name of a row before the row is counted. Return false if out of
 * memory. */
bool model_label_op(struct model_job *job, struct model_op_def *def);
bool model_label_apply(struct model_job *job, struct model_apply_def *def);
/* Takes the display of an op that is about to be added; empty: there is none. */
void model_label_take(struct model_job *job, uint32_t op, struct model_text *display);

/* lines.c: returns the line of a text, and adds it if missing. MODEL_NONE: out of memory. */
uint32_t model_line_of(struct model_job *job, const char *bytes, size_t size);
/* Moves an apply to the line of a reported location. Empty: the line of its definition. Returns
 * false if out of memory. */
bool model_line_set(struct model_job *job, uint32_t apply, const char *text);

/* compile.c: add rows for a reported phase, or for the compilation of a function, if they have
 * none. Return false if out of memory. */
bool model_compile_add_phase(struct model_job *job, uint32_t function, uint32_t phase);
bool model_compile_add_function(struct model_job *job, uint32_t function);

/* rewrite.c: names a phase before values are received for it. Returns false if out of memory, or if
 * it has a name, or is beyond the limit, or the function does not exist. */
bool model_phase_define(struct model_job *job, uint32_t number, uint32_t function, const char *name,
                        size_t size);

/* node_detail.c: free the details of applies; clear the values of metrics; count memory. */
void model_job_about_release(struct model_job *job);
void model_job_metrics_clear(struct model_job *job);
size_t model_job_about_bytes(const struct model_job *job);

#endif
