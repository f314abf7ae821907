/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * rewrite.h: the phases of a job's compilations: rewrites, validation, linking. Written by the
 * feed alone. They are not values: they outlive an epoch.
 */
#ifndef MODEL_REWRITE_H
#define MODEL_REWRITE_H

#include "model/job.h"

enum { MODEL_PHASES_MAX = 16 * 1024 };

enum model_phase_kind {
    MODEL_PHASE_OTHER,
    MODEL_PHASE_REWRITE,
    MODEL_PHASE_VALIDATE,
    MODEL_PHASE_LINK,
    MODEL_PHASE_CODEGEN,
    MODEL_PHASE_THUNKS,
    MODEL_PHASE_KINDS
};

/* What is not known is MODEL_UNKNOWN. */
struct model_phase {
    struct model_text name;
    uint64_t rev; /* how often it has changed; 0: nothing was told of this number */
    uint64_t calls, total_ns, validate_ns, nodes_before, nodes_after;
    uint64_t open_since_ns; /* it is going on since, or MODEL_UNKNOWN */
    uint32_t function;
    uint32_t parent; /* number of the phase inside which it runs, or MODEL_NONE */
    uint8_t kind;    /* enum model_phase_kind */
};

/* Takes what is told of a phase; `told->name` is empty, and its bytes are `name`, borrowed. What
 * is not newer than what is known is skipped. False: out of memory. Numbers from MODEL_PHASES_MAX
 * on are skipped too. */
bool model_job_set_phase(struct model_job *job, uint32_t number, const struct model_phase *told,
                         const char *name, size_t size);

/* Phases, those of which nothing was told included. Borrowed until the next is set. */
const struct model_phase *model_job_phases(const struct model_job *job, uint32_t *count);

/* Word of a kind, as in JSON: "rewrite". */
const char *model_phase_word(enum model_phase_kind kind);

#endif
