/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * compile.h: compilations as nested rows: the whole compilation of a function, its rewriting, its
 * linking, and each phase. Row numbers follow the order in which rows were first seen, and never
 * change.
 */
#ifndef MODEL_COMPILE_H
#define MODEL_COMPILE_H

#include "model/state.h"

/* Parts reported with the function itself. A part is not a phase. */
enum model_compile_part {
    MODEL_COMPILE_WHOLE,
    MODEL_COMPILE_REWRITE,
    MODEL_COMPILE_LINK,
    MODEL_COMPILE_PARTS
};

struct model_compile_def {
    uint32_t function;
    uint32_t phase; /* phase number; MODEL_NONE: the row is a part */
    uint8_t part;   /* enum model_compile_part; unused for a phase */
};

/* Position of a row in a state. */
struct model_nest {
    uint64_t open_ns; /* time so far of the running call; MODEL_UNKNOWN: no call is running */
    uint32_t parent;  /* row that contains this one, or MODEL_NONE */
    uint32_t place;   /* position among the rows of the scope, from 1 on; a row comes before the
                       * rows it contains */
    uint32_t depth;   /* nesting depth */
};

/* Borrowed until the next row is added. */
const struct model_compile_def *model_job_compile(const struct model_job *job, uint32_t id);
uint32_t model_job_compiles(const struct model_job *job);
/* Name of a row, or its kind if it has no name; and its kind as in JSON, or "compile". Borrowed. */
const struct model_text *model_compile_name(const struct model_job *job, uint32_t id);
const struct model_text *model_compile_kind(const struct model_job *job, uint32_t id);
/* Returns the phase of a row of the state; NULL: the row is a part. */
const struct model_phase *model_compile_phase(const struct model_state *state, uint32_t id);

/* Builds the rows of a state. Needs the functions and phases of the state. The time of a row
 * covers ended calls and the running call. self_ns excludes the nested phases, and excludes the
 * time that another phase in the same row already covers, so the self times of a compilation add
 * up to its time. A part is left out if a phase of the same name reports it. Returns false if
 * out of memory. */
bool model_compile_take(struct model_state *state);
void model_compile_release(struct model_state *state);

/* True if the state has a row in its scope. */
bool model_compile_there(const struct model_state *state);

#endif
