/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pace.h: steps and samples a second: how often the frame `step` of a job ends, and how fast the
 * counter `samples` of its domain grows. Of several such frames, that with the most calls counts.
 */
#ifndef MODEL_PACE_H
#define MODEL_PACE_H

#include <stdint.h>

struct model_state;

/* Where a frame and a counter stand. */
struct model_pace_point {
    uint32_t span;    /* the frame, or MODEL_NONE */
    uint32_t counter; /* the counter, or MODEL_NONE: it has no value */
    uint64_t calls, until_ns;
    double samples;
};

/* Rates of an interval, below 0: unknown. They are from the end of one step to that of another. */
struct model_pace {
    struct model_pace_point from, now; /* where the interval began, and where it ended */
    double steps, samples;             /* a second */
};

/* Of no interval, and of a state of several jobs before their sum. */
extern const struct model_pace model_pace_none;

/* Takes the pace of a state whose values are there. `before`: the interval is since then; NULL:
 * there is none. */
void model_pace_take(struct model_state *state, const struct model_state *before);

#endif
