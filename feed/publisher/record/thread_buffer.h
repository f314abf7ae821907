/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * thread_buffer.h: assigns blocks to threads. A thread finds its block of a feed by one comparison.
 */
#ifndef FEED_PUBLISHER_RECORD_THREAD_BUFFER_H
#define FEED_PUBLISHER_RECORD_THREAD_BUFFER_H

#include "feed/publisher/record/core.h"

/* Maps a block. Returns NULL if out of memory. */
struct publisher_block *publisher_block_new(uint64_t on);
/* Puts a new block, whose clock is known, into a black box. Nothing, if the box is NULL or full. */
void publisher_block_keep(struct publisher_block *block, struct publisher_black_box *box);
/* In a forked child: takes a block of the calling thread, and its box, out of the parent's file. */
void publisher_block_forget(struct publisher_block *block);
/* Unmaps a block and its chunks, and frees everything that belongs to it. */
void publisher_block_free(struct publisher_block *block);

struct publisher_thread_slot {
    uint64_t on;                   /* number of the feed that `block` belongs to */
    struct publisher_block *block; /* this thread's block of that feed */
    struct publisher_block *all;   /* list of all blocks of this thread */
};
extern _Thread_local struct publisher_thread_slot publisher_thread_slot
    __attribute__((tls_model("initial-exec")));

/* Finds or makes the calling thread's block. Returns NULL if the feed is off, or if out of memory
 * (then counts one event as lost). */
struct publisher_block *publisher_thread_find(struct proftop *feed);

/* Returns the calling thread's block if it exists, else NULL. */
struct publisher_block *publisher_thread_known(const struct proftop *feed);

static inline struct publisher_block *publisher_thread_block(struct proftop *feed)
{
    if (feed == NULL)
        return NULL;
    if (publisher_on(feed) == publisher_thread_slot.on)
        return publisher_thread_slot.block;
    return publisher_thread_find(feed);
}

/* Registers `ends`, to be called under the lock of all feeds when the calling thread ends. A thread
 * keeps only the first function that it registers. */
void publisher_thread_at_end(void (*ends)(void));

/* Defines the calling thread, which owns `block`, under a name; NULL means its name in the kernel.
 * Under the feed's lock. */
void publisher_thread_define(struct publisher_core *core, struct publisher_block *block,
                             const char *name);

/* Releases all blocks of a core. Frees the blocks that no other living thread owns; the others are
 * freed by their threads. Under the lock of all feeds. */
void publisher_threads_drop(struct publisher_core *core);

#endif
