/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pending_frames.c: the memory of frames that wait; never more than FEED_HELD_MAX frames of real
 * size.
 */
#include "config.h"

#include "feed/viewer/stream/pending_frames.h"

#include <stdlib.h>
#include <string.h>

bool feed_hold_add(struct feed_hold *hold, const void *bytes, size_t size,
                   const struct wire_frame *frame)
{
    struct feed_held *held = &hold->frame[hold->count];
    uint8_t *copy = malloc(size);
    if (!copy)
        return false;
    memcpy(copy, bytes, size);
    *held = (struct feed_held){.bytes = copy,
                               .size = size,
                               .defines = frame->stream == WIRE_DEFS,
                               .answer = frame->field[WIRE_F_REQ].present};
    memcpy(held->defs, frame->defs, sizeof held->defs);
    hold->count++;
    return true;
}

void feed_hold_remove(struct feed_hold *hold, unsigned at)
{
    free(hold->frame[at].bytes);
    hold->count--;
    memmove(&hold->frame[at], &hold->frame[at + 1], (hold->count - at) * sizeof hold->frame[0]);
}

void feed_hold_clear(struct feed_hold *hold)
{
    while (hold->count > 0)
        feed_hold_remove(hold, hold->count - 1);
}

bool feed_hold_answers(const struct feed_hold *hold)
{
    for (unsigned i = 0; i < hold->count; i++)
        if (hold->frame[i].answer)
            return true;
    return false;
}
