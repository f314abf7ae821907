/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import.h: reads a saved profile of any known format into a job that has ended. The format is told
 * by its content: see THE table of formats in import.c. No input is trusted.
 *
 * Figures that a print does not have stay unknown. Whatever could not be read, and how times are
 * rounded, is in the notices of the job.
 */
#ifndef MODEL_IMPORT_H
#define MODEL_IMPORT_H

#include "model/json_read.h"

struct model_imported {
    struct model_saved saved; /* the job, and how a report of proftop describes it */
    const char *format;       /* "profile of Theano, Aesara or PyTensor"; static */
    uint64_t unread;          /* lines or events of the profile that could not be read */
    bool killed;              /* the job did not end in order: these are its last figures */
};

/* Reads to the end. On failure returns false, writes the rest of a sentence to `why` ("is empty"),
 * and sets no job. The caller releases `imported`. Blocks as long as `source` does. */
bool model_import(const struct model_reader *source, struct model_imported *imported, char *why,
                  size_t capacity);
void model_imported_release(struct model_imported *imported);

#endif
