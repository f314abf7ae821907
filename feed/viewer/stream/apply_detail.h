/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * apply_detail.h: applies frames of the streams R, I and P to the model, for apply.c.
 */
#ifndef FEED_VIEWER_STREAM_APPLY_DETAIL_H
#define FEED_VIEWER_STREAM_APPLY_DETAIL_H

#include "feed/viewer/stream/apply_result.h"

enum viewer_apply viewer_apply_phases(struct model_job *job, const struct wire_frame *frame,
                                      struct model_link *link);
enum viewer_apply viewer_apply_details(struct model_job *job, const struct wire_frame *frame,
                                       struct model_link *link);

enum viewer_apply viewer_apply_percentiles(struct model_job *job, const struct wire_frame *frame,
                                           struct model_link *link);

#endif
