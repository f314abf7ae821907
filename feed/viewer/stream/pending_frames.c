/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pending_frames.c: copies and frees pending frames. Memory is bounded: at most WIRE_HELD_MAX
 * frames, each as large as the frame that came.
 */
#include "config.h"

#include "feed/viewer/stream/pending_frames.h"

#include <stdlib.h>
#include <string.h>

bool viewer_pending_add(struct viewer_pending *hold, const void *bytes, size_t size,
                        const struct wire_frame *frame)
{
    struct viewer_pending_frame *held = &hold->frame[hold->count];
    uint8_t *copy = malloc(size);
    if (!copy)
        return false;
    memcpy(copy, bytes, size);
    *held = (struct viewer_pending_frame){.bytes = copy,
                                          .size = size,
                                          .defines = frame->stream == WIRE_DEFS,
                                          .answer = frame->field[WIRE_F_REQ].present};
    memcpy(held->defs, frame->defs, sizeof held->defs);
    hold->count++;
    return true;
}

void viewer_pending_remove(struct viewer_pending *hold, unsigned at)
{
    free(hold->frame[at].bytes);
    hold->count--;
    memmove(&hold->frame[at], &hold->frame[at + 1], (hold->count - at) * sizeof hold->frame[0]);
}

void viewer_pending_clear(struct viewer_pending *hold)
{
    while (hold->count > 0)
        viewer_pending_remove(hold, hold->count - 1);
}

bool viewer_pending_has_answer(const struct viewer_pending *hold)
{
    for (unsigned i = 0; i < hold->count; i++)
        if (hold->frame[i].answer)
            return true;
    return false;
}
