/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * apply_objects.h: applies counters, spans and markers of a checked frame, for apply.c.
 */
#ifndef FEED_VIEWER_STREAM_APPLY_OBJECTS_H
#define FEED_VIEWER_STREAM_APPLY_OBJECTS_H

#include "feed/protocol/frame.h"
#include "model/job.h"

/* One row of a group of definitions. Integers and texts stand at the indices of their columns. */
struct viewer_apply_row {
    uint64_t u[WIRE_COLUMNS];
    struct wire_text text[WIRE_COLUMNS];
    uint64_t waits; /* of an apply: its entry in group `waits`; 0: none */
};

/* Add a definition. False: out of memory. */
bool viewer_apply_counter(struct model_job *job, const struct viewer_apply_row *row);
bool viewer_apply_span(struct model_job *job, const struct viewer_apply_row *row);
bool viewer_apply_marker(struct model_job *job, const struct viewer_apply_row *row);

/* Apply the values of a frame. Return the number of refused rows. */
size_t viewer_apply_counters(struct model_job *job, const struct wire_frame *frame, bool older);
size_t viewer_apply_spans(struct model_job *job, const struct wire_frame *frame, bool older);
/* False: out of memory. */
bool viewer_apply_marks(struct model_job *job, const struct wire_frame *frame);

#endif
