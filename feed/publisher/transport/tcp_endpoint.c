/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * tcp_endpoint.c: binds a job's sockets to tcp, and connects them outwards, if the environment
 * asks.
 */
#include "config.h"

#include "feed/protocol/limits.h"
#include "feed/publisher/record/clock.h"
#include "feed/publisher/transport/socket.h"
#include "feed/publisher/transport/tcp_endpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

enum {
    REFUSED = ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL |
              ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
};

static void complain(struct publisher_tcp_endpoint *r, const char *variable, const char *why)
{
    size_t used = strlen(r->why);
    snprintf(r->why + used, sizeof r->why - used, "%s%s: %s", used > 0 ? "; " : "", variable, why);
}

/* The kernel reports a dead host. A broken connection drops its queue. */
static void set_options(void *socket, const char *at)
{
    static const struct {
        int option, value;
    } options[] = {
        {ZMQ_IMMEDIATE, 1},
        {ZMQ_RECONNECT_IVL, WIRE_RECONNECT_MS},
        {ZMQ_RECONNECT_IVL_MAX, WIRE_RECONNECT_MAX_MS},
        {ZMQ_TCP_KEEPALIVE, 1},
        {ZMQ_TCP_KEEPALIVE_IDLE, WIRE_KEEPALIVE_S},
        {ZMQ_TCP_KEEPALIVE_INTVL, 1},
        {ZMQ_TCP_KEEPALIVE_CNT, WIRE_KEEPALIVE_S},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        publisher_socket_set(socket, options[i].option, options[i].value);
    publisher_socket_set(socket, ZMQ_IPV6, strchr(at, '[') != NULL);
}

/* ------------------------------------------------------------------------------------ listening */

/* Heartbeats detect a viewer whose host is gone; on this machine the kernel does. A viewer whose
 * facts socket is full does not read heartbeats there, and is not dead. So only `control` has
 * them. */
static void set_heartbeats(struct publisher_tcp_endpoint *r, void *socket, bool on)
{
    if (socket != r->control)
        return;
    publisher_socket_set(socket, ZMQ_HEARTBEAT_IVL, on ? WIRE_HEARTBEAT_MS : 0);
    publisher_socket_set(socket, ZMQ_HEARTBEAT_TIMEOUT, WIRE_HEARTBEAT_TIMEOUT_MS);
}

/* Binds, and stores the endpoint in `at`, because the port may have been a wildcard. Afterwards the
 * socket has the options of Unix sockets again. */
static bool bind_one(struct publisher_tcp_endpoint *r, void *socket, char at[SHARED_ENDPOINT_SIZE])
{
    size_t size = SHARED_ENDPOINT_SIZE;
    set_heartbeats(r, socket, true);
    bool done = shared_auth_prepare(&r->admit, socket, at, true) && zmq_bind(socket, at) == 0;
    int error = zmq_errno();
    set_heartbeats(r, socket, false);
    if (done)
        zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, at, &size);
    shared_auth_prepare(NULL, socket, at, true);
    errno = error;
    return done;
}

static bool bind_both(struct publisher_tcp_endpoint *r)
{
    r->bound = bind_one(r, r->facts, r->facts_at);
    if (r->bound && !bind_one(r, r->control, r->control_at)) {
        int error = zmq_errno();
        zmq_unbind(r->facts, r->facts_at);
        r->bound = false;
        errno = error;
    }
    return r->bound;
}

static void bind_to(struct publisher_tcp_endpoint *r, const char *word)
{
    char why[256] = "";
    if (!shared_endpoints_parse(word, r->facts_at, r->control_at, why, sizeof why))
        ;
    else if (!shared_is_tcp(r->facts_at) || !shared_is_tcp(r->control_at))
        snprintf(why, sizeof why, "the endpoint has to begin with tcp://");
    else if (!bind_both(r))
        snprintf(why, sizeof why, "%.120s can't be bound: %s", r->facts_at,
                 zmq_strerror(zmq_errno()));
    else
        return;
    r->facts_at[0] = r->control_at[0] = 0;
    complain(r, "PROFTOP_BIND", why);
}

void publisher_tcp_endpoint_guard(struct publisher_tcp_endpoint *r, bool listen)
{
    if (r->facts_at[0] == 0 || listen == r->bound)
        return;
    if (listen) {
        bind_both(r);
        return;
    }
    zmq_unbind(r->facts, r->facts_at);
    zmq_unbind(r->control, r->control_at);
    r->bound = false;
}

/* -------------------------------------------------------------------------------------- outward */

static bool connect_one(struct publisher_tcp_endpoint *r, void *socket, const char *at)
{
    set_options(socket, at);
    publisher_socket_set(socket, ZMQ_IPV6, 1); /* names may resolve to either */
    bool done = shared_auth_prepare(&r->admit, socket, at, false) && zmq_connect(socket, at) == 0;
    shared_auth_prepare(NULL, socket, at, true);
    return done;
}

/* Requests come by a separate DEALER: a ROUTER that connects can't identify itself. */
static void *make_outward(struct publisher_tcp_endpoint *r, void *zmq)
{
    const int64_t largest = WIRE_REQUEST_MAX;
    void *socket = zmq_socket(zmq, ZMQ_DEALER);
    if (socket == NULL)
        return NULL;
    publisher_socket_set(socket, ZMQ_LINGER, 0);
    publisher_socket_set(socket, ZMQ_SNDHWM, WIRE_HWM);
    publisher_socket_set(socket, ZMQ_RCVHWM, 0);
    zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &largest, sizeof largest);
    r->fate = publisher_socket_monitor(
        zmq, socket, "outward", ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED | REFUSED);
    return socket;
}

static void connect_to(struct publisher_tcp_endpoint *r, void *zmq, const char *word)
{
    char *facts = r->to_facts, *control = r->to_control, why[256] = "";
    if (!shared_endpoints_parse(word, facts, control, why, sizeof why) ||
        !shared_endpoint_is_valid(facts, why, sizeof why) ||
        !shared_endpoint_is_valid(control, why, sizeof why)) {
        complain(r, "PROFTOP_CONNECT", why);
        return;
    }
    r->keyed = shared_is_tcp(control) && !r->admit.insecure;
    r->outward = make_outward(r, zmq);
    if (r->outward == NULL || !connect_one(r, r->outward, control) ||
        !connect_one(r, r->facts, facts))
        complain(r, "PROFTOP_CONNECT", zmq_strerror(zmq_errno()));
}

static void try_again(struct publisher_tcp_endpoint *r, uint64_t now_ns)
{
    if (!r->refused || r->stands || now_ns < r->again_ns)
        return;
    r->refused = false;
    zmq_disconnect(r->outward, r->to_control);
    zmq_disconnect(r->facts, r->to_facts);
    connect_one(r, r->outward, r->to_control);
    connect_one(r, r->facts, r->to_facts);
}

bool publisher_tcp_endpoint_broke(struct publisher_tcp_endpoint *r, uint64_t now_ns)
{
    uint8_t event[6], address[256];
    uint16_t what;
    bool broke = false;
    while (r->fate != NULL && zmq_recv(r->fate, event, sizeof event, ZMQ_DONTWAIT) >= 0) {
        memcpy(&what, event, sizeof what);
        zmq_recv(r->fate, address, sizeof address, ZMQ_DONTWAIT);
        r->stands = what == ZMQ_EVENT_HANDSHAKE_SUCCEEDED;
        r->greeted = false;
        broke = broke || !r->stands;
        if ((what & REFUSED) != 0) {
            r->refused = true;
            r->again_ns = now_ns + WIRE_RECONNECT_MAX_MS * PUBLISHER_MS_NS;
        }
    }
    try_again(r, now_ns);
    return broke;
}

/* ------------------------------------------------------------------------------- open and close */

static const char *setting(const char *variable)
{
    const char *value = secure_getenv(variable);
    return value == NULL || value[0] == 0 ? NULL : value;
}

void publisher_tcp_endpoint_open(struct publisher_tcp_endpoint *r, void *zmq, void *facts,
                                 void *control)
{
    const char *bind = setting("PROFTOP_BIND"), *to = setting("PROFTOP_CONNECT");
    struct shared_auth_request request = shared_auth_environment();
    char why[256];
    r->facts = facts;
    r->control = control;
    request.connects = to != NULL;
    bool tcp = bind != NULL || (to != NULL && strstr(to, "tcp://") != NULL);
    if (tcp && !shared_auth_init(&r->admit, &request, why, sizeof why)) {
        complain(r, bind != NULL ? "PROFTOP_BIND" : "PROFTOP_CONNECT", why);
        return;
    }
    if (bind != NULL && shared_auth_open(&r->admit, zmq)) {
        set_options(control, bind);
        set_options(facts, bind);
        bind_to(r, bind);
    }
    if (to != NULL)
        connect_to(r, zmq, to);
}

unsigned publisher_tcp_endpoint_rights(const struct publisher_tcp_endpoint *r)
{
    return r->keyed ? shared_auth_may(&r->admit, r->admit.peer) : 0;
}

bool publisher_tcp_endpoint_insecure(const struct publisher_tcp_endpoint *r)
{
    bool outward =
        r->outward != NULL && (shared_is_tcp(r->to_facts) || shared_is_tcp(r->to_control));
    return r->admit.insecure && (r->facts_at[0] != 0 || outward);
}

void publisher_tcp_endpoint_close(struct publisher_tcp_endpoint *r)
{
    if (r->outward != NULL)
        zmq_socket_monitor(r->outward, NULL, 0);
    if (r->fate != NULL)
        zmq_close(r->fate);
    if (r->outward != NULL)
        zmq_close(r->outward);
    shared_auth_close(&r->admit);
}
