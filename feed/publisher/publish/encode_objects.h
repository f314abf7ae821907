/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * encode_objects.h: what a job tells of its counters, spans and markers: which rows are due, and
 * their frames. Used by the feed's thread alone. Part of publisher.h.
 */
#ifndef FEED_PUBLISHER_PUBLISH_ENCODE_OBJECTS_H
#define FEED_PUBLISHER_PUBLISH_ENCODE_OBJECTS_H

#include "feed/publisher/core.h"

enum {
    PUBLISHER_COUNTER_ROWS = 2000, /* of one frame */
    PUBLISHER_SPAN_ROWS = 200,     /* with the threads and the slowest frames of each */
    PUBLISHER_SLOWEST = 5,         /* frames that are told of a span */
};

/* What was told last: for each row the number of updates that it had. */
struct publisher_last_sent {
    uint32_t *ended;
    uint32_t capacity, next; /* next: row to look at first, so that none waits for ever */
};

struct publisher_objects_encoder {
    struct publisher_last_sent counters, spans;
    uint64_t *open; /* scratch: begin of the oldest open run of each span */
    uint32_t open_capacity;
    uint64_t mark; /* instants that were sent, by number */
};

struct publisher_sender;

void publisher_objects_encoder_release(struct publisher_objects_encoder *tell);

/* Send what changed, and the rows whose turn it is; `last`: whatever its size. */
void publisher_encode_due_counters(struct publisher_sender *p, bool last);
void publisher_encode_due_spans(struct publisher_sender *p, bool last);
void publisher_encode_due_marks(struct publisher_sender *p, bool last);

/* Frames, as in publisher.h: of n counters or spans by id, ascending; at most
 * PUBLISHER_COUNTER_ROWS, PUBLISHER_SPAN_ROWS. */
size_t publisher_encode_counters(struct publisher_sender *p, uint64_t seq, uint64_t request,
                                 const uint32_t *id, size_t n);
size_t publisher_encode_spans(struct publisher_sender *p, uint64_t seq, uint64_t request,
                              const uint32_t *id, size_t n);
/* Of instants behind number `*from`, which it moves. */
size_t publisher_encode_marks(struct publisher_sender *p, uint64_t seq, uint64_t request,
                              uint64_t *from);

/* Puts these, as many as fit, into columns of p: number, marker, scope, time, thread plus 1, task
 * plus 1. Gives how many. */
uint32_t publisher_objects_encoder_take_marks(struct publisher_sender *p, uint64_t *from);

#endif
