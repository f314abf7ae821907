/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * trace.h: the events of a dump, in Chrome's trace format: runs of spans, instants of markers, and
 * values of counters. The feed's thread samples counters once a tick, so updates of a counter cost
 * no more than without traces. Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_TRACE_H
#define FEED_PUBLISHER_PUBLISH_TRACE_H

#include "feed/publisher/publish/state.h"
#include "feed/shared/text_buffer.h"

/* Numbers of events of a dump: printed (open runs also apart), and not kept. */
struct publisher_trace_counts {
    uint64_t runs, runs_open, runs_lost, instants, instants_lost, samples, samples_lost;
};

void publisher_samples_release(struct publisher_samples *samples);

/* Samples each counter and pool of memory that was updated since its last sample; `all` false: only
 * as many as a tick looks at. */
void publisher_trace_sample(struct publisher *p, uint64_t now_ns, bool all);

/* Prints the events as objects, each after a comma and a line feed. */
void publisher_trace_print(struct publisher *p, struct shared_text *out,
                           struct publisher_trace_counts *counts);

#endif
