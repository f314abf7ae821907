/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * peak.h: computes the peak memory of a function's values from the details of its applies
 * (node_detail.h): sizes, readers, aliases. It is a computation on the graph, like the memory
 * profile of the Theano family. No allocation is measured. It excludes the memory of inputs and
 * constants, and temporary memory inside an op.
 */
#ifndef MODEL_PEAK_H
#define MODEL_PEAK_H

#include "model/node_detail.h"
#include "model/state.h"

/* Assumed order of the applies. */
enum model_peak_order {
    MODEL_PEAK_INDEX, /* by index */
    MODEL_PEAK_LAZY,  /* backwards from the results, the last result first, as the frameworks run
                       * that profile memory */
    MODEL_PEAK_ORDERS
};

struct model_peak {
    uint64_t bytes;
    uint32_t apply; /* the peak follows it; MODEL_NONE: no apply is known to take memory */
};

struct model_peaks {
    struct model_peak peak[MODEL_PEAK_ORDERS];       /* freed after the last reader; no result is */
    struct model_peak no_inplace[MODEL_PEAK_ORDERS]; /* the same, and nothing is overwritten */
    uint64_t created; /* nothing is freed: the sum of all values with their own memory */
    uint64_t outputs; /* the sum of all outputs, aliases included */
    uint32_t values;  /* outputs of all applies, */
    uint32_t unknown; /* of these, outputs of unknown size, */
    uint32_t untold;  /* and applies without details; if any, each figure above is a lower bound */
    bool lazy; /* the results are known; else the index order replaces the lazy order, and unread
                * values count as results */
};

/* Computes the peaks of the applies of one function, given by id. With `printed`, counts shared
 * memory as the frameworks' own profile does: it is freed with its last view, and freed again with
 * the value itself if that is read for longer. Returns false if out of memory. */
bool model_peaks_of(const struct model_job *job, const uint32_t *apply, uint32_t count,
                    bool printed, struct model_peaks *peaks);

/* Computes the peaks of the function in scope with the largest lazy peak. Sets *function to its id,
 * or to MODEL_NONE if no size is known. Returns false if out of memory. */
bool model_peaks_most(const struct model_state *state, struct model_peaks *peaks,
                      uint32_t *function);

#endif
