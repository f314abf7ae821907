/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * state.h: one displayed state of a job: a frozen copy of its values with everything that is
 * derived from them, so that what is on the screen stays what it is while the job runs on.
 * Pausing is not taking a new state. The interval is between two displayed states, by the job's
 * own stamps.
 *
 * Apply rows are the truth: op = sum of its applies, class = sum of its ops, function = sum of its
 * applies, line = sum of its applies, by construction. The time of a row is within one function
 * what its framework counts (total_ns), over several the self time (self_ns). Waiting and what is
 * aside are in the times of all rows; the percentages are made of work alone: model_state_work().
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

/* What the applies of a row do. */
enum model_does {
    MODEL_DOES_WAIT = 1,
    MODEL_DOES_WORK = 2,
    MODEL_DOES_KNOWN = 4, /* it is known how long one of those that work did, if it ran */
    MODEL_DOES_ASIDE = 8,
    MODEL_DOES_NO_WORK = MODEL_DOES_WAIT | MODEL_DOES_ASIDE,
};

/* One row of a class, op, function, line or apply table. Unknown: MODEL_UNKNOWN. */
struct model_row {
    uint64_t calls;
    uint64_t total_ns; /* as the framework counts it, with calls that are open */
    uint64_t self_ns;  /* without the functions inside */
    uint64_t open_ns, self_open_ns; /* of these two, what is of calls that are open */
    uint64_t interval_calls;
    uint64_t interval_ns; /* of the scope's time since the state before; unknown without one */
    uint64_t interval_closed_ns; /* the same of calls that have ended */
    uint64_t min_ns, max_ns, last_ns;
    uint64_t timed;
    uint64_t error_ns; /* of an apply: how far off total_ns may be */
    uint32_t id;
    uint32_t applies; /* nodes merged in this row, never-run ones included */
    uint8_t impls;    /* set of 1 << enum model_impl, that of unknown ones included */
    uint8_t does;     /* set of enum model_does */
    bool in_scope;    /* rows out of scope are not shown */
    bool clipped;     /* self time would have been below 0 */
    bool estimated;   /* total is an estimate: fewer calls timed than made */
    bool self_estimated; /* self time is: that, or what ran inside was taken from it by estimates */
};

/* What is no work of a row's time in the scope, and of its interval: waiting, and what is aside. */
struct model_waited {
    uint64_t ns, interval_ns;
    uint64_t aside_ns, aside_interval_ns;
};

/* Sums over the scope; what the header shows. Unknown: MODEL_UNKNOWN. A sum over functions is
 * unknown if one that was called (compiled) lacks the figure: a part is not shown as the whole. */
struct model_totals {
    uint64_t calls, interval_calls; /* of the outermost functions in scope */
    uint64_t call_ns, vm_ns; /* of calls that have ended */
    uint64_t open_ns;       /* so far, of those that have not: of each function the oldest */
    uint64_t thunk_ns;      /* of the scope's applies that are not aside, in open calls as well; or
                             * unknown */
    uint64_t time_ns;       /* what 100 % is: those of work alone */
    uint64_t wait_ns;       /* those of waiting; MODEL_UNKNOWN: none of the scope's applies waits */
    uint64_t aside_ns;      /* those of what is aside, likewise: others count it */
    uint64_t interval_time_ns;
    uint64_t compile_ns, rewrite_ns, validate_ns, link_ns;
    uint64_t apply_calls, apply_interval_calls;
    bool estimated; /* call_ns and vm_ns are: fewer calls were timed than made */
    bool ops_estimated; /* thunk_ns and time_ns are, likewise of ops */
    bool more_open; /* more calls are open than these: open_ns is less than that of all */
    bool uncalled; /* ops took time in functions whose calls are not timed: call_ns is without it */
    bool unseen;   /* nothing is known of the ops of some calls: thunk_ns is without them */
    uint32_t rows[MODEL_ROW_TABLES]; /* rows in scope, by enum model_table */
};

struct model_state {
    struct model_job *job; /* one reference is held */
    uint64_t mono_ns, wall_ns;
    uint64_t values_ns;   /* stamp of the newest values */
    uint64_t interval_ns; /* between values; 0: no state before, or the job has ended */
    uint32_t scope; /* scope.h */
    uint32_t epoch;
    uint64_t lines_moved;                       /* how often an apply went to another line */
    bool complete;                              /* a whole snapshot was in */
    bool ended;                                 /* nothing happens any more: there is no rate */
    bool counts;                                /* its collection was not stopped then */
    bool extends; /* the interval of the next state begins where that of this one did */
    bool sums;                                  /* rows of applies were added up and not kept */
    uint32_t count[MODEL_ROW_TABLES];           /* rows, in id order; by enum model_table */
    struct model_row *row[MODEL_ROW_TABLES];
    struct model_waited *waited[MODEL_ROW_TABLES]; /* by row; NULL: all rows do one thing */
    struct model_function_value *function;      /* by function id; count[MODEL_FUNCTION] */
    uint8_t *part; /* same: where it stands, enum model_part; NULL: of several jobs */
    struct model_now *now;
    size_t now_count;
    struct model_phase *phase; /* of compilations; those with rev 0 are not known */
    uint32_t phases;
    struct model_row *compile; /* rows of MODEL_COMPILE, and how they are nested: compile.h */
    struct model_nest *nest;
    uint32_t compiles;
    uint32_t extras;       /* figures of each row that few jobs tell; see extra.h */
    uint32_t extras_there; /* a bit for each that is known of any row */
    uint64_t *extra[MODEL_ROW_TABLES];
    struct model_objects objects; /* counters, spans, instants of markers */
    uint64_t (*quantile)[MODEL_QUANTILES]; /* by op; NULL: unknown, or of more than the scope */
    struct model_totals totals;
    struct model_pace pace; /* of several jobs: samples of all, and no steps */
    struct model_fleet_state *fleet; /* of several jobs: multi_job.h; of one: NULL */
};

/* Takes the job's state now. `before` is the state displayed until now, borrowed, or NULL; it is
 * used for the interval only if it is of the same job, epoch and scope. Gives a state that the
 * caller frees, or NULL when out of memory. */
struct model_state *model_state_take(struct model_job *job, uint32_t scope,
                                     const struct model_state *before);
/* The same without rows of applies, which take 120 MB of a job of 1M: all others, and totals, are
 * as ever. Where these can't be had without them (of one function, of functions inside one another,
 * with figures that few jobs tell) it has them. */
struct model_state *model_state_take_sums(struct model_job *job, uint32_t scope,
                                          const struct model_state *before);
/* The same for a state of one job that nobody else looks at: with itself as the state before, in
 * the memory that it has, which for rows of applies is much. False: out of memory; nothing of it
 * has changed then. */
bool model_state_renew(struct model_state *state, uint32_t scope);
void model_state_free(struct model_state **state);

/* Whether fewer of a row's calls were timed than made: then its extremes, its last call and its
 * percentiles are those of the timed calls alone. */
static inline bool model_row_sampled(const struct model_row *row)
{
    return row->timed == MODEL_UNKNOWN ? row->estimated : row->timed < row->calls;
}

/* A sum of known values. At the end of the range it stays: absurd values must not wrap to small
 * ones. */
uint64_t model_state_plus(uint64_t a, uint64_t b);

/* Ids of the applies in scope by function, in the order of ids: those of f are apply[first[f]] to
 * apply[first[f + 1] - 1]. The caller frees both, also when it is false: out of memory. */
bool model_state_by_function(const struct model_state *state, uint32_t **apply, uint32_t **first);

/* Rows of any table that has some, in id order. */
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
/* What a row does in place of work, if none of its applies works: it has no share of the 100 %.
 * MODEL_LEFT_NOTHING: some work, or it has none. */
static inline enum model_left_out model_row_left_out(const struct model_row *row)
{
    if (row->does & MODEL_DOES_WORK)
        return MODEL_LEFT_NOTHING;
    return row->does & MODEL_DOES_WAIT    ? MODEL_LEFT_WAITING
           : row->does & MODEL_DOES_ASIDE ? MODEL_LEFT_ASIDE
                                          : MODEL_LEFT_NOTHING;
}

/* What is no work of a row's time in the scope, and of its interval. Unknown of what does one thing
 * alone, if the time is. */
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

/* Of a time of a row what is work, if this much of it is waiting, and this much aside. */
static inline uint64_t model_row_work(const struct model_row *row, uint64_t ns, uint64_t wait_ns,
                                      uint64_t aside_ns)
{
    if (!(row->does & MODEL_DOES_NO_WORK) || ns == MODEL_UNKNOWN)
        return ns;
    if (!(row->does & MODEL_DOES_KNOWN) || wait_ns > ns || aside_ns > ns - wait_ns)
        return MODEL_UNKNOWN;
    return ns - wait_ns - aside_ns;
}

/* THE part of a row in the 100 %: its time without waiting, and without what is aside. Unknown of
 * one that does not work. */
static inline uint64_t model_state_work(const struct model_state *state, enum model_table table,
                                        const struct model_row *row)
{
    const struct model_waited waited = model_state_waited(state, table, row);
    return model_row_work(row, model_state_time(state, row), waited.ns, waited.aside_ns);
}

/* The same of the interval. */
static inline uint64_t model_state_interval_work(const struct model_state *state,
                                                 enum model_table table,
                                                 const struct model_row *row)
{
    const struct model_waited waited = model_state_waited(state, table, row);
    return model_row_work(row, row->interval_ns, waited.interval_ns, waited.aside_interval_ns);
}

/* What the calls of a row that have ended took, as the framework counts it. */
static inline uint64_t model_row_closed(const struct model_row *row)
{
    return row->total_ns == MODEL_UNKNOWN ? MODEL_UNKNOWN : row->total_ns - row->open_ns;
}

/* The same as the scope counts it. */
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

/* Of a list of what runs the op that has been open for longest; one that waits only where none
 * works, and one that is aside only where none waits; or NULL. Borrowed. */
const struct model_now *model_now_oldest(const struct model_job *job, const struct model_now *now,
                                         size_t count);
/* That of a state, and the compilation, if any; for the header. */
const struct model_now *model_state_oldest_now(const struct model_state *state);
uint32_t model_state_compiling(const struct model_state *state); /* function, or MODEL_NONE */
/* The innermost phase of its compilation that is going on, or NULL. Borrowed. */
const struct model_phase *model_state_phase(const struct model_state *state, uint32_t function);

#endif
