/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * cpu_starvation.h: whether the thread of a local job that has been in an op for long gets no
 * processor. Such an op lasts as if it hung, and does not.
 */
#ifndef FEED_VIEWER_STREAM_CPU_STARVATION_H
#define FEED_VIEWER_STREAM_CPU_STARVATION_H

#include "feed/shared/schedstat.h"
#include "model/job.h"
#include "model/link.h"

/* What the kernel has counted of a thread until then. */
struct viewer_turns_at {
    uint64_t at_ns; /* viewer's clock */
    struct shared_schedstat turns;
};

/* Zero to begin with. */
struct viewer_cpu_starvation {
    uint64_t tid, since_ns; /* the thread and its op that were looked at; tid 0: none */
    uint64_t look_ns;
    struct viewer_turns_at first;
    enum model_starved is;
};

/* Looks at the thread of the job that has been in an op for longest, if that is for long, twice a
 * second at most. `pid` 0: the job is not on this machine, so nothing is known. YES: between the
 * looks it waited for a processor for more than half of the time. */
enum model_starved viewer_cpu_starvation_sample(struct viewer_cpu_starvation *starved, uint64_t pid,
                                                const struct model_job *job, uint64_t now_ns);

/* The verdict on two looks. A thread that had no turn between them waits for one, or for something
 * else: that only its state tells. */
enum viewer_cpu_starvation_state { VIEWER_FED, VIEWER_STARVED, VIEWER_STARVED_IF_READY };
enum viewer_cpu_starvation_state viewer_cpu_starvation_judge(const struct viewer_turns_at *first,
                                                             const struct viewer_turns_at *now);

#endif
