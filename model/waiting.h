/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * waiting.h: which classes of ops wait for other jobs: collectives, push and pull, barriers. Their
 * time says how late the others are, not how much there is to do here.
 */
#ifndef MODEL_WAITING_H
#define MODEL_WAITING_H

#include <stdbool.h>
#include <stddef.h>

/* By the name of the class: any bytes. */
bool model_waiting(const char *name, size_t size);

#endif
