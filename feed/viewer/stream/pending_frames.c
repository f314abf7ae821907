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

bool viewer_pending_add(struct viewer_pending *pending, const void *bytes, size_t size,
                        const struct wire_frame *frame)
{
    struct viewer_pending_frame *held = &pending->frame[pending->count];
    uint8_t *copy = malloc(size);
    if (!copy)
        return false;
    memcpy(copy, bytes, size);
    *held = (struct viewer_pending_frame){.bytes = copy,
                                          .size = size,
                                          .defines = frame->stream == WIRE_DEFS,
                                          .answer = frame->field[WIRE_F_REQ].present};
    memcpy(held->defs, frame->defs, sizeof held->defs);
    pending->count++;
    return true;
}

void viewer_pending_remove(struct viewer_pending *pending, unsigned at)
{
    free(pending->frame[at].bytes);
    pending->count--;
    memmove(&pending->frame[at], &pending->frame[at + 1],
            (pending->count - at) * sizeof pending->frame[0]);
}

void viewer_pending_clear(struct viewer_pending *pending)
{
    while (pending->count > 0)
        viewer_pending_remove(pending, pending->count - 1);
}

bool viewer_pending_has_answer(const struct viewer_pending *pending)
{
    for (unsigned i = 0; i < pending->count; i++)
        if (pending->frame[i].answer)
            return true;
    return false;
}
