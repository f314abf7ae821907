/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * read_objects.h: reads counters, memory and spans while the program's threads write them, notes
 * them for a report, and resets them. Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_COLLECT_READ_OBJECTS_H
#define FEED_PUBLISHER_COLLECT_READ_OBJECTS_H

#include "feed/publisher/record/objects.h"

void publisher_counter_read(const struct publisher_counter *counter,
                            struct publisher_counter_view *view);

/* Reads a span. Also widens the extremes of the row to include its last run. */
void publisher_span_read(struct publisher_span *span, struct publisher_span_view *view);

/* Notes the current values of all rows, for a report and for a reset after it. */
void publisher_objects_note(struct publisher_objects *objects);
void publisher_counter_note(struct publisher_counter *counter);
void publisher_span_note(struct publisher_span *span);

/* Resets the statistics to start at the last note, so no update is lost or counted twice. Only the
 * extremes start at the reset itself: they may include the last update before it, but no others
 * since the note. Values stay. */
void publisher_objects_reset(struct publisher_objects *objects);
void publisher_counter_reset(struct publisher_counter *counter);
void publisher_span_reset(struct publisher_span *span);

/* Reads the calls and the time of a thread in a span since the last reset. */
void publisher_span_thread_read(const struct publisher_span_thread *by, uint64_t *calls,
                                uint64_t *total);

/* Gives the begin of the oldest open run of each of n spans; PROFTOP_UNKNOWN if none is open. */
void publisher_runs_open(struct publisher_objects *objects, uint32_t n, uint64_t *since);

/* Gives the slowest of the last frames, slowest first. Returns how many, at most `most`. `longest`
 * is the span's maximum as read before: a frame of more ns has ended since, and is skipped. */
uint32_t publisher_frames_slowest(struct publisher_span *span, uint64_t longest,
                                  struct publisher_frame_pass *slowest, uint32_t most);

#endif
