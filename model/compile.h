/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * compile.h: compilations as rows, one inside the other: what is told of a function's compilation
 * as a whole, of its rewriting and of its linking, and each of its phases. Rows are numbered in
 * the order in which they were first told, and keep their numbers.
 */
#ifndef MODEL_COMPILE_H
#define MODEL_COMPILE_H

#include "model/state.h"

/* What is told with the function itself, and is no phase of its own. */
enum model_compile_part {
    MODEL_COMPILE_WHOLE,
    MODEL_COMPILE_REWRITE,
    MODEL_COMPILE_LINK,
    MODEL_COMPILE_PARTS
};

struct model_compile_def {
    uint32_t function;
    uint32_t phase; /* its number; MODEL_NONE: a part */
    uint8_t part;   /* enum model_compile_part; with a phase, nothing */
};

/* Where a row stands in a state. */
struct model_nest {
    uint64_t open_ns; /* how long its call that is going on takes so far; MODEL_UNKNOWN: none is */
    uint32_t parent;  /* row that it is shown inside, or MODEL_NONE */
    uint32_t place;   /* among the rows of the scope, from 1 on: each before those inside it */
    uint32_t depth;   /* in how many others it is */
};

/* Borrowed until the next is told. */
const struct model_compile_def *model_job_compile(const struct model_job *job, uint32_t id);
uint32_t model_job_compiles(const struct model_job *job);
/* Its name, or where it has none, its kind; and its kind, as in JSON, or "compile". Borrowed. */
const struct model_text *model_compile_name(const struct model_job *job, uint32_t id);
const struct model_text *model_compile_kind(const struct model_job *job, uint32_t id);
/* The phase of a row of the state; NULL: it is none. */
const struct model_phase *model_compile_phase(const struct model_state *state, uint32_t id);

/* Makes the rows of a state whose functions and phases are there. Time is that of the calls which
 * have ended and of the one that is going on; self_ns is without the phases shown inside, and
 * without what another one in the same row has already: all of a compilation add up to its time. A
 * part of which a phase tells by the same name is told once. False: out of memory. */
bool model_compile_take(struct model_state *state);
void model_compile_release(struct model_state *state);

/* Whether the state has a row in its scope. */
bool model_compile_there(const struct model_state *state);

#endif
