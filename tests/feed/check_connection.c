/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_connection.c: how often a viewer retries an absent endpoint, and an endpoint that closes
 * each connection. In the second test, time advances only by the steps of the test.
 */
#include "config.h"

#include "feed/viewer/stream/connection.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../tap.h"
#include "feed/viewer/stream/subscriber.h"
#include "feed/viewer/stream/link_state.h"
#include "feed/protocol/limits.h"

enum { PATIENCE_MS = 20000, SECOND_MS = 1000 };

static char folder[64];
static struct sockaddr_un at = {.sun_family = AF_UNIX};
static void *zmq;
static int listener;

static void setup(void)
{
    tap_folder(folder, sizeof folder, "connection");
    snprintf(at.sun_path, sizeof at.sun_path, "%s/s.sock", folder);
    zmq = zmq_ctx_new();
}

static void teardown(void)
{
    zmq_ctx_term(zmq);
    unlink(at.sun_path);
    ck_assert_int_eq(rmdir(folder), 0);
}

/* libzmq reports its wait before each attempt. It adds a random time of up to the first pause to
 * each wait. */
START_TEST(absent_endpoint_is_retried_less_and_less_often)
{
    const int zero = 0;
    char endpoint[128];
    uint32_t last_ms = 0;
    uint16_t event;
    uint8_t bytes[6];
    void *socket = zmq_socket(zmq, ZMQ_SUB), *monitor = zmq_socket(zmq, ZMQ_PAIR);
    ck_assert(viewer_connection_prepare(socket));
    ck_assert_int_eq(zmq_socket_monitor(socket, "inproc://retries", ZMQ_EVENT_CONNECT_RETRIED), 0);
    zmq_setsockopt(monitor, ZMQ_LINGER, &zero, sizeof zero);
    ck_assert_int_eq(zmq_connect(monitor, "inproc://retries"), 0);
    snprintf(endpoint, sizeof endpoint, "ipc://%s", at.sun_path);
    ck_assert_int_eq(zmq_connect(socket, endpoint), 0);
    for (unsigned i = 0; last_ms < WIRE_RECONNECT_MAX_MS; i++) {
        zmq_pollitem_t item = {.socket = monitor, .events = ZMQ_POLLIN};
        uint32_t pause_ms;
        ck_assert_int_eq(zmq_poll(&item, 1, PATIENCE_MS), 1);
        ck_assert_int_eq(zmq_recv(monitor, bytes, sizeof bytes, 0), sizeof bytes);
        ck_assert_int_ge(zmq_recv(monitor, endpoint, sizeof endpoint, 0), 0);
        memcpy(&event, bytes, sizeof event);
        memcpy(&pause_ms, bytes + 2, sizeof pause_ms);
        ck_assert_int_eq(event, ZMQ_EVENT_CONNECT_RETRIED);
        ck_assert_uint_ge(pause_ms, WIRE_RECONNECT_MS);
        ck_assert_uint_le(pause_ms, WIRE_RECONNECT_MAX_MS + WIRE_RECONNECT_MS);
        ck_assert_uint_ge(pause_ms + WIRE_RECONNECT_MS, last_ms);
        ck_assert_uint_lt(i, 10);
        last_ms = pause_ms;
    }
    zmq_socket_monitor(socket, NULL, 0);
    zmq_close(monitor);
    zmq_close(socket);
}
END_TEST

/* Number of the viewer's sockets; waits a moment for events on them. */
static size_t sockets_of(struct viewer_subscriber *viewer)
{
    zmq_pollitem_t item[VIEWER_POLL_ITEMS];
    const size_t count = viewer_subscriber_items(viewer, item);
    zmq_poll(item, (int)count, 1);
    return count;
}

/* Closes incoming connections until the viewer has noticed on both lines. Returns their number. */
static unsigned refuse(struct viewer_subscriber *viewer, uint64_t now_ns)
{
    unsigned came = 0;
    for (int looks = 0; sockets_of(viewer) > 0; looks++) {
        ck_assert_int_lt(looks, PATIENCE_MS);
        for (int one; (one = accept(listener, NULL, NULL)) >= 0; came++)
            close(one);
        viewer_subscriber_drain(viewer, now_ns, VIEWER_NS_PER_MS * SECOND_MS);
    }
    return came;
}

START_TEST(peer_that_ends_connections_is_retried_less_often)
{
    static const unsigned pauses_ms[] = {100, 200, 400, 800, 1000, 1000, 1000};
    struct viewer_target target = {.label = "ipc://nobody"};
    uint64_t now_ns = VIEWER_NS_PER_MS * SECOND_MS;
    char why[200];
    snprintf(target.facts, sizeof target.facts, "ipc://%s", at.sun_path);
    snprintf(target.control, sizeof target.control, "ipc://%s", at.sun_path);
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
    ck_assert_int_eq(listen(listener, 8), 0);
    struct viewer_subscriber *viewer = viewer_subscriber_new(zmq, &target, now_ns, why, sizeof why);
    ck_assert_msg(viewer != NULL, "%s", why);
    for (unsigned i = 0; i < TAP_ROWS(pauses_ms); i++) {
        const uint64_t again_ns = now_ns + pauses_ms[i] * VIEWER_NS_PER_MS;
        ck_assert_uint_ge(refuse(viewer, now_ns), 2);
        viewer_subscriber_drain(viewer, again_ns - 1, VIEWER_NS_PER_MS);
        ck_assert_uint_eq(sockets_of(viewer), 0);
        viewer_subscriber_drain(viewer, again_ns, VIEWER_NS_PER_MS);
        ck_assert_uint_eq(sockets_of(viewer), VIEWER_POLL_ITEMS);
        now_ns = again_ns;
    }
    ck_assert(strstr(viewer_subscriber_link(viewer)->reason, "does not speak ZeroMQ"));
    viewer_subscriber_free(&viewer);
    close(listener);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("connection");
    TCase *c = tcase_create("connection");
    tcase_set_timeout(c, TAP_TIMEOUT);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, absent_endpoint_is_retried_less_and_less_often);
    tcase_add_test(c, peer_that_ends_connections_is_retried_less_often);
    suite_add_tcase(s, c);
    return s;
}

TAP_MAIN(suite)
