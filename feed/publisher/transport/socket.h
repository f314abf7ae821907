/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * socket.h: what several do with sockets of libzmq. By the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_TRANSPORT_SOCKET_H
#define FEED_PUBLISHER_TRANSPORT_SOCKET_H

#include <stdbool.h>

/* Sets an option whose value is an int. */
bool publisher_socket_set(void *socket, int option, int value);

/* What happens to the connections of a socket is told by another, inside the process, which the
 * caller closes. `name` is that of no other in this context. NULL: nothing is told. */
void *publisher_socket_monitor(void *zmq, void *socket, const char *name, int events);

#endif
