/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * announce.h: a job's presence in the registry: its two sockets and its .info file. All calls are
 * made by the feed's thread.
 */
#ifndef FEED_ANNOUNCE_H
#define FEED_ANNOUNCE_H

#include <sys/types.h>

#include "identity.h"

/* A file as we made it: someone else's under the same name is told by these. */
struct feed_file {
    char path[FEED_ENDPOINT_MAX];
    dev_t device;
    ino_t inode;
};

struct feed_announce {
    const struct feed_identity *me; /* borrowed */
    void *facts, *control;          /* the XPUB and the ROUTER, borrowed */
    const char *tcp[2];             /* where they are bound besides, borrowed; "": nowhere */
    bool insecure;                  /* and there, or where they connect to, no keys are wanted */
    uint32_t number;                /* of the feed in its process, from 1 */
    struct feed_file info, pub, ctl;
    int fd; /* of the .info file; holds the lock; -1: none */
    uint64_t crowded; /* how often it stopped to listen, since connections were too many */
    bool alone; /* the descriptors of this thread are the feed's alone */
    bool bound;
};

/* Binds the sockets in the first usable directory and writes the file there. False with a sentence
 * in `why`; then nothing is left behind. */
bool feed_announce_open(struct feed_announce *a, char *why, size_t capacity);

/* Removes the files that are still ours. */
void feed_announce_close(struct feed_announce *a);

/* Unbinds when descriptors run short, since libzmq would abort, or when strangers take them all;
 * binds again later. Cheap. */
void feed_announce_guard(struct feed_announce *a);

/* Makes anew what is no longer ours, elsewhere if it can't be there. Called once a second. */
void feed_announce_check(struct feed_announce *a);

#endif
