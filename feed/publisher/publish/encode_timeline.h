/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * encode_timeline.h: the frames of a trace. Rows are put into the columns of p first: each group
 * has columns of its own. Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_ENCODE_TIMELINE_H
#define FEED_PUBLISHER_PUBLISH_ENCODE_TIMELINE_H

#include "feed/publisher/publish/state.h"

/* Rows of a frame, by group. */
struct publisher_trace_rows {
    uint32_t applied, called, valued; /* or: */
    uint32_t ran;                     /* or: */
    uint32_t marked;
    uint64_t base_ns; /* monotonic clock, not before any event of the frame */
};

/* How a row is known, on the wire. */
enum { PUBLISHER_HOW_TIMED, PUBLISHER_HOW_GIVEN, PUBLISHER_HOW_OPEN };

static inline uint32_t publisher_trace_rows_all(const struct publisher_trace_rows *rows)
{
    return rows->applied + rows->called + rows->valued + rows->ran + rows->marked;
}

/* Put one row into the columns. `start_ns`: monotonic clock. */
void publisher_trace_put_apply(struct publisher *p, struct publisher_trace_rows *rows,
                               uint32_t apply, uint64_t start_ns, uint64_t ns, uint32_t thread,
                               unsigned how);
void publisher_trace_put_call(struct publisher *p, struct publisher_trace_rows *rows,
                              uint32_t function, uint64_t start_ns, uint64_t ns, uint32_t thread,
                              unsigned how);
/* `bits`: an int64_t, or a double, as the counter says. */
void publisher_trace_put_value(struct publisher *p, struct publisher_trace_rows *rows,
                               uint32_t counter, uint64_t at_ns, uint64_t bits);
void publisher_trace_put_run(struct publisher *p, struct publisher_trace_rows *rows,
                             const struct publisher_still_open *run, uint64_t ns, unsigned how);
/* Turns n rows of publisher_encode_mark_columns() into rows of a trace. */
void publisher_trace_put_marks(struct publisher *p, struct publisher_trace_rows *rows, uint32_t n);

/* Encodes a frame, as in publisher.h; without rows it says how far the trace is. */
size_t publisher_encode_trace(struct publisher *p, uint64_t seq,
                              const struct publisher_trace_rows *rows);

#endif
