/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * black_box.h: a file that keeps the counts and definitions of a feed after the process has ended
 * (feed/shared/black_box.h describes the format). Slots are in the file itself, so a counted call
 * costs the same as without it. If data has no place in the file, the head counts it, and the data
 * is in memory of the process as usual.
 *
 * The feed's thread makes the file (transport/black_box_file.c). A forked child never writes to it:
 * publisher_black_box_forget() replaces its pages by pages of the child. A child made by a raw
 * clone(), without the handlers of fork(), must not count.
 */
#ifndef FEED_PUBLISHER_RECORD_BLACK_BOX_H
#define FEED_PUBLISHER_RECORD_BLACK_BOX_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "feed/protocol/frame.h"
#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/ticks.h"
#include "feed/shared/black_box.h"

enum {
    PUBLISHER_BOX_STEP = 1 << 20, /* bytes by which the file grows */
    PUBLISHER_BOX_FRONTS = 1024,  /* largest number of threads with a place, at one time */
    PUBLISHER_BOX_PATH = 4096,
};

struct publisher_black_box {
    _Atomic uint32_t users; /* the core and each block; the last one frees the box */
    size_t page;            /* bytes of a page of the machine, at least SHARED_BOX_PAGE */
    char *base;             /* SHARED_BOX_MAX bytes of address space, backed by the file up to
                             * `grown` */
    _Atomic bool forgotten; /* in a forked child: nothing more is put into the box */
    pthread_mutex_t lock;   /* protects: */
    size_t used, grown;
    uint32_t areas, blocks;
    struct shared_box_area *log; /* the last area of the log, or NULL. Under the feed's lock, as: */
    bool full;                   /* a definition had no place, so none follows it */
    char path[PUBLISHER_BOX_PATH]; /* the file, identified by: */
    dev_t device;
    ino_t inode;
    _Atomic(void *) front[PUBLISHER_BOX_FRONTS]; /* pages of blocks that are in the file */
};

static inline struct shared_box_head *publisher_black_box_head(struct publisher_black_box *box)
{
    return (struct shared_box_head *)(void *)box->base;
}

/* Makes a box of an empty file, open in `fd`, which the caller closes. The head has no magic yet.
 * Returns NULL, with errno set, if memory or space in the file system is short. */
struct publisher_black_box *publisher_black_box_new(int fd, const char *path);
/* Gives back one use. NULL is allowed. */
void publisher_black_box_release(struct publisher_black_box *box);
/* In a forked child: replaces all pages of the file by pages of this process. */
void publisher_black_box_forget(struct publisher_black_box *box);

/* Takes a zeroed area of so many bytes for the slots of a block. Returns NULL, and counts that, if
 * the file has no space. Any thread. */
void *publisher_black_box_take(struct publisher_black_box *box, enum shared_box_kind kind,
                               uint32_t block, uint32_t at, size_t size);
/* True if the memory is in the box. The box may be NULL. */
bool publisher_black_box_has(const struct publisher_black_box *box, const void *memory);

/* Maps a zeroed page of the file over the first page of a block. The block is then a user of the
 * box. Sets the block's number, and returns its struct shared_box_thread. Returns NULL, and counts
 * that, if there is no space; then nothing has changed. */
struct shared_box_thread *publisher_black_box_add(struct publisher_black_box *box, void *front,
                                                  uint32_t *number);
/* Before that page is unmapped. Takes no lock. The box may be NULL. */
void publisher_black_box_drop(struct publisher_black_box *box, const void *front);

/* A row of a table, as in the file. */
struct publisher_box_record {
    enum shared_box_table table;
    uint64_t number[SHARED_BOX_NUMBERS];
    struct wire_text text[SHARED_BOX_TEXTS];
};
/* Appends a row to the log, or counts that there is no space. Under the feed's lock. */
void publisher_black_box_log(struct publisher_black_box *box,
                             const struct publisher_box_record *record);

/* Notes that the feed's thread runs, by all clocks at one moment. Called by that thread. */
static inline void publisher_black_box_stamp(struct publisher_black_box *box,
                                             const struct publisher_ticks *ticks)
{
    struct shared_box_head *head = publisher_black_box_head(box);
    const struct publisher_instant now = {ticks->tsc ? publisher_ticks_stamp() : 0,
                                          publisher_clock_ns()};
    __atomic_store_n(&head->tick, now.tick, __ATOMIC_RELAXED);
    __atomic_store_n(&head->mono_ns, now.ns, __ATOMIC_RELAXED);
    __atomic_store_n(&head->wall_ns, publisher_clock_wall_ns(), __ATOMIC_RELEASE);
}

#endif
