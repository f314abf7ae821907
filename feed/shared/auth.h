/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * auth.h: who gets in over tcp: only those whose keys are known here (CURVE), unless somebody said
 * that anybody may. Unix sockets need none of it: their directory is closed, and the kernel says
 * who connects. Used by the thread of a feed, and by viewers; nothing blocks.
 */
#ifndef FEED_SHARED_AUTH_H
#define FEED_SHARED_AUTH_H

#include "feed/shared/keys.h"
#include "feed/shared/site_policy.h"

struct shared_auth {
    bool insecure;  /* tcp without keys was asked for */
    bool ready;     /* the keys are here, or none are wanted */
    unsigned needs; /* rights of which a peer that comes has to have one */
    struct shared_pair own;
    char peer[SHARED_KEY_SIZE];      /* whom we connect to */
    struct shared_authorized others; /* as they were when somebody came last */
    char place[SHARED_PATH_MAX];     /* where the keys are */
    void *questions; /* libzmq asks here (ZAP) whether a key gets in; NULL: nobody comes */
    uint64_t denied; /* keys that did not */
};

/* How tcp is to be used. Texts are borrowed; NULL: the name `id`, and for `peer` our own key: one
 * user with one directory of keys on several machines needs no more. */
struct shared_auth_ask {
    bool insecure;
    const char *key, *peer;
    unsigned needs;
    bool connects; /* the key of a peer is needed */
};

/* What the environment of a job asks for: PROFTOP_INSECURE, PROFTOP_KEY, PROFTOP_PEER. */
struct shared_auth_ask shared_auth_asked(void);

/* Reads the keys, if there are to be any. False with a sentence in `why`: then there is no tcp. */
bool shared_auth_init(struct shared_auth *admit, const struct shared_auth_ask *ask, char *why,
                      size_t capacity);

/* Answers libzmq's questions about keys from now on, in this context. Before anything is bound to
 * tcp. */
bool shared_auth_open(struct shared_auth *admit, void *zmq);
void shared_auth_close(struct shared_auth *admit);

/* Prepares a socket for its next zmq_bind (`listens`) or zmq_connect to this endpoint. `admit`
 * NULL: there are no keys. */
bool shared_auth_prepare(const struct shared_auth *admit, void *socket, const char *endpoint,
                         bool listens);

/* Answers what was asked. Call it when `questions` can be read. False: nothing was. */
bool shared_auth_serve(struct shared_auth *admit);

/* Rights of a key; 0: none. Our own has all. */
unsigned shared_auth_may(const struct shared_auth *admit, const char *public);

/* What a message says of its sender (its property "User-Id", may be NULL): rights, and in `name`
 * what the list calls it. False: it has shown no key. */
bool shared_auth_user(const char *user, unsigned *may, char name[SHARED_KEY_NAME]);

/* Whether an endpoint is one of tcp. */
bool shared_is_tcp(const char *endpoint);

#endif
