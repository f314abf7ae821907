/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * flood_guard.h: cuts connections that send without end. libzmq keeps the parts of a message until
 * the last one arrives, and all subscriptions, without a limit and without a report. A flood of
 * subscriptions also occupies the thread that reads them. So the flood guard's own thread checks
 * the kernel's buffer of a connection at each arrival. It costs nothing while no client sends.
 */
#ifndef FEED_PUBLISHER_TRANSPORT_FLOOD_GUARD_H
#define FEED_PUBLISHER_TRANSPORT_FLOOD_GUARD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "feed/protocol/limits.h"

enum {
    PUBLISHER_FLOOD_GUARD_MAX = 4 * WIRE_DESCRIPTORS_MAX
}; /* watched descriptors are below this number */

struct publisher_flood_guard {
    pthread_t thread;
    void *arrivals; /* monitor of the connections for facts; used only by the flood guard's thread
                       while it is on */
    int poll, wake; /* epoll; descriptor that wakes the feed's thread */
    bool on;
    _Atomic uint64_t cut;                             /* number of connections cut */
    _Atomic uint32_t seen[PUBLISHER_FLOOD_GUARD_MAX]; /* unread bytes counted for each descriptor */
    struct {
        uint32_t second, beats;
    } heart[PUBLISHER_FLOOD_GUARD_MAX];
};

/* Starts the flood guard. The calling thread must have its own descriptor table. `arrivals` (a
 * monitor of accepted connections, and of its own end) belongs to the guard until
 * publisher_flood_guard_end(). The guard writes a byte to `wake` for each arrival. False: no guard,
 * and nothing has changed. */
bool publisher_flood_guard_begin(struct publisher_flood_guard *guard, void *arrivals, int wake);

/* Joins the guard's thread. Call it once the monitor has reported that it stopped. */
void publisher_flood_guard_end(struct publisher_flood_guard *guard);

/* add: a control connection came by this descriptor. progress: a whole message was read from it.
 * Both do nothing if there is no guard, or no such descriptor. */
void publisher_flood_guard_add(struct publisher_flood_guard *guard, int fd);
void publisher_flood_guard_progress(struct publisher_flood_guard *guard, int fd);

#endif
