/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * snapshot.h: all data of a job, for a viewer that has just connected. Used by the feed's thread
 * alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_SNAPSHOT_H
#define FEED_PUBLISHER_PUBLISH_SNAPSHOT_H

#include "feed/publisher/publish/publisher.h"

/* One snapshot in progress. The request itself sums nothing. Each chunk of rows is summed when its
 * first row is sent, unless it was summed since the request. */
struct publisher_snapshot {
    uint64_t request;
    uint32_t number;            /* number of this snapshot in the job */
    char streams[WIRE_STREAMS]; /* remaining letters, ended by NUL */
    uint32_t from[WIRE_TABLES]; /* definitions: next to send */
    uint32_t function, apply;   /* next to send; apply plus 1, 0: the first apply of the function */
    uint64_t mark;              /* instants of markers up to this number are sent */
    uint32_t round;             /* earliest count of percentiles that is recent enough; 0: rows are
                                 * summed first */
    uint32_t credit;
    uint64_t chunks;
    bool open;
};

/* Copies the letters of a request. Returns false if one is unknown or out of order. */
bool publisher_snapshot_streams(char to[WIRE_STREAMS], const struct wire_text *text);

/* Begins a snapshot. The caller has set `streams`, `from` and the credit. */
void publisher_snapshot_begin(struct publisher *p, struct publisher_snapshot *shot);

/* Result of a step. */
enum publisher_step {
    PUBLISHER_STEP_FRAME,   /* wrote the next frame */
    PUBLISHER_STEP_NOTHING, /* no frame yet: call again */
    PUBLISHER_STEP_END,     /* the snapshot is complete */
};

/* Takes one step, which is short however many applies there are. Writes a frame into
 * p->frame.bytes. */
enum publisher_step publisher_snapshot_next(struct publisher *p, struct publisher_snapshot *shot,
                                            size_t *size);

#endif
