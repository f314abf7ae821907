/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pace.h: steps, samples and tokens per second: how often the frame `step` of a job ends, and how
 * fast the counters `samples` and `tokens` of the same domain grow. If several frames have that
 * name, the one with the most calls counts.
 */
#ifndef MODEL_PACE_H
#define MODEL_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct model_state;

/* Value of a counter. `counter`: MODEL_NONE if there is none, or if it has no value. */
struct model_pace_sum {
    uint32_t counter;
    double value;
};

/* Progress of a frame and its counters. */
struct model_pace_point {
    uint32_t span; /* the frame, or MODEL_NONE */
    uint64_t calls, until_ns;
    struct model_pace_sum samples, tokens;
};

/* Rates in an interval; below 0: unknown. Measured from the end of one step to the end of
 * another. */
struct model_pace {
    struct model_pace_point from, now; /* progress at the start and at the end of the interval */
    double steps, samples, tokens;     /* per second */
};

/* Value without an interval, and in a state of several jobs before their sum. */
extern const struct model_pace model_pace_none;

/* Computes the pace of a state whose values are set. The interval starts at `before`; NULL: there
 * is no interval. */
void model_pace_take(struct model_state *state, const struct model_state *before);

/* A mean step of those that a job has counted as a whole, and its phases. Counters of the frame's
 * domain tell them: `steps counted`, and in "ns in counted steps" `step` and each phase. */
enum { MODEL_PACE_PHASES = 8 }; /* at most; the shortest ones are left out */
struct model_pace_phase {
    const struct model_text *name;
    double ns;
};
struct model_pace_step {
    double counted, ns;
    unsigned phases;
    struct model_pace_phase phase[MODEL_PACE_PHASES]; /* the longest first */
};

/* Returns false if the job has no such counters, or if the state is of one function. */
bool model_pace_step(const struct model_state *state, struct model_pace_step *step);

/* How busy the devices of a job are, in its newest window: mean of the counters `busy`, in %. */
struct model_pace_device {
    double busy_percent;
    /* "launch bound": the device idles, and the host is busy with ops; "device bound"; or "". */
    const char *bound;
};

/* Returns false if the job tells of no device, or if the state is of one function. */
bool model_pace_device(const struct model_state *state, struct model_pace_device *device);

#endif
