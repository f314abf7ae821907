/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * job.h: one instance of a job: its definitions, and its values as last received. Only
 * feed/viewer/stream/apply.c writes it. Times are ns of the job's clock. Counts are exact.
 * MODEL_UNKNOWN stands for an unknown value. No call blocks, reads a clock or does I/O.
 */
#ifndef MODEL_JOB_H
#define MODEL_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/text.h"

#define MODEL_UNKNOWN UINT64_MAX
#define MODEL_NONE UINT32_MAX /* no such row */

enum model_table {
    MODEL_CLASS,
    MODEL_OP,
    MODEL_FUNCTION,
    MODEL_LINE, /* source lines or scopes; derived here from the locations of applies: lines.c */
    MODEL_APPLY,
    MODEL_THREAD,
    MODEL_COUNTER,
    MODEL_SPAN,
    MODEL_MARKER,
    MODEL_TABLES,
    MODEL_SIZES,   /* no table of its own: the rows of MODEL_APPLY, viewed by memory */
    MODEL_COMPILE, /* phases of compilations; derived here: compile.h */
};

/* Maps a table to the table that stores its rows. */
static inline enum model_table model_table_rows(enum model_table table)
{
    return table == MODEL_SIZES ? MODEL_APPLY : table;
}

/* Classifies the time of an apply: work; waiting for work of the same process, which has rows of
 * its own; waiting for other jobs; or beside the 100 %, because other rows already count it. */
enum model_waits { MODEL_WORKS, MODEL_WAITS, MODEL_WAITS_FOR_JOBS, MODEL_ASIDE };
enum model_source { MODEL_TIMED, MODEL_GIVEN, MODEL_SET, MODEL_ABSENT };
enum model_impl { MODEL_IMPL_UNKNOWN, MODEL_IMPL_C, MODEL_IMPL_PY, MODEL_IMPL_JIT, MODEL_IMPLS };

struct model_class_def {
    struct model_text name;
};

struct model_op_def {
    uint32_t op_class;
    struct model_text text;
    struct model_text display; /* the computation, as the job names it; empty: use the text */
    struct model_text label;   /* shown: unique name on screens; raw: as in `text` */
    uint32_t same;             /* how many labels of other ops were derived from this label */
};

struct model_function_def {
    struct model_text name;  /* raw: as the job has it; shown: its alias, or else as `own` */
    struct model_text own;   /* raw: the job's name, or its substitute; shown: without an alias */
    struct model_text alias; /* given by the viewer; empty: none */
    struct model_text file;
    uint32_t line;   /* 0: unknown */
    uint32_t parent; /* apply that runs the function, or MODEL_NONE for a root function */
    uint32_t group;  /* 0: none */
    uint8_t source;  /* enum model_source */
    bool left_out;   /* the job's settings currently exclude the calls of this function */
};

struct model_apply_def {
    struct model_text text;
    struct model_text label; /* shown: name on screens; raw: as in `text` */
    uint32_t function;
    uint32_t op;
    uint32_t made_at; /* row of MODEL_LINE: origin, as defined */
    uint32_t line;    /* row of MODEL_LINE that the apply counts in; no other member changes */
    uint32_t index;   /* toposort index */
    uint8_t source;
    uint8_t kind; /* 0 symbolic, 1 imperative, 2 API call */
    uint8_t impl; /* enum model_impl */
    uint8_t waits; /* enum model_waits */
    bool exclusive;
    bool left_out; /* as in struct model_function_def */
};

/* A source line or scope. Row 0 has the empty text. It collects the applies without a known
 * line. */
struct model_line_def {
    struct model_text text;
};

struct model_thread_def {
    struct model_text name;
    uint64_t tid;
};

/* Value of `timed` for an apply whose calls are all timed, now and later. */
#define MODEL_EVERY_CALL (MODEL_UNKNOWN - 1)

/* Cumulative within the epoch. All fields but calls and total may be MODEL_UNKNOWN. */
struct model_apply_value {
    uint64_t calls, total_ns, last_ns, min_ns, max_ns, timed;
    uint64_t open_ns;  /* time so far of the open calls; total_ns excludes it; MODEL_UNKNOWN: the
                        * job reports no open call */
    uint64_t error_ns; /* possible error of total_ns, or MODEL_UNKNOWN */
};

struct model_function_value {
    uint64_t calls, call_ns, vm_ns;                        /* or MODEL_UNKNOWN */
    uint64_t compile_ns, rewrite_ns, validate_ns, link_ns; /* or MODEL_UNKNOWN */
    uint64_t open_since_ns;    /* start of an open call, or MODEL_UNKNOWN */
    uint64_t compile_since_ns; /* start of the running compilation, or MODEL_UNKNOWN */
    uint64_t timed;    /* number of timed calls; MODEL_UNKNOWN: every call that has a time */
    uint64_t error_ns; /* possible error of call_ns, and of vm_ns if vm_ns is an estimate; or
                        * MODEL_UNKNOWN */
};

/* True if the times of the calls are estimates: some calls were not timed. */
static inline bool model_function_estimated(const struct model_function_value *value)
{
    return value->timed < value->calls;
}

/* One thread with an open apply. */
struct model_now {
    uint32_t thread;
    uint32_t apply;
    uint64_t since_ns;
    uint64_t seen_ns; /* how long successive lists have shown it open: see NOW in values.c */
};

struct model_notice {
    uint64_t wall_ns;
    uint8_t level; /* 0 information, 1 warning, 2 error */
    struct model_text text;
};

/* Kinds of data that the settings of a job can exclude: kinds of applies, and memory. */
enum { MODEL_CHOICES = 4 };
extern const char *const model_choices[MODEL_CHOICES]; /* "symbolic", ... */

/* Identity of the publisher, from its hello. */
struct model_identity {
    uint8_t instance[16];
    uint8_t parent[16]; /* instance of the job that forked this one; zero: none */
    struct model_text host, program, framework, framework_version, library, role, batch, route,
        asker,        /* the viewer that stopped the collection, if it is stopped; "": none */
        clock, facts, /* lines of `name=value`: job_info.h */
        only,         /* patterns of the functions that the job counts; "": all */
        lost;         /* lines of `name=count`: the parts of `dropped` */
    uint64_t pid, start;
    uint64_t rank, local_rank, size; /* in a distributed job; MODEL_UNKNOWN: not distributed */
    uint64_t tick_ms;
    uint64_t counted; /* calls of applies in this epoch, sent or to be sent; or unknown */
    uint64_t mute;    /* kinds of applies that the job does not count: a set of 1 << kind */
    uint64_t dropped, invalid, misuse, restarts, viewers; /* the job's own counters */
    uint64_t refused; /* requests of viewers that the job refused */
    /* Limits that were hit since the feed opened: malformed requests, requests over the rate,
     * requests of clients beyond those served, rejected keys, stops of listening for want of
     * descriptors, connections that sent without end. `topics`: subscriptions now kept only as a
     * number. */
    uint64_t garbage, flooded, full, denied, crowded, cut, topics;
    uint64_t insecure;    /* 1: tcp is used without keys; 0: not; or MODEL_UNKNOWN */
    uint64_t open;        /* 1: the job sends the time so far of open calls */
    double cost;          /* profiling overhead as a fraction of run time; below 0: unknown */
    double least, budget; /* the part of `cost` that sampling cannot lower; the sampling
                           * budget; below 0: unknown */
    double share;         /* the part of the run time in which the job counts; 1: always */
    double choice[MODEL_CHOICES]; /* parts of `cost` that settings can switch off; below 0:
                                   * unknown */
    uint64_t own_ns;              /* the overhead since the start, in ns; or MODEL_UNKNOWN */
    uint64_t own_error_ns;        /* possible error of own_ns; or MODEL_UNKNOWN */
    bool collecting;
    bool on_demand; /* applies are counted only while a viewer is connected */
};

struct model_job;

/* True if the job reports that any program may read its data or pose as a viewer. */
bool model_identity_insecure(const struct model_identity *identity);

/* Returns a job with one reference, or NULL if out of memory. */
struct model_job *model_job_new(const uint8_t instance[16]);
struct model_job *model_job_retain(struct model_job *job);
/* Drops a reference. Frees the job with the last reference. Sets *job to NULL. */
void model_job_release(struct model_job **job);

/* ------------------------------------------------------------------------- writing, feed only */

/* Append definitions in id order. Texts are borrowed. Return false, and add nothing, if out of
 * memory or if a row refers to a row that does not exist. */
bool model_job_add_class(struct model_job *job, const char *name, size_t size);
bool model_job_add_op(struct model_job *job, uint32_t op_class, const char *text, size_t size);
/* Set the screen name of an op before the op is added. forget_displays() drops the names whose ops
 * were not added. */
bool model_job_set_display(struct model_job *job, uint32_t op, const char *text, size_t size);
void model_job_forget_displays(struct model_job *job);

/* Raw definitions: as above, with texts not yet made safe. */
struct model_bytes {
    const char *data;
    size_t size;
};
struct model_function_raw {
    struct model_bytes name, file;
    uint32_t line, parent, group;
    uint8_t source;
};
bool model_job_add_function(struct model_job *job, const struct model_function_raw *def);
/* Sets the viewer's name of a function. Empty: restores the job's name. Nothing is sent to the job.
 * Returns false if out of memory or if the function does not exist. */
bool model_job_set_alias(struct model_job *job, uint32_t function, const char *alias, size_t size);
struct model_apply_raw {
    struct model_bytes text, location;
    uint32_t function, op, index;
    uint32_t made_at_plus_1, line_plus_1; /* rows of MODEL_LINE, plus 1; 0: from `location` */
    uint8_t source, kind, impl, waits;
    bool exclusive;
};
bool model_job_add_apply(struct model_job *job, const struct model_apply_raw *def);
bool model_job_add_thread(struct model_job *job, const char *name, size_t size, uint64_t tid);
/* Adds a line even if an equal one exists. For jobs that merge several jobs. */
bool model_job_add_line(struct model_job *job, const char *text, size_t size);
/* Says whether the job excludes the calls of a function or of an apply (`table`). If calls were
 * excluded from the start, the count is unknown, not 0. */
void model_job_set_left_out(struct model_job *job, enum model_table table, uint32_t id,
                            bool left_out);
/* Moves an apply to another line. Both must exist. */
void model_job_set_line(struct model_job *job, uint32_t apply, uint32_t line);
/* Returns how often an apply moved to another line. */
uint64_t model_job_lines_moved(const struct model_job *job);

/* Starts a new epoch: resets all values, and marks the job incomplete until the next snapshot is
 * whole. Does nothing if the epoch is the same. */
void model_job_set_epoch(struct model_job *job, uint32_t epoch);
uint32_t model_job_epoch(const struct model_job *job);

/* The newest stamp of a frame that carries values. The interval between two states uses this stamp,
 * because the frames in between carry no values. */
void model_job_set_values_stamp(struct model_job *job, uint64_t mono_ns);
uint64_t model_job_values_ns(const struct model_job *job);
/* Stamp of the newest frame that raised the call count of any apply; 0: none has. */
uint64_t model_job_moved_ns(const struct model_job *job);

/* Set the stamps (ns) of the newest frame applied, and mark the first snapshot as whole. */
void model_job_set_stamp(struct model_job *job, uint64_t mono_ns, uint64_t wall_ns);
void model_job_set_complete(struct model_job *job);
/* Marks the job as ended, as far as is known. A job that was taken for dead may send again. */
void model_job_set_ended(struct model_job *job, bool ended);

/* Sets the values of n applies, in columns. Ids must be below the count of applies. Skips rows in
 * which calls or total fall within the epoch, and returns their number. With `older` set, such rows
 * are skipped and not counted, because a snapshot may be older than the streamed values. `open_ns`
 * is the time so far of all open calls of a row, or MODEL_UNKNOWN if none is open; NULL: no row has
 * any. */
size_t model_job_set_values(struct model_job *job, size_t n, const uint64_t *id,
                            const uint64_t *calls, const uint64_t *total_ns,
                            const uint64_t *last_ns, const uint64_t *open_ns, bool older);
/* Sets the time of an apply whose calls nobody has counted: they are unknown. For profiles that
 * print times alone. */
void model_job_set_time_alone(struct model_job *job, uint32_t apply, uint64_t total_ns);
/* begin_tick(): values of this tick follow, and all earlier ticks are complete. end_tick(): all
 * values of the current tick have arrived. */
void model_job_begin_tick(struct model_job *job, uint64_t tick);
void model_job_end_tick(struct model_job *job);
/* Sets the minimum, the maximum and the number of timed calls. MODEL_UNKNOWN as the number stands
 * for every call. A row is an error, as above, if its minimum rises, or if its maximum or its
 * number falls. */
size_t model_job_set_extremes(struct model_job *job, size_t n, const uint64_t *id,
                              const uint64_t *min_ns, const uint64_t *max_ns,
                              const uint64_t *timed, bool older);
size_t model_job_set_calls(struct model_job *job, size_t n, const uint64_t *id,
                           const uint64_t *calls, const uint64_t *call_ns, const uint64_t *vm_ns,
                           const uint64_t *open_since_ns, bool older);
/* For functions with untimed calls: the number of timed calls, and the error of call_ns in ns, half
 * of the 95 % confidence interval. A row is an error, as above, if the number falls. The error of
 * such a row is not stored. */
size_t model_job_set_sampled(struct model_job *job, size_t n, const uint64_t *id,
                             const uint64_t *timed, const uint64_t *error_ns, bool older);
size_t model_job_set_compile(struct model_job *job, size_t n, const uint64_t *id,
                             const uint64_t *compile_ns, const uint64_t *rewrite_ns,
                             const uint64_t *validate_ns, const uint64_t *link_ns,
                             const uint64_t *compile_since_ns, bool older);
/* Replaces the list of open applies by the list of one instant of the job. Ignores `seen_ns` of the
 * rows. Skips rows with unknown ids. */
bool model_job_set_now(struct model_job *job, size_t n, const struct model_now *now,
                       uint64_t mono_ns);
bool model_job_add_notice(struct model_job *job, uint64_t wall_ns, unsigned level,
                          const char *text, size_t size);
/* Sets a text of this job's identity. Reallocates only if the text differs; pointers into the old
 * text are then invalid. Returns false if out of memory, or if `field` is not a member of this
 * job's identity. */
bool model_job_set_text(struct model_job *job, struct model_text *field, const char *bytes,
                        size_t size);
/* Sets the errors of apply totals: half of the 95 % confidence interval. */
void model_job_set_errors(struct model_job *job, size_t n, const uint64_t *id,
                          const uint64_t *error_ns);

struct model_identity *model_job_identity_mutable(struct model_job *job);

/* --------------------------------------------------------------------------------- reading */

/* Return borrowed pointers. A pointer to a row is valid until the next definition is added to that
 * table. */
const struct model_identity *model_job_identity(const struct model_job *job);
uint32_t model_job_count(const struct model_job *job, enum model_table table);
/* True if any apply waits or is aside. */
bool model_job_waits(const struct model_job *job);
const struct model_class_def *model_job_class(const struct model_job *job, uint32_t id);
const struct model_op_def *model_job_op(const struct model_job *job, uint32_t id);
const struct model_function_def *model_job_function(const struct model_job *job, uint32_t id);
const struct model_apply_def *model_job_apply(const struct model_job *job, uint32_t id);
const struct model_line_def *model_job_line(const struct model_job *job, uint32_t id);
const struct model_thread_def *model_job_thread(const struct model_job *job, uint32_t id);
const struct model_apply_value *model_job_apply_values(const struct model_job *job);
/* Returns how many calls of applies the last hello counts that no row has brought yet, or
 * MODEL_UNKNOWN. */
uint64_t model_job_missing_calls(const struct model_job *job);
const struct model_function_value *model_job_function_values(const struct model_job *job);
const struct model_now *model_job_now(const struct model_job *job, size_t *n);
/* Notices, oldest first; the last 256 are kept. */
const struct model_notice *model_job_notice(const struct model_job *job, size_t at);
size_t model_job_notices(const struct model_job *job);
/* Returns how many of the kept notices repeat notice `at`. 0: a later notice repeats it and is
 * counted there. */
size_t model_job_notice_times(const struct model_job *job, size_t at);
uint64_t model_job_mono_ns(const struct model_job *job);
uint64_t model_job_wall_ns(const struct model_job *job);
bool model_job_complete(const struct model_job *job);
bool model_job_ended(const struct model_job *job);
size_t model_job_bytes(const struct model_job *job);      /* approximate memory in use */
size_t model_job_text_bytes(const struct model_job *job); /* part of it used by the names of rows */

#endif
