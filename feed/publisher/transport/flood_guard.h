/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * flood_guard.h: cuts connections that send without end. libzmq keeps the parts of a message until
 * the last has come, and every subscription, without a limit, and says nothing of it; a flood of
 * subscriptions holds the thread that reads them as long as it lasts. So a thread of its own looks
 * at what the kernel has for a connection each time that something arrives. It costs nothing while
 * nobody sends.
 */
#ifndef FEED_SENTRY_H
#define FEED_SENTRY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "feed/protocol/limits.h"

enum { FEED_SENTRY_MAX = 4 * FEED_DESCRIPTORS_MAX }; /* numbers of descriptors that are known */

struct feed_sentry {
    pthread_t thread;
    void *arrivals; /* tells who comes for facts; of the sentry's thread alone while it is on */
    int poll, wake; /* epoll; what wakes the feed's thread */
    bool on;
    _Atomic uint64_t cut; /* connections */
    _Atomic uint32_t seen[FEED_SENTRY_MAX]; /* bytes of each, that waited to be read */
    struct {
        uint32_t second, beats;
    } heart[FEED_SENTRY_MAX];
};

/* Starts it, in a thread whose table of descriptors is its own: `arrivals` (a monitor of
 * connections accepted, and of its own end) belongs to it until feed_sentry_end(). Writes a byte to
 * `wake` when somebody has come. False: there is none, and nothing has changed. */
bool feed_sentry_begin(struct feed_sentry *sentry, void *arrivals, int wake);

/* Waits for its thread. Call it once the monitor has said that it stopped. */
void feed_sentry_end(struct feed_sentry *sentry);

/* Somebody has come by this descriptor, for control; a whole message of his was read. Either does
 * nothing if there is no sentry, or no such descriptor. */
void feed_sentry_add(struct feed_sentry *sentry, int fd);
void feed_sentry_heard(struct feed_sentry *sentry, int fd);

#endif
