/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * save.h: the dump of a job on the viewer's side: what the job's own proftop_dump() or
 * proftop_dumps() would write, from what the viewer knows of it.
 */
#ifndef FEED_SAVE_H
#define FEED_SAVE_H

#include "job.h"

enum feed_save {
    FEED_SAVE_TRACE, /* JSON: a Chrome trace with the totals beside its events, in ns */
    FEED_SAVE_TABLE, /* the table of MXNet's profiler. Not of memory, whose least and mean use are
                        not known here */
};

/* The text, which the caller frees, and its size; NULL when out of memory. `rows` becomes how many
 * applies, counters and spans have values. */
char *feed_save_text(const struct model_job *job, enum feed_save how, size_t *size, size_t *rows);

#endif
