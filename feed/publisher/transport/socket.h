/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * socket.h: helpers for libzmq's sockets. Called by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_TRANSPORT_SOCKET_H
#define FEED_PUBLISHER_TRANSPORT_SOCKET_H

#include <stdbool.h>

/* Sets an option whose value is an int. */
bool publisher_socket_set(void *socket, int option, int value);

/* Returns a new socket, inside the process, that reports the connection events of `socket`. The
 * caller closes it. `name` is unique in this context. NULL: no reports. */
void *publisher_socket_monitor(void *zmq, void *socket, const char *name, int events);

#endif
