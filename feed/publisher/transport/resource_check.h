/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * resource_check.h: what has to be there before libzmq may be called. Where it lacks a descriptor,
 * a thread or memory, libzmq aborts the process, which is not ours: so it is asked for beforehand.
 */
#ifndef FEED_PUBLISHER_TRANSPORT_RESOURCE_CHECK_H
#define FEED_PUBLISHER_TRANSPORT_RESOURCE_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* Whether WIRE_HEADROOM descriptors are free. It takes some microseconds, and no descriptor. */
bool publisher_headroom(void);

/* Whether so many are open, in a table of the feed's own, that they must be those of strangers who
 * connect and say nothing. */
bool publisher_resource_crowded(void);

/* In a table of the feed's own: how many may wait at each of two listeners, so that there are
 * descriptors for all of them while it is not crowded, and for the listeners that come next. */
int publisher_resource_waits(void);

/* Whether there is memory for what libzmq does next. To take it and give it back is a fifth of a
 * small tick, */
bool publisher_resource_memory(void);
/* so it is tried in each only where it may be refused soon: where the kernel promises no more than
 * there is, or the program has a limit, perhaps a new one. */
bool publisher_resource_strict(void);
bool publisher_resource_limited(void);

/* Whether there is memory for the first tick of a feed that has just been opened. It is asked then,
 * because nobody knows before how much memory libzmq's threads take to open the feed. */
bool publisher_resource_survives(void);

/* Whether poll() takes any door at all: the program may have set its limit of descriptors to 0, and
 * libzmq, which polls one, ends the program then. */
bool publisher_resource_polls(void);

/* Whether as many threads can be started as libzmq wants to. */
bool publisher_resource_threads(void);

/* All of these, for opening sockets. False with a sentence in `why`. */
bool publisher_resource_check(char *why, size_t capacity);

#endif
