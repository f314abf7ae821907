/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * apply.h: puts the facts of a checked frame into the model. It is the only writer of the model.
 * Uses no socket and no clock; sync.h decides which frames may be applied, and when.
 */
#ifndef FEED_VIEWER_STREAM_APPLY_H
#define FEED_VIEWER_STREAM_APPLY_H

#include "feed/protocol/frame.h"
#include "model/job.h"
#include "model/link.h"

/* True if the job has all definitions that the frame refers to. */
bool viewer_apply_ready(const struct model_job *job, const struct wire_frame *frame);

enum viewer_apply {
    VIEWER_APPLY_DONE,
    VIEWER_APPLY_WAITS,  /* a row refers to a definition that has not come yet; the caller may apply
                          * the same frame again later */
    VIEWER_APPLY_WRONG,  /* rows refer to each other in a ring, or to rows that cannot come */
    VIEWER_APPLY_MEMORY, /* out of memory; the rest of the frame was not applied */
};

/* Applies the facts of a frame to the model, by its stream and groups. `older`: the frame may be
 * older than the model's data, so a value that falls is no error. Otherwise falls are counted in
 * `link`. */
enum viewer_apply viewer_apply_frame(struct model_job *job, const struct wire_frame *frame,
                                     bool older, struct model_link *link);

#endif
