/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * trace.h: the events of a dump, in Chrome's trace format: runs of spans, instants of markers, and
 * values of counters. The feed's thread samples counters once a tick, so updates of a counter cost
 * no more than without traces. Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_TRACE_H
#define FEED_PUBLISHER_PUBLISH_TRACE_H

#include <stdint.h>

#include "feed/shared/text_buffer.h"

enum {
    PUBLISHER_SAMPLES = 1 << 14, /* values of counters that are kept */
    PUBLISHER_SAMPLED = 1 << 13, /* counters that a tick looks at; if there are more, in turn */
};

struct publisher_sample {
    uint64_t mono_ns, bits;
    uint32_t counter;
};

struct publisher_samples {
    struct publisher_sample *sample; /* a ring of PUBLISHER_SAMPLES, or NULL */
    uint64_t taken, lost;            /* lost: ticks without memory for samples */
    uint32_t *seen;             /* updates of each counter at its last sample */
    uint32_t capacity;          /* entries of `seen` */
    uint32_t next;              /* first counter of the next tick */
};

/* Numbers of events of a dump: printed (open runs also apart), and not kept. */
struct publisher_trace_counts {
    uint64_t runs, runs_open, runs_lost, instants, instants_lost, samples, samples_lost;
};

struct publisher_sender;

void publisher_samples_release(struct publisher_samples *samples);

/* Samples each counter and pool of memory that was updated since its last sample; `all` false: only
 * as many as a tick looks at. */
void publisher_trace_sample(struct publisher_sender *p, uint64_t now_ns, bool all);

/* Prints the events as objects, each after a comma and a line feed. */
void publisher_trace_print(struct publisher_sender *p, struct shared_text *out,
                           struct publisher_trace_counts *counts);

#endif
