/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * job_report.h: a report that a job has made, and that the viewer fetches part by part
 * (docs/protocol.md, 5.5).
 */
#ifndef FEED_VIEWER_STREAM_JOB_REPORT_H
#define FEED_VIEWER_STREAM_JOB_REPORT_H

#include "feed/protocol/frame.h"

/* Zero: no report. */
struct viewer_job_report {
    bool incomplete; /* parts are missing */
    char *data;  /* the parts so far, or NULL; grows as parts come */
    size_t size, have, capacity;
    uint64_t request; /* number of the request for the next part; 0: not requested yet */
};

/* Begins to fetch a report of `size` bytes. */
void viewer_job_report_begin(struct viewer_job_report *made, uint64_t size);
/* Takes the answer to the request. False: it is not the requested part, it exceeds the report, or
 * memory is short; the data so far is freed. */
bool viewer_job_report_take(struct viewer_job_report *made, const struct wire_frame *frame);
void viewer_job_report_release(struct viewer_job_report *made);

#endif
