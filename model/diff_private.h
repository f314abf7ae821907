/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * diff_private.h: finds the rows of a comparison, for diff.c alone.
 */
#ifndef MODEL_DIFF_PRIVATE_H
#define MODEL_DIFF_PRIVATE_H

#include "model/diff.h"

/* Builds the tables of `diff` by matching rows of both sides. Returns false if out of memory. */
bool model_diff_match(struct model_diff *diff);

#endif
