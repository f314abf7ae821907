/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * session.h: the job's answers on its ROUTER: hello, snapshot with credit, ack. Used by the feed's
 * thread alone.
 */
#ifndef FEED_SERVER_H
#define FEED_SERVER_H

#include "feed/publisher/publish/commands.h"
#include "feed/publisher/publish/snapshot.h"
#include "feed/publisher/transport/flood_guard.h"

enum { FEED_ROUTING_MAX = 255 };

/* Of a flood of requests, some are answered in each turn, whoever asks; of each client, some in any
 * case. The rest is thrown away, and viewers that are well ask again. */
enum { FEED_TURN_MS = 10, FEED_ANSWERS = 256, FEED_SHARE = 16, FEED_SHARES = 1024 };

struct feed_turn {
    uint64_t begun_ns;
    uint32_t answered;
    uint8_t share[FEED_SHARES];
};

struct feed_client {
    void *socket; /* by which it asks, borrowed */
    uint8_t routing[FEED_ROUTING_MAX];
    size_t routing_size; /* 0: nobody */
    int fd;              /* of its connection, by which its end is told; -1: not known */
    uint32_t late;       /* ends of earlier connections of that number still to be heard of */
    bool reached; /* by an answer */
    bool greeted, acked;
    uint64_t hello;   /* number of its last one */
    uint32_t tick_ms; /* how often it wants values */
    struct feed_peer peer;
    uint64_t controlled; /* number of its last `control` request */
    struct feed_text made; /* the report that it asked for last */
    struct feed_snapshot snapshot;
};

struct feed_server {
    struct feed_publisher *publisher; /* borrowed, as the sockets */
    void *control, *monitor;
    struct feed_sentry *sentry; /* borrowed: is told who came, and what is whole */
    void *outward;        /* DEALER to a viewer that listens, borrowed; NULL: none */
    unsigned outward_may; /* rights of that viewer by its key */
    void *at;             /* the one of these two sockets that is being served */
    struct feed_client client[FEED_VIEWERS_MAX];
    struct feed_turn turn;
    uint64_t began_ns; /* to serve, this time */
    bool waiting;      /* some snapshot can go on */
    int first;         /* whose does first */
    bool greeted;       /* some client has ever said hello */
    bool stalled;       /* a client did not take its chunk yet */
    bool closing;       /* the goodbye has been said: whoever comes now hears it with his hello */
    bool sent;          /* something, while serving */
    bool reached, unreachable; /* whoever is being answered */
};

void feed_server_init(struct feed_server *s, struct feed_publisher *p, void *control, void *monitor,
                      struct feed_sentry *sentry);

/* Frees what it keeps for clients. */
void feed_server_release(struct feed_server *s);

/* Answers what has come, or throws it away, and goes on with snapshots for a while. False: nothing
 * had come, nothing was sent, and nothing is left. */
bool feed_server_serve(struct feed_server *s);

/* The connection outwards broke: whoever asked by it is gone. */
void feed_server_forget(struct feed_server *s, void *socket);

/* Says hello to a viewer that listens, as if it had asked. False: it can't be said yet. */
bool feed_server_introduce(struct feed_server *s, void *socket);

/* Says the goodbye once more to each client that has not sent an ack, as an answer to its last
 * hello: a client that does not read may have no room for facts, and has some for answers. */
void feed_server_remind(struct feed_server *s);

/* How many clients that said hello are there, and how many of them have not sent an ack. */
uint32_t feed_server_greeted(const struct feed_server *s);
uint32_t feed_server_waiting(const struct feed_server *s);

#endif
