/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * cpu_starvation.c: reads the kernel's counts for the thread.
 */
#include "config.h"

#include "feed/viewer/stream/cpu_starvation.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "feed/shared/atomic_file.h"
#include "feed/viewer/stream/link_state.h"

enum { LONG_MS = 2000, LOOK_MS = 500, SPAN_MS = 3000 };

/* True if the thread runs or is ready to run. */
static bool is_ready(uint64_t pid, uint64_t tid)
{
    char path[96], text[1024];
    snprintf(path, sizeof path, "/proc/%" PRIu64 "/task/%" PRIu64 "/stat", pid, tid);
    const char *at = shared_file_head(path, text, sizeof text) ? strrchr(text, ')') : NULL;
    return at != NULL && strncmp(at, ") R", 3) == 0;
}

enum viewer_cpu_starvation_state viewer_cpu_starvation_judge(const struct viewer_turns_at *first,
                                                             const struct viewer_turns_at *now)
{
    const struct shared_schedstat *then = &first->turns, *since = &now->turns;
    if (since->turns == then->turns && since->ran_ns == then->ran_ns)
        return VIEWER_STARVED_IF_READY;
    const uint64_t passed_ns = now->at_ns - first->at_ns;
    return since->waited_ns - then->waited_ns > passed_ns / 2 ? VIEWER_STARVED : VIEWER_FED;
}

static const struct model_now *longest(const struct model_job *job)
{
    size_t count;
    const struct model_now *now = model_job_now(job, &count), *found = NULL;
    for (size_t i = 0; i < count; i++)
        if (now[i].seen_ns >= LONG_MS * VIEWER_NS_PER_MS &&
            (!found || now[i].seen_ns > found->seen_ns))
            found = &now[i];
    return found;
}

/* True if the thread starves. At the first look the counts of its whole life decide, and it must be
 * ready to run. */
static bool is_starved(const struct viewer_cpu_starvation *starved, uint64_t pid,
                       const struct viewer_turns_at *now)
{
    const struct viewer_turns_at *first = &starved->first;
    if (first->at_ns == 0)
        return now->turns.waited_ns > now->turns.ran_ns && is_ready(pid, starved->tid);
    enum viewer_cpu_starvation_state hunger = viewer_cpu_starvation_judge(first, now);
    return hunger == VIEWER_STARVED ||
           (hunger == VIEWER_STARVED_IF_READY && is_ready(pid, starved->tid));
}

enum model_starved viewer_cpu_starvation_sample(struct viewer_cpu_starvation *starved, uint64_t pid,
                                                const struct model_job *job, uint64_t now_ns)
{
    const struct model_now *open = pid > 0 && job ? longest(job) : NULL;
    if (!open) {
        starved->tid = 0;
        return MODEL_STARVED_UNKNOWN;
    }
    uint64_t tid = model_job_thread(job, open->thread)->tid;
    bool same = starved->tid == tid && starved->since_ns == open->since_ns;
    if (same && now_ns - starved->look_ns < LOOK_MS * VIEWER_NS_PER_MS)
        return starved->is;
    struct viewer_turns_at now = {.at_ns = now_ns};
    bool known = shared_schedstat_read(pid, tid, &now.turns) && now.turns.turns > 0;
    if (!same)
        *starved = (struct viewer_cpu_starvation){.tid = tid, .since_ns = open->since_ns};
    starved->look_ns = now_ns;
    starved->is = !known                            ? MODEL_STARVED_UNKNOWN
                  : is_starved(starved, pid, &now) ? MODEL_STARVED_YES
                                                    : MODEL_STARVED_NO;
    if (!same || now_ns - starved->first.at_ns >= SPAN_MS * VIEWER_NS_PER_MS)
        starved->first = now;
    return starved->is;
}
