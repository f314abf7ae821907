/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * auth.h: decides which tcp peers are admitted: only those with a key known here (CURVE), unless
 * PROFTOP_INSECURE admits all. Unix sockets need no keys: their directory is private, and the
 * kernel identifies the peer. Used by the feed's thread, and by viewers; nothing blocks.
 */
#ifndef FEED_SHARED_AUTH_H
#define FEED_SHARED_AUTH_H

#include "feed/shared/keys.h"
#include "feed/shared/site_policy.h"

struct shared_auth {
    bool insecure;  /* tcp without keys was asked for */
    bool ready;     /* the keys are loaded, or none are needed */
    unsigned needs; /* rights; an incoming peer must have one of them */
    struct shared_pair own;
    char peer[SHARED_KEY_SIZE];      /* key of the peer that we connect to */
    struct shared_authorized others; /* as read when the last peer came */
    char place[SHARED_PATH_MAX];     /* directory of the keys */
    void *questions;                 /* socket for libzmq's ZAP requests; NULL: no peer can come */
    uint64_t denied;                 /* number of refused keys */
};

/* How tcp is to be used. Texts are borrowed. NULL means the name `id`, and for `peer` our own key:
 * one user with one key directory on several machines needs no more. */
struct shared_auth_request {
    bool insecure;
    const char *key, *peer;
    unsigned needs;
    bool connects; /* the key of a peer is needed */
};

/* The settings in a job's environment: PROFTOP_INSECURE, PROFTOP_KEY, PROFTOP_PEER. */
struct shared_auth_request shared_auth_environment(void);

/* Reads the keys, if any are needed. False with a sentence in `why`: then there is no tcp. */
bool shared_auth_init(struct shared_auth *admit, const struct shared_auth_request *request,
                      char *why, size_t capacity);

/* Answers libzmq's ZAP requests in this context from now on. Call it before anything is bound to
 * tcp. */
bool shared_auth_open(struct shared_auth *admit, void *zmq);
void shared_auth_close(struct shared_auth *admit);

/* Prepares a socket for its next zmq_bind (`listens`) or zmq_connect to this endpoint. `admit`
 * NULL: no keys. */
bool shared_auth_prepare(const struct shared_auth *admit, void *socket, const char *endpoint,
                         bool listens);

/* Answers ZAP requests. Call it when `questions` is readable. False: there were none. */
bool shared_auth_serve(struct shared_auth *admit);

/* Rights of a key; 0: none. Our own key has all. */
unsigned shared_auth_may(const struct shared_auth *admit, const char *public);

/* Reads the sender's property "User-Id" of a message (may be NULL): the rights, and in `name` the
 * name in the list. False: the sender has shown no key. */
bool shared_auth_user(const char *user, unsigned *may, char name[SHARED_KEY_NAME]);

/* True if an endpoint is tcp. */
bool shared_is_tcp(const char *endpoint);

#endif
