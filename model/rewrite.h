/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * rewrite.h: the phases of a job's compilations: rewrites, validation, linking. Written by the feed
 * alone. Phases are not values: they outlive an epoch.
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

/* Unknown members are MODEL_UNKNOWN. */
struct model_phase {
    struct model_text name;
    uint64_t rev; /* number of changes; 0: nothing was received for this number */
    uint64_t calls, total_ns, validate_ns, nodes_before, nodes_after;
    uint64_t open_since_ns; /* start of the running call, or MODEL_UNKNOWN */
    uint32_t function;
    uint32_t parent; /* number of the phase that contains this one, or MODEL_NONE */
    uint64_t kind;   /* enum model_phase_kind; there is no padding (moment.h) */
};

/* Stores a phase if it is newer than the stored one. `told->name` is empty; the name is in `name`,
 * borrowed. Numbers from MODEL_PHASES_MAX on are skipped. Returns false if out of memory. */
bool model_job_set_phase(struct model_job *job, uint32_t number, const struct model_phase *reported,
                         const char *name, size_t size);

/* Returns all phases, including numbers for which nothing was received. Borrowed until the next
 * phase is set. */
const struct model_phase *model_job_phases(const struct model_job *job, uint32_t *count);

/* Word of a kind, as in JSON: "rewrite". */
const char *model_phase_word(enum model_phase_kind kind);

#endif
