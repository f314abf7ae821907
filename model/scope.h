/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * scope.h: the functions of a job in view: all, one, a group, or a chosen set. One number
 * identifies a scope: two scopes of a job are equal if their numbers are.
 *
 * With several functions, self times of nodes count, and functions that run inside them belong to
 * the scope. So the sum equals the inclusive times of the outermost functions, and counts nothing
 * twice. With one function, the framework's own time counts, and inner functions are out of scope.
 */
#ifndef MODEL_SCOPE_H
#define MODEL_SCOPE_H

#include "model/job.h"

#define MODEL_ALL UINT32_MAX /* all functions of the job */

enum {
    MODEL_SCOPE_LABEL = 200, /* bytes that hold any label */
    MODEL_SCOPE_SETS_MAX = 1024,
};

/* Position of a function relative to a scope. */
enum model_part {
    MODEL_PART_OUT,
    MODEL_PART_INSIDE, /* in scope, and inside a node whose function is in scope */
    MODEL_PART_OUTER,  /* in scope, and not inside another function in scope */
};

/* True for all functions, a group or a set; false for one function. */
static inline bool model_scope_several(uint32_t scope)
{
    return scope >> 31 != 0;
}

/* True for a result of model_scope_group(). */
static inline bool model_scope_is_group(uint32_t scope)
{
    return scope >> 30 == 2;
}

/* Returns the group of a function. It includes functions that are added later. */
uint32_t model_scope_group(const struct model_job *job, uint32_t function);

/* Chooses `count` functions, in any order. A single one gives the scope of that function. Returns
 * false if there are none, if there are too many sets, or if out of memory. */
bool model_scope_choose(struct model_job *job, const uint32_t *function, uint32_t count,
                        uint32_t *scope);

/* True if the scope names the function: it was chosen, or is in the group. Functions that run
 * inside are in scope without being named. */
bool model_scope_names(const struct model_job *job, uint32_t scope, uint32_t function);

/* Sets the position of each function of the job: enum model_part, by function id. */
void model_scope_parts(const struct model_job *job, uint32_t scope, uint8_t *part, uint32_t count);

/* Writes "train", "f + g", "f + g + 3 more" or "all functions", safe for the screen. A function
 * without a name appears by its location. Returns `out`. */
const char *model_scope_label(const struct model_job *job, uint32_t scope,
                              char out[MODEL_SCOPE_LABEL]);

#endif
