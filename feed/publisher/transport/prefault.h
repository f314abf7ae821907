/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * prefault.h: what libzmq's threads need before a feed counts as open. What zmq_bind() asks for is
 * done later, by a thread of libzmq, and what zmq_close() asks for by another, each of which
 * allocates then for the first time. glibc reserves 64 MB of addresses for a thread that does, from
 * which all that it needs later comes, whatever the program's limit is by then; but where it gets
 * none, each allocation is a page of its own, and the first one that fails ends the process.
 */
#ifndef FEED_PUBLISHER_TRANSPORT_PREFAULT_H
#define FEED_PUBLISHER_TRANSPORT_PREFAULT_H

/* Has both allocate, and waits until they have: half a ms. All else is bound. */
void publisher_prefault(void *zmq);

#endif
