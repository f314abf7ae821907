/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * apply.h: puts the facts of a checked frame into the model. It is the only writer of the model.
 * Uses no socket and no clock; sync.h decides which frames may be applied, and when.
 */
#ifndef FEED_VIEWER_STREAM_APPLY_H
#define FEED_VIEWER_STREAM_APPLY_H

#include "feed/viewer/stream/apply_objects.h"
#include "feed/viewer/stream/apply_result.h"

/* True if the job has all definitions that the frame refers to. */
bool viewer_apply_ready(const struct model_job *job, const struct wire_frame *frame);

/* Adds a row of a definition, as its group has it: the next one of its table. VIEWER_APPLY_WAITS:
 * it refers to a row that is not there. */
enum viewer_apply viewer_apply_definition(struct model_job *job, enum wire_group group,
                                          const struct viewer_apply_row *row);

/* Applies the facts of a frame to the model, by its stream and groups. `older`: the frame may be
 * older than the model's data, so a value that falls is no error. Otherwise falls are counted in
 * `link`. */
enum viewer_apply viewer_apply_frame(struct model_job *job, const struct wire_frame *frame,
                                     bool older, struct model_link *link);

#endif
