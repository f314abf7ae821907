/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * objects.h: the counters, spans, markers and memory of a job: definitions, values as last
 * received, and a copy of the values for a state. Definitions belong to the job (job.h).
 */
#ifndef MODEL_OBJECTS_H
#define MODEL_OBJECTS_H

#include "model/job.h"

enum {
    MODEL_SPAN_THREADS = 17, /* threads of a span that are kept, the others among them */
    MODEL_SLOWEST = 8,       /* frames of a span that are kept */
    MODEL_MARKS_KEPT = 4096,
};

enum model_counter_kind { MODEL_I64, MODEL_F64, MODEL_MEMORY, MODEL_COUNTER_KINDS };
enum model_span_kind { MODEL_TASK, MODEL_FRAME, MODEL_EVENT, MODEL_SPAN_KINDS };
enum { MODEL_MARK_SCOPES = 5 };
extern const char *const model_mark_scopes[MODEL_MARK_SCOPES];

/* Of memory: device, pool and scope, which is empty for the pool as a whole. */
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

/* Without updates min, max and mean say nothing. Of memory max is the peak; mean is NaN, and min
 * unknown, where a job of old does not say. */
struct model_counter_value {
    bool known;
    union model_number value, min, max;
    uint64_t updates;
    double mean;
    uint64_t limit; /* of memory, or MODEL_UNKNOWN */
};

struct model_span_thread {
    uint32_t thread; /* MODEL_NONE: all that are not named */
    uint64_t calls, total_ns;
};

struct model_pass {
    uint64_t number, ns;
};

struct model_span_value {
    bool known; /* something was received of it in this epoch */
    uint64_t calls, total_ns, self_ns;
    uint64_t last_ns, open_since_ns; /* MODEL_UNKNOWN allowed, as below */
    uint64_t min_ns, max_ns;
    uint64_t first_ns, until_ns; /* begin of the first run, end of the last */
    uint64_t interval_calls, interval_ns; /* of a state, since the state before; or unknown */
    uint32_t threads, slowest;   /* how many there are of: */
    struct model_span_thread thread[MODEL_SPAN_THREADS];
    struct model_pass slow[MODEL_SLOWEST];
};

struct model_mark {
    uint64_t number; /* of all of the job */
    uint64_t mono_ns;
    uint32_t marker, thread, task; /* the last two may be MODEL_NONE */
    uint8_t scope;
};

/* Values by the ids of their definitions, and the instants in the order of their numbers. */
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

/* Each takes the values of one row. False: the row does not exist or is of another kind, or a value
 * that only grows fell; then nothing is taken. */
bool model_job_set_counter(struct model_job *job, uint32_t id, enum model_counter_kind kind,
                           const struct model_counter_value *value);
/* Least and mean of memory that is known to have updates, where these are not known yet. */
void model_job_set_usage(struct model_job *job, uint32_t id, uint64_t min, double mean);
/* Calls, total, self, last and open of `value`; then shortest, longest, first and until. */
bool model_job_set_span(struct model_job *job, uint32_t id, const struct model_span_value *value);
bool model_job_set_span_edges(struct model_job *job, uint32_t id,
                              const struct model_span_value *value);
/* Lists of a span: emptied, then filled row by row. Rows beyond what is kept are left out. */
void model_job_clear_span_lists(struct model_job *job, uint32_t id);
void model_job_add_span_thread(struct model_job *job, uint32_t id,
                               const struct model_span_thread *thread);
void model_job_add_span_pass(struct model_job *job, uint32_t id, const struct model_pass *pass);
/* An instant that is known already is skipped. False: out of memory. */
bool model_job_add_mark(struct model_job *job, const struct model_mark *mark);

/* --------------------------------------------------------------------------------- reading */

const struct model_counter_def *model_job_counter(const struct model_job *job, uint32_t id);
const struct model_span_def *model_job_span(const struct model_job *job, uint32_t id);
const struct model_marker_def *model_job_marker(const struct model_job *job, uint32_t id);
const struct model_objects *model_job_objects(const struct model_job *job);

/* A copy of the values. False when out of memory; then nothing is held. */
bool model_objects_copy(struct model_objects *to, const struct model_objects *from);
void model_objects_release(struct model_objects *objects);
/* All values go back to the beginning; instants stay, since they are of no epoch. */
void model_objects_forget(struct model_objects *objects);
/* What was added to each span since the copy before, which was taken so long ago; or, if it
 * `extends`, since the interval of that began. */
void model_objects_interval(struct model_objects *now, const struct model_objects *before,
                            uint64_t ns, bool extends);
size_t model_objects_bytes(const struct model_objects *objects);

/* Runs a second from the begin of the first to the end of the last. False: not known. */
bool model_span_rate(const struct model_span_value *value, double *rate);
/* The same in the interval of a state. */
bool model_span_interval_rate(const struct model_span_value *value, double *rate);

#endif
