/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * starved.c: reads what the kernel has counted of the thread.
 */
#include "config.h"

#include "starved.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "vital.h"

enum { LONG_MS = 2000, LOOK_MS = 500, SPAN_MS = 3000 };

/* The bytes of a file of a thread, as a string. False: there is none. */
static bool read_of(uint64_t pid, uint64_t tid, const char *name, char *out, size_t capacity)
{
    char path[96];
    snprintf(path, sizeof path, "/proc/%" PRIu64 "/task/%" PRIu64 "/%s", pid, tid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, out, capacity - 1);
    if (fd >= 0)
        close(fd);
    out[size > 0 ? size : 0] = '\0';
    return size > 0;
}

/* False: the kernel does not count, or the thread is gone. */
static bool read_turns(uint64_t pid, uint64_t tid, uint64_t now_ns, struct feed_turns *turns)
{
    char text[128];
    *turns = (struct feed_turns){.at_ns = now_ns};
    return read_of(pid, tid, "schedstat", text, sizeof text) &&
           sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &turns->ran_ns, &turns->queued_ns,
                  &turns->turns) == 3 &&
           turns->turns > 0;
}

/* Whether it runs, or would if it could. */
static bool is_ready(uint64_t pid, uint64_t tid)
{
    char text[1024];
    const char *at = read_of(pid, tid, "stat", text, sizeof text) ? strrchr(text, ')') : NULL;
    return at != NULL && strncmp(at, ") R", 3) == 0;
}

enum feed_hunger feed_starved_judge(const struct feed_turns *first, const struct feed_turns *now)
{
    if (now->turns == first->turns && now->ran_ns == first->ran_ns)
        return FEED_STARVED_IF_READY;
    uint64_t queued_ns = now->queued_ns - first->queued_ns, passed_ns = now->at_ns - first->at_ns;
    return queued_ns > passed_ns / 2 ? FEED_STARVED : FEED_FED;
}

static const struct model_now *longest(const struct model_job *job)
{
    size_t count;
    const struct model_now *now = model_job_now(job, &count), *found = NULL;
    for (size_t i = 0; i < count; i++)
        if (now[i].seen_ns >= LONG_MS * FEED_NS_PER_MS &&
            (!found || now[i].seen_ns > found->seen_ns))
            found = &now[i];
    return found;
}

/* At the first look the whole life of the thread tells, if it does not sleep now. */
static bool is_starved(const struct feed_starved *starved, uint64_t pid,
                       const struct feed_turns *turns)
{
    const struct feed_turns *first = &starved->first;
    if (first->at_ns == 0)
        return turns->queued_ns > turns->ran_ns && is_ready(pid, starved->tid);
    enum feed_hunger hunger = feed_starved_judge(first, turns);
    return hunger == FEED_STARVED ||
           (hunger == FEED_STARVED_IF_READY && is_ready(pid, starved->tid));
}

enum model_starved feed_starved_look(struct feed_starved *starved, uint64_t pid,
                                     const struct model_job *job, uint64_t now_ns)
{
    const struct model_now *open = pid > 0 && job ? longest(job) : NULL;
    if (!open) {
        starved->tid = 0;
        return MODEL_STARVED_UNKNOWN;
    }
    uint64_t tid = model_job_thread(job, open->thread)->tid;
    bool same = starved->tid == tid && starved->since_ns == open->since_ns;
    if (same && now_ns - starved->look_ns < LOOK_MS * FEED_NS_PER_MS)
        return starved->is;
    struct feed_turns turns;
    bool known = read_turns(pid, tid, now_ns, &turns);
    if (!same)
        *starved = (struct feed_starved){.tid = tid, .since_ns = open->since_ns};
    starved->look_ns = now_ns;
    starved->is = !known                              ? MODEL_STARVED_UNKNOWN
                  : is_starved(starved, pid, &turns) ? MODEL_STARVED_YES
                                                      : MODEL_STARVED_NO;
    if (!same || now_ns - starved->first.at_ns >= SPAN_MS * FEED_NS_PER_MS)
        starved->first = turns;
    return starved->is;
}
