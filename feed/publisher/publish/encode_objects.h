/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * encode_objects.h: what a job tells of its counters, spans and markers: which rows are due, and
 * their frames. Used by the feed's thread alone. Part of publisher.h.
 */
#ifndef FEED_TELL_H
#define FEED_TELL_H

#include "feed/publisher/core.h"

enum {
    FEED_COUNTER_ROWS = 2000, /* of one frame */
    FEED_SPAN_ROWS = 200,     /* with the threads and the slowest frames of each */
    FEED_SLOWEST = 5,         /* frames that are told of a span */
};

/* What was told last: for each row the number of updates that it had. */
struct feed_told {
    uint32_t *ended;
    uint32_t capacity, next; /* next: row to look at first, so that none waits for ever */
};

struct feed_tell {
    struct feed_told counters, spans;
    uint64_t *open; /* scratch: begin of the oldest open run of each span */
    uint32_t open_capacity;
    uint64_t mark; /* instants that were sent, by number */
};

struct feed_publisher;

void feed_tell_release(struct feed_tell *tell);

/* Send what changed, and the rows whose turn it is; `last`: whatever its size. */
void feed_tell_counters(struct feed_publisher *p, bool last);
void feed_tell_spans(struct feed_publisher *p, bool last);
void feed_tell_marks(struct feed_publisher *p, bool last);

/* Frames, as in publisher.h: of n counters or spans by id, ascending; at most FEED_COUNTER_ROWS,
 * FEED_SPAN_ROWS. */
size_t feed_frame_counters(struct feed_publisher *p, uint64_t seq, uint64_t request,
                           const uint32_t *id, size_t n);
size_t feed_frame_spans(struct feed_publisher *p, uint64_t seq, uint64_t request,
                        const uint32_t *id, size_t n);
/* Of instants behind number `*from`, which it moves. */
size_t feed_frame_marks(struct feed_publisher *p, uint64_t seq, uint64_t request, uint64_t *from);

/* Puts these, as many as fit, into columns of p: number, marker, scope, time, thread plus 1, task
 * plus 1. Gives how many. */
uint32_t feed_tell_take_marks(struct feed_publisher *p, uint64_t *from);

#endif
