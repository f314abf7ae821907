/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pending_frames.h: frames that wait for definitions: a bounded list of copies, oldest first.
 */
#ifndef FEED_VIEWER_STREAM_PENDING_FRAMES_H
#define FEED_VIEWER_STREAM_PENDING_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/protocol/frame.h"

struct viewer_pending_frame {
    uint8_t *bytes; /* owned */
    size_t size;
    uint32_t defs[WIRE_TABLES]; /* definitions that it needs; saves parsing it again */
    bool defines;               /* it has rows of definitions, which wait for other definitions */
    bool answer;                /* it answers a request */
};

/* Zero is empty. */
struct viewer_pending {
    struct viewer_pending_frame frame[WIRE_HELD_MAX];
    unsigned count;
};

/* Appends a copy of a frame. False: out of memory. The list must not be full. */
bool viewer_pending_add(struct viewer_pending *pending, const void *bytes, size_t size,
                        const struct wire_frame *frame);

/* Frees the frame at an index; later frames move up. */
void viewer_pending_remove(struct viewer_pending *pending, unsigned at);
void viewer_pending_clear(struct viewer_pending *pending);

/* True if any pending frame answers a request. */
bool viewer_pending_has_answer(const struct viewer_pending *pending);

#endif
