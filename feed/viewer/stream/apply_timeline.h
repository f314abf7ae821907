/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * apply_timeline.h: applies the events of a trace, for apply.c.
 */
#ifndef FEED_VIEWER_STREAM_APPLY_TIMELINE_H
#define FEED_VIEWER_STREAM_APPLY_TIMELINE_H

#include "feed/protocol/frame.h"
#include "model/timeline.h"

/* Adds the events of a checked frame to the job, if it keeps events. */
void viewer_apply_timeline(struct model_job *job, const struct wire_frame *frame);

#endif
