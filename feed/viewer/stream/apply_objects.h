/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * apply_objects.h: counters, spans and markers of a checked frame, for apply.c.
 */
#ifndef FEED_INTAKE_OBJECTS_H
#define FEED_INTAKE_OBJECTS_H

#include "feed/viewer/stream/apply.h"

/* One row of a group that defines rows. Integers and texts stand at the places of their columns. */
struct feed_intake_row {
    uint64_t u[WIRE_COLUMNS];
    struct wire_text text[WIRE_COLUMNS];
    uint64_t waits; /* of an apply: what group `waits` says of it; 0: nothing */
};

/* Definitions. False: out of memory. */
bool feed_intake_counter(struct model_job *job, const struct feed_intake_row *row);
bool feed_intake_span(struct model_job *job, const struct feed_intake_row *row);
bool feed_intake_marker(struct model_job *job, const struct feed_intake_row *row);

/* Values of a frame. They give how many rows were refused. */
size_t feed_intake_counters(struct model_job *job, const struct wire_frame *frame, bool older);
size_t feed_intake_spans(struct model_job *job, const struct wire_frame *frame, bool older);
/* False: out of memory. */
bool feed_intake_marks(struct model_job *job, const struct wire_frame *frame);

#endif
