/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * tcp_endpoint.h: remote access to a job, if its environment asks for it. PROFTOP_BIND lets viewers
 * come over tcp; PROFTOP_CONNECT makes the job connect to a viewer that listens. By default there
 * is neither. Only the feed's thread calls these functions.
 */
#ifndef FEED_PUBLISHER_TRANSPORT_TCP_ENDPOINT_H
#define FEED_PUBLISHER_TRANSPORT_TCP_ENDPOINT_H

#include "feed/shared/auth.h"

struct publisher_tcp_endpoint {
    void *facts, *control; /* XPUB and ROUTER, borrowed */
    struct shared_auth admit;
    bool bound;
    char facts_at[SHARED_ENDPOINT_SIZE], control_at[SHARED_ENDPOINT_SIZE]; /* tcp endpoints; "":
                                                                              none */
    bool keyed;           /* the viewer that the job connects to has shown its key */
    void *outward, *fate; /* DEALER to a viewer that listens, and the monitor of its connection */
    char to_facts[SHARED_ENDPOINT_SIZE], to_control[SHARED_ENDPOINT_SIZE];
    bool stands, greeted; /* that connection stands; that viewer knows this job's identity */
    bool refused;      /* the viewer refuses the connection for now */
    uint64_t again_ns; /* time of the next attempt */
    char why[512];     /* an error not yet reported; "": none */
};

/* Does what the environment asks for. Omits whatever fails, and reports it in `why`. The sockets
 * have not been bound or connected yet. */
void publisher_tcp_endpoint_open(struct publisher_tcp_endpoint *r, void *zmq, void *facts,
                                 void *control);
void publisher_tcp_endpoint_close(struct publisher_tcp_endpoint *r);

/* True if a peer without a key can read the feed or pose as a viewer. */
bool publisher_tcp_endpoint_insecure(const struct publisher_tcp_endpoint *r);

/* Rights of the viewer that the job connects to, by its key. */
unsigned publisher_tcp_endpoint_rights(const struct publisher_tcp_endpoint *r);

/* Stops listening on tcp, or listens again. */
void publisher_tcp_endpoint_guard(struct publisher_tcp_endpoint *r, bool listen);

/* True if the outward connection has broken since the last call. libzmq gives up a refused
 * connection for good, so it is tried again after a while. */
bool publisher_tcp_endpoint_broke(struct publisher_tcp_endpoint *r, uint64_t now_ns);

#endif
