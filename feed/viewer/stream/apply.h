/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * apply.h: the facts of a checked frame, put into the model. The only writer of the model. It
 * knows no socket and no clock; which frames may be applied, and when, is for sync.h to say.
 */
#ifndef FEED_VIEWER_STREAM_APPLY_H
#define FEED_VIEWER_STREAM_APPLY_H

#include "feed/protocol/frame.h"
#include "model/job.h"
#include "model/link.h"

/* Whether all definitions that the frame relies on are in the job. */
bool viewer_apply_ready(const struct model_job *job, const struct wire_frame *frame);

enum viewer_apply {
    VIEWER_APPLY_DONE,
    VIEWER_APPLY_WAITS,  /* rows of it refer to definitions that are not there; nothing is lost if
                           the same frame is given again later */
    VIEWER_APPLY_WRONG,  /* rows of it refer to each other in a ring, or to rows that cannot come */
    VIEWER_APPLY_MEMORY, /* out of memory; nothing more of it was applied */
};

/* Puts the facts of a frame from a job into the model, by its stream and groups. `older` says that
 * the frame may be older than what the model holds: rows that fall are then no errors. Falls are
 * counted in `link`. */
enum viewer_apply viewer_apply_frame(struct model_job *job, const struct wire_frame *frame,
                                     bool older, struct model_link *link);

#endif
