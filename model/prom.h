/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * prom.h: reports in the text format of Prometheus, version 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/). THE column table defines the
 * series of classes and ops: each column with a key of JSON and a number is one, in seconds where
 * JSON has ns. Columns of an interval are left out: rate() is for that.
 *
 * Bounded: each table of a job has series of its own for at most `top` rows, the ones with most
 * time when the job is first seen; rows that come later get series while there are free ones. The
 * counters of all other rows are summed into a row named "other". A row never changes between the
 * two, so that no counter falls, until the job resets its counts or another job takes its place.
 */
#ifndef MODEL_PROM_H
#define MODEL_PROM_H

#include "model/json.h"

enum { MODEL_PROM_USUAL = 50, MODEL_PROM_MOST = 5000 }; /* rows of each table with own series */

struct model_prom;

/* Returns a writer that remembers which rows have series. `top`: 0 stands for MODEL_PROM_MOST. The
 * caller frees it. Returns NULL if out of memory. */
struct model_prom *model_prom_new(uint32_t top);
void model_prom_free(struct model_prom **prom);

/* Writes the metrics of all jobs of a report. Returns false if out of memory; the output is then
 * incomplete. */
bool model_prom_write(struct model_prom *prom, const struct model_report *report,
                      const struct model_sink *sink);

#endif
