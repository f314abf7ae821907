/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * machines.c: joins the tunnels to several machines into one list of jobs.
 */
#include "config.h"

#include "feed/viewer/remote/machines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "feed/viewer/stream/link_state.h"

enum { ASK_MS = 2000, NOTE = 512 };

struct viewer_machines {
    int poll; /* epoll of all descriptors of the tunnels */
    size_t count, begun;
    uint64_t requested_ns;
    char batch[SHARED_BATCH_MAX];
    struct machine {
        char where[SHARED_VIA_MAX];
        struct viewer_tunnel *tunnel; /* NULL: not begun, or it failed to start */
        char failed[NOTE];
        char late[SHARED_VIA_MAX + 64]; /* set if the machine did not answer in time */
    } machine[];
};

static bool begin(struct viewer_machines *r, bool quiet)
{
    struct machine *m = &r->machine[r->begun++];
    int fd[2];
    m->tunnel = viewer_tunnel_new(m->where, quiet, m->failed, sizeof m->failed);
    if (!m->tunnel)
        return false;
    viewer_tunnel_descriptors(m->tunnel, fd);
    for (unsigned i = 0; i < 2; i++) {
        struct epoll_event event = {.events = EPOLLIN};
        epoll_ctl(r->poll, EPOLL_CTL_ADD, fd[i], &event);
    }
    return true;
}

struct viewer_machines *viewer_machines_new(const char *const hosts[], size_t count, bool quiet,
                                            char *why, size_t capacity)
{
    if (count > VIEWER_REMOTE_MAX) {
        snprintf(why, capacity, "%zu machines are too many: at most %d at a time", count,
                 VIEWER_REMOTE_MAX);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        if (!viewer_tunnel_host(hosts[i], why, capacity))
            return NULL;
    struct viewer_machines *r = calloc(1, sizeof *r + count * sizeof r->machine[0]);
    if (r)
        r->poll = epoll_create1(EPOLL_CLOEXEC);
    if (!r || r->poll < 0) {
        snprintf(why, capacity, "there is no memory or descriptor left for ssh");
        free(r);
        return NULL;
    }
    r->count = count;
    for (size_t i = 0; i < count; i++)
        snprintf(r->machine[i].where, sizeof r->machine[i].where, "%s", hosts[i]);
    if (!begin(r, quiet)) {
        snprintf(why, capacity, "%s", r->machine[0].failed);
        viewer_machines_free(&r);
        return NULL;
    }
    while (quiet && r->begun < r->count)
        begin(r, true);
    return r;
}

void viewer_machines_free(struct viewer_machines **remote)
{
    struct viewer_machines *r = *remote;
    if (!r)
        return;
    for (size_t i = 0; i < r->count; i++)
        if (r->machine[i].tunnel)
            viewer_tunnel_stop(r->machine[i].tunnel);
    for (size_t i = 0; i < r->count; i++)
        viewer_tunnel_free(&r->machine[i].tunnel);
    close(r->poll);
    free(r);
    *remote = NULL;
}

void viewer_machines_batch(struct viewer_machines *r, const char *batch)
{
    snprintf(r->batch, sizeof r->batch, "%s", batch);
}

int viewer_machines_descriptor(const struct viewer_machines *r)
{
    return r->poll;
}

static const char *failure(const struct machine *m)
{
    return m->tunnel ? viewer_tunnel_ended(m->tunnel) : m->failed;
}

static bool is_settled(const struct machine *m)
{
    return *failure(m) || (m->tunnel && viewer_tunnel_jobs(m->tunnel));
}

bool viewer_machines_read(struct viewer_machines *r)
{
    bool news = false;
    for (size_t i = 0; i < r->begun; i++) {
        struct machine *m = &r->machine[i];
        bool settled = is_settled(m);
        if (m->tunnel && !*failure(m))
            viewer_tunnel_read(m->tunnel);
        news |= is_settled(m) != settled || *failure(m);
    }
    while (r->begun < r->count && is_settled(&r->machine[0]))
        begin(r, true);
    return news;
}

bool viewer_machines_settled(const struct viewer_machines *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (!is_settled(&r->machine[i]))
            return false;
    return true;
}

void viewer_machines_give_up(struct viewer_machines *r, double seconds)
{
    for (size_t i = 0; i < r->count; i++)
        if (!is_settled(&r->machine[i]))
            snprintf(r->machine[i].late, sizeof r->machine[i].late,
                     "%s did not answer within %g s", r->machine[i].where, seconds);
}

/* Returns why nothing is known about a machine; "": its jobs are known, or may come yet. */
static const char *trouble(const struct machine *m)
{
    return *failure(m) ? failure(m) : is_settled(m) ? "" : m->late;
}

const char *viewer_machines_trouble(const struct viewer_machines *r, size_t at)
{
    return at < r->count ? trouble(&r->machine[at]) : NULL;
}

const char *viewer_machines_hopeless(const struct viewer_machines *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (!*trouble(&r->machine[i]))
            return "";
    return trouble(&r->machine[0]);
}

static void request_lists(struct viewer_machines *r, uint64_t now_ns)
{
    if (now_ns - r->requested_ns < ASK_MS * VIEWER_NS_PER_MS)
        return;
    r->requested_ns = now_ns;
    for (size_t i = 0; i < r->begun; i++)
        if (r->machine[i].tunnel)
            viewer_tunnel_request(r->machine[i].tunnel);
}

/* Adds the jobs and problems of one machine. False: out of memory. */
static bool add_jobs(const struct viewer_machines *r, const struct machine *m,
                     struct viewer_jobs *jobs)
{
    const struct viewer_jobs *found = m->tunnel ? viewer_tunnel_jobs(m->tunnel) : NULL;
    char line[NOTE];
    for (size_t i = 0; found && !*failure(m) && i < found->count; i++) {
        bool matches = !r->batch[0] || strcmp(found->job[i].place.batch, r->batch) == 0;
        if (matches && !viewer_jobs_add(jobs, &found->job[i]))
            return false;
    }
    jobs->more += found && !*failure(m) ? found->more : 0;
    for (const char *at = found ? found->problems : ""; *at; at += strcspn(at, "\n") + 1) {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        viewer_jobs_complain(jobs, line);
    }
    if (*trouble(m))
        viewer_jobs_complain(jobs, trouble(m));
    return true;
}

bool viewer_machines_list(struct viewer_machines *r, uint64_t now_ns, struct viewer_jobs *jobs)
{
    *jobs = (struct viewer_jobs){0};
    viewer_machines_read(r);
    for (size_t i = 0; i < r->count; i++)
        if (!add_jobs(r, &r->machine[i], jobs)) {
            viewer_jobs_release(jobs);
            return false;
        }
    viewer_jobs_order(jobs);
    request_lists(r, now_ns);
    return true;
}

static const struct machine *find(const struct viewer_machines *r, const char *via)
{
    for (size_t i = 0; i < r->begun; i++)
        if (strcmp(r->machine[i].where, via) == 0)
            return &r->machine[i];
    return NULL;
}

bool viewer_machines_reach(struct viewer_machines *r, const struct registry_info *info,
                           struct viewer_target *target, char *why, size_t capacity)
{
    const struct machine *m = find(r, info->via);
    if (m && m->tunnel)
        return viewer_tunnel_reach(m->tunnel, info, target, why, capacity);
    snprintf(why, capacity, "there is no connection to %.80s", info->via);
    return false;
}

const char *viewer_machines_lost(const struct viewer_machines *r, const char *via)
{
    const struct machine *m = find(r, via);
    return m ? failure(m) : "";
}

const char *viewer_machines_message(const struct viewer_machines *r, const char *via)
{
    const struct machine *m = find(r, via);
    return m && m->tunnel ? viewer_tunnel_message(m->tunnel) : "";
}
