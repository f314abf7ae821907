/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * dump.h: writes the dump of a job in the viewer. The text is the same as from the job's own
 * proftop_dump() or proftop_dumps(), as far as the viewer has the data.
 */
#ifndef FEED_VIEWER_STREAM_DUMP_H
#define FEED_VIEWER_STREAM_DUMP_H

#include "feed/shared/stats_report.h"
#include "model/job.h"

/* Each returns a text, which the caller frees, and its size; NULL if out of memory. `rows` becomes
 * the number of applies, counters and spans with values. */

/* JSON: a Chrome trace with the totals beside its events, in ns. */
char *viewer_dump_trace(const struct model_job *job, size_t *size, size_t *rows);
/* The table that MXNet's profiler prints. */
char *viewer_dump_report(const struct model_job *job, const struct shared_report_form *form,
                         size_t *size, size_t *rows);

#endif
