/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * tcp_endpoint.h: how a job is reached from elsewhere, if its environment asks for that:
 * PROFTOP_BIND lets viewers come over tcp, PROFTOP_CONNECT makes the job itself go to one that
 * listens. By default there is neither. All calls are made by the feed's thread.
 */
#ifndef FEED_PUBLISHER_TRANSPORT_TCP_ENDPOINT_H
#define FEED_PUBLISHER_TRANSPORT_TCP_ENDPOINT_H

#include "feed/shared/auth.h"

struct publisher_tcp_endpoint {
    void *facts, *control; /* XPUB and ROUTER, borrowed */
    struct shared_auth admit;
    bool bound;
    char facts_at[SHARED_ENDPOINT_SIZE], control_at[SHARED_ENDPOINT_SIZE]; /* by tcp; "": not */
    bool keyed;           /* the viewer that we go to has shown its key */
    void *outward, *fate; /* DEALER to a viewer that listens, and what is told of its connection */
    char to_facts[SHARED_ENDPOINT_SIZE], to_control[SHARED_ENDPOINT_SIZE];
    bool stands, told;    /* that connection; that viewer knows who we are */
    bool refused;         /* it does not let us in now */
    uint64_t again_ns;    /* then it is tried again */
    char why[512];        /* what could not be done, until it was said; "": nothing */
};

/* Does what the environment asks for. What can't be done is left out, and said in `why`. The
 * sockets have not been bound or connected yet. */
void publisher_tcp_endpoint_open(struct publisher_tcp_endpoint *r, void *zmq, void *facts,
                                 void *control);
void publisher_tcp_endpoint_close(struct publisher_tcp_endpoint *r);

/* Whether somebody can read along, or answer in the place of a viewer, who has shown no key. */
bool publisher_tcp_endpoint_insecure(const struct publisher_tcp_endpoint *r);

/* Rights of the viewer that we went to, by its key. */
unsigned publisher_tcp_endpoint_allowed(const struct publisher_tcp_endpoint *r);

/* Stops to listen on tcp, or listens again. */
void publisher_tcp_endpoint_guard(struct publisher_tcp_endpoint *r, bool listen);

/* True if the connection outwards has broken since the last call. One that was refused, which
 * libzmq gives up for good, is tried again after a while. */
bool publisher_tcp_endpoint_broke(struct publisher_tcp_endpoint *r, uint64_t now_ns);

#endif
