/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * index.h: finds the row of a job by its text. No two rows of an index have the same text.
 */
#ifndef MODEL_INDEX_H
#define MODEL_INDEX_H

#include "model/job.h"

/* All zeros is an empty index. The user frees `slot`. */
struct model_index {
    uint32_t *slot; /* a row plus 1; 0: free */
    uint32_t slots; /* a power of two, or 0 */
};

/* Returns the text of a row. */
typedef struct model_bytes model_index_text(const struct model_job *job, uint32_t row);

/* Allocates space for one row more than `rows`. Returns false if out of memory. */
bool model_index_fit(struct model_index *index, const struct model_job *job,
                     model_index_text *text, uint32_t rows);

/* Returns the slot of a text: the slot of its row, or the free slot where it belongs. Call
 * model_index_fit() first. */
uint32_t *model_index_slot(const struct model_index *index, const struct model_job *job,
                           model_index_text *text, const char *bytes, size_t size);

#endif
