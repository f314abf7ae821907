/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * consistency.h: whether what came of a job is of one moment: whole ticks, and a snapshot of which
 * no part is much older than another (docs/protocol.md, section 4). It knows no socket and no
 * clock.
 */
#ifndef FEED_VIEWER_STREAM_CONSISTENCY_H
#define FEED_VIEWER_STREAM_CONSISTENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "feed/protocol/frame.h"

/* Zero at first. */
struct viewer_consistency {
    uint64_t tick;   /* of the last frame of the facts; */
    uint64_t closed; /* and of the last hello among them, which ends its tick */
    uint64_t first_ns, last_ns; /* stamps of its first and its last frame with figures; 0: none */
    unsigned slow;   /* so many ticks before it were made in pieces, one after the other */
    /* Of the snapshot's frames with figures, and of its reply: the newest tick; the oldest and the
     * newest stamp; and whether they are all. */
    uint64_t asked_tick, oldest_ns, newest_ns;
    bool whole;
};

/* A snapshot of all is asked for; it is here. */
void viewer_consistency_begin(struct viewer_consistency *moment);
void viewer_consistency_end(struct viewer_consistency *moment);

/* A frame of the facts or an answer came, whether or not it brought anything. */
void viewer_consistency_note(struct viewer_consistency *moment, const struct wire_frame *frame);

/* Whether what came is of one moment, `next` being the tick of the frame of the facts that comes
 * next; 0: not known. `near`: its parts are made at a time, as a small job does. */
bool viewer_consistency_holds(const struct viewer_consistency *moment, uint64_t next, bool near);

#endif
