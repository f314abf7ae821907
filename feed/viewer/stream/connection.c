/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * connection.c: makes, monitors and closes one socket of a viewer.
 */
#include "config.h"

#include "feed/viewer/stream/connection.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "feed/protocol/limits.h"
#include "feed/shared/registry_dir.h"
#include "feed/viewer/stream/link_state.h"

bool viewer_connection_prepare(void *socket)
{
    static const struct {
        int option, value;
    } options[] = {
        {ZMQ_LINGER, 0},
        {ZMQ_RCVHWM, WIRE_READ_HWM},
        {ZMQ_SNDHWM, 0}, /* beyond it a SUB drops subscriptions when it reconnects */
        {ZMQ_HANDSHAKE_IVL, WIRE_HANDSHAKE_MS},
        {ZMQ_CONNECT_TIMEOUT, WIRE_CONNECT_MS}, /* for a network that was cut */
        {ZMQ_RECONNECT_IVL, WIRE_RECONNECT_MS},
        {ZMQ_RECONNECT_IVL_MAX, WIRE_RECONNECT_MAX_MS},
        {ZMQ_IPV6, 1},
        {ZMQ_TCP_KEEPALIVE, 1},
        {ZMQ_TCP_MAXRT, WIRE_UNHEARD_MS}, /* unacknowledged data stops the keep-alive */
        {ZMQ_TCP_KEEPALIVE_IDLE, WIRE_KEEPALIVE_S},
        {ZMQ_TCP_KEEPALIVE_INTVL, 1},
        {ZMQ_TCP_KEEPALIVE_CNT, WIRE_KEEPALIVE_S},
    };
    const int64_t most = WIRE_MESSAGE_MAX;
    for (unsigned i = 0; i < sizeof options / sizeof options[0]; i++)
        if (zmq_setsockopt(socket, options[i].option, &options[i].value, sizeof(int)) != 0)
            return false;
    return zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &most, sizeof most) == 0;
}

/* libzmq has no connection events for inproc endpoints. The listener that passes a job on
 * (listen.h) sends them instead. */
static bool connect_listener_events(struct viewer_connection *c, void *zmq, const char *at)
{
    char endpoint[SHARED_ENDPOINT_SIZE];
    const int zero = 0;
    snprintf(endpoint, sizeof endpoint, "%.*s.events", (int)strlen(at) - 4, at);
    c->monitor = zmq_socket(zmq, ZMQ_SUB);
    return c->monitor && zmq_setsockopt(c->monitor, ZMQ_LINGER, &zero, sizeof zero) == 0 &&
           zmq_setsockopt(c->monitor, ZMQ_SUBSCRIBE, "", 0) == 0 &&
           zmq_connect(c->monitor, endpoint) == 0;
}

/* The endpoint of each monitor has its own name, because libzmq may release the previous one
 * late. */
bool viewer_connection_watch(struct viewer_connection *c, void *zmq, const char *name,
                             const char *at)
{
    char endpoint[64];
    if (strncmp(at, "inproc://", 9) == 0)
        return connect_listener_events(c, zmq, at);
    snprintf(endpoint, sizeof endpoint, "inproc://proftop-%s-%p", name, c->socket);
    if (zmq_socket_monitor(c->socket, endpoint, ZMQ_EVENT_ALL) != 0)
        return false;
    c->monitor = zmq_socket(zmq, ZMQ_PAIR);
    return c->monitor && zmq_connect(c->monitor, endpoint) == 0;
}

/* Reads one message into the caller's buffer; a longer one is truncated. Parts beyond the first are
 * read and dropped. Returns the size, or -1 if there is none. */
static int read_event(void *monitor, uint8_t *out, size_t capacity)
{
    int size = zmq_recv(monitor, out, capacity, ZMQ_DONTWAIT);
    int more = 0;
    size_t length = sizeof more;
    if (size < 0)
        return -1;
    while (zmq_getsockopt(monitor, ZMQ_RCVMORE, &more, &length) == 0 && more)
        if (zmq_recv(monitor, NULL, 0, ZMQ_DONTWAIT) < 0)
            break;
    return size;
}

/* Closes the connection for a while. libzmq itself would never try again; or, if the peer closes
 * the connection silently, it would take that for a success and try again ten times a second for
 * ever. */
static void put_off(struct viewer_connection *c, uint64_t now_ns)
{
    uint64_t pause_ms = c->pause_ms ? 2 * c->pause_ms : WIRE_RECONNECT_MS;
    if (pause_ms > WIRE_RECONNECT_MAX_MS)
        pause_ms = WIRE_RECONNECT_MAX_MS;
    viewer_connection_close(c);
    *c = (struct viewer_connection){
        .lost = true, .pause_ms = pause_ms, .again_ns = now_ns + pause_ms * VIEWER_NS_PER_MS};
}

unsigned viewer_connection_events(struct viewer_connection *c, uint64_t now_ns)
{
    uint8_t bytes[6];
    uint16_t event;
    unsigned seen = 0;
    if (!c->monitor)
        return 0;
    for (int size; (size = read_event(c->monitor, bytes, sizeof bytes)) >= 0;) {
        if (size < (int)sizeof bytes)
            continue;
        memcpy(&event, bytes, sizeof event);
        seen |= event;
        if (event == ZMQ_EVENT_HANDSHAKE_SUCCEEDED)
            c->up = true;
        else if (event & (ZMQ_EVENT_DISCONNECTED | VIEWER_CONNECTION_STRANGE)) {
            c->up = false;
            c->lost = true;
        }
    }
    if (c->up)
        c->pause_ms = 0;
    else if (seen & VIEWER_CONNECTION_STRANGE)
        put_off(c, now_ns);
    return seen;
}

void viewer_connection_close(struct viewer_connection *c)
{
    if (c->monitor) {
        zmq_socket_monitor(c->socket, NULL, 0);
        zmq_close(c->monitor);
    }
    if (c->socket)
        zmq_close(c->socket);
    *c = (struct viewer_connection){0};
}
