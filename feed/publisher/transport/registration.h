/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * registration.h: a job's presence in the registry: its two sockets and its .info file. All calls
 * are made by the feed's thread.
 */
#ifndef FEED_ANNOUNCE_H
#define FEED_ANNOUNCE_H

#include "feed/publisher/identity.h"
#include "feed/publisher/transport/acceptor.h"

struct feed_announce {
    const struct feed_identity *me; /* borrowed */
    struct feed_rank place;         /* in a distributed job, as it is told */
    void *facts, *control;          /* the XPUB and the ROUTER, borrowed */
    const char *tcp[2];             /* where they are bound besides, borrowed; "": nowhere */
    bool insecure;                  /* and there, or where they connect to, no keys are wanted */
    uint32_t number;                /* of the feed in its process, from 1 */
    struct feed_own_file info;
    struct feed_entrance pub, ctl;
    int fd; /* of the .info file; holds the lock; -1: none */
    uint64_t crowded; /* how often it stopped to listen, since connections were too many */
    bool alone; /* the descriptors of this thread are the feed's alone */
    bool bound;
};

/* Binds the sockets in the first usable directory and writes the file there. False with a sentence
 * in `why`; then nothing is left behind. */
bool feed_announce_open(struct feed_announce *a, char *why, size_t capacity);

/* Removes the files that are still ours, before the sockets are closed. False: they must not be. */
bool feed_announce_close(struct feed_announce *a);
/* Removes the files alone: libzmq may not be called any more. */
void feed_announce_forget(struct feed_announce *a);

/* Unbinds when descriptors run short, since libzmq would abort, or when strangers take them all;
 * binds again later. Cheap. */
void feed_announce_guard(struct feed_announce *a);

/* Lets those in who wait to be served; the caller knows that there is memory for it. Cheap. */
void feed_announce_admit(struct feed_announce *a, uint64_t now_ns);

/* When to do that again although nobody else comes, by feed_clock_ns(); UINT64_MAX: never. */
uint64_t feed_announce_again_ns(const struct feed_announce *a);

/* What is readable when somebody waits; -1: nothing. */
enum { FEED_DOORS = 2 };
void feed_announce_doors(const struct feed_announce *a, int door[FEED_DOORS]);

/* Has the file say this, from now on. Cheap if it does. */
void feed_announce_place(struct feed_announce *a, const struct feed_rank *place);

/* Makes anew what is no longer ours, elsewhere if it can't be there. Called once a second. */
void feed_announce_check(struct feed_announce *a);

#endif
