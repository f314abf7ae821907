/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * listen.h: a viewer that waits for jobs to connect to it (PROFTOP_CONNECT). Each job that connects
 * gets a place: a pair of endpoints inside this process, to which its messages are passed on. A
 * subscriber attaches to a place as it does to a job. One thread; no call blocks.
 */
#ifndef FEED_VIEWER_REMOTE_LISTEN_H
#define FEED_VIEWER_REMOTE_LISTEN_H

#include "feed/viewer/stream/subscriber.h"

enum { VIEWER_LISTEN_JOBS = 128, VIEWER_LISTEN_ITEMS = 4 + VIEWER_LISTEN_JOBS };

struct viewer_listener;

/* Binds to a typed word: ipc:///path/x.pub, tcp://host:port, or FACTS,CONTROL. The context and the
 * keys, which tcp needs, are borrowed. Raises the limit of descriptors to fit VIEWER_LISTEN_JOBS
 * jobs; if that fails, there are fewer places. Returns a listener, or NULL with a sentence in
 * `why`. */
struct viewer_listener *viewer_listener_new(void *zmq, const char *word, struct shared_auth *admit,
                                            char *why, size_t capacity);
/* Call it after the subscribers of its places are freed. */
void viewer_listener_free(struct viewer_listener **listener);

/* Fills the items to poll; returns how many. */
size_t viewer_listener_items(const struct viewer_listener *l,
                             zmq_pollitem_t item[VIEWER_LISTEN_ITEMS]);

/* Passes on waiting messages in both directions. Call it after each poll, before the subscribers
 * read. */
void viewer_listener_serve(struct viewer_listener *l);

/* Number of places. The first exists from the start and waits for its job. */
size_t viewer_listener_places(const struct viewer_listener *l);
/* Fills the target of a subscriber for a place. */
void viewer_listener_target(struct viewer_listener *l, size_t place, struct viewer_target *target);

/* Number of dropped messages: from a sender that has not said hello, or from a job beyond the last
 * place. */
uint64_t viewer_listener_refused(const struct viewer_listener *l);
/* True, with a sentence in `why`, if a job came and there was no place for it. */
bool viewer_listener_full(const struct viewer_listener *l, char *why, size_t capacity);

#endif
