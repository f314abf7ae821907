/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * waiting.h: finds the applies that wait for other jobs: collectives, push and pull, barriers.
 * Their time shows how late the others are, not how much work there is here. An apply reports what
 * it waits for (model_apply_def.waits). Otherwise the name of its class decides. A name is only a
 * guess: unlike the apply's own report, it does not take a row out of the 100 %.
 */
#ifndef MODEL_WAITING_H
#define MODEL_WAITING_H

#include "model/job.h"

/* Words of enum model_waits in reports. */
extern const char *const model_waits_words[MODEL_ASIDE + 1];

/* True if the name of a class is known to wait. Any bytes are allowed. */
bool model_waiting(const char *name, size_t size);

/* Returns what an apply waits for: its own report, else a guess from its class name. */
enum model_waits model_waiting_apply(const struct model_job *job, uint32_t apply);

#endif
