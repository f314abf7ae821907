/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * acceptor.h: where viewers connect to a socket of the feed by ipc, so that libzmq takes few of
 * them at a time.
 *
 * libzmq 4.3 takes each connection that waits, and aborts the process when it gets no descriptor
 * for one (ipc_listener.cpp). To stop listening when they run short comes too late where this
 * thread gets no processor meanwhile. So libzmq never has a listener that others can reach. Who
 * connects waits at one of ours; that is replaced at its path by the next, and only then put under
 * the number that libzmq has, with no more than wait at it.
 *
 * To take a listener from libzmq again, by zmq_unbind(), would end all that came by it. So libzmq
 * is bound to a bell: an epoll, which rings as long as somebody waits at the listener that libzmq
 * has. Its own epoll remembers the bell by the file and not by the number alone, and it accepts
 * from the number.
 */
#ifndef FEED_PUBLISHER_TRANSPORT_ACCEPTOR_H
#define FEED_PUBLISHER_TRANSPORT_ACCEPTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "feed/publisher/transport/own_file.h"

struct publisher_acceptor {
    void *socket;                  /* of libzmq, borrowed */
    struct publisher_own_file file; /* the path where viewers connect */
    char
        draft[SHARED_ENDPOINT_MAX]; /* the next listener is made there, and then put in its place */
    int waits; /* how many may wait at once; 0: libzmq listens itself, which takes few descriptors
                  and none of ours: for a table that is the program's, who may close them */
    int open;  /* what listens at the path; -1: nothing, or libzmq */
    int given; /* libzmq's number: of what it takes connections from, once it was handed any */
    int bell;
    int proof; /* ends when libzmq has the bell in its epoll, and it can begin; -1: it has begun */
    bool bound, proves, handed;
    bool rings;        /* the listener under libzmq's number is in the bell */
    bool full;         /* some wait who cannot be let in before: */
    uint64_t again_ns; /* publisher_clock_ns() */
};

/* Listens at the path, for the first time or again. False with errno: somebody does already, or
 * the kernel refuses. */
bool publisher_acceptor_open(struct publisher_acceptor *l);

/* Whether somebody waits who can be let in: libzmq has taken the last ones, and they did not come
 * just now. Those are in the table of descriptors then. */
bool publisher_acceptor_requested(struct publisher_acceptor *l, uint64_t now_ns);
/* Then: gives libzmq those who wait. False with errno: they wait on. */
bool publisher_acceptor_admit(struct publisher_acceptor *l, uint64_t now_ns);

/* Ends the connections that came by it. */
void publisher_acceptor_shed(struct publisher_acceptor *l);

/* Nobody else comes; those who came stay, but where libzmq listens itself. */
void publisher_acceptor_close(struct publisher_acceptor *l);

/* The same for good: before the socket is closed. Waits until libzmq has taken those that it was
 * handed. False: the kernel does not give its number back (the program has set a limit below it),
 * and to close the socket would abort the process. */
bool publisher_acceptor_release(struct publisher_acceptor *l);

/* What a path is called where sockets connect to it. */
void publisher_acceptor_endpoint(char out[SHARED_ENDPOINT_SIZE], const char *path);

/* What is readable as soon as publisher_acceptor_admit() has something to do. -1: nothing, as when
 * it is full: the time tells. */
int publisher_acceptor_path(const struct publisher_acceptor *l);

#endif
