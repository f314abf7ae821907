/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * rewrite.c: stores the phases of compilations.
 */
#include "model/rewrite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/job_private.h"
#include "model/state.h"

const char *model_phase_word(enum model_phase_kind kind)
{
    static const char *const word[MODEL_PHASE_KINDS] = {
        [MODEL_PHASE_OTHER] = "other",       [MODEL_PHASE_REWRITE] = "rewrite",
        [MODEL_PHASE_VALIDATE] = "validate", [MODEL_PHASE_LINK] = "link",
        [MODEL_PHASE_CODEGEN] = "codegen",   [MODEL_PHASE_THUNKS] = "thunks",
    };
    return (unsigned)kind < MODEL_PHASE_KINDS ? word[kind] : word[MODEL_PHASE_OTHER];
}

/* Allocates `count` phases. New phases have rev 0. */
static bool make_room(struct model_job *job, uint32_t count)
{
    if (count <= job->values.phases)
        return true;
    uint32_t capacity = job->values.phases * 2 > count ? job->values.phases * 2 : count;
    struct model_phase *grown = realloc(job->values.phase, capacity * sizeof(*grown));
    if (!grown)
        return false;
    memset(grown + job->values.phases, 0, (capacity - job->values.phases) * sizeof(*grown));
    job->values.phase = grown;
    job->values.phases = capacity;
    return true;
}

/* Sets the name of a phase, and gives it a row of compile.h. */
static bool name_phase(struct model_job *job, uint32_t number, uint32_t function, const char *name,
                       size_t size)
{
    struct model_text text;
    if (!model_text_make(&job->texts, name, size, &text) ||
        !model_text_stand_in(&job->texts, &text, "phase #%" PRIu32, number) ||
        !model_compile_add_phase(job, function, number))
        return false;
    job->values.phase[number].name = text;
    return true;
}

bool model_phase_define(struct model_job *job, uint32_t number, uint32_t function, const char *name,
                        size_t size)
{
    if (number >= MODEL_PHASES_MAX || function >= job->def[MODEL_FUNCTION].count ||
        !make_room(job, number + 1) || job->values.phase[number].name.raw ||
        !name_phase(job, number, function, name, size))
        return false;
    if (number >= job->phases)
        job->phases = number + 1;
    return true;
}

bool model_job_set_phase(struct model_job *job, uint32_t number, const struct model_phase *reported,
                         const char *name, size_t size)
{
    if (number >= MODEL_PHASES_MAX || reported->function >= job->def[MODEL_FUNCTION].count)
        return true;
    if (!make_room(job, number + 1))
        return false;
    struct model_phase *phase = &job->values.phase[number];
    if (reported->rev <= phase->rev)
        return true;
    model_touch(job, MODEL_V_PHASE, number);
    /* The name never changes. Later names, from a faulty job, are ignored. */
    if (phase->rev == 0 && !name_phase(job, number, reported->function, name, size))
        return false;
    const struct model_text text = phase->name;
    *phase = *reported;
    phase->name = text;
    if (phase->parent >= number)
        phase->parent = MODEL_NONE;
    if (number >= job->phases)
        job->phases = number + 1;
    return true;
}

const struct model_phase *model_job_phases(const struct model_job *job, uint32_t *count)
{
    *count = job->phases;
    return job->values.phase;
}

/* The innermost open phase is the one that began last; for equal instants, the one with the highest
 * number. */
const struct model_phase *model_state_phase(const struct model_state *state, uint32_t function)
{
    const struct model_phase *found = NULL;
    for (uint32_t i = 0; i < state->phases; i++) {
        const struct model_phase *phase = &state->phase[i];
        bool open =
            phase->rev > 0 && phase->function == function && phase->open_since_ns != MODEL_UNKNOWN;
        if (open && (!found || phase->open_since_ns >= found->open_since_ns))
            found = phase;
    }
    return found;
}
