/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_read.h: a report that json.h wrote, read back as a job of which states can be taken: its
 * classes, ops, functions and applies with their values, and who it was. Lines, spans, memory and
 * what runs now are not read. Nothing in it is trusted: see json_reader.h.
 */
#ifndef MODEL_JSON_READ_H
#define MODEL_JSON_READ_H

#include "model/job.h"
#include "model/json_reader.h"
#include "model/spread.h"

enum {
    MODEL_SAVED_ROWS = 1 << 22,   /* rows of one table that are read */
    MODEL_SAVED_TEXTS = 1 << 30,  /* bytes of all their names */
    MODEL_SAVED_WORD = 24,
};

struct model_saved {
    struct model_job *job; /* one reference; NULL: there was no whole report */
    char state[MODEL_SAVED_WORD]; /* "live", "ended", ...; safe for the screen */
    uint64_t time_ns; /* when it was written, since 1970; or MODEL_UNKNOWN */
    uint64_t reports; /* whole ones that there were: this is the last */
    bool cut;         /* behind it stands one that is not whole */
    struct model_spread spread; /* of all that are of its instance and epoch */
};

/* Reads to the end. False with the rest of a sentence about it in `why` ("is cut off at byte 7");
 * there is no job then. The caller releases what was read. */
bool model_json_read(const struct model_reader *source, struct model_saved *saved, char *why,
                     size_t capacity);

void model_saved_release(struct model_saved *saved);

#endif
