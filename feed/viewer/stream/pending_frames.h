/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pending_frames.h: frames that wait for definitions: a bounded list of copies, oldest first.
 */
#ifndef FEED_HOLD_H
#define FEED_HOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/protocol/frame.h"

struct feed_held {
    uint8_t *bytes; /* owned */
    size_t size;
    uint32_t defs[WIRE_TABLES]; /* what it relies on, so that it need not be read again to know */
    bool defines;               /* its own rows of definitions wait for others */
    bool answer;                /* it answers a request */
};

/* Zero is empty. */
struct feed_hold {
    struct feed_held frame[FEED_HELD_MAX];
    unsigned count;
};

/* Copies a frame to the end. False: out of memory. The list must not be full. */
bool feed_hold_add(struct feed_hold *hold, const void *bytes, size_t size,
                   const struct wire_frame *frame);

/* Frees the frame at a place; those behind it move up. */
void feed_hold_remove(struct feed_hold *hold, unsigned at);
void feed_hold_clear(struct feed_hold *hold);

/* Whether any of them answers a request. */
bool feed_hold_answers(const struct feed_hold *hold);

#endif
