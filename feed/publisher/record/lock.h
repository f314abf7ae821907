/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * lock.h: entry and exit of all public calls that are not on the hot path.
 */
#ifndef FEED_PUBLISHER_RECORD_LOCK_H
#define FEED_PUBLISHER_RECORD_LOCK_H

#include "feed/publisher/core.h"

/* Locks a feed that is on, and returns its core. Returns NULL, without the lock, if it is off. */
struct publisher_core *publisher_lock(struct proftop *feed);
void publisher_unlock(struct publisher_core *core);

/* Sets a lifecycle flag, one in `core->life`, and wakes its waiters. Takes the feed's lock. */
void publisher_set_life(struct publisher_core *core, bool *what);

/* Turn cancellation of the calling thread off and back on, around calls that may wait or access
 * files. A cancelled thread completes such a call, and is cancelled after it.
 * publisher_cancel_disable() returns the state that publisher_cancel_restore() restores. */
int publisher_cancel_disable(void);
void publisher_cancel_restore(int was);

/* Counts a wrong call. Returns PROFTOP_NONE. */
uint32_t publisher_count_misuse(struct publisher_core *core);
/* Counts data as lost, out of memory or beyond a limit. Returns PROFTOP_NONE. */
uint32_t publisher_count_lost(struct publisher_core *core, enum publisher_lost what);

/* Defines a function of this name (borrowed), without calls. Returns PROFTOP_NONE, and counts it as
 * lost, if it cannot be kept. Under the feed's lock. */
uint32_t publisher_define_function(struct publisher_core *core, const char *name);

/* Copies options of an older or newer caller. Fields that the caller does not know keep their
 * values in `to`. Returns false if `from` is NULL or has no valid size. */
bool publisher_take_options(void *to, size_t size, const void *from);

#endif
