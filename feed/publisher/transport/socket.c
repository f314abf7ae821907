/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * socket.c: options and monitors of libzmq's sockets.
 */
#include "config.h"

#include "feed/publisher/transport/socket.h"

#include <stdio.h>
#include <zmq.h>

bool publisher_socket_set(void *socket, int option, int value)
{
    return zmq_setsockopt(socket, option, &value, sizeof value) == 0;
}

void *publisher_socket_monitor(void *zmq, void *socket, const char *name, int events)
{
    char at[64];
    snprintf(at, sizeof at, "inproc://proftop-%s", name);
    if (zmq_socket_monitor(socket, at, events) != 0)
        return NULL;
    void *monitor = zmq_socket(zmq, ZMQ_PAIR);
    if (monitor == NULL)
        return NULL;
    publisher_socket_set(monitor, ZMQ_LINGER, 0);
    zmq_connect(monitor, at);
    return monitor;
}
