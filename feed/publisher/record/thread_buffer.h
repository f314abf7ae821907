/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * thread_buffer.h: which block is whose. A thread finds its block of a feed by one comparison.
 */
#ifndef FEED_PUBLISHER_RECORD_THREAD_BUFFER_H
#define FEED_PUBLISHER_RECORD_THREAD_BUFFER_H

#include "feed/publisher/core.h"

struct publisher_thread_slot {
    uint64_t on;              /* number of the feed that `block` belongs to */
    struct publisher_block *block; /* of this thread, of that feed */
    struct publisher_block *all;   /* all blocks of this thread */
};
extern _Thread_local struct publisher_thread_slot publisher_thread_slot
    __attribute__((tls_model("initial-exec")));

/* The calling thread's block, found or made. NULL: the feed is off, or memory is short (then an
 * event is counted as dropped). */
struct publisher_block *publisher_thread_find(struct proftop *feed);

/* The same if it was found or made before, else NULL. */
struct publisher_block *publisher_thread_known(const struct proftop *feed);

static inline struct publisher_block *publisher_thread_block(struct proftop *feed)
{
    if (feed == NULL)
        return NULL;
    if (publisher_on(feed) == publisher_thread_slot.on)
        return publisher_thread_slot.block;
    return publisher_thread_find(feed);
}

/* Has `ends` called when the calling thread ends, under the lock of all feeds: the first that it
 * gives. */
void publisher_thread_at_end(void (*ends)(void));

/* Defines the calling thread, whose block this is, under a name; NULL: its name in the kernel.
 * Under the feed's lock. */
void publisher_thread_define(struct publisher_core *core, struct publisher_block *block,
                             const char *name);

/* Lets go of all blocks of a core: frees those that no living thread but the caller owns; the
 * others are freed by their threads. Under the lock of all feeds. */
void publisher_threads_drop(struct publisher_core *core);

#endif
