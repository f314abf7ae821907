/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * recording_private.h: what recorder.c and playback.c agree about.
 */
#ifndef MODEL_RECORDING_PRIVATE_H
#define MODEL_RECORDING_PRIVATE_H

#include "model/job_private.h"

/* The numbers of an identity, in the order of MODEL_RECORD_NUMBERS. New ones are added at the
 * end. */
#define MODEL_AT(member) offsetof(struct model_identity, member)
static const size_t model_identity_numbers[] = {
    MODEL_AT(pid),       MODEL_AT(start),     MODEL_AT(rank),      MODEL_AT(local_rank),
    MODEL_AT(size),      MODEL_AT(tick_ms),   MODEL_AT(counted),   MODEL_AT(mute),
    MODEL_AT(dropped),   MODEL_AT(invalid),   MODEL_AT(misuse),    MODEL_AT(restarts),
    MODEL_AT(viewers),   MODEL_AT(refused),   MODEL_AT(garbage),   MODEL_AT(flooded),
    MODEL_AT(full),      MODEL_AT(denied),    MODEL_AT(crowded),   MODEL_AT(cut),
    MODEL_AT(topics),    MODEL_AT(insecure),  MODEL_AT(open),      MODEL_AT(cost),
    MODEL_AT(least),     MODEL_AT(budget),    MODEL_AT(choice[0]), MODEL_AT(choice[1]),
    MODEL_AT(choice[2]), MODEL_AT(choice[3]), MODEL_AT(own_ns),    MODEL_AT(own_error_ns),
};
enum {
    /* Behind them: whether the job counts only while a viewer is connected. */
    MODEL_IDENTITY_ON_DEMAND = sizeof(model_identity_numbers) / sizeof(model_identity_numbers[0]),
    MODEL_IDENTITY_NUMBERS,
};

/* Flags of a moment. */
enum {
    MODEL_MOMENT_ENDED = 1 << 0,
    MODEL_MOMENT_COLLECTING = 1 << 1,
    MODEL_MOMENT_FOLLOWED = 1 << 2,
    MODEL_MOMENT_SHARE = 1 << 3, /* the part of the time in which the job counts follows: b */
};

/* The name of a phase is no value: these words of its row are not recorded. */
enum { MODEL_PHASE_WORDS = sizeof(struct model_text) / 8 };

#endif
