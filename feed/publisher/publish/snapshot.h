/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * snapshot.h: all that a job has to tell, for a viewer that has just come. Used by the feed's
 * thread alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_SNAPSHOT_H
#define FEED_PUBLISHER_PUBLISH_SNAPSHOT_H

#include "feed/publisher/publish/publisher.h"

/* One snapshot on its way. Nothing is summed when it is asked for: each chunk of rows is when the
 * first of them goes, unless it was since. */
struct publisher_snapshot {
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
bool publisher_snapshot_want(char to[WIRE_STREAMS], const struct wire_text *text);

/* Begins one. What is wanted, from where and the credit are set. */
void publisher_snapshot_begin(struct publisher_sender *p, struct publisher_snapshot *shot);

/* What a step of it comes to. */
enum publisher_step {
    PUBLISHER_STEP_FRAME,   /* its next frame, */
    PUBLISHER_STEP_NOTHING, /* nothing yet: it is to be called again, */
    PUBLISHER_STEP_END,     /* or nothing any more */
};

/* Takes a step, which is short however many applies there are; a frame is written into p->buffer.
 */
enum publisher_step publisher_snapshot_next(struct publisher_sender *p,
                                            struct publisher_snapshot *shot, size_t *size);

#endif
