/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * objects.h: counters, spans, markers and memory of a job: definitions, values as last received,
 * and a copy of the values for a state. The definitions belong to the job (job.h).
 */
#ifndef MODEL_OBJECTS_H
#define MODEL_OBJECTS_H

#include "model/job.h"

enum {
    MODEL_SPAN_THREADS = 17, /* most threads kept for a span, including the entry for all others */
    MODEL_SLOWEST = 8,       /* slowest frames kept for a span */
    MODEL_MARKS_KEPT = 4096,
};

enum model_counter_kind { MODEL_I64, MODEL_F64, MODEL_MEMORY, MODEL_COUNTER_KINDS };
enum model_span_kind { MODEL_TASK, MODEL_FRAME, MODEL_EVENT, MODEL_SPAN_KINDS };
enum { MODEL_MARK_SCOPES = 5 };
extern const char *const model_mark_scopes[MODEL_MARK_SCOPES];

/* For memory: device, pool, and scope. The scope is empty for the whole pool. */
struct model_counter_def {
    struct model_text domain, name, scope, unit;
    uint8_t kind;
};

struct model_span_def {
    struct model_text domain, name;
    uint8_t kind;
};

struct model_marker_def {
    struct model_text domain, name;
};

union model_number {
    int64_t i; /* MODEL_I64 */
    double d;  /* MODEL_F64 */
    uint64_t u; /* MODEL_MEMORY: bytes */
};

/* min, max and mean are valid only if there were updates. For memory, max is the peak; mean is NaN
 * and min is unknown if an older job does not report them; value is MODEL_UNKNOWN in a print, which
 * has no value of now. */
struct model_counter_value {
    uint64_t known; /* 0 or 1; there is no padding, as moment.h asks */
    union model_number value, min, max;
    uint64_t updates;
    double mean;
    uint64_t limit; /* of memory; or MODEL_UNKNOWN */
};

struct model_span_thread {
    uint64_t thread; /* MODEL_NONE: all threads not listed */
    uint64_t calls, total_ns;
};

struct model_pass {
    uint64_t number, ns;
};

struct model_span_value {
    uint64_t known; /* 1: a value was received in this epoch; there is no padding (moment.h) */
    uint64_t calls, total_ns, self_ns;
    uint64_t last_ns, open_since_ns; /* may be MODEL_UNKNOWN, as the members below */
    uint64_t min_ns, max_ns;
    uint64_t first_ns, until_ns;          /* start of the first run, end of the last */
    uint64_t interval_calls, interval_ns; /* in a state: added since the state before; or unknown */
    uint32_t threads, slowest;            /* number of entries in the lists below */
    struct model_span_thread thread[MODEL_SPAN_THREADS];
    struct model_pass slow[MODEL_SLOWEST];
};

struct model_mark {
    uint64_t number; /* number among all instants of the job */
    uint64_t mono_ns;
    uint32_t marker, thread, task; /* thread and task may be MODEL_NONE */
    uint8_t scope;
};

/* Values by the ids of their definitions. Instants in the order of their numbers. */
struct model_objects {
    struct model_counter_value *counter;
    struct model_span_value *span;
    struct model_mark *mark;
    uint32_t counters, spans, marks;
    uint32_t counter_capacity, span_capacity, mark_capacity;
};

/* ------------------------------------------------------------------------- writing, feed only */

struct model_counter_raw {
    struct model_bytes domain, name, scope, unit;
    uint8_t kind;
};
bool model_job_add_counter(struct model_job *job, const struct model_counter_raw *raw);
struct model_span_raw {
    struct model_bytes domain, name;
    uint8_t kind;
};
bool model_job_add_span(struct model_job *job, const struct model_span_raw *raw);
bool model_job_add_marker(struct model_job *job, struct model_bytes domain,
                          struct model_bytes name);

/* Each sets the values of one row. Returns false, and sets nothing, if the row does not exist or is
 * of another kind, or if a cumulative value falls. */
bool model_job_set_counter(struct model_job *job, uint32_t id, enum model_counter_kind kind,
                           const struct model_counter_value *value);
/* Sets minimum and mean of memory with updates, if they are not known yet. */
void model_job_set_usage(struct model_job *job, uint32_t id, uint64_t min, double mean);
/* model_job_set_span() sets calls, total, self, last and open of `value`.
 * model_job_set_span_edges() sets minimum, maximum, first and until. */
bool model_job_set_span(struct model_job *job, uint32_t id, const struct model_span_value *value);
bool model_job_set_span_edges(struct model_job *job, uint32_t id,
                              const struct model_span_value *value);
/* Lists of a span: clear them, then add row by row. Rows beyond the limit are dropped. */
void model_job_clear_span_lists(struct model_job *job, uint32_t id);
void model_job_add_span_thread(struct model_job *job, uint32_t id,
                               const struct model_span_thread *thread);
void model_job_add_span_pass(struct model_job *job, uint32_t id, const struct model_pass *pass);
/* Skips an instant that is already known. Returns false if out of memory. */
bool model_job_add_mark(struct model_job *job, const struct model_mark *mark);
/* Resets all values. Keeps the instants, because they belong to no epoch. */
void model_job_objects_forget(struct model_job *job);

/* --------------------------------------------------------------------------------- reading */

const struct model_counter_def *model_job_counter(const struct model_job *job, uint32_t id);
const struct model_span_def *model_job_span(const struct model_job *job, uint32_t id);
const struct model_marker_def *model_job_marker(const struct model_job *job, uint32_t id);
const struct model_objects *model_job_objects(const struct model_job *job);

/* Copies the values. Returns false if out of memory; `to` then holds nothing. */
bool model_objects_copy(struct model_objects *to, const struct model_objects *from);
void model_objects_release(struct model_objects *objects);
/* Sets the interval values of each span: the difference to the copy before, taken `ns` ago. If that
 * copy `extends`, the interval begins where the copy's interval began. */
void model_objects_interval(struct model_objects *now, const struct model_objects *before,
                            uint64_t ns, bool extends);

/* Runs per second from the start of the first run to the end of the last. Returns false if
 * unknown. */
bool model_span_rate(const struct model_span_value *value, double *rate);
/* Runs per second in the interval of a state. Returns false if unknown. */
bool model_span_interval_rate(const struct model_span_value *value, double *rate);

#endif
