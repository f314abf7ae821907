/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * lock.h: what every call of the public headers that is not on the hot path begins and ends with.
 */
#ifndef FEED_PUBLISHER_RECORD_LOCK_H
#define FEED_PUBLISHER_RECORD_LOCK_H

#include "feed/publisher/core.h"

/* The core of a feed that is on, locked; or NULL, not locked. */
struct publisher_core *publisher_lock(struct proftop *feed);
void publisher_unlock(struct publisher_core *core);

/* Sets one of its `life` and wakes who waits for it. Takes the lock. */
void publisher_set_life(struct publisher_core *core, bool *what);

/* Calls that may wait or touch a file are whole, even where the program cancels its thread: it is
 * cancelled when it has left us. publisher_cancel_disable() gives what publisher_cancel_restore()
 * takes back. */
int publisher_cancel_disable(void);
void publisher_cancel_restore(int was);

/* Counts a wrong call. Gives PROFTOP_NONE. */
uint32_t publisher_count_misuse(struct publisher_core *core);
/* Counts what was lost for want of memory or room. Gives PROFTOP_NONE. */
uint32_t publisher_count_lost(struct publisher_core *core, enum publisher_lost what);

/* Defines a function of this name, borrowed, in which nothing has run. Under the feed's lock.
 * PROFTOP_NONE: it could not be kept, which is counted. */
uint32_t publisher_define_function(struct publisher_core *core, const char *name);

/* Reads options of an older or newer caller: what it does not know stays as it is in `to`. False:
 * no size. */
bool publisher_take_options(void *to, size_t size, const void *from);

#endif
