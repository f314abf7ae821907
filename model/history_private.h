/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * history_private.h: what recordings need of a history, for recorder.c and playback.c alone.
 */
#ifndef MODEL_HISTORY_PRIVATE_H
#define MODEL_HISTORY_PRIVATE_H

#include "model/history.h"
#include "model/moment.h"

/* All that belongs to a moment beside the rows. Borrowed until the history is written to. */
const struct model_moment *model_history_moment_of(const struct model_history *history,
                                                   uint32_t at);
/* As model_history_commit(), of a moment in which `ticks` moments were added up. */
void model_history_commit_sum(struct model_history *history, uint32_t ticks);
/* The number of the first moment, so that older ones can be put before it. */
enum { MODEL_HISTORY_PLAYED = 1 << 30 };
void model_history_number_from(struct model_history *history, uint64_t number);
/* Forgets which rows were touched since the newest moment: their values are as they were then. */
void model_history_untouch(struct model_history *history);
/* The values of a past. Borrowed. */
const struct model_values *model_past_values(const struct model_past *past);

#endif
