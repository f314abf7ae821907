/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * authorize.c: decides which peers may control a job, by one table of reasons for a refusal.
 */
#include "config.h"

#include "feed/publisher/record/authorize.h"
#include "feed/shared/site_policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void publisher_authorization_look(struct publisher_authorization *grants)
{
    struct shared_site site;
    char why[256];
    grants->forbidden = !shared_site_read(&site, why, sizeof why) || !site.control;
}

/* An IPv6 address has colons too, but does not begin with a single one. */
void publisher_peer_read(struct publisher_peer *peer, const char *address)
{
    static const char host[] = "localhost";
    unsigned user, group, pid;
    int end = 0;
    *peer = (struct publisher_peer){0};
    if (address == NULL)
        return;
    if (strncmp(address, host, sizeof host - 1) == 0)
        address += sizeof host - 1;
    if (sscanf(address, ":%u:%u:%u%n", &user, &group, &pid, &end) == 3 && address[end] == 0)
        *peer = (struct publisher_peer){.local = true, .user = user, .pid = pid};
}

static bool is_off(const struct publisher_authorization *grants, const struct publisher_peer *peer)
{
    (void)peer;
    return grants->control_off;
}

static bool is_forbidden(const struct publisher_authorization *grants,
                         const struct publisher_peer *peer)
{
    (void)peer;
    return grants->forbidden;
}

static bool is_remote(const struct publisher_authorization *grants,
                      const struct publisher_peer *peer)
{
    (void)grants;
    return !peer->local && peer->may == 0;
}

static bool is_reader(const struct publisher_authorization *grants,
                      const struct publisher_peer *peer)
{
    (void)grants;
    return !peer->local && (peer->may & SHARED_MAY_CONTROL) == 0;
}

static bool is_foreign(const struct publisher_authorization *grants,
                       const struct publisher_peer *peer)
{
    return peer->local && peer->user != grants->user;
}

/* The first reason that holds is reported. */
static const struct {
    bool (*holds)(const struct publisher_authorization *grants, const struct publisher_peer *peer);
    const char *why;
} reasons[] = {
    {is_off, "PROFTOP_CONTROL=0 in its environment forbids to control this job"},
    {is_forbidden, "the administrator of the job's machine forbids to control jobs"},
    {is_remote, "this job is controlled through its Unix sockets, or with a key that may"},
    {is_reader, "this key may read and not control: `authorized` says so where the job runs"},
    {is_foreign, "this job is controlled by its own user alone"},
};

const char *publisher_authorize_control(const struct publisher_authorization *grants,
                                        const struct publisher_peer *peer)
{
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i].holds(grants, peer))
            return reasons[i].why;
    return NULL;
}
