/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * peak.h: how much memory the values of a function take at most, from what is told of its applies
 * (node_detail.h): sizes, who reads what, whose memory it is. It is a computation on the graph, as
 * the memory profile of the Theano family is; no allocation is measured. Memory of inputs and
 * constants is not in it, nor what an op takes for itself while it runs.
 */
#ifndef MODEL_PEAK_H
#define MODEL_PEAK_H

#include "model/node_detail.h"
#include "model/state.h"

/* In which order the applies run. */
enum model_peak_order {
    MODEL_PEAK_INDEX, /* that of their indices */
    MODEL_PEAK_LAZY,  /* from the results back, the last result first: so run the frameworks that
                         profile memory */
    MODEL_PEAK_ORDERS
};

struct model_peak {
    uint64_t bytes;
    uint32_t apply; /* after which it is reached; MODEL_NONE: nothing is known to take any */
};

struct model_peaks {
    struct model_peak peak[MODEL_PEAK_ORDERS];     /* a value goes when nobody will read it */
    struct model_peak no_inplace[MODEL_PEAK_ORDERS]; /* and nothing is overwritten */
    uint64_t created; /* nothing goes before the end: the sum of what has memory of its own */
    uint64_t outputs; /* the sum of all outputs, whosever memory they are in */
    uint32_t values;  /* outputs of all applies, */
    uint32_t unknown; /* thereof of unknown size, */
    uint32_t untold;  /* and applies of which nothing is told: if any, each figure above is a least
                         one */
    bool lazy; /* results were told; else the order of indices stands in for the other one, and
                  what nobody reads is taken for a result */
};

/* What is known of the applies of one function, given by their ids. With `printed`, memory that is
 * shared is counted as the frameworks' own profile does: it goes with the last view of it, and
 * again with the value itself where that is read for longer. False: out of memory. */
bool model_peaks_of(const struct model_job *job, const uint32_t *apply, uint32_t count,
                    bool printed, struct model_peaks *peaks);

/* Those of the function in scope that takes most memory at once, run lazily; its id goes
 * to *function, or MODEL_NONE if no size is known. False: out of memory. */
bool model_peaks_most(const struct model_state *state, struct model_peaks *peaks,
                      uint32_t *function);

#endif
