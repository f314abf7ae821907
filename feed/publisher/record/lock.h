/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * lock.h: locks of feeds, lifecycle flags, notices: what every call that is not on the hot path
 * needs.
 */
#ifndef FEED_PUBLISHER_RECORD_LOCK_H
#define FEED_PUBLISHER_RECORD_LOCK_H

#include "feed/publisher/record/core.h"

/* The lock of all feeds, and the list of their handles, which it protects. */
extern pthread_mutex_t publisher_all_lock;
extern struct proftop *publisher_all;

/* Turns a feed off for good. `text` is copied. Under the feed's lock. */
void publisher_off(struct proftop *feed, const char *text);

/* As proftop_notice(). Under the feed's lock, or before another thread has the core. */
void publisher_add_notice(struct publisher_core *core, int level, const char *text);

/* Locks a feed that is on, and returns its core. Returns NULL, without the lock, if it is off. */
struct publisher_core *publisher_lock(struct proftop *feed);
void publisher_unlock(struct publisher_core *core);

/* Sets a lifecycle flag, one in `core->life`, and wakes its waiters. Takes the feed's lock. */
void publisher_set_life(struct publisher_core *core, bool *what);

/* Opens the write end of the wake-up pipe of a thread that has its own descriptors. The caller
 * closes it. Returns -1 if it cannot be opened: the process is out of descriptors, or it has
 * changed its user or its root since the feed was opened. */
int publisher_life_open_pipe(const struct publisher_life *life);
/* Wakes the feed's thread. Returns false if it cannot: the thread then notices at its next tick.
 * Under the feed's lock. */
bool publisher_life_wake(const struct publisher_life *life);

/* Turn cancellation of the calling thread off and back on, around calls that may wait or access
 * files. A cancelled thread completes such a call, and is cancelled after it.
 * publisher_cancel_disable() returns the state that publisher_cancel_restore() restores. */
int publisher_cancel_disable(void);
void publisher_cancel_restore(int was);

/* Counts a wrong call. Returns PROFTOP_NONE. */
uint32_t publisher_count_misuse(struct publisher_core *core);
/* Counts data as lost, out of memory or beyond a limit. Returns PROFTOP_NONE. */
uint32_t publisher_count_lost(struct publisher_core *core, enum publisher_lost what);

/* Copies options of an older or newer caller. Fields that the caller does not know keep their
 * values in `to`. Returns false if `from` is NULL or has no valid size. */
bool publisher_take_options(void *to, size_t size, const void *from);

#endif
