/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * acceptor.h: the path where viewers connect to a socket of the feed by ipc. It makes libzmq take
 * few connections at a time.
 *
 * libzmq 4.3 takes each waiting connection, and aborts the process when it gets no descriptor for
 * one (ipc_listener.cpp). Closing the listener when descriptors run short can be too late, if this
 * thread gets no processor meanwhile. So libzmq never has a listener that clients can reach.
 * Clients wait at a listener of the feed. To admit them, a new listener first replaces that one at
 * its path. Only then the old listener is put under libzmq's descriptor number, with no more
 * clients than wait at it.
 *
 * Taking a listener back from libzmq by zmq_unbind() would end all connections that came by it. So
 * libzmq is bound to a bell: an epoll that becomes readable while a client waits at libzmq's
 * listener. libzmq's own epoll identifies the bell by its open file, not by the number alone, but
 * libzmq accepts from the number.
 */
#ifndef FEED_PUBLISHER_TRANSPORT_ACCEPTOR_H
#define FEED_PUBLISHER_TRANSPORT_ACCEPTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "feed/publisher/transport/own_file.h"

struct publisher_acceptor {
    void *socket;                   /* libzmq's, borrowed */
    struct publisher_own_file file; /* the path where viewers connect */
    char draft[SHARED_ENDPOINT_MAX]; /* the next listener is made here, then renamed into place */
    int waits; /* most clients that may wait at once; 0: libzmq listens itself, which takes few
                  descriptors and none of the feed's: for the program's own descriptor table,
                  because the program may close them */
    int open;  /* the listener at the path; -1: none, or libzmq's own */
    int given; /* libzmq's descriptor number; a listener once `handed` */
    int bell;
    int proof; /* closed by the peer when libzmq has the bell in its epoll and admission can begin;
                  -1: begun */
    bool bound, proves, handed;
    bool rings;        /* the listener under libzmq's number is in the bell */
    bool full;         /* clients wait that cannot be admitted before `again_ns` */
    uint64_t again_ns; /* publisher_clock_ns() */
};

/* Listens at the path, for the first time or again. False with errno: another listener is there, or
 * the kernel refuses. */
bool publisher_acceptor_open(struct publisher_acceptor *l);

/* True if clients wait and can be admitted: libzmq has taken the last ones, and they did not come
 * just now. Those are already in the table of descriptors then. */
bool publisher_acceptor_can_admit(struct publisher_acceptor *l, uint64_t now_ns);
/* Call if requested: gives the waiting clients to libzmq. False with errno: they still wait. */
bool publisher_acceptor_admit(struct publisher_acceptor *l, uint64_t now_ns);

/* Ends the connections that came by this path. */
void publisher_acceptor_drop(struct publisher_acceptor *l);

/* Admits no more clients. Admitted ones stay, unless libzmq listens itself. */
void publisher_acceptor_close(struct publisher_acceptor *l);

/* Closes for good, before the socket is closed. Waits until libzmq has taken the clients it was
 * given. False: the kernel does not restore libzmq's number (the program has set a limit below it),
 * and closing the socket would abort the process. */
bool publisher_acceptor_release(struct publisher_acceptor *l);

/* Writes the endpoint of a path, for zmq_connect(). */
void publisher_acceptor_endpoint(char out[SHARED_ENDPOINT_SIZE], const char *path);

/* The descriptor that is readable when publisher_acceptor_admit() has work to do. -1: none, also
 * while `full`: then `again_ns` says when. */
int publisher_acceptor_descriptor(const struct publisher_acceptor *l);

#endif
