/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * tcp_endpoint.h: how a job is reached from elsewhere, if its environment asks for that:
 * PROFTOP_BIND lets viewers come over tcp, PROFTOP_CONNECT makes the job itself go to one that
 * listens. By default there is neither. All calls are made by the feed's thread.
 */
#ifndef FEED_REACH_H
#define FEED_REACH_H

#include "feed/shared/auth.h"

struct feed_reach {
    void *facts, *control; /* XPUB and ROUTER, borrowed */
    struct feed_admit admit;
    bool bound;
    char facts_at[FEED_ENDPOINT_SIZE], control_at[FEED_ENDPOINT_SIZE]; /* by tcp; "": not */
    bool keyed;           /* the viewer that we go to has shown its key */
    void *outward, *fate; /* DEALER to a viewer that listens, and what is told of its connection */
    char to_facts[FEED_ENDPOINT_SIZE], to_control[FEED_ENDPOINT_SIZE];
    bool stands, told;    /* that connection; that viewer knows who we are */
    bool refused;         /* it does not let us in now */
    uint64_t again_ns;    /* then it is tried again */
    char why[512];        /* what could not be done, until it was said; "": nothing */
};

/* Does what the environment asks for. What can't be done is left out, and said in `why`. The
 * sockets have not been bound or connected yet. */
void feed_reach_open(struct feed_reach *r, void *zmq, void *facts, void *control);
void feed_reach_close(struct feed_reach *r);

/* Whether somebody can read along, or answer in the place of a viewer, who has shown no key. */
bool feed_reach_insecure(const struct feed_reach *r);

/* Rights of the viewer that we went to, by its key. */
unsigned feed_reach_may(const struct feed_reach *r);

/* Stops to listen on tcp, or listens again. */
void feed_reach_guard(struct feed_reach *r, bool listen);

/* True if the connection outwards has broken since the last call. One that was refused, which
 * libzmq gives up for good, is tried again after a while. */
bool feed_reach_broke(struct feed_reach *r, uint64_t now_ns);

#endif
