/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * snapshot.h: all that a job has to tell, for a viewer that has just come. Used by the feed's
 * thread alone.
 */
#ifndef FEED_SNAPSHOT_H
#define FEED_SNAPSHOT_H

#include "publish.h"

/* One snapshot on its way. */
struct feed_snapshot {
    uint64_t request;
    char want[WIRE_STREAMS];    /* letters that are left, NUL at the end */
    uint32_t from[WIRE_TABLES]; /* definitions: next to send */
    uint32_t to[WIRE_TABLES];   /* what the snapshot is of */
    uint32_t function, apply;   /* next to send; apply plus 1, 0: the function's first */
    uint64_t mark;              /* instants of markers: those up to this number are sent */
    uint32_t credit;
    uint64_t chunks;
    bool open;
};

/* Copies the letters of a request if they are known and stand in order. */
bool feed_snapshot_want(char to[WIRE_STREAMS], const struct wire_text *text);

/* Writes its next frame into p->buffer and gives the size; 0: there is none left. */
size_t feed_snapshot_next(struct feed_publisher *p, struct feed_snapshot *shot);

#endif
