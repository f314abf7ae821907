/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * publisher.h: publishes a job's data: decides which frames a tick sends. Used by the feed's thread
 * alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_PUBLISHER_H
#define FEED_PUBLISHER_PUBLISH_PUBLISHER_H

#include "feed/publisher/publish/state.h"

/* Returns false if out of memory; then nothing is held. */
bool publisher_init(struct publisher *p, struct publisher_core *core, void *socket);
void publisher_release(struct publisher *p);

/* Runs one tick: sums, and sends all dirty data that is subscribed to. `last`: sends everything
 * dirty, whatever its size; what is unsent at the deadline of publisher_sender_pace() counts as
 * lost. */
void publisher_tick(struct publisher *p, uint64_t now_ns, bool last);

/* Updates p->defs to the definitions that exist now. */
void publisher_refresh_definitions(struct publisher *p);
/* Sends the definitions that were not sent yet. */
void publisher_send_definitions(struct publisher *p);

/* Brings all sums up to date, for a dump or a reset. */
void publisher_sum_all(struct publisher *p);

/* Restarts all counts from the present sums, in a new epoch. Returns false if out of memory. */
bool publisher_reset(struct publisher *p);

/* Sends the goodbye. */
void publisher_send_goodbye(struct publisher *p);

#endif
