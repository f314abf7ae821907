/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * job_report.h: a report that a job has made and that is fetched from it, part by part
 * (docs/protocol.md, 5.5).
 */
#ifndef FEED_VIEWER_STREAM_JOB_REPORT_H
#define FEED_VIEWER_STREAM_JOB_REPORT_H

#include "feed/protocol/frame.h"

/* Zero: there is none. */
struct viewer_job_report {
    bool wanted;     /* parts of it are missing */
    char *data;      /* what has come, or NULL; grows as it comes */
    size_t size, have, capacity;
    uint64_t request; /* for the next part; 0: it is to be asked for */
};

/* Begins to fetch a report of so many bytes. */
void viewer_job_report_begin(struct viewer_job_report *made, uint64_t size);
/* Takes the answer to the request. False: it is not the part that was asked for, it is beyond the
 * report, or memory is short; what came is freed. */
bool viewer_job_report_take(struct viewer_job_report *made, const struct wire_frame *frame);
void viewer_job_report_release(struct viewer_job_report *made);

#endif
