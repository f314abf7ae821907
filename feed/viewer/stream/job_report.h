/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * job_report.h: a report that a job has made and that is fetched from it, part by part
 * (docs/protocol.md, 5.5).
 */
#ifndef FEED_MADE_H
#define FEED_MADE_H

#include "feed/protocol/frame.h"

/* Zero: there is none. */
struct feed_made {
    bool wanted;     /* parts of it are missing */
    char *data;      /* what has come, or NULL; grows as it comes */
    size_t size, have, capacity;
    uint64_t request; /* for the next part; 0: it is to be asked for */
};

/* Begins to fetch a report of so many bytes. */
void feed_made_begin(struct feed_made *made, uint64_t size);
/* Takes the answer to the request. False: it is not the part that was asked for, it is beyond the
 * report, or memory is short; what came is freed. */
bool feed_made_take(struct feed_made *made, const struct wire_frame *frame);
void feed_made_release(struct feed_made *made);

#endif
