/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * timeline.h: the single events of a job in a window of time, as its feed sends them while a trace
 * runs, and as a file of Chrome's trace format. A job keeps events only after
 * model_job_keep_timeline(). Times are ns of the job's monotonic clock.
 */
#ifndef MODEL_TIMELINE_H
#define MODEL_TIMELINE_H

#include "model/json.h"

enum model_timeline_kind {
    MODEL_AT_APPLY,    /* a call of an apply */
    MODEL_AT_FUNCTION, /* a call of a function */
    MODEL_AT_RUN,      /* a run of a span */
    MODEL_AT_MARK,     /* an instant of a marker */
    MODEL_AT_VALUE,    /* a new value of a counter or pool */
    MODEL_AT_KINDS
};

/* How the time of an event is known. */
enum model_timeline_how { MODEL_HOW_TIMED, MODEL_HOW_GIVEN, MODEL_HOW_OPEN, MODEL_HOWS };

struct model_timeline_event {
    uint64_t start_ns;
    uint64_t value;  /* ns; of a counter: the bits of its union model_number */
    uint64_t extra;  /* of a run: number of the frame, or 0; of an instant: its span plus 1, or 0 */
    uint32_t id;     /* row of the table of its kind */
    uint32_t thread; /* or MODEL_NONE */
    uint8_t kind;
    uint8_t how;   /* enum model_timeline_how; of an instant: its scope */
    bool overlaps; /* it is not nested in the events of its thread */
};

/* Why a trace ended; MODEL_TRACE_RUNS: it runs, or its last events have not come. */
enum model_trace_end {
    MODEL_TRACE_RUNS,
    MODEL_TRACE_TIME,
    MODEL_TRACE_STOPPED,
    MODEL_TRACE_UNHEARD,
    MODEL_TRACE_CLOSED,
    MODEL_TRACE_ENDS
};

struct model_timeline {
    bool keeps;
    uint64_t limit; /* of events that are kept */
    struct model_timeline_event *event;
    size_t count, capacity;
    size_t kinds[MODEL_AT_KINDS], open; /* events of each kind; of all, those that were open */
    uint64_t number;                    /* of the trace in its job; 0: nothing has come */
    uint64_t begin_ns, until_ns;        /* until: MODEL_UNKNOWN while it runs */
    enum model_trace_end why;
    uint64_t events;  /* as the job says: so many it sent, */
    uint64_t dropped; /* so many had no room or were beyond the limit, */
    uint64_t missed;  /* so many runs and instants were overwritten before they were read, */
    uint64_t untimed; /* and so many calls were counted without a time */
    uint64_t refused; /* events that came and were not kept: no memory, or beyond the limit */
};

/* Keeps events from now on, so many at most. */
void model_job_keep_timeline(struct model_job *job, uint64_t limit);
const struct model_timeline *model_job_timeline(const struct model_job *job);

/* Sets what the job says of its trace. A new number drops the events of the trace before. For the
 * feed alone, as the next. */
void model_job_set_timeline(struct model_job *job, const struct model_timeline *said);
/* Adds an event, unless the job keeps none. Skips rows that do not exist. */
void model_job_add_event(struct model_job *job, const struct model_timeline_event *event);

/* Returns how many events are lost: dropped or missed by the job, on the way, and here. */
uint64_t model_timeline_lost(const struct model_timeline *timeline);

/* Writes the events in order of their times, with the names of processes and threads, and facts of
 * the trace. `wall_ns`: wall clock of the job minus its monotonic clock. Sorts the events. */
void model_timeline_write(struct model_job *job, uint64_t wall_ns, const struct model_sink *sink);

/* Frees the events. */
void model_timeline_release(struct model_timeline *timeline);

#endif
