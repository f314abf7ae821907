/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * encode_objects.h: publishes counters, spans and markers: finds the dirty rows and encodes their
 * frames. Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_ENCODE_OBJECTS_H
#define FEED_PUBLISHER_PUBLISH_ENCODE_OBJECTS_H

#include "feed/publisher/publish/state.h"

enum {
    PUBLISHER_COUNTER_ROWS = 2000, /* rows of one frame */
    PUBLISHER_SPAN_ROWS = 200,     /* likewise, with the threads and the slowest frames of each */
    PUBLISHER_SLOWEST = 5,         /* slowest frames that are sent of a span */
};

void publisher_objects_sent_release(struct publisher_objects_sent *tell);

/* Send changed rows, and the rows that are due to be repeated; `last`: all of them, whatever their
 * size. */
void publisher_encode_due_counters(struct publisher *p, bool last);
void publisher_encode_due_spans(struct publisher *p, bool last);
void publisher_encode_due_marks(struct publisher *p, bool last);

/* Encode frames, as in publisher.h, of n counters or spans by ascending id; at most
 * PUBLISHER_COUNTER_ROWS or PUBLISHER_SPAN_ROWS. */
size_t publisher_encode_counters(struct publisher *p, uint64_t seq, uint64_t request,
                                 const uint32_t *id, size_t n);
size_t publisher_encode_spans(struct publisher *p, uint64_t seq, uint64_t request,
                              const uint32_t *id, size_t n);
/* Encodes the instants after number `*from`; advances it. */
size_t publisher_encode_marks(struct publisher *p, uint64_t seq, uint64_t request, uint64_t *from);

/* Puts these instants, as many as fit, into columns of p: number, marker, scope, time, thread plus
 * 1, task plus 1. Returns how many. */
uint32_t publisher_encode_mark_columns(struct publisher *p, uint64_t *from);

#endif
