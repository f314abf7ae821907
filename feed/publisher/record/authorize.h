/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * authorize.h: decides which peers may change what a job collects. Reading is a separate right:
 * every admitted peer may read.
 */
#ifndef FEED_PUBLISHER_RECORD_AUTHORIZE_H
#define FEED_PUBLISHER_RECORD_AUTHORIZE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "feed/shared/keys.h"

/* The job's grants. Zero it, then call publisher_authorization_init(). */
struct publisher_authorization {
    uint32_t user;    /* the job's own uid */
    bool control_off; /* PROFTOP_CONTROL=0 */
    bool forbidden;   /* by the site's file */
};

/* The peer of a connection, as the kernel reports it. */
struct publisher_peer {
    bool local; /* the peer is on this machine: the rest is known */
    uint32_t user, pid;
    unsigned may;               /* rights of the key that it has shown; 0: none */
    char name[SHARED_KEY_NAME]; /* name of that key, if it was admitted */
};

/* `control`: PROFTOP_CONTROL of the environment, or NULL. */
static inline void publisher_authorization_init(struct publisher_authorization *grants,
                                                const char *control)
{
    *grants = (struct publisher_authorization){.user = geteuid()};
    grants->control_off = control != NULL && strcmp(control, "0") == 0;
}

/* Reads the site's file. That takes a descriptor, so only the feed's thread calls it. A file that
 * can't be understood forbids control. */
void publisher_authorization_look(struct publisher_authorization *grants);

/* Reads libzmq's description of a connection ("Peer-Address" of a message; may be NULL). For a Unix
 * socket it ends in ":user:group:process". */
void publisher_peer_read(struct publisher_peer *peer, const char *address);

/* Returns NULL if this peer may control the job, else a sentence with the reason. */
const char *publisher_authorize_control(const struct publisher_authorization *grants,
                                        const struct publisher_peer *peer);

#endif
