/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * cpu_starvation.h: detects CPU starvation of a local job: a thread has been in an op for long
 * because it gets no processor. Such an op looks as if it hung, but does not.
 */
#ifndef FEED_VIEWER_STREAM_CPU_STARVATION_H
#define FEED_VIEWER_STREAM_CPU_STARVATION_H

#include "feed/shared/schedstat.h"
#include "model/job.h"
#include "model/link.h"

/* The kernel's counts for a thread at one time. */
struct viewer_turns_at {
    uint64_t at_ns; /* viewer's clock */
    struct shared_schedstat turns;
};

/* Zero to begin with. */
struct viewer_cpu_starvation {
    uint64_t tid, since_ns; /* the observed thread, and the start of its op; tid 0: none */
    uint64_t look_ns;
    struct viewer_turns_at first;
    enum model_starved is;
};

/* Observes the thread of the job that has been in an op for longest, if the op lasts for more than
 * 2 s. Looks at most twice a second. `pid` 0: the job is not on this machine, so the state is
 * unknown. YES: between two looks the thread waited for a processor for more than half of the
 * time. */
enum model_starved viewer_cpu_starvation_sample(struct viewer_cpu_starvation *starved, uint64_t pid,
                                                const struct model_job *job, uint64_t now_ns);

/* Compares two looks. A thread that did not run between them waits for a processor, or for
 * something else; only its state in /proc tells which. */
enum viewer_cpu_starvation_state { VIEWER_FED, VIEWER_STARVED, VIEWER_STARVED_IF_READY };
enum viewer_cpu_starvation_state viewer_cpu_starvation_judge(const struct viewer_turns_at *first,
                                                             const struct viewer_turns_at *now);

#endif
