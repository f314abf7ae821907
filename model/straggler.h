/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * straggler.h: which of several jobs that wait for each other is the slow one, and which one hangs.
 * In a step that all end together the slow one waits least, whatever it is slow at; so the share of
 * its time that each job spends in classes that wait is compared, over the last intervals.
 *
 * A job is named only if it waits less by a share worth telling, again and again: see VERDICT in
 * straggler.c for the measure. Pure: all instants are given, ns of each job's own clock.
 */
#ifndef MODEL_STRAGGLER_H
#define MODEL_STRAGGLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/link.h"

#define MODEL_NOBODY SIZE_MAX

enum { MODEL_STRAGGLER_WINDOW = 20 }; /* intervals that are looked at */

/* What is known of one job at one time. */
struct model_straggler_job {
    const void *instance; /* another one begins anew */
    uint64_t mono_ns;     /* the job's stamp of what follows */
    uint64_t wait_ns;     /* in classes that wait, since its last reset; falls after one */
    bool waits;           /* it has ever been in such a class */
    bool heard;           /* its feed is well: what it says is of now */
    bool over;            /* it has ended or is gone */
    bool vague;           /* it may be in an op that waits without telling */
    enum model_starved starved;
    uint64_t waiting_ns;  /* for how long it was seen in an op that waits; MODEL_UNKNOWN: it is in
                           * none */
    uint64_t busy_ns;     /* and in one that does not */
    uint64_t busy_max_ns; /* the longest call of that op so far, or MODEL_UNKNOWN */
    uint64_t quiet_ns;    /* for how long no call of any op was counted */
};

struct model_straggler;

struct model_straggler *model_straggler_new(void); /* NULL: out of memory */
void model_straggler_free(struct model_straggler **straggler);

/* Takes what is known of all jobs, by their places. Call it as often as there is something new;
 * stretches shorter than half a second are put together. False: out of memory. */
bool model_straggler_look(struct model_straggler *straggler, const struct model_straggler_job *job,
                          size_t jobs);

/* The slow one, as shares of time: what it waits, and what the others wait in the median. */
struct model_slow {
    size_t job; /* its place, or MODEL_NOBODY */
    double waits, others;
};
/* The one that hangs. With nobody hanging and others waiting, each waits for another. */
struct model_hung {
    size_t job;     /* its place, or MODEL_NOBODY */
    size_t waiting; /* jobs that have waited for HANG_NS and more */
    bool all;       /* all that are heard wait for each other */
    /* YES: it does not hang, but gets no processor; UNKNOWN: it is one of the two. Of one that is
     * silent, or in no op, NO. */
    enum model_starved starved;
};
struct model_slow model_straggler_slow(const struct model_straggler *straggler);
struct model_hung model_straggler_hung(const struct model_straggler *straggler);

#endif
