/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * registration.h: a job's presence in the registry: its two sockets and its .info file. Only the
 * feed's thread calls these functions.
 */
#ifndef FEED_PUBLISHER_TRANSPORT_REGISTRATION_H
#define FEED_PUBLISHER_TRANSPORT_REGISTRATION_H

#include "feed/publisher/record/identity.h"
#include "feed/publisher/transport/acceptor.h"

struct publisher_registration {
    const struct publisher_identity *me; /* borrowed */
    struct shared_rank place;            /* the rank in a distributed job, as published */
    void *facts, *control;               /* the XPUB and the ROUTER, borrowed */
    const char *tcp[2];                  /* their tcp endpoints, borrowed; "": none */
    bool insecure;                       /* tcp without keys, inbound or outbound */
    uint32_t number;                     /* of the feed in its process, from 1 */
    struct publisher_own_file info;
    struct publisher_acceptor pub, ctl;
    int fd;           /* the .info file; holds the lock; -1: none */
    uint64_t crowded; /* how often it stopped listening because of too many connections */
    bool alone;       /* this thread's descriptor table belongs to the feed alone */
    bool bound;
};

/* Binds the sockets in the first usable directory and writes the file there. False with a sentence
 * in `why`; then nothing is left behind. */
bool publisher_registration_open(struct publisher_registration *a, char *why, size_t capacity);

/* Removes the files that this feed still owns. Call before the sockets are closed. False: they must
 * not be closed. */
bool publisher_registration_close(struct publisher_registration *a);
/* Removes only the files: libzmq may not be called any more. */
void publisher_registration_forget(struct publisher_registration *a);

/* Unbinds when descriptors run short, because libzmq would abort, or when silent connections take
 * them all; binds again later. Cheap. */
void publisher_registration_guard(struct publisher_registration *a);

/* Admits waiting clients. The caller has checked that there is memory for it. Cheap. */
void publisher_registration_admit(struct publisher_registration *a, uint64_t now_ns);

/* When to call publisher_registration_admit() again without a new client, by publisher_clock_ns();
 * UINT64_MAX: never. */
uint64_t publisher_registration_retry_ns(const struct publisher_registration *a);

/* Descriptors that are readable when a client waits; -1: none. */
enum { PUBLISHER_LISTENERS = 2 };
void publisher_registration_descriptors(const struct publisher_registration *a,
                                        int fd[PUBLISHER_LISTENERS]);

/* Updates the rank in the file. Cheap if it is unchanged. */
void publisher_registration_set_rank(struct publisher_registration *a,
                                     const struct shared_rank *place);

/* Remakes missing or replaced files, in another directory if necessary. Called once a second. */
void publisher_registration_check(struct publisher_registration *a);

#endif
