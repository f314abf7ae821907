/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * waiting.h: which applies wait for other jobs: collectives, push and pull, barriers. Their time
 * says how late the others are, not how much there is to do here. An apply says itself what it
 * waits for (model_apply_def.waits), or the name of its class tells. A name is a guess: it takes no
 * row out of the 100 %, as the word of the apply does.
 */
#ifndef MODEL_WAITING_H
#define MODEL_WAITING_H

#include "model/job.h"

/* What reports call enum model_waits. */
extern const char *const model_waits_words[MODEL_ASIDE + 1];

/* By the name of the class: any bytes. */
bool model_waiting(const char *name, size_t size);

/* What an apply of a job waits for: as it says, else by the name of its class. */
enum model_waits model_waiting_apply(const struct model_job *job, uint32_t apply);

#endif
