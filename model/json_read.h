/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_read.h: reads a report that json.h wrote. The result is a job: its identity, its classes,
 * ops, functions and applies, and their values, with long calls, output bytes and bytes that ops
 * allocate. Lines, spans, memory pools, other metrics and open applies are not read.
 * The input is not trusted: see json_reader.h.
 */
#ifndef MODEL_JSON_READ_H
#define MODEL_JSON_READ_H

#include "model/job.h"
#include "model/json_reader.h"
#include "model/spread.h"

enum {
    MODEL_SAVED_ROWS = 1 << 22,  /* most rows of one table */
    MODEL_SAVED_TEXTS = 1 << 30, /* most bytes of all names */
    MODEL_SAVED_WORD = 24,
};

struct model_saved {
    struct model_job *job;        /* one reference; NULL: the input had no whole report */
    char state[MODEL_SAVED_WORD]; /* "live", "ended", ...; safe for the screen */
    uint64_t time_ns;             /* when the report was written, since 1970; or MODEL_UNKNOWN */
    uint64_t reports;             /* number of whole reports in the input; the last one is read */
    uint64_t runs;                /* number of jobs, or epochs of one, that they tell of in turn */
    bool cut;                     /* an incomplete report follows the last whole one */
    struct model_spread spread;   /* from all reports of the same instance and epoch */
};

/* Reads to the end. On failure returns false, writes the rest of a sentence to `why` ("is cut off
 * at byte 7"), and sets no job. The caller releases `saved`. */
bool model_json_read(const struct model_reader *source, struct model_saved *saved, char *why,
                     size_t capacity);

void model_saved_release(struct model_saved *saved);

#endif
