/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * consistency.h: decides whether the data of a job is a consistent snapshot: whole ticks, and a
 * snapshot whose parts have nearly the same age (docs/protocol.md, section 4). Uses no socket and
 * no clock.
 */
#ifndef FEED_VIEWER_STREAM_CONSISTENCY_H
#define FEED_VIEWER_STREAM_CONSISTENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "feed/protocol/frame.h"

/* Zero at first. */
struct viewer_consistency {
    uint64_t tick;              /* of the last frame of facts; */
    uint64_t closed;            /* of the last hello among the facts; a hello ends its tick */
    uint64_t first_ns, last_ns; /* stamps of its first and last frame with figures; 0: none */
    unsigned slow;              /* number of slow ticks in a row before `tick` (is_apart()) */
    /* Over the snapshot's frames with figures, and its reply: the newest tick, the oldest and the
     * newest stamp. `whole`: all frames have come. */
    uint64_t requested_tick, oldest_ns, newest_ns;
    bool whole;
};

/* Called when a whole snapshot is requested, and when it is complete. */
void viewer_consistency_begin(struct viewer_consistency *consistency);
void viewer_consistency_end(struct viewer_consistency *consistency);

/* Called for each frame of facts and each answer, even if the frame brings nothing new. */
void viewer_consistency_note(struct viewer_consistency *consistency,
                             const struct wire_frame *frame);

/* True if the data so far is a consistent snapshot. `next`: tick of the next frame of facts; 0: not
 * known. `near`: the job is so small that it makes all parts of a snapshot or a tick in one go. */
bool viewer_consistency_holds(const struct viewer_consistency *consistency, uint64_t next,
                              bool near);

#endif
