/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * registration.h: a job's presence in the registry: its two sockets and its .info file. All calls
 * are made by the feed's thread.
 */
#ifndef FEED_PUBLISHER_TRANSPORT_REGISTRATION_H
#define FEED_PUBLISHER_TRANSPORT_REGISTRATION_H

#include "feed/publisher/identity.h"
#include "feed/publisher/transport/acceptor.h"

struct publisher_registration {
    const struct publisher_identity *me; /* borrowed */
    struct shared_rank place;            /* in a distributed job, as it is told */
    void *facts, *control;          /* the XPUB and the ROUTER, borrowed */
    const char *tcp[2];             /* where they are bound besides, borrowed; "": nowhere */
    bool insecure;                  /* and there, or where they connect to, no keys are wanted */
    uint32_t number;                /* of the feed in its process, from 1 */
    struct publisher_own_file info;
    struct publisher_acceptor pub, ctl;
    int fd; /* of the .info file; holds the lock; -1: none */
    uint64_t crowded; /* how often it stopped to listen, since connections were too many */
    bool alone; /* the descriptors of this thread are the feed's alone */
    bool bound;
};

/* Binds the sockets in the first usable directory and writes the file there. False with a sentence
 * in `why`; then nothing is left behind. */
bool publisher_registration_open(struct publisher_registration *a, char *why, size_t capacity);

/* Removes the files that are still ours, before the sockets are closed. False: they must not be. */
bool publisher_registration_close(struct publisher_registration *a);
/* Removes the files alone: libzmq may not be called any more. */
void publisher_registration_forget(struct publisher_registration *a);

/* Unbinds when descriptors run short, since libzmq would abort, or when strangers take them all;
 * binds again later. Cheap. */
void publisher_registration_guard(struct publisher_registration *a);

/* Lets those in who wait to be served; the caller knows that there is memory for it. Cheap. */
void publisher_registration_admit(struct publisher_registration *a, uint64_t now_ns);

/* When to do that again although nobody else comes, by publisher_clock_ns(); UINT64_MAX: never. */
uint64_t publisher_registration_retry_ns(const struct publisher_registration *a);

/* What is readable when somebody waits; -1: nothing. */
enum { PUBLISHER_DOORS = 2 };
void publisher_registration_paths(const struct publisher_registration *a,
                                  int door[PUBLISHER_DOORS]);

/* Has the file say this, from now on. Cheap if it does. */
void publisher_registration_dir(struct publisher_registration *a, const struct shared_rank *place);

/* Makes anew what is no longer ours, elsewhere if it can't be there. Called once a second. */
void publisher_registration_check(struct publisher_registration *a);

#endif
