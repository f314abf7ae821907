/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * listen.h: a viewer that waits for jobs instead of going to them (PROFTOP_CONNECT). Each job that
 * comes gets a place, a pair of endpoints inside this process, and what it says is passed on there:
 * a subscriber attaches to a place as it does to a job. One thread; no call blocks.
 */
#ifndef FEED_VIEWER_REMOTE_LISTEN_H
#define FEED_VIEWER_REMOTE_LISTEN_H

#include "feed/viewer/stream/subscriber.h"

enum { VIEWER_LISTEN_JOBS = 128, VIEWER_LISTEN_ITEMS = 4 + VIEWER_LISTEN_JOBS };

struct viewer_listener;

/* Binds to what was typed: ipc:///path/x.pub, tcp://host:port, or FACTS,CONTROL. The context is
 * borrowed, and so are the keys, which tcp wants. Raises the limit of descriptors to what so many
 * jobs take; where it may not, there are fewer places. A listener, or NULL with a sentence. */
struct viewer_listener *viewer_listener_new(void *zmq, const char *word, struct shared_auth *admit,
                                            char *why, size_t capacity);
/* After the subscribers of its places. */
void viewer_listener_free(struct viewer_listener **listener);

/* Fills the items to poll; returns how many. */
size_t viewer_listener_items(const struct viewer_listener *l,
                             zmq_pollitem_t item[VIEWER_LISTEN_ITEMS]);

/* Passes on what has come, both ways. Call it after each poll, before the subscribers read. */
void viewer_listener_serve(struct viewer_listener *l);

/* How many places there are. The first is there from the beginning, and waits for its job. */
size_t viewer_listener_places(const struct viewer_listener *l);
/* What a subscriber attaches to. */
void viewer_listener_target(struct viewer_listener *l, size_t place, struct viewer_target *target);

/* Messages that were thrown away: of nobody who had said who he is, or one job too many. */
uint64_t viewer_listener_refused(const struct viewer_listener *l);
/* Whether a job came that there was no place for, with a sentence. */
bool viewer_listener_full(const struct viewer_listener *l, char *why, size_t capacity);

#endif
