/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * prefault.c: makes libzmq's threads allocate before the program may use up the memory.
 */
#include "config.h"

#include "feed/publisher/transport/prefault.h"
#include "feed/publisher/transport/resource_check.h"
#include "feed/publisher/transport/socket.h"

#include <stdint.h>
#include <string.h>
#include <zmq.h>

enum { PATIENCE_MS = 1000 }; /* for a busy machine; after that the feed goes on without */

/* A path below a file that is no directory: connecting to it fails at once and for good. */
#define NOWHERE "ipc:///dev/null/proftop"

/* Waits for one of `events`. False: none came. */
static bool wait_for(void *monitor, uint16_t events)
{
    uint8_t event[6], address[256];
    uint16_t what = 0;
    while ((what & events) == 0) {
        if (zmq_recv(monitor, event, sizeof event, 0) != (int)sizeof event ||
            zmq_recv(monitor, address, sizeof address, 0) < 0)
            return false;
        memcpy(&what, event, sizeof what);
    }
    return true;
}

/* The I/O thread reports that the connection failed. By then it has done its earlier commands,
 * above all to listen. The reaper thread reports that the client socket is gone. */
void publisher_prefault(void *zmq)
{
    if (!publisher_resource_descriptors()) /* in the program's descriptor table; this takes four
                                              briefly */
        return;
    void *dummy = zmq_socket(zmq, ZMQ_PAIR);
    if (dummy == NULL)
        return;
    publisher_socket_set(dummy, ZMQ_LINGER, 0);
    publisher_socket_set(dummy, ZMQ_RECONNECT_IVL, -1);
    void *monitor = publisher_socket_monitor(zmq, dummy, "prefault", ZMQ_EVENT_ALL);
    if (monitor != NULL) {
        publisher_socket_set(monitor, ZMQ_RCVTIMEO, PATIENCE_MS);
        if (zmq_connect(dummy, NOWHERE) == 0)
            wait_for(monitor, ZMQ_EVENT_CLOSED | ZMQ_EVENT_CONNECT_RETRIED);
    }
    zmq_close(dummy);
    if (monitor != NULL) {
        wait_for(monitor, ZMQ_EVENT_MONITOR_STOPPED);
        zmq_close(monitor);
    }
}
