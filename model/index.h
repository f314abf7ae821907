/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * index.h: finds the row of a job that has a text. No two rows of an index have the same.
 */
#ifndef MODEL_INDEX_H
#define MODEL_INDEX_H

#include "model/job.h"

/* Zero is empty. The user frees `slot`. */
struct model_index {
    uint32_t *slot; /* a row plus 1; 0: free */
    uint32_t slots; /* a power of two, or 0 */
};

/* The text of a row. */
typedef struct model_bytes model_index_text(const struct model_job *job, uint32_t row);

/* Makes room for one row more than these. False: out of memory. */
bool model_index_fit(struct model_index *index, const struct model_job *job,
                     model_index_text *text, uint32_t rows);

/* The slot of a text: that of its row, or the free one where it goes. There is room for it. */
uint32_t *model_index_slot(const struct model_index *index, const struct model_job *job,
                           model_index_text *text, const char *bytes, size_t size);

#endif
