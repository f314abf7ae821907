/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * flood_guard.h: cuts connections that send without end. libzmq keeps the parts of a message until
 * the last has come, and every subscription, without a limit, and says nothing of it; a flood of
 * subscriptions holds the thread that reads them as long as it lasts. So a thread of its own looks
 * at what the kernel has for a connection each time that something arrives. It costs nothing while
 * nobody sends.
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
}; /* numbers of descriptors that are known */

struct publisher_flood_guard {
    pthread_t thread;
    void *arrivals; /* tells who comes for facts; of the sentry's thread alone while it is on */
    int poll, wake; /* epoll; what wakes the feed's thread */
    bool on;
    _Atomic uint64_t cut; /* connections */
    _Atomic uint32_t seen[PUBLISHER_FLOOD_GUARD_MAX]; /* bytes of each, that waited to be read */
    struct {
        uint32_t second, beats;
    } heart[PUBLISHER_FLOOD_GUARD_MAX];
};

/* Starts it, in a thread whose table of descriptors is its own: `arrivals` (a monitor of
 * connections accepted, and of its own end) belongs to it until publisher_flood_guard_end(). Writes
 * a byte to `wake` when somebody has come. False: there is none, and nothing has changed. */
bool publisher_flood_guard_begin(struct publisher_flood_guard *sentry, void *arrivals, int wake);

/* Waits for its thread. Call it once the monitor has said that it stopped. */
void publisher_flood_guard_end(struct publisher_flood_guard *sentry);

/* Somebody has come by this descriptor, for control; a whole message of his was read. Either does
 * nothing if there is no sentry, or no such descriptor. */
void publisher_flood_guard_add(struct publisher_flood_guard *sentry, int fd);
void publisher_flood_guard_progress(struct publisher_flood_guard *sentry, int fd);

#endif
