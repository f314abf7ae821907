/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * timeline.h: a trace: single calls, runs, instants and values of a window of time, as stream T. It
 * begins when a viewer asks, and ends after a time that is set then, whatever becomes of the
 * viewer. Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_TIMELINE_H
#define FEED_PUBLISHER_PUBLISH_TIMELINE_H

#include "feed/publisher/publish/state.h"

/* Begins a trace of `ns` and so many events at most. Returns false if one runs, or is still being
 * sent. */
bool publisher_timeline_start(struct publisher *p, uint64_t ns, uint64_t limit);
/* Ends the trace that runs; what is left is sent. */
void publisher_timeline_stop(struct publisher *p);
/* Returns when another trace can begin, in whole seconds from now, at the latest. */
uint64_t publisher_timeline_left_s(const struct publisher *p);

/* Sends the events since the last tick. `last`: the job ends, and so does the trace. */
void publisher_timeline_tick(struct publisher *p, uint64_t now_ns, bool last);

void publisher_timeline_release(struct publisher_timeline *timeline);

#endif
