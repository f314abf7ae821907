/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * straggler.h: finds which of several jobs that wait for each other is slow, and which one hangs.
 * All jobs end a step together, so the slow job waits least, whatever slows it. The shares of time
 * that the jobs spend in waiting classes are compared over the latest intervals.
 *
 * A job is named only if it waits less by a significant share, repeatedly: see VERDICT in
 * straggler.c for the thresholds. Pure: all instants are arguments, in ns of each job's own clock.
 */
#ifndef MODEL_STRAGGLER_H
#define MODEL_STRAGGLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/link.h"

#define MODEL_NOBODY SIZE_MAX

enum { MODEL_STRAGGLER_WINDOW = 20 }; /* intervals that are compared */

/* State of one job at one time. */
struct model_straggler_job {
    const void *instance; /* identity; a new one restarts the history */
    uint64_t mono_ns;     /* the job's stamp of the following values */
    uint64_t wait_ns;     /* time in waiting classes since the last reset; a reset lowers it */
    bool waits;           /* the job has ever been in such a class */
    bool current;         /* the feed is healthy: its values are up to date */
    bool over;            /* the job has ended or is gone */
    bool lingers;         /* with over: its process is still there */
    bool vague;           /* the job may be in a waiting op that it does not report */
    uint64_t rank, size;  /* in a distributed program, or MODEL_UNKNOWN */
    enum model_starved starved;
    uint64_t waiting_ns;  /* how long it has been seen in a waiting op; MODEL_UNKNOWN: not in one */
    uint64_t busy_ns;     /* the same for an op that does not wait */
    uint64_t busy_max_ns; /* the longest call so far of the op of busy_ns, or MODEL_UNKNOWN */
    uint64_t quiet_ns;    /* how long no call of any op was counted */
};

struct model_straggler;

struct model_straggler *model_straggler_new(void); /* NULL: out of memory */
void model_straggler_free(struct model_straggler **straggler);

/* Adds the state of all jobs, by position. Call it whenever there are new values. Stretches shorter
 * than half a second are joined. Returns false if out of memory. */
bool model_straggler_look(struct model_straggler *straggler, const struct model_straggler_job *job,
                          size_t jobs);

/* The slow job, with shares of time: its waiting, and the median waiting of the others. */
struct model_slow {
    size_t job; /* position, or MODEL_NOBODY */
    double waits, others;
};
/* The job that hangs. If no job hangs and others wait, each waits for another. */
struct model_hung {
    size_t job;     /* position, or MODEL_NOBODY */
    size_t waiting; /* number of jobs that have waited for at least HANG_NS */
    bool all;       /* all jobs with a healthy feed wait for each other */
    bool last;      /* nobody waits for the job: other ranks are over, and it makes no progress, or
                     * is over but for its process */
    /* YES: the job does not hang, but gets no processor. UNKNOWN: one or the other. NO for a job
     * that sends nothing or is in no op. */
    enum model_starved starved;
};
struct model_slow model_straggler_slow(const struct model_straggler *straggler);
struct model_hung model_straggler_hung(const struct model_straggler *straggler);

/* The part of one job in a hang. */
enum model_hang_role {
    MODEL_HANG_NONE,
    MODEL_HANG_WAITS,   /* it is one of `waiting` */
    MODEL_HANG_MISSING, /* the others wait for it, or it hangs by itself */
};
enum model_hang_role model_straggler_role(const struct model_straggler *straggler, size_t job);

#endif
