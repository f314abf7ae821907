/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * snapshot.h: all that a job has to tell, for a viewer that has just come. Used by the feed's
 * thread alone.
 */
#ifndef FEED_SNAPSHOT_H
#define FEED_SNAPSHOT_H

#include "feed/publisher/publish/publisher.h"

/* One snapshot on its way. Nothing is summed when it is asked for: each chunk of rows is when the
 * first of them goes, unless it was since. */
struct feed_snapshot {
    uint64_t request;
    uint32_t asked; /* its number among the snapshots of this job */
    char want[WIRE_STREAMS];    /* letters that are left, NUL at the end */
    uint32_t from[WIRE_TABLES]; /* definitions: next to send */
    uint32_t function, apply;   /* next to send; apply plus 1, 0: the function's first */
    uint64_t mark;              /* instants of markers: those up to this number are sent */
    uint32_t round;             /* of the count of percentiles that will do; 0: rows come first */
    uint32_t credit;
    uint64_t chunks;
    bool open;
};

/* Copies the letters of a request if they are known and stand in order. */
bool feed_snapshot_want(char to[WIRE_STREAMS], const struct wire_text *text);

/* Begins one. What is wanted, from where and the credit are set. */
void feed_snapshot_begin(struct feed_publisher *p, struct feed_snapshot *shot);

/* What a step of it comes to. */
enum feed_step {
    FEED_STEP_FRAME,   /* its next frame, */
    FEED_STEP_NOTHING, /* nothing yet: it is to be called again, */
    FEED_STEP_END,     /* or nothing any more */
};

/* Takes a step, which is short however many applies there are; a frame is written into p->buffer.
 */
enum feed_step feed_snapshot_next(struct feed_publisher *p, struct feed_snapshot *shot,
                                  size_t *size);

#endif
