/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * scope.h: which functions of a job are looked at: all, one, a group of them, or some that were
 * chosen. One number says it: two scopes of a job are the same if their numbers are.
 *
 * Of several functions the self times of nodes count, and functions that run inside of them belong
 * to them: so the sum is that of the inclusive times of the outermost ones, and nothing is in it
 * twice. Of one function the time counts as its framework takes it, and it is alone.
 */
#ifndef MODEL_SCOPE_H
#define MODEL_SCOPE_H

#include "model/job.h"

#define MODEL_ALL UINT32_MAX /* all functions of the job */

enum {
    MODEL_SCOPE_LABEL = 200, /* bytes that hold every label */
    MODEL_SCOPE_SETS_MAX = 1024,
};

/* Where a function stands. */
enum model_part {
    MODEL_PART_OUT,
    MODEL_PART_INSIDE, /* in scope, and so is the function of the node that runs it */
    MODEL_PART_OUTER,  /* in scope, and no other in scope has it inside */
};

/* All, a group or a set: not one function alone. */
static inline bool model_scope_several(uint32_t scope)
{
    return scope >> 31 != 0;
}

/* What model_scope_group() gives. */
static inline bool model_scope_is_group(uint32_t scope)
{
    return scope >> 30 == 2;
}

/* The functions that are in one group with this one; those that come later too. */
uint32_t model_scope_group(const struct model_job *job, uint32_t function);

/* `count` functions, in any order. One is that function. False: there are none, too many sets, or
 * no memory. */
bool model_scope_choose(struct model_job *job, const uint32_t *function, uint32_t count,
                        uint32_t *scope);

/* Whether it was chosen, or is of the group; those that run inside are in scope all the same. */
bool model_scope_names(const struct model_job *job, uint32_t scope, uint32_t function);

/* Where each function of the job stands: enum model_part, by function id. */
void model_scope_parts(const struct model_job *job, uint32_t scope, uint8_t *part, uint32_t count);

/* "train", "f + g", "f + g + 3 more", safe for the screen; those without a name by their place.
 * "all functions". Gives `out`. */
const char *model_scope_label(const struct model_job *job, uint32_t scope,
                              char out[MODEL_SCOPE_LABEL]);

#endif
