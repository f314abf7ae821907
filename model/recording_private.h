/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * recording_private.h: what recorder.c and playback.c agree about.
 */
#ifndef MODEL_RECORDING_PRIVATE_H
#define MODEL_RECORDING_PRIVATE_H

#include <string.h>

#include "model/delta.h"
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

/* Of one more call of an apply, its time is both what the total grew by and the newest duration. So
 * where MODEL_RECORD_MOMENT adds one call, the change of the third word (last_ns) is written as
 * what it differs by from that: mostly nothing. `row` has the first two words; `last`: its place,
 * or the number of words if it has no third. */
static inline bool model_predicts(const struct model_delta_row *row, unsigned *last)
{
    *last = row->words > 2 && row->word[2] == 2 ? 2 : row->words;
    return row->table == MODEL_V_APPLY && row->words >= 2 && row->word[0] == 0 &&
           row->word[1] == 1 && row->change[0] == 1;
}

/* Sets the change of the third word: adds it, or takes it away if there is none. */
static inline void model_set_third(struct model_delta_row *row, bool there, uint64_t change)
{
    const unsigned rest = row->words - 2 - there;
    const unsigned to = 2 + (change != 0), from = 2 + there;
    memmove(row->word + to, row->word + from, rest);
    memmove(row->change + to, row->change + from, rest * sizeof(row->change[0]));
    row->words = to + rest;
    if (change == 0)
        return;
    row->word[2] = 2;
    row->change[2] = change;
}

/* The name of a phase is no value: these words of its row are not recorded. */
enum { MODEL_PHASE_WORDS = sizeof(struct model_text) / 8 };

#endif
