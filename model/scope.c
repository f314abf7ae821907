/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * scope.c: scopes as numbers: ids of functions below GROUP, then groups by their first function,
 * then sets by their position in the job. Equal sets are stored once, so a number stands for one
 * set.
 */
#include "model/scope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/job_private.h"

#define GROUP (UINT32_C(1) << 31)
#define SET (UINT32_C(3) << 30)

enum { NAMES_SHOWN = 3, NAME_SHOWN = 40 };

/* ---------------------------------------------------------------------------------- numbers */

uint32_t model_scope_group(const struct model_job *job, uint32_t function)
{
    const uint32_t group = model_job_function(job, function)->group;
    uint32_t first = group == 0 ? function : 0;
    while (first < function && model_job_function(job, first)->group != group)
        first++;
    return GROUP | first;
}

static int by_id(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool is_set(const struct model_function_set *set, const uint32_t *function, uint32_t count)
{
    return set->count == count && memcmp(set->function, function, count * sizeof(*function)) == 0;
}

/* Takes ownership of `function`. */
static bool keep_set(struct model_job *job, uint32_t *function, uint32_t count, uint32_t *scope)
{
    uint32_t at = 0;
    while (at < job->sets && !is_set(&job->set[at], function, count))
        at++;
    *scope = SET | at;
    if (at < job->sets) {
        free(function);
        return true;
    }
    struct model_function_set *grown =
        at < MODEL_SCOPE_SETS_MAX ? realloc(job->set, (at + 1u) * sizeof(*grown)) : NULL;
    if (!grown) {
        free(function);
        return false;
    }
    job->set = grown;
    job->set[job->sets++] = (struct model_function_set){function, count};
    return true;
}

bool model_scope_choose(struct model_job *job, const uint32_t *function, uint32_t count,
                        uint32_t *scope)
{
    uint32_t *sorted = count > 0 ? malloc(count * sizeof(*sorted)) : NULL, kept = 0;
    if (!sorted)
        return false;
    memcpy(sorted, function, count * sizeof(*sorted));
    qsort(sorted, count, sizeof(*sorted), by_id);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || sorted[i] != sorted[i - 1])
            sorted[kept++] = sorted[i];
    if (kept > 1)
        return keep_set(job, sorted, kept, scope);
    *scope = sorted[0];
    free(sorted);
    return true;
}

/* ---------------------------------------------------------------------------------- members */

static bool of_group(const struct model_job *job, uint32_t first, uint32_t function)
{
    const uint32_t group = model_job_function(job, first)->group;
    return function == first || (group != 0 && model_job_function(job, function)->group == group);
}

bool model_scope_names(const struct model_job *job, uint32_t scope, uint32_t function)
{
    if (scope == MODEL_ALL || !model_scope_several(scope))
        return scope == MODEL_ALL || scope == function;
    if (model_scope_is_group(scope))
        return of_group(job, scope & ~GROUP, function);
    const struct model_function_set *set = &job->set[scope & ~SET];
    return bsearch(&function, set->function, set->count, sizeof(function), by_id) != NULL;
}

/* A function inside a node has a higher id than the function of the node. */
void model_scope_parts(const struct model_job *job, uint32_t scope, uint8_t *part, uint32_t count)
{
    for (uint32_t f = 0; f < count; f++) {
        const uint32_t parent = model_job_function(job, f)->parent;
        const uint32_t outer = parent == MODEL_NONE ? f : model_job_apply(job, parent)->function;
        if (model_scope_several(scope) && outer < f && part[outer] != MODEL_PART_OUT)
            part[f] = MODEL_PART_INSIDE;
        else
            part[f] = model_scope_names(job, scope, f) ? MODEL_PART_OUTER : MODEL_PART_OUT;
    }
}

/* ----------------------------------------------------------------------------------- labels */

/* Writes a name, cut at a character boundary. */
static size_t add_name(const struct model_job *job, uint32_t function, size_t room, char *out,
                       size_t capacity)
{
    const struct model_text *text = &model_job_function(job, function)->name;
    size_t size = text->shown_size;
    if (size > room) {
        size = room;
        while (size > 0 && ((uint8_t)text->shown[size] & 0xC0) == 0x80)
            size--;
    }
    const char *cut = size < text->shown_size ? "..." : "";
    return (size_t)snprintf(out, capacity, "%.*s%s", (int)size, text->shown, cut);
}

const char *model_scope_label(const struct model_job *job, uint32_t scope,
                              char out[MODEL_SCOPE_LABEL])
{
    const uint32_t functions = model_job_count(job, MODEL_FUNCTION);
    const size_t most = model_scope_several(scope) ? NAME_SHOWN : MODEL_SCOPE_LABEL - 16;
    size_t used = 0;
    uint32_t named = 0;
    snprintf(out, MODEL_SCOPE_LABEL, "all functions");
    for (uint32_t f = 0; scope != MODEL_ALL && f < functions; f++) {
        if (!model_scope_names(job, scope, f) || named++ >= NAMES_SHOWN)
            continue;
        if (used > 0)
            used += (size_t)snprintf(out + used, MODEL_SCOPE_LABEL - used, " + ");
        used += add_name(job, f, most, out + used, MODEL_SCOPE_LABEL - used);
    }
    if (named > NAMES_SHOWN)
        snprintf(out + used, MODEL_SCOPE_LABEL - used, " + %u more", named - NAMES_SHOWN);
    return out;
}
