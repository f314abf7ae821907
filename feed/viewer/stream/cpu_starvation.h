/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * cpu_starvation.h: whether the thread of a local job that has been in an op for long gets no
 * processor. Such an op lasts as if it hung, and does not.
 */
#ifndef FEED_STARVED_H
#define FEED_STARVED_H

#include "feed/shared/schedstat.h"
#include "model/job.h"
#include "model/link.h"

/* What the kernel has counted of a thread until then. */
struct feed_turns_at {
    uint64_t at_ns; /* viewer's clock */
    struct feed_turns turns;
};

/* Zero to begin with. */
struct feed_starved {
    uint64_t tid, since_ns; /* the thread and its op that were looked at; tid 0: none */
    uint64_t look_ns;
    struct feed_turns_at first;
    enum model_starved is;
};

/* Looks at the thread of the job that has been in an op for longest, if that is for long, twice a
 * second at most. `pid` 0: the job is not on this machine, so nothing is known. YES: between the
 * looks it waited for a processor for more than half of the time. */
enum model_starved feed_starved_look(struct feed_starved *starved, uint64_t pid,
                                     const struct model_job *job, uint64_t now_ns);

/* The verdict on two looks. A thread that had no turn between them waits for one, or for something
 * else: that only its state tells. */
enum feed_hunger { FEED_FED, FEED_STARVED, FEED_STARVED_IF_READY };
enum feed_hunger feed_starved_judge(const struct feed_turns_at *first,
                                    const struct feed_turns_at *now);

#endif
