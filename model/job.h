/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * job.h: what is known about one instance of a job: its definitions and its values as last
 * received. Written by feed/viewer/stream/apply.c alone. Times are ns of the job's clock, counts
 * are exact; MODEL_UNKNOWN stands for what is not known. No call blocks, reads a clock or does I/O.
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
    MODEL_LINE, /* source lines or scopes; made here, from what applies say: lines.c */
    MODEL_APPLY,
    MODEL_THREAD,
    MODEL_COUNTER,
    MODEL_SPAN,
    MODEL_MARKER,
    MODEL_TABLES,
    MODEL_SIZES, /* no table of its own: the rows of MODEL_APPLY, looked at by their memory */
    MODEL_COMPILE, /* phases of compilations; made here: compile.h */
};

/* The table whose rows a view of `table` has. */
static inline enum model_table model_table_rows(enum model_table table)
{
    return table == MODEL_SIZES ? MODEL_APPLY : table;
}

/* What the time of an apply is: work, waiting for work of the same process, which has rows of its
 * own, waiting for other jobs, or beside the 100 %, for other rows count what happens in it. */
enum model_waits { MODEL_WORKS, MODEL_WAITS, MODEL_WAITS_FOR_JOBS, MODEL_ASIDE };
enum model_source { MODEL_TIMED, MODEL_GIVEN, MODEL_SET, MODEL_ABSENT };
enum model_impl { MODEL_IMPL_UNKNOWN, MODEL_IMPL_C, MODEL_IMPL_PY, MODEL_IMPL_JIT, MODEL_IMPLS };

struct model_class_def {
    struct model_text name;
};

struct model_op_def {
    uint32_t op_class;
    struct model_text text;
    struct model_text display; /* what it computes, as the job tells; empty: the text says it */
    struct model_text label; /* shown: what screens call it, and no other op; raw: the text's */
    uint32_t same; /* labels of others that were made of this one */
};

struct model_function_def {
    struct model_text name;  /* raw: as the job has it; shown: its alias, or else as `own` */
    struct model_text own;   /* raw: the job's, or what stands in for it; shown: without an alias */
    struct model_text alias; /* that the viewer gave it; empty: none */
    struct model_text file;
    uint32_t line;   /* 0: unknown */
    uint32_t parent; /* apply that runs it, or MODEL_NONE for a root function */
    uint32_t group;  /* 0: none */
    uint8_t source;  /* enum model_source */
    bool left_out;   /* the job does not count its calls now, by its own choice */
};

struct model_apply_def {
    struct model_text text;
    struct model_text label; /* shown: what screens call it; raw: the text's */
    uint32_t function;
    uint32_t op;
    uint32_t made_at; /* row of MODEL_LINE: where it comes from, as defined */
    uint32_t line;    /* same, that it counts in; the one thing that may change */
    uint32_t index;   /* toposort index */
    uint8_t source;
    uint8_t kind; /* 0 symbolic, 1 imperative, 2 API call */
    uint8_t impl; /* enum model_impl */
    uint8_t waits; /* enum model_waits */
    bool exclusive;
    bool left_out; /* as of functions */
};

/* A source line or scope. Row 0 is that of applies of which none is known: its text is empty. */
struct model_line_def {
    struct model_text text;
};

struct model_thread_def {
    struct model_text name;
    uint64_t tid;
};

/* What `timed` holds of an apply whose calls are all timed, however many there will be. */
#define MODEL_EVERY_CALL (MODEL_UNKNOWN - 1)

/* Cumulative within the epoch. All fields but calls and total may be MODEL_UNKNOWN. */
struct model_apply_value {
    uint64_t calls, total_ns, last_ns, min_ns, max_ns, timed;
    uint64_t open_ns;  /* how long its calls that are open have taken, which total_ns is without;
                          MODEL_UNKNOWN: none is open, as far as the job tells */
    uint64_t error_ns; /* how far off total_ns may be; MODEL_UNKNOWN */
};

struct model_function_value {
    uint64_t calls, call_ns, vm_ns;                         /* MODEL_UNKNOWN allowed */
    uint64_t compile_ns, rewrite_ns, validate_ns, link_ns;  /* same */
    uint64_t open_since_ns;    /* a call is open since, or MODEL_UNKNOWN */
    uint64_t compile_since_ns; /* its compilation is going on since, or MODEL_UNKNOWN */
    uint64_t timed;    /* so many of the calls; MODEL_UNKNOWN: each call of which there is a time */
    uint64_t error_ns; /* how far off call_ns may be, and vm_ns if that is an estimate; or
                          MODEL_UNKNOWN */
};

/* Whether times of its calls are estimates: fewer were timed than made. */
static inline bool model_function_estimated(const struct model_function_value *value)
{
    return value->timed < value->calls;
}

/* One thread with an open apply. */
struct model_now {
    uint32_t thread;
    uint32_t apply;
    uint64_t since_ns;
    uint64_t seen_ns; /* how long it has been found open, list after list: see NOW in values.c */
};

struct model_notice {
    uint64_t wall_ns;
    uint8_t level; /* 0 information, 1 warning, 2 error */
    struct model_text text;
};

/* What settings of a job can leave out: kinds of applies, and memory. */
enum { MODEL_CHOICES = 4 };
extern const char *const model_choices[MODEL_CHOICES]; /* "symbolic", ... */

/* Who publishes, from its hello. */
struct model_identity {
    uint8_t instance[16];
    uint8_t parent[16]; /* instance of the job that forked it; zero: none */
    struct model_text host, program, framework, framework_version, library, role, batch, route,
        asker, /* while it does not collect: the viewer who asked for that; "": none did */
        clock,
        facts, /* lines of `name=value`: job_info.h */
        only,  /* patterns of the functions that it counts; "": all */
        lost;  /* lines of `name=count`: what `dropped` is made of */
    uint64_t pid, start;
    uint64_t rank, local_rank, size; /* in a distributed job; MODEL_UNKNOWN: none */
    uint64_t tick_ms;
    uint64_t counted; /* calls of applies that it has told, or will, in this epoch; or unknown */
    uint64_t mute; /* kinds of applies that it does not count: a set of 1 << kind */
    uint64_t dropped, invalid, misuse, restarts, viewers; /* the job's own counters */
    uint64_t refused;           /* what viewers asked for, and was not done */
    /* What ran into limits of the job: no requests, too many, of too many, wrong keys, too many
     * connections, too many subscriptions. */
    uint64_t garbage, flooded, full, denied, crowded, cut, topics;
    uint64_t insecure;          /* 1: over tcp without keys it is reached, or goes to a viewer; 0:
                                 * not; MODEL_UNKNOWN */
    uint64_t open;              /* 1: it tells how long calls that are open have taken */
    double cost;                /* its own cost as a fraction of run time; below 0: unknown */
    double least, budget;       /* the part that no sampling lowers; the most allowed; likewise */
    double choice[MODEL_CHOICES]; /* the parts that its settings can leave out; likewise */
    uint64_t own_ns;            /* same, since it began; MODEL_UNKNOWN */
    uint64_t own_error_ns;      /* how far off that may be, and so the cost; MODEL_UNKNOWN */
    bool collecting;
    bool on_demand; /* applies are counted only while somebody watches */
};

struct model_job;

/* Whether it says that anybody may read along, or answer in the place of a viewer. */
bool model_identity_insecure(const struct model_identity *identity);

/* Gives a job with one reference, or NULL when out of memory. */
struct model_job *model_job_new(const uint8_t instance[16]);
struct model_job *model_job_retain(struct model_job *job);
/* Takes a reference; frees with the last. *job becomes NULL. */
void model_job_release(struct model_job **job);

/* ------------------------------------------------------------------------- writing, feed only */

/* Definitions are appended in id order. Texts are borrowed. False: out of memory, or a row that
 * it refers to does not exist; nothing is added then. */
bool model_job_add_class(struct model_job *job, const char *name, size_t size);
bool model_job_add_op(struct model_job *job, uint32_t op_class, const char *text, size_t size);
/* What screens call ops instead of by their texts, before these are added; and of those that were
 * not added since, nothing is kept. */
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
/* What the viewer calls a function from now on; empty: what the job calls it. The job itself is not
 * told. False: out of memory, or no such function. */
bool model_job_set_alias(struct model_job *job, uint32_t function, const char *alias, size_t size);
struct model_apply_raw {
    struct model_bytes text, location;
    uint32_t function, op, index;
    uint32_t made_at_plus_1, line_plus_1; /* rows of MODEL_LINE, plus 1; 0: by its location */
    uint8_t source, kind, impl, waits;
    bool exclusive;
};
bool model_job_add_apply(struct model_job *job, const struct model_apply_raw *def);
bool model_job_add_thread(struct model_job *job, const char *name, size_t size, uint64_t tid);
/* A line by itself, also if there is an equal one: for jobs that several were merged into. */
bool model_job_add_line(struct model_job *job, const char *text, size_t size);
/* Whether the job leaves out the calls of a function or of an apply (`table`). What was left out
 * from the beginning is not known: it is no 0. */
void model_job_set_left_out(struct model_job *job, enum model_table table, uint32_t id,
                            bool left_out);
/* An apply counts in another line from here on; both exist. */
void model_job_set_line(struct model_job *job, uint32_t apply, uint32_t line);
/* How often an apply went to another line. */
uint64_t model_job_lines_moved(const struct model_job *job);

/* A new epoch: all values go back to the beginning, and the job is not complete until the next
 * snapshot is whole. The same epoch: nothing happens. */
void model_job_set_epoch(struct model_job *job, uint32_t epoch);
uint32_t model_job_epoch(const struct model_job *job);

/* The newest stamp of a frame that carries values. The interval between two states goes by it:
 * values do not move with the frames in between. */
void model_job_set_values_stamp(struct model_job *job, uint64_t mono_ns);
uint64_t model_job_values_ns(const struct model_job *job);
/* That of the newest frame that brought a call more of some apply than was known of the whole job;
 * 0: none has. */
uint64_t model_job_moved_ns(const struct model_job *job);

/* Stamps of the newest frame applied, ns; and that a whole snapshot is in. */
void model_job_set_stamp(struct model_job *job, uint64_t mono_ns, uint64_t wall_ns);
void model_job_set_complete(struct model_job *job);
/* Whether the job is over, as far as is known: one that was taken for dead may be heard again. */
void model_job_set_ended(struct model_job *job, bool ended);

/* Values of n applies, in columns. Ids must be below the count of applies. Rows of which calls or
 * total fall within the epoch are not applied; their number is returned. With `older` set they
 * are skipped without being counted (a snapshot may be older than what streams brought). */
size_t model_job_set_values(struct model_job *job, size_t n, const uint64_t *id,
                            const uint64_t *calls, const uint64_t *total_ns,
                            const uint64_t *last_ns, bool older);
/* The same of rows that have calls open: how long these have taken so far, all together; or
 * MODEL_UNKNOWN: none is open. Those of set_values() have none. */
size_t model_job_set_open_values(struct model_job *job, size_t n, const uint64_t *id,
                                 const uint64_t *calls, const uint64_t *total_ns,
                                 const uint64_t *last_ns, const uint64_t *open_ns, bool older);
/* Values of this tick come now, others of it may come yet: of any before it all have. Or all of the
 * last one have. */
void model_job_begin_tick(struct model_job *job, uint64_t tick);
void model_job_end_tick(struct model_job *job);
/* Minimum, maximum and number of timed calls; MODEL_UNKNOWN of these is every call. An error, as
 * a fall above, is a minimum that rises, and a maximum or a number that falls. */
size_t model_job_set_extremes(struct model_job *job, size_t n, const uint64_t *id,
                              const uint64_t *min_ns, const uint64_t *max_ns,
                              const uint64_t *timed, bool older);
size_t model_job_set_calls(struct model_job *job, size_t n, const uint64_t *id,
                           const uint64_t *calls, const uint64_t *call_ns, const uint64_t *vm_ns,
                           const uint64_t *open_since_ns, bool older);
/* Of functions whose calls are not all timed: how many are, and how far off call_ns may be, in ns:
 * half of an interval that holds it 95 times in 100. A fall, as above, is a number that falls; the
 * error of such a row is not taken, either. */
size_t model_job_set_sampled(struct model_job *job, size_t n, const uint64_t *id,
                             const uint64_t *timed, const uint64_t *error_ns, bool older);
size_t model_job_set_compile(struct model_job *job, size_t n, const uint64_t *id,
                             const uint64_t *compile_ns, const uint64_t *rewrite_ns,
                             const uint64_t *validate_ns, const uint64_t *link_ns,
                             const uint64_t *compile_since_ns, bool older);
/* Replaces the list of what runs by that of an instant of the job; what the rows say of `seen_ns`
 * is not asked for. Rows with unknown ids are left out. */
bool model_job_set_now(struct model_job *job, size_t n, const struct model_now *now,
                       uint64_t mono_ns);
bool model_job_add_notice(struct model_job *job, uint64_t wall_ns, unsigned level,
                          const char *text, size_t size);
/* A text of this job's identity, made anew only when it differs; what was borrowed from the old
 * one ends then. False: out of memory, or `field` is not of this job's identity. */
bool model_job_set_text(struct model_job *job, struct model_text *field, const char *bytes,
                        size_t size);
/* How far off the totals of applies may be: half of an interval that holds them 95 times in 100. */
void model_job_set_errors(struct model_job *job, size_t n, const uint64_t *id,
                          const uint64_t *error_ns);

struct model_identity *model_job_identity_mutable(struct model_job *job);

/* --------------------------------------------------------------------------------- reading */

/* Borrowed pointers; those to rows hold until the next definition of that table is added. */
const struct model_identity *model_job_identity(const struct model_job *job);
uint32_t model_job_count(const struct model_job *job, enum model_table table);
/* Whether any apply waits or is aside. */
bool model_job_waits(const struct model_job *job);
const struct model_class_def *model_job_class(const struct model_job *job, uint32_t id);
const struct model_op_def *model_job_op(const struct model_job *job, uint32_t id);
const struct model_function_def *model_job_function(const struct model_job *job, uint32_t id);
const struct model_apply_def *model_job_apply(const struct model_job *job, uint32_t id);
const struct model_line_def *model_job_line(const struct model_job *job, uint32_t id);
const struct model_thread_def *model_job_thread(const struct model_job *job, uint32_t id);
const struct model_apply_value *model_job_apply_values(const struct model_job *job);
/* How many calls of applies the job has counted, as its last hello says, of which no row has come;
 * or MODEL_UNKNOWN. */
uint64_t model_job_missing_calls(const struct model_job *job);
const struct model_function_value *model_job_function_values(const struct model_job *job);
const struct model_now *model_job_now(const struct model_job *job, size_t *n);
/* Notices, oldest first; the last 256 are kept. */
const struct model_notice *model_job_notice(const struct model_job *job, size_t at);
size_t model_job_notices(const struct model_job *job);
/* How often the job has said what it says at `at`, of those that are kept; 0: it says it again
 * later, where it is counted. */
size_t model_job_notice_times(const struct model_job *job, size_t at);
uint64_t model_job_mono_ns(const struct model_job *job);
uint64_t model_job_wall_ns(const struct model_job *job);
bool model_job_complete(const struct model_job *job);
bool model_job_ended(const struct model_job *job);
size_t model_job_bytes(const struct model_job *job); /* memory in use, about */
size_t model_job_text_bytes(const struct model_job *job); /* of it by the names of its rows */

#endif
