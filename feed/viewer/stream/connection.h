/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * connection.h: one socket of a viewer, and the monitor that reports the state of its connection.
 */
#ifndef FEED_VIEWER_STREAM_CONNECTION_H
#define FEED_VIEWER_STREAM_CONNECTION_H

#include <stdbool.h>
#include <stdint.h>
#include <zmq.h>

/* Events of a peer that is no job, or that refuses our key. */
enum {
    VIEWER_CONNECTION_STRANGE = ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL |
                                ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL |
                                ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
};

/* One socket with its monitor. CONNECTED does not mean that the peer lives: the kernel accepts
 * connections for a stopped process. So `up` follows handshakes alone. */
struct viewer_connection {
    void *socket, *monitor;
    bool up;
    bool lost;         /* it broke after the control connection was made */
    uint64_t pause_ms; /* pause after the last refusal; 0: no refusal since it was up */
    uint64_t again_ns; /* the socket is not reopened earlier */
};

/* Sets the options of a socket before it connects. False: libzmq refuses one. */
bool viewer_connection_prepare(void *socket);

/* Begins to monitor the socket, which will connect to `at`. The context is borrowed. `name` tells
 * the connections of one feed apart. False: libzmq gives no monitor. */
bool viewer_connection_watch(struct viewer_connection *c, void *zmq, const char *name,
                             const char *at);

/* Reads the waiting events and returns them as bits (ZMQ_EVENT_...). If the peer refused, the
 * connection is closed until `again_ns`; the pause doubles with each refusal. */
unsigned viewer_connection_events(struct viewer_connection *c, uint64_t now_ns);

/* Closes both sockets and zeroes the structure. It may be called again. */
void viewer_connection_close(struct viewer_connection *c);

#endif
