/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * authorize.h: who may change what a job collects. To read is another right: who is let in at all
 * may.
 */
#ifndef FEED_PUBLISHER_TRANSPORT_AUTHORIZE_H
#define FEED_PUBLISHER_TRANSPORT_AUTHORIZE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "feed/shared/keys.h"

/* What the job grants. Zero, then publisher_authorization_init(). */
struct publisher_authorization {
    uint32_t user;    /* the job's own */
    bool control_off; /* PROFTOP_CONTROL=0 */
    bool forbidden;   /* by the site's file */
};

/* Who is at the other end of a connection, by the word of the kernel. */
struct publisher_peer {
    bool local; /* the rest is known */
    uint32_t user, pid;
    unsigned may;             /* by the key that it has shown; 0: none */
    char name[SHARED_KEY_NAME]; /* of that key, where it was let in */
};

/* `control`: PROFTOP_CONTROL of the environment, or NULL. */
static inline void publisher_authorization_init(struct publisher_authorization *grants,
                                                const char *control)
{
    *grants = (struct publisher_authorization){.user = geteuid()};
    grants->control_off = control != NULL && strcmp(control, "0") == 0;
}

/* Reads the site's file, which takes a descriptor, so it is called by the feed's thread. A file
 * that can't be understood forbids. */
void publisher_authorization_look(struct publisher_authorization *grants);

/* From what libzmq says of a connection ("Peer-Address" of a message; may be NULL): of a Unix
 * socket it ends in ":user:group:process". */
void publisher_peer_read(struct publisher_peer *peer, const char *address);

/* Whether this peer may control the job: NULL, or a sentence why not. */
const char *publisher_authorize_control(const struct publisher_authorization *grants,
                                        const struct publisher_peer *peer);

#endif
