/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * authorize.h: who may change what a job collects. To read is another right: who is let in at all
 * may.
 */
#ifndef FEED_GRANT_H
#define FEED_GRANT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "feed/shared/keys.h"

/* What the job grants. Zero, then feed_grants_init(). */
struct feed_grants {
    uint32_t user;    /* the job's own */
    bool control_off; /* PROFTOP_CONTROL=0 */
    bool forbidden;   /* by the site's file */
};

/* Who is at the other end of a connection, by the word of the kernel. */
struct feed_peer {
    bool local; /* the rest is known */
    uint32_t user, pid;
    unsigned may;             /* by the key that it has shown; 0: none */
    char name[FEED_KEY_NAME]; /* of that key, where it was let in */
};

/* `control`: PROFTOP_CONTROL of the environment, or NULL. */
static inline void feed_grants_init(struct feed_grants *grants, const char *control)
{
    *grants = (struct feed_grants){.user = geteuid()};
    grants->control_off = control != NULL && strcmp(control, "0") == 0;
}

/* Reads the site's file, which takes a descriptor, so it is called by the feed's thread. A file
 * that can't be understood forbids. */
void feed_grants_look(struct feed_grants *grants);

/* From what libzmq says of a connection ("Peer-Address" of a message; may be NULL): of a Unix
 * socket it ends in ":user:group:process". */
void feed_peer_read(struct feed_peer *peer, const char *address);

/* Whether this peer may control the job: NULL, or a sentence why not. */
const char *feed_grant_control(const struct feed_grants *grants, const struct feed_peer *peer);

#endif
