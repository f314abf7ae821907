/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * state.h: one displayed state of a job: a frozen copy of its values, with all derived figures. The
 * screen stays consistent while the job runs on. While paused, the viewer takes no new state. The
 * interval lies between two displayed states, by the job's own stamps.
 *
 * Apply rows are the source of all sums: op = sum of its applies, class = sum of its ops, function
 * = sum of its applies, line = sum of its applies. With one function in scope, the time of a row is
 * the framework's figure (total_ns). With several functions it is the self time (self_ns). Times of
 * rows include waiting and aside time. Percentages use work alone: model_state_work().
 */
#ifndef MODEL_STATE_H
#define MODEL_STATE_H

#include "model/job.h"
#include "model/objects.h"
#include "model/pace.h"
#include "model/quantile.h"
#include "model/rewrite.h"
#include "model/scope.h"
#include "model/unit.h"

enum { MODEL_ROW_TABLES = 5 }; /* class, op, function, line, apply have rows */

/* Set of the activities of the applies of a row. */
enum model_does {
    MODEL_DOES_WAIT = 1,
    MODEL_DOES_WORK = 2,
    MODEL_DOES_KNOWN = 4, /* the time of at least one working apply that ran is known */
    MODEL_DOES_ASIDE = 8,
    MODEL_DOES_NO_WORK = MODEL_DOES_WAIT | MODEL_DOES_ASIDE,
};

/* One row of a class, op, function, line or apply table. Unknown values are MODEL_UNKNOWN. */
struct model_row {
    uint64_t calls;
    uint64_t total_ns;              /* as the framework counts it, open calls included */
    uint64_t self_ns;               /* without the functions that run inside */
    uint64_t open_ns, self_open_ns; /* the parts of total_ns and self_ns in open calls */
    uint64_t interval_calls;
    uint64_t interval_ns;        /* the scope's time since the state before; unknown without one */
    uint64_t interval_closed_ns; /* as interval_ns, for calls that have ended */
    uint64_t min_ns, max_ns, last_ns;
    uint64_t timed;
    uint64_t error_ns; /* of an apply: possible error of total_ns */
    uint32_t id;
    uint32_t applies; /* applies merged in this row, including applies that never ran */
    uint8_t impls;    /* set of 1 << enum model_impl, including MODEL_IMPL_UNKNOWN */
    uint8_t does;     /* set of enum model_does */
    bool in_scope;    /* rows out of scope are not shown */
    bool clipped;     /* the self time would have been below 0 */
    bool estimated;   /* total_ns is an estimate: some calls were not timed */
    bool self_estimated; /* self_ns, or an inner time subtracted from it, is an estimate */
};

/* Waiting time and aside time of a row in the scope, in total and in the interval. */
struct model_waited {
    uint64_t ns, interval_ns;
    uint64_t aside_ns, aside_interval_ns;
};

/* Sums over the scope, shown in the header. Unknown values are MODEL_UNKNOWN. A sum over functions
 * is unknown if a called (or compiled) function lacks the figure, so a part never looks like the
 * whole. */
struct model_totals {
    uint64_t calls, interval_calls; /* of the outermost functions in scope */
    uint64_t call_ns, vm_ns;        /* calls that have ended */
    uint64_t open_ns;  /* time so far of open calls: the oldest open call of each function */
    uint64_t thunk_ns; /* applies in scope that are not aside, with open calls; or unknown */
    uint64_t time_ns;  /* the 100 %: work alone */
    uint64_t wait_ns;  /* waiting time; MODEL_UNKNOWN: no apply in scope waits */
    uint64_t aside_ns; /* aside time, counted by other rows; MODEL_UNKNOWN: none is aside */
    uint64_t interval_time_ns;
    uint64_t compile_ns, rewrite_ns, validate_ns, link_ns;
    uint64_t apply_calls, apply_interval_calls;
    bool estimated;     /* call_ns and vm_ns are estimates, or of a part of the time */
    bool ops_estimated; /* thunk_ns and time_ns are estimates: some ops were not timed */
    bool more_open;     /* more calls are open than open_ns covers */
    bool uncalled;      /* ops took time in functions whose calls are not timed: call_ns lacks it */
    bool unseen;        /* the ops of some calls are unknown: thunk_ns lacks them */
    uint32_t rows[MODEL_ROW_TABLES]; /* rows in scope, by enum model_table */
};

struct model_state {
    struct model_job *job; /* holds one reference */
    uint64_t mono_ns, wall_ns;
    uint64_t values_ns;   /* stamp of the newest values */
    uint64_t interval_ns; /* between values; 0: no state before, or the job has ended */
    uint32_t scope; /* scope.h */
    uint32_t epoch;
    uint64_t lines_moved; /* model_job_lines_moved() */
    bool complete;        /* a whole snapshot had arrived */
    bool ended;           /* the job has ended: there are no rates */
    double share;         /* part of the run time in which the job counts */
    bool counts;          /* collection was not stopped at that time */
    bool extends;         /* the next state's interval begins where this one's began */
    bool sums;            /* apply rows were added up and not kept */
    uint32_t count[MODEL_ROW_TABLES];           /* rows, in id order; by enum model_table */
    struct model_row *row[MODEL_ROW_TABLES];
    struct model_waited *waited[MODEL_ROW_TABLES]; /* by row; NULL: each row is of one kind only */
    struct model_function_value *function;      /* by function id; count[MODEL_FUNCTION] */
    uint8_t *part; /* by function id: enum model_part; NULL: a state of several jobs */
    struct model_now *now;
    size_t now_count;
    struct model_phase *phase; /* of compilations; entries with rev 0 are unknown */
    uint32_t phases;
    struct model_row *compile; /* rows of MODEL_COMPILE, and their nesting: compile.h */
    struct model_nest *nest;
    uint32_t compiles;
    uint32_t extras;       /* number of optional figures of each row; see extra.h */
    uint32_t extras_there; /* a bit for each figure that any row has */
    uint64_t *extra[MODEL_ROW_TABLES];
    struct model_objects objects; /* counters, spans, instants of markers */
    uint64_t (*quantile)[MODEL_CALL_FIGURES]; /* by op; NULL: unknown, or not the whole job */
    struct model_totals totals;
    struct model_pace pace;          /* of several jobs: the samples of all, and no steps */
    struct model_multi_job_state *multi_job; /* of several jobs: multi_job.h; of one job: NULL */
    /* If the figures are those since a moment: the state at that moment, borrowed; else NULL. */
    const struct model_state *base;
    const struct model_noise *noise; /* of the times per call before and since, borrowed, or NULL */
};

/* Takes the job's state now. `before` is the state displayed until now, borrowed, or NULL. `before`
 * sets the interval only if its job, epoch and scope are the same. The caller frees the result.
 * Returns NULL if out of memory. */
struct model_state *model_state_take(struct model_job *job, uint32_t scope,
                                     const struct model_state *before);
/* As model_state_take(), without apply rows, which take 120 MB for a job of 1M applies. All other
 * rows and the totals are the same. Keeps the apply rows if the sums need them: for one function,
 * for nested functions, and for jobs with optional figures. */
struct model_state *model_state_take_sums(struct model_job *job, uint32_t scope,
                                          const struct model_state *before);
/* As model_state_take(), in place, for a state of one job that has no other user. The state itself
 * is the state before. Reuses its memory, which is large for apply rows. Returns false and changes
 * nothing if out of memory. */
bool model_state_renew(struct model_state *state, uint32_t scope);
void model_state_free(struct model_state **state);

/* True if some calls of the row were not timed. Its extremes, last call and percentiles then cover
 * the timed calls alone. */
static inline bool model_row_sampled(const struct model_row *row)
{
    return row->timed == MODEL_UNKNOWN ? row->estimated : row->timed < row->calls;
}

/* Adds known values. Saturates, so absurd values do not wrap to small ones. */
uint64_t model_state_plus(uint64_t a, uint64_t b);

/* Lists the ids of the applies in scope by function, in id order. The applies of f are
 * apply[first[f]] to apply[first[f + 1] - 1]. The caller frees both arrays, also on failure.
 * Returns false if out of memory. */
bool model_state_by_function(const struct model_state *state, uint32_t **apply, uint32_t **first);

/* Rows of a table, in id order. */
static inline uint32_t model_state_count(const struct model_state *state, enum model_table table)
{
    return table == MODEL_COMPILE ? state->compiles : state->count[model_table_rows(table)];
}

static inline struct model_row *model_state_rows(const struct model_state *state,
                                                 enum model_table table)
{
    return table == MODEL_COMPILE ? state->compile : state->row[model_table_rows(table)];
}

/* Time of a row as the scope counts it: total_ns or self_ns. */
static inline uint64_t model_state_time(const struct model_state *state,
                                        const struct model_row *row)
{
    return model_scope_several(state->scope) ? row->self_ns : row->total_ns;
}
/* Returns why a row has no share of the 100 %: no apply of it works. MODEL_LEFT_NOTHING: some apply
 * works, or the row has no apply. */
static inline enum model_left_out model_row_left_out(const struct model_row *row)
{
    if (row->does & MODEL_DOES_WORK)
        return MODEL_LEFT_NOTHING;
    return row->does & MODEL_DOES_WAIT    ? MODEL_LEFT_WAITING
           : row->does & MODEL_DOES_ASIDE ? MODEL_LEFT_ASIDE
                                          : MODEL_LEFT_NOTHING;
}

/* Returns the waiting and aside time of a row, in the scope and in the interval. Unknown if the row
 * is of one kind and its time is unknown. */
static inline struct model_waited model_state_waited(const struct model_state *state,
                                                     enum model_table table,
                                                     const struct model_row *row)
{
    const uint64_t ns = model_state_time(state, row);
    if (!(row->does & MODEL_DOES_NO_WORK))
        return (struct model_waited){0};
    if (row->does == MODEL_DOES_WAIT)
        return (struct model_waited){.ns = ns, .interval_ns = row->interval_ns};
    if (row->does == MODEL_DOES_ASIDE)
        return (struct model_waited){.aside_ns = ns, .aside_interval_ns = row->interval_ns};
    return state->waited[model_table_rows(table)][row->id];
}

/* Returns the work in a time of a row, given its waiting and aside parts. */
static inline uint64_t model_row_work(const struct model_row *row, uint64_t ns, uint64_t wait_ns,
                                      uint64_t aside_ns)
{
    if (!(row->does & MODEL_DOES_NO_WORK) || ns == MODEL_UNKNOWN)
        return ns;
    if (!(row->does & MODEL_DOES_KNOWN) || wait_ns > ns || aside_ns > ns - wait_ns)
        return MODEL_UNKNOWN;
    return ns - wait_ns - aside_ns;
}

/* Returns the part of a row in the 100 %: its time without waiting and aside time. Unknown for a
 * row that does not work. */
static inline uint64_t model_state_work(const struct model_state *state, enum model_table table,
                                        const struct model_row *row)
{
    const struct model_waited waited = model_state_waited(state, table, row);
    return model_row_work(row, model_state_time(state, row), waited.ns, waited.aside_ns);
}

/* As model_state_work(), for the interval. */
static inline uint64_t model_state_interval_work(const struct model_state *state,
                                                 enum model_table table,
                                                 const struct model_row *row)
{
    const struct model_waited waited = model_state_waited(state, table, row);
    return model_row_work(row, row->interval_ns, waited.interval_ns, waited.aside_interval_ns);
}

/* Time of the ended calls of a row, as the framework counts it. */
static inline uint64_t model_row_closed(const struct model_row *row)
{
    return row->total_ns == MODEL_UNKNOWN ? MODEL_UNKNOWN : row->total_ns - row->open_ns;
}

/* Time of the ended calls of a row, as the scope counts it. */
static inline uint64_t model_state_closed(const struct model_state *state,
                                          const struct model_row *row)
{
    const uint64_t ns = model_state_time(state, row);
    const uint64_t open_ns = model_scope_several(state->scope) ? row->self_open_ns : row->open_ns;
    return ns == MODEL_UNKNOWN ? ns : ns > open_ns ? ns - open_ns : 0;
}
static inline bool model_state_estimated(const struct model_state *state,
                                         const struct model_row *row)
{
    return model_scope_several(state->scope) ? row->self_estimated : row->estimated;
}

/* Returns the op of a list that has been open longest. A waiting op is returned only if none works,
 * an aside op only if none waits. Returns NULL if the list is empty. Borrowed. */
const struct model_now *model_now_oldest(const struct model_job *job, const struct model_now *now,
                                         size_t count);
/* The longest-open op of a state, and its running compilation, for the header. */
const struct model_now *model_state_oldest_now(const struct model_state *state);
uint32_t model_state_compiling(const struct model_state *state); /* function, or MODEL_NONE */
/* Returns the innermost open phase of the function's compilation, or NULL. Borrowed. */
const struct model_phase *model_state_phase(const struct model_state *state, uint32_t function);

#endif
