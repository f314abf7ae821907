/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * resource_check.h: resources that must be free before a call of libzmq. If libzmq gets no
 * descriptor, thread or memory, it aborts the process, which belongs to the program. So they are
 * tested first.
 */
#ifndef FEED_PUBLISHER_TRANSPORT_RESOURCE_CHECK_H
#define FEED_PUBLISHER_TRANSPORT_RESOURCE_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* True if WIRE_HEADROOM descriptors are free. Takes some microseconds, and no descriptor. */
bool publisher_resource_descriptors(void);

/* In a descriptor table of the feed's own: true if so many are open that most must be connections
 * that say nothing. */
bool publisher_resource_crowded(void);

/* In a descriptor table of the feed's own: how many clients may wait at each of two listeners.
 * Leaves descriptors for all of them below the crowded limit, and for the next listeners. */
int publisher_resource_waits(void);

/* True if there is memory for libzmq's next step. The test, which allocates and frees, costs a
 * fifth of a small tick. */
bool publisher_resource_memory(void);
/* So a tick runs the test only if allocation may fail: the kernel does not overcommit, or the
 * program has a limit, perhaps a new one. */
bool publisher_resource_strict(void);
bool publisher_resource_limited(void);

/* True if there is memory for the first tick of a feed that has just been opened. Tested at that
 * time, because the memory that libzmq's threads take to open the feed is not known before. */
bool publisher_resource_first_tick(void);

/* True if poll() accepts any descriptor. The program may have set its limit of descriptors to 0;
 * libzmq, which polls one, then ends the program. */
bool publisher_resource_polls(void);

/* True if as many threads as libzmq needs can be started. */
bool publisher_resource_threads(void);

/* All of these tests, for opening sockets. False with a sentence in `why`. */
bool publisher_resource_check(char *why, size_t capacity);

#endif
