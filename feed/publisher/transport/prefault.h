/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * prefault.h: makes libzmq's threads allocate before a feed counts as open. One thread of libzmq
 * does the work of zmq_bind() later, another the work of zmq_close(); each then allocates for the
 * first time. glibc reserves 64 MB of addresses (an arena) for a thread that allocates. All later
 * memory of the thread comes from the arena, whatever the program's limit is by then. Without an
 * arena each allocation is a page of its own, and the first failure ends the process.
 */
#ifndef FEED_PUBLISHER_TRANSPORT_PREFAULT_H
#define FEED_PUBLISHER_TRANSPORT_PREFAULT_H

/* Makes both threads allocate, and waits for them: half a ms. Everything else is already bound. */
void publisher_prefault(void *zmq);

#endif
