/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * save.h: the dump of a job on the viewer's side: what the job's own proftop_dump() or
 * proftop_dumps() would write, from what the viewer knows of it.
 */
#ifndef FEED_VIEWER_STREAM_SAVE_H
#define FEED_VIEWER_STREAM_SAVE_H

#include "feed/shared/stats_report.h"
#include "model/job.h"

/* Each gives the text, which the caller frees, and its size; NULL when out of memory. `rows`
 * becomes how many applies, counters and spans have values. */

/* JSON: a Chrome trace with the totals beside its events, in ns. */
char *viewer_save_trace(const struct model_job *job, size_t *size, size_t *rows);
/* What MXNet's profiler prints. */
char *viewer_save_report(const struct model_job *job, const struct shared_report_form *form,
                         size_t *size, size_t *rows);

#endif
