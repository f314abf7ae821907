/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * connection.h: one socket of a viewer, and the monitor that tells what becomes of its connection.
 */
#ifndef FEED_VIEWER_STREAM_CONNECTION_H
#define FEED_VIEWER_STREAM_CONNECTION_H

#include <stdbool.h>
#include <stdint.h>
#include <zmq.h>

/* Events of a peer that is no job, or does not let us in. */
enum {
    VIEWER_CONNECTION_STRANGE = ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL |
                                ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL |
                                ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
};

/* One socket with its monitor. CONNECTED is not life: a stopped process still has a backlog that
 * accepts. So `up` follows the handshakes alone. */
struct viewer_connection {
    void *socket, *monitor;
    bool up;
    bool lost; /* it broke since the control connection was made */
    uint64_t pause_ms; /* after the last refusal; 0: there was none since it was up */
    uint64_t again_ns; /* there is no socket before then */
};

/* Options of a socket that is to be connected. False: libzmq does not take them. */
bool viewer_connection_prepare(void *socket);

/* Hears of the socket, which is to be connected to `at`. The context is borrowed; `name` tells
 * those of one feed apart. False: libzmq gives no monitor. */
bool viewer_connection_watch(struct viewer_connection *c, void *zmq, const char *name,
                             const char *at);

/* Reads the events that came: as bits (ZMQ_EVENT_...). Where a peer refused, it is closed then,
 * until a time that is put off further with each refusal. */
unsigned viewer_connection_events(struct viewer_connection *c, uint64_t now_ns);

/* Closes both sockets; it is empty then, which may be closed again. */
void viewer_connection_close(struct viewer_connection *c);

#endif
