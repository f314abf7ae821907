/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * session.h: the job's answers on its ROUTER: hello, snapshot with credit, ack. Used by the feed's
 * thread alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_SESSION_H
#define FEED_PUBLISHER_PUBLISH_SESSION_H

#include "feed/publisher/publish/commands.h"
#include "feed/publisher/publish/snapshot.h"
#include "feed/publisher/transport/flood_guard.h"

enum { PUBLISHER_ROUTING_MAX = 255 };

/* Of a flood of requests, some are answered in each turn, whoever asks; of each client, some in any
 * case. The rest is thrown away, and viewers that are well ask again. */
enum {
    PUBLISHER_TURN_MS = 10,
    PUBLISHER_ANSWERS = 256,
    PUBLISHER_SHARE = 16,
    PUBLISHER_SHARES = 1024
};

struct publisher_turn {
    uint64_t begun_ns;
    uint32_t answered;
    uint8_t share[PUBLISHER_SHARES];
};

struct publisher_client {
    void *socket; /* by which it asks, borrowed */
    uint8_t routing[PUBLISHER_ROUTING_MAX];
    size_t routing_size; /* 0: nobody */
    int fd;              /* of its connection, by which its end is told; -1: not known */
    uint32_t late;       /* ends of earlier connections of that number still to be heard of */
    bool reached; /* by an answer */
    bool greeted, acked;
    uint64_t hello;   /* number of its last one */
    uint32_t tick_ms; /* how often it wants values */
    struct publisher_peer peer;
    uint64_t controlled; /* number of its last `control` request */
    struct publisher_text made; /* the report that it asked for last */
    struct publisher_snapshot snapshot;
};

struct publisher_session {
    struct publisher_sender *publisher; /* borrowed, as the sockets */
    void *control, *monitor;
    struct publisher_flood_guard *sentry; /* borrowed: is told who came, and what is whole */
    void *outward;        /* DEALER to a viewer that listens, borrowed; NULL: none */
    unsigned outward_may; /* rights of that viewer by its key */
    void *at;             /* the one of these two sockets that is being served */
    struct publisher_client client[WIRE_VIEWERS_MAX];
    struct publisher_turn turn;
    uint64_t began_ns; /* to serve, this time */
    bool waiting;      /* some snapshot can go on */
    int first;         /* whose does first */
    bool greeted;       /* some client has ever said hello */
    bool stalled;       /* a client did not take its chunk yet */
    bool closing;       /* the goodbye has been said: whoever comes now hears it with his hello */
    bool sent;          /* something, while serving */
    bool reached, unreachable; /* whoever is being answered */
};

void publisher_session_init(struct publisher_session *s, struct publisher_sender *p, void *control,
                            void *monitor, struct publisher_flood_guard *sentry);

/* Frees what it keeps for clients. */
void publisher_session_release(struct publisher_session *s);

/* Answers what has come, or throws it away, and goes on with snapshots for a while. False: nothing
 * had come, nothing was sent, and nothing is left. */
bool publisher_session_serve(struct publisher_session *s);

/* The connection outwards broke: whoever asked by it is gone. */
void publisher_session_forget(struct publisher_session *s, void *socket);

/* Says hello to a viewer that listens, as if it had asked. False: it can't be said yet. */
bool publisher_session_send_hello(struct publisher_session *s, void *socket);

/* Says the goodbye once more to each client that has not sent an ack, as an answer to its last
 * hello: a client that does not read may have no room for facts, and has some for answers. */
void publisher_session_remind(struct publisher_session *s);

/* How many clients that said hello are there, and how many of them have not sent an ack. */
uint32_t publisher_session_greeted(const struct publisher_session *s);
uint32_t publisher_session_waiting(const struct publisher_session *s);

#endif
