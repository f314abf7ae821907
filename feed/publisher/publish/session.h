/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * session.h: the job's answers on its ROUTER socket: hello, snapshot with credit, ack. Used by the
 * feed's thread alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_SESSION_H
#define FEED_PUBLISHER_PUBLISH_SESSION_H

#include "feed/publisher/publish/commands.h"
#include "feed/publisher/publish/snapshot.h"
#include "feed/publisher/transport/flood_guard.h"

enum { PUBLISHER_ROUTING_MAX = 255 };

/* Request quota. In each turn of PUBLISHER_TURN_MS the job answers PUBLISHER_ANSWERS requests of
 * any clients, and PUBLISHER_SHARE of each client in any case. Excess requests are dropped; healthy
 * viewers ask again. */
enum {
    PUBLISHER_QUOTA_MS = 10,
    PUBLISHER_QUOTA_ALL = 256,
    PUBLISHER_QUOTA_EACH = 16,
    PUBLISHER_QUOTA_CLIENTS = 1024
};

struct publisher_quota {
    uint64_t begun_ns;
    uint32_t answered;
    uint8_t share[PUBLISHER_QUOTA_CLIENTS];
};

struct publisher_client {
    void *socket; /* socket of its requests, borrowed */
    uint8_t routing[PUBLISHER_ROUTING_MAX];
    size_t routing_size; /* 0: the slot is free */
    int fd;              /* descriptor of its connection, which a disconnect event names; -1: not
                          * known */
    uint32_t late;       /* disconnect events still to come of earlier connections with the same
                          * descriptor */
    bool reached;        /* an answer has reached the client */
    bool greeted, acked;
    uint64_t hello;   /* request number of its last hello */
    uint32_t tick_ms; /* tick length that the client asks for */
    struct publisher_peer peer;
    uint64_t controlled;        /* number of its last `control` request */
    struct publisher_text made; /* the last report that the client asked for */
    struct publisher_snapshot snapshot;
};

struct publisher_session {
    struct publisher *publisher; /* borrowed, like the sockets */
    void *control, *monitor;
    struct publisher_flood_guard *guard; /* borrowed; learns of new connections and of complete
                                          * messages */
    void *outward;        /* DEALER to a viewer that listens, borrowed; NULL: none */
    unsigned outward_may; /* rights of that viewer by its key */
    void *at;             /* the socket being served: control or outward */
    struct publisher_client client[WIRE_VIEWERS_MAX];
    struct publisher_quota quota;
    uint64_t began_ns;         /* start of this call of publisher_session_serve() */
    bool waiting;              /* some snapshot can continue */
    int first;                 /* client whose snapshot continues first */
    bool greeted;              /* some client has ever said hello */
    bool stalled;              /* a client has no queue space for its next chunk */
    bool closing;              /* the goodbye was sent: a new client gets it with its hello */
    bool sent;                 /* this call sent something */
    bool reached, unreachable; /* an answer reached the current client, or can never reach it */
};

void publisher_session_init(struct publisher_session *s, struct publisher *p, void *control,
                            void *monitor, struct publisher_flood_guard *guard);

/* Frees what the session keeps for clients. */
void publisher_session_release(struct publisher_session *s);

/* Answers or drops the requests that have come, and continues snapshots for a while. Returns false
 * if nothing had come, nothing was sent, and nothing is left. */
bool publisher_session_serve(struct publisher_session *s);

/* The outward connection broke: forgets the clients behind it. */
void publisher_session_forget(struct publisher_session *s, void *socket);

/* Says hello to a viewer that listens, as if the viewer had asked. Returns false if it cannot be
 * sent yet. */
bool publisher_session_send_hello(struct publisher_session *s, void *socket);

/* Repeats the goodbye to each client that has not sent an ack, as an answer to its last hello. The
 * facts queue of a client that does not read may be full; its queue of answers is not. */
void publisher_session_remind(struct publisher_session *s);

/* Number of clients that said hello, and number of clients among them without an ack. */
uint32_t publisher_session_greeted(const struct publisher_session *s);
uint32_t publisher_session_waiting(const struct publisher_session *s);

#endif
