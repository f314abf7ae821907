/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * lock.h: what every call of the public headers that is not on the hot path begins and ends with.
 */
#ifndef FEED_ENTER_H
#define FEED_ENTER_H

#include "feed/publisher/core.h"

/* The core of a feed that is on, locked; or NULL, not locked. */
struct feed_core *feed_enter(struct proftop *feed);
void feed_leave(struct feed_core *core);

/* Sets one of its `life` and wakes who waits for it. Takes the lock. */
void feed_tell(struct feed_core *core, bool *what);

/* Calls that may wait or touch a file are whole, even where the program cancels its thread: it is
 * cancelled when it has left us. feed_stay() gives what feed_go() takes back. */
int feed_stay(void);
void feed_go(int was);

/* Counts a wrong call. Gives PROFTOP_NONE. */
uint32_t feed_misused(struct feed_core *core);
/* Counts what was lost for want of memory or room. Gives PROFTOP_NONE. */
uint32_t feed_lose(struct feed_core *core, enum feed_lost what);

/* Defines a function of this name, borrowed, in which nothing has run. Under the feed's lock.
 * PROFTOP_NONE: it could not be kept, which is counted. */
uint32_t feed_define_function(struct feed_core *core, const char *name);

/* Reads options of an older or newer caller: what it does not know stays as it is in `to`. False:
 * no size. */
bool feed_take_options(void *to, size_t size, const void *from);

#endif
